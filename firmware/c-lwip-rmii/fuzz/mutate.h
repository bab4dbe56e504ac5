/* Frames to feed the firmware: well-formed ones, and what becomes of them. All of it follows from a
   seed and from what the firmware has sent. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state;
};

/* A number below `limit`. */
uint32_t random_below(struct random *random, uint32_t limit);

/* Writes a frame into `frame`, of FRAME_SPACE_BYTES, and returns its length. */
size_t mutate_frame(struct random *random, uint8_t *frame);

/* Keeps a frame that has reached code which none before it had, to be mutated further. */
void mutate_keep(const uint8_t *frame, size_t bytes);

/* Makes what is kept common to processes that fork later. */
void mutate_share(void);
