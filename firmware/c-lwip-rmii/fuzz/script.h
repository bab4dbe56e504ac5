/* What happens to the firmware, as bytes: a record after the other. Any bytes are a script. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum record_kind { RECORD_FRAME, RECORD_TIME, RECORD_CABLE, RECORD_PROBE, RECORD_KINDS };

/* How a frame comes, beside its status in the low bits. */
enum { FRAME_STATUS_MASK = 3, FRAME_IN_BURST = 1 << 6, FRAME_HOLDS_TRANSMITTER = 1 << 7 };

/* What becomes of the cable. */
enum { CABLE_PLUGGED_IN = 1 << 0, CABLE_LEADS_NOWHERE = 1 << 1 };

/* The length is in big-endian order; of a frame's it is that of the bytes behind it, of time
   milliseconds. */
struct record {
    uint8_t kind;
    uint8_t flags;
    uint8_t length[2];
};

/* Plays the first record, and returns how many bytes it has. */
size_t script_play_one(const uint8_t *script, size_t bytes);

/* Starts the firmware and plays all of it, and a probe at the end. */
void script_play(const uint8_t *script, size_t bytes);
