/* Memory that the core shares with the Ethernet DMA, and the caches in front of all other memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Puts an object where the Ethernet DMA reaches it and no cache keeps copies of it. The start-up code
   does not initialise it. */
#define DMA_MEMORY __attribute__((section(".dma"), aligned(32)))

/* Sets the regions of the memory protection unit. */
void memory_protect(void);

/* Switches on the caches that the build asks for. The regions must have been set. */
void caches_enable(void);

/* Whether the Ethernet DMA reaches all of the object. */
bool memory_is_dma(const void *object, size_t bytes);
