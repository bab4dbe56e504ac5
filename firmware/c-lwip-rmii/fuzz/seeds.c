#include "seeds.h"

#include <string.h>

#include "frames.h"
#include "mutate.h"
#include "peers.h"
#include "study.h"

enum { DATA_BYTES_MAX = 1472, PROTOCOL_IGMP = 2, PROTOCOL_TCP = 6 };

/* Some of the stations answer ARP, and some do not. */
static uint8_t any_station(struct random *random)
{
    return (uint8_t)(2 + random_below(random, 60));
}

static size_t data_bytes(struct random *random)
{
    static const uint16_t edges[] = { 0, 1, 7, 8, 9, 18, 64, 255, DATA_BYTES_MAX - 1, DATA_BYTES_MAX };
    const uint32_t edge = random_below(random, 2 * sizeof edges / sizeof edges[0]);
    return edge < sizeof edges / sizeof edges[0] ? edges[edge] : random_below(random, 200);
}

static size_t datagram(struct random *random, uint8_t *frame, uint8_t to, uint16_t port)
{
    uint8_t data[FRAME_SPACE_BYTES];
    const size_t bytes = data_bytes(random);
    memset(data, (int)random_below(random, 256), sizeof data);
    const uint16_t from_port = (uint16_t)(1024 + random_below(random, 64512));
    return frame_udp(frame, any_station(random), to, from_port, port, data, bytes);
}

static size_t telemetry(struct random *random, uint8_t *frame)
{
    uint8_t request[8] = "TLM1";
    request[4] = (uint8_t)random_below(random, 3);
    return frame_udp(frame, any_station(random), STATION_FIRMWARE, 5000, TELEMETRY_PORT, request,
                     sizeof request);
}

static size_t dhcp(struct random *random, uint8_t *frame)
{
    static const enum dhcp_type types[] = { DHCP_TYPE_OFFER, DHCP_TYPE_ACK, DHCP_TYPE_NAK };
    return frame_dhcp(frame, types[random_below(random, 3)], peers_transaction,
                      (uint8_t)random_below(random, 4));
}

static size_t fragment(struct random *random, uint8_t *frame)
{
    const size_t bytes = datagram(random, frame, STATION_FIRMWARE, ECHO_PORT);
    const uint32_t more = random_below(random, 2) << 13;
    write_16(frame + ETHERNET_BYTES + 6, more | random_below(random, 180));
    return bytes;
}

static size_t with_options(struct random *random, uint8_t *frame)
{
    uint8_t payload[FRAME_SPACE_BYTES];
    const size_t bytes = datagram(random, frame, STATION_FIRMWARE, ECHO_PORT) - ETHERNET_BYTES - IPV4_BYTES;
    memcpy(payload, frame + ETHERNET_BYTES + IPV4_BYTES, bytes);
    return frame_ipv4(frame, any_station(random), STATION_FIRMWARE, PROTOCOL_UDP,
                      4 * (1 + random_below(random, 10)), payload, bytes);
}

static size_t multicast(struct random *random, uint8_t *frame)
{
    static const uint8_t group_mac[6] = { 1, 0, 0x5E, 0, 0, 1 };
    static const uint8_t group_ip[4] = { 224, 0, 0, 1 };
    const size_t bytes = datagram(random, frame, STATION_FIRMWARE, ECHO_PORT);
    memcpy(frame, group_mac, sizeof group_mac);
    memcpy(frame + ETHERNET_BYTES + 16, group_ip, sizeof group_ip);
    return bytes;
}

static size_t other_protocol(struct random *random, uint8_t *frame)
{
    static const uint8_t protocols[] = { PROTOCOL_IGMP, PROTOCOL_TCP, 132, 255 };
    uint8_t payload[64] = { 0 };
    return frame_ipv4(frame, any_station(random), STATION_FIRMWARE,
                      protocols[random_below(random, sizeof protocols)], 0, payload, sizeof payload);
}

static size_t other_type(struct random *random, uint8_t *frame)
{
    static const uint16_t types[] = { 0x0026, 0x8100, 0x86DD, 0x8863, 0x88CC, 0xFFFF };
    const size_t bytes = datagram(random, frame, STATION_FIRMWARE, ECHO_PORT);
    write_16(frame + 12, types[random_below(random, sizeof types / sizeof types[0])]);
    return bytes;
}

/* Longer than any that the network has, and than a receive buffer. */
static size_t oversized(struct random *random, uint8_t *frame)
{
    const uint8_t data[FRAME_SPACE_BYTES] = { 0 };
    return frame_udp(frame, any_station(random), STATION_FIRMWARE, 9, ECHO_PORT, data,
                     DATA_BYTES_MAX + 1 + random_below(random, 2000));
}

size_t seed_frame(struct random *random, uint8_t *frame)
{
    const uint8_t station = any_station(random);
    switch (random_below(random, 20)) {
    case 0:
        return frame_arp(frame, station, STATION_FIRMWARE, 1);
    case 1:
        return frame_arp(frame, station, STATION_FIRMWARE, 2);
    case 2: /* gratuitous */
        return frame_arp(frame, station, station, 1 + (uint16_t)random_below(random, 2));
    case 3: /* another station claims the firmware's address */
        return frame_arp(frame, STATION_FIRMWARE, STATION_FIRMWARE, 1);
    case 4:
        return frame_icmp_echo(frame, station, data_bytes(random));
    case 5:
        return telemetry(random, frame);
    case 6:
        return datagram(random, frame, STATION_FIRMWARE, (uint16_t)random_below(random, 65536));
    case 7:
    case 8:
        return dhcp(random, frame);
    case 9:
        return fragment(random, frame);
    case 10:
        return with_options(random, frame);
    case 11:
        return datagram(random, frame, STATION_BROADCAST, ECHO_PORT);
    case 12:
        return multicast(random, frame);
    case 13:
        return other_protocol(random, frame);
    case 14:
        return other_type(random, frame);
    case 15:
        return oversized(random, frame);
    case 16:
        return datagram(random, frame, STATION_FIRMWARE, TELEMETRY_PORT);
    default:
        return datagram(random, frame, STATION_FIRMWARE, ECHO_PORT);
    }
}
