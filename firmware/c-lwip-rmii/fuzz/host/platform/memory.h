/* In place of the firmware's: a section whose beginning and end the host's linker names. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define DMA_MEMORY __attribute__((section("dma"), aligned(32)))

bool memory_is_dma(const void *object, size_t bytes);
