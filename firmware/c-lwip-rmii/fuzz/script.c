#include "script.h"

#include <string.h>

#include "board.h"
#include "dma.h"
#include "frames.h"
#include "peers.h"
#include "probe.h"

static void play_frame(uint8_t flags, const uint8_t *frame, size_t bytes)
{
    board_hold_transmitter(flags & FRAME_HOLDS_TRANSMITTER);
    peers_send(frame, bytes, flags & FRAME_STATUS_MASK);
    if (!(flags & FRAME_IN_BURST)) {
        board_settle();
        peers_answer();
    }
}

size_t script_play_one(const uint8_t *script, size_t bytes)
{
    struct record record = { 0 };
    memcpy(&record, script, bytes < sizeof record ? bytes : sizeof record);
    if (bytes <= sizeof record && record.kind % RECORD_KINDS == RECORD_FRAME) {
        return bytes;
    }
    size_t used = sizeof record;
    switch (record.kind % RECORD_KINDS) {
    case RECORD_FRAME: {
        const size_t rest = bytes - sizeof record;
        const size_t length = read_16(record.length) % FRAME_SPACE_BYTES;
        const size_t taken = length < rest ? length : rest;
        play_frame(record.flags, script + sizeof record, taken);
        used += taken;
        break;
    }
    case RECORD_TIME:
        board_advance(read_16(record.length));
        break;
    case RECORD_CABLE:
        board_plug(record.flags & CABLE_PLUGGED_IN);
        peers_are_silent = record.flags & CABLE_LEADS_NOWHERE;
        break;
    default:
        probe();
    }
    return used < bytes ? used : bytes;
}

void script_play(const uint8_t *script, size_t bytes)
{
    board_start();
    while (bytes > 0) {
        const size_t used = script_play_one(script, bytes);
        script += used;
        bytes -= used;
    }
    probe();
}
