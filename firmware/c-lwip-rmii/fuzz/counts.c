#include "counts.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "platform/tick.h"
#include "study.h"

#include "board.h"
#include "check.h"
#include "dma.h"
#include "frames.h"
#include "peers.h"
#include "probe.h"

enum { STATION = 9, STATION_SILENT = 60, PORT = 4711, DESCRIPTORS = 4 };

static const uint8_t data[18] = "eighteen bytes ...";

/* Whether the receiver had a descriptor for it; the main loop has not run yet. */
static bool send_echo(uint8_t station, enum frame_status status)
{
    uint8_t frame[FRAME_SPACE_BYTES];
    return peers_send(frame,
                      frame_udp(frame, station, STATION_FIRMWARE, PORT, ECHO_PORT, data, sizeof data),
                      status);
}

static void expect_echoes(uint64_t before, uint64_t count, const char *what)
{
    CHECK(peers_seen.echoed == before + count, "%s: %lu echoes instead of %lu", what,
          (unsigned long)(peers_seen.echoed - before), (unsigned long)count);
}

/* Each good frame is answered once, and one that the MAC found bad never. */
static void check_statuses(void)
{
    for (int status = FRAME_GOOD; status < FRAME_STATUSES; status++) {
        const uint64_t before = peers_seen.echoed;
        CHECK(send_echo(STATION, (enum frame_status)status), "no descriptor");
        board_settle();
        expect_echoes(before, status == FRAME_GOOD, "a frame's status");
    }
}

/* The ring has four descriptors: of six frames in a burst it takes four, and a pass answers one. */
static void check_burst(void)
{
    const uint64_t before = peers_seen.echoed;
    for (uint64_t i = 0; i < DESCRIPTORS + 2; i++) {
        CHECK(send_echo(STATION, FRAME_GOOD) == (i < DESCRIPTORS), "frame %lu of a burst", (unsigned long)i);
    }
    for (uint64_t passes = 1; passes <= DESCRIPTORS; passes++) {
        board_pass();
        expect_echoes(before, passes, "passes over a burst");
    }
    board_pass();
    expect_echoes(before, DESCRIPTORS, "one pass more");
    dma_check_buffers(0);
}

/* While nothing leaves, four replies are queued and the next requests wait in the ring. */
static void check_full_transmitter(void)
{
    const uint64_t before = peers_seen.echoed;
    board_hold_transmitter(true);
    for (uint64_t i = 0; i < 2 * DESCRIPTORS; i++) {
        CHECK(send_echo(STATION, FRAME_GOOD), "frame %lu", (unsigned long)i);
        board_settle();
    }
    CHECK(!send_echo(STATION, FRAME_GOOD), "the ring takes a ninth frame");
    expect_echoes(before, 0, "a transmitter that is held");
    board_hold_transmitter(false);
    expect_echoes(before, DESCRIPTORS, "a transmitter that is let go");
    board_settle();
    expect_echoes(before, 2 * DESCRIPTORS, "what waited in the ring");
    dma_check_buffers(0);
}

/* A reply whose station does not answer ARP holds its buffer, one for each station, until it is given
   up. */
static void check_unresolved(void)
{
    const uint64_t before = peers_seen.echoed;
    for (uint8_t i = 0; i < 2 * DESCRIPTORS; i++) {
        CHECK(send_echo(STATION_SILENT + i % 3, FRAME_GOOD), "no descriptor");
        board_settle();
        board_advance(1);
    }
    dma_check_buffers(3);
    board_advance(6000);
    expect_echoes(before, 0, "stations that do not answer ARP");
    dma_check_buffers(0);
}

static uint64_t field(size_t at, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = bytes; i > 0; i--) {
        value = value << 8 | peers_seen.datagram[at + i - 1];
    }
    return value;
}

static void ask_telemetry(uint8_t command)
{
    uint8_t request[8] = "TLM1";
    uint8_t frame[FRAME_SPACE_BYTES];
    const uint64_t before = peers_seen.telemetry;
    request[4] = command;
    peers_send(frame,
               frame_udp(frame, STATION, STATION_FIRMWARE, PORT, TELEMETRY_PORT, request, sizeof request),
               FRAME_GOOD);
    board_settle();
    CHECK(peers_seen.telemetry == before + 1, "telemetry is not answered");
}

static void expect(size_t at, size_t bytes, uint64_t value, const char *what)
{
    CHECK(field(at, bytes) == value, "%s is %lu instead of %lu", what, (unsigned long)field(at, bytes),
          (unsigned long)value);
}

/* After a reset, the passes with their cycles and the time between. A pass counts when it has ended; its
   cycles count up to the answer. */
static void check_telemetry(void)
{
    enum { READ, RESET_THEN_READ, ECHOES = 5, TIME_MS = 7 };
    ask_telemetry(RESET_THEN_READ);
    expect(8, 8, 0, "window_cycles after a reset");
    expect(16, 8, 0, "busy_cycles after a reset");
    expect(24, 8, 0, "passes after a reset");
    for (int i = 0; i < ECHOES; i++) {
        send_echo(STATION, FRAME_GOOD);
        board_pass();
    }
    tick_milliseconds += TIME_MS;
    ask_telemetry(READ);
    expect(8, 8, (uint64_t)TIME_MS * CORE_HZ / 1000, "window_cycles");
    expect(16, 8, (ECHOES + 1) * PASS_CYCLES, "busy_cycles");
    expect(24, 8, ECHOES + 1, "passes");
    expect(32, 4, CORE_HZ, "core_hz");
    expect(36, 4, STACK_CAPACITY_BYTES, "stack_capacity_bytes");
    expect(40, 4, STACK_HIGH_WATER_BYTES, "stack_high_water_bytes");
    expect(44, 4, STATIC_RAM_BYTES, "static_ram_bytes");
}

void counts_check(void)
{
    board_start();
    probe();
    check_statuses();
    check_burst();
    check_full_transmitter();
    check_unresolved();
    check_telemetry();
    probe();
    printf("counts are exact\n");
}
