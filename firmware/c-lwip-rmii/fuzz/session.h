/* The deterministic driver: frames and events in sequence, from a seed. */
#pragma once

#include <stdint.h>

/* Feeds the frames, says what they reached, and returns the exit status: 0 when nothing was found. */
int sessions_run(uint64_t inputs, uint64_t seed, const char *folder);
