#include "probe.h"

#include <string.h>

#include "lwip/stats.h"

#include "board.h"
#include "check.h"
#include "dma.h"
#include "frames.h"
#include "peers.h"
#include "study.h"

enum { STATION_PROBE = 9, PROBE_PORT = 4711, LINK_DETECTED_MS = 250, LEASE_WITHIN_S = 180 };

/* Datagrams for a station that does not answer ARP are given up after that. */
enum { UNRESOLVED_GIVEN_UP_MS = 6000 };

static void send(const uint8_t *frame, size_t bytes)
{
    CHECK(peers_send(frame, bytes, FRAME_GOOD), "the receiver takes no frame");
    board_settle();
    peers_answer();
    board_settle();
}

static void renew_lease(void)
{
    board_hold_transmitter(false);
    peers_are_silent = false;
    board_settle();
    board_plug(false);
    board_advance(LINK_DETECTED_MS);
    board_plug(true);
    board_advance(LINK_DETECTED_MS);
    for (unsigned waited_s = 0; !board_has_lease(); waited_s++) {
        CHECK(waited_s < LEASE_WITHIN_S, "no lease after %u s", waited_s);
        board_advance(1000);
    }
    board_advance(UNRESOLVED_GIVEN_UP_MS);
}

static void check_echo(void)
{
    static uint8_t number;
    uint8_t frame[FRAME_SPACE_BYTES];
    uint8_t data[64];
    memset(data, ++number, sizeof data);
    const uint64_t before = peers_seen.echoed;
    send(frame, frame_udp(frame, STATION_PROBE, STATION_FIRMWARE, PROBE_PORT, ECHO_PORT, data, sizeof data));
    CHECK(peers_seen.echoed == before + 1, "%lu echoes", (unsigned long)(peers_seen.echoed - before));
    CHECK(peers_seen.datagram_bytes == sizeof data, "an echo of %zu bytes", peers_seen.datagram_bytes);
    CHECK(memcmp(peers_seen.datagram, data, sizeof data) == 0, "an echo of other bytes");
}

static void check_telemetry(void)
{
    static const uint8_t request[8] = "TLM1";
    uint8_t frame[FRAME_SPACE_BYTES];
    const uint64_t before = peers_seen.telemetry;
    send(frame, frame_udp(frame, STATION_PROBE, STATION_FIRMWARE, PROBE_PORT, TELEMETRY_PORT, request,
                          sizeof request));
    CHECK(peers_seen.telemetry == before + 1, "telemetry is not answered");
}

/* The heap keeps what DHCP knows; all else has been sent. */
static void check_heap(void)
{
    static mem_size_t used_at_first;
    if (used_at_first == 0) {
        used_at_first = lwip_stats.mem.used;
    }
    CHECK(lwip_stats.mem.used == used_at_first, "%u bytes of the heap in use, %u at first",
          (unsigned)lwip_stats.mem.used, (unsigned)used_at_first);
}

void probe(void)
{
    uint8_t frame[FRAME_SPACE_BYTES];
    renew_lease();
    send(frame, frame_arp(frame, STATION_PROBE, STATION_FIRMWARE, 1));
    check_echo();
    check_telemetry();
    dma_check_buffers(0);
    check_heap();
}
