#include "peers.h"

#include <string.h>

#include "study.h"

#include "check.h"
#include "frames.h"

enum { STATION_SILENT_FROM = 50, ANSWERS = 8 };

uint8_t peers_transaction[4];
bool peers_are_silent;
struct peers_seen peers_seen;

/* What has been sent to the firmware, by hash: hardware addresses, IP addresses, and all that could be
   the data of a UDP datagram. Of what is sent in answer nothing may be missing here. */
static uint8_t known[1u << 20];

static struct {
    uint8_t frame[FRAME_SPACE_BYTES];
    size_t bytes;
} answers[ANSWERS];
static size_t answers_waiting;

/* FNV-1a */
static uint8_t *mark(const uint8_t *data, size_t bytes)
{
    uint32_t hash = 2166136261u ^ (uint32_t)bytes;
    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ data[i]) * 16777619u;
    }
    return &known[(hash ^ hash >> 20) % sizeof known];
}

static void remember(const uint8_t *frame, size_t bytes)
{
    const uint8_t *ip = frame + ETHERNET_BYTES;
    *mark(frame + 6, 6) = 1;
    *mark(ip + 8, 6) = 1; /* the sender of an ARP packet */
    *mark(ip + 12, 4) = 1;
    const size_t total = read_16(ip + 2);
    const size_t headers = (ip[0] & 15u) * 4u + UDP_BYTES;
    if (headers <= total && ETHERNET_BYTES + total <= bytes) {
        *mark(ip + headers, total - headers) = 1;
    }
}

bool peers_send(const uint8_t *sent, size_t bytes, enum frame_status status)
{
    uint8_t frame[FRAME_SPACE_BYTES] = { 0 };
    memcpy(frame, sent, bytes);
    bytes = bytes < FRAME_BYTES_MIN ? FRAME_BYTES_MIN : bytes;
    const bool gets_in = dma_receive(frame, bytes, status);
    if (gets_in) {
        remember(frame, bytes);
    }
    return gets_in;
}

static uint8_t *next_answer(void)
{
    return answers_waiting < ANSWERS && !peers_are_silent ? answers[answers_waiting].frame : NULL;
}

static void take_arp(const uint8_t *arp, size_t bytes)
{
    enum { ARP_BYTES = 28, REQUEST = 1 };
    static const uint8_t network[3] = { 10, 0, 0 };
    CHECK(bytes >= ARP_BYTES, "%zu bytes of ARP", bytes);
    const uint8_t station = arp[27];
    const bool is_ours = memcmp(arp + 24, network, sizeof network) == 0 && station > 0 &&
                         station < STATION_SILENT_FROM;
    uint8_t *answer = next_answer();
    if (read_16(arp + 6) == REQUEST && is_ours && answer != NULL) {
        answers[answers_waiting++].bytes = frame_arp(answer, station, STATION_FIRMWARE, 2);
    }
}

/* The type of a client's message is its first option, and the address that it asks for, if any, among
   the others. */
static void take_dhcp(const uint8_t *message, size_t bytes)
{
    enum { OPTIONS = 240, REQUESTED_ADDRESS = 50 };
    CHECK(bytes >= OPTIONS + 4, "%zu bytes of DHCP", bytes);
    memcpy(peers_transaction, message + 4, sizeof peers_transaction);
    uint8_t lease[4];
    station_ip(lease, STATION_FIRMWARE);
    bool is_lease = memcmp(message + 12, lease, sizeof lease) == 0;
    for (size_t at = OPTIONS; at + 6 <= bytes && message[at] != 255; at += 2u + message[at + 1]) {
        is_lease |= message[at] == REQUESTED_ADDRESS && memcmp(message + at + 2, lease, 4) == 0;
    }
    const uint8_t type = message[OPTIONS + 2];
    uint8_t *answer = next_answer();
    if (answer != NULL && type == DHCP_TYPE_DISCOVER) {
        answers[answers_waiting++].bytes = frame_dhcp(answer, DHCP_TYPE_OFFER, peers_transaction, 0);
    } else if (answer != NULL && type == DHCP_TYPE_REQUEST) {
        const enum dhcp_type verdict = is_lease ? DHCP_TYPE_ACK : DHCP_TYPE_NAK;
        answers[answers_waiting++].bytes = frame_dhcp(answer, verdict, peers_transaction, 0);
    }
}

static void take_udp(const uint8_t *ip, size_t bytes)
{
    const uint8_t *udp = ip + IPV4_BYTES;
    CHECK(bytes >= IPV4_BYTES + UDP_BYTES, "an IP packet of %zu bytes with UDP", bytes);
    const size_t data_bytes = bytes - IPV4_BYTES - UDP_BYTES;
    CHECK(read_16(udp + 4) == UDP_BYTES + data_bytes, "UDP length %u", read_16(udp + 4));
    memcpy(peers_seen.datagram, udp + UDP_BYTES, data_bytes);
    peers_seen.datagram_bytes = data_bytes;
    switch (read_16(udp)) {
    case ECHO_PORT:
        CHECK(*mark(udp + UDP_BYTES, data_bytes), "%zu bytes that nobody sent", data_bytes);
        CHECK(*mark(ip + 16, 4), "an echo to an address that nobody has");
        peers_seen.echoed++;
        break;
    case TELEMETRY_PORT:
        CHECK(data_bytes == 56, "telemetry of %zu bytes", data_bytes);
        CHECK(*mark(ip + 16, 4), "telemetry to an address that nobody has");
        peers_seen.telemetry++;
        break;
    case 68:
        take_dhcp(udp + UDP_BYTES, data_bytes);
        break;
    default:
        CHECK(false, "a datagram from port %u", read_16(udp));
    }
}

static void take_ipv4(const uint8_t *ip, size_t bytes)
{
    const size_t header_bytes = (ip[0] & 15u) * 4u;
    CHECK(bytes >= IPV4_BYTES && ip[0] >> 4 == 4, "an IP header that begins with %#x", ip[0]);
    CHECK(read_16(ip + 2) == bytes, "an IP packet of %u in a frame for %zu", read_16(ip + 2), bytes);
    CHECK(ip[8] > 0, "a packet that has no hop to go");
    switch (ip[9]) {
    case PROTOCOL_ICMP:
        /* An echo has the options of what it answers. */
        CHECK(bytes >= header_bytes + 8, "ICMP in a packet of %zu bytes", bytes);
        CHECK(ip[header_bytes] == 0 || ip[header_bytes] == 3, "ICMP of type %u", ip[header_bytes]);
        CHECK(*mark(ip + 16, 4), "ICMP to an address that nobody has");
        break;
    case PROTOCOL_UDP:
        CHECK(header_bytes == IPV4_BYTES, "a datagram behind IP options");
        take_udp(ip, bytes);
        break;
    default:
        CHECK(false, "a packet of protocol %u", ip[9]);
    }
}

void peers_take(const uint8_t *frame, size_t bytes)
{
    uint8_t own[6];
    station_mac(own, STATION_FIRMWARE);
    CHECK(bytes > ETHERNET_BYTES, "a frame of %zu bytes", bytes);
    CHECK(memcmp(frame + 6, own, sizeof own) == 0, "a frame from another station");
    CHECK((frame[0] & 1) || *mark(frame, 6), "a frame to a station that there is not");
    peers_seen.frames++;
    switch (read_16(frame + 12)) {
    case ETHERTYPE_ARP:
        take_arp(frame + ETHERNET_BYTES, bytes - ETHERNET_BYTES);
        break;
    case ETHERTYPE_IPV4:
        take_ipv4(frame + ETHERNET_BYTES, bytes - ETHERNET_BYTES);
        break;
    default:
        CHECK(false, "a frame of type %#x", read_16(frame + 12));
    }
}

void peers_answer(void)
{
    const size_t waiting = answers_waiting;
    for (size_t i = 0; i < waiting; i++) {
        peers_send(answers[i].frame, answers[i].bytes, FRAME_GOOD);
    }
    answers_waiting = 0;
}

uint32_t peers_lease(void)
{
    uint8_t ip[4];
    uint32_t address;
    station_ip(ip, STATION_FIRMWARE);
    memcpy(&address, ip, sizeof address);
    return address;
}
