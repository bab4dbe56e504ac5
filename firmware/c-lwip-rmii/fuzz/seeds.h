/* Well-formed frames of every kind that the firmware knows, and of some that it leaves alone. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct random;

size_t seed_frame(struct random *random, uint8_t *frame);
