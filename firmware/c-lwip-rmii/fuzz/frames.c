#include "frames.h"

#include <string.h>

#include "study.h"

enum { RENEW_S = 100, REBIND_S = 200, LEASE_S = 300, DHCP_FIXED_BYTES = 240 };

uint16_t read_16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

void write_16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

void station_ip(uint8_t ip[4], uint8_t station)
{
    const uint8_t network[4] = { 10, 0, 0, station };
    memcpy(ip, network, sizeof network);
}

void station_mac(uint8_t mac[6], uint8_t station)
{
    static const uint8_t firmware[6] = { STUDY_MAC_ADDRESS };
    const uint8_t other[6] = { 2, 0, 0, 0, 1, station };
    if (station == STATION_BROADCAST) {
        memset(mac, 0xFF, 6);
    } else {
        memcpy(mac, station == STATION_FIRMWARE ? firmware : other, 6);
    }
}

static uint8_t *ethernet(uint8_t *frame, uint8_t from, uint8_t to, uint16_t type)
{
    station_mac(frame, to);
    station_mac(frame + 6, from);
    write_16(frame + 12, type);
    return frame + ETHERNET_BYTES;
}

size_t frame_arp(uint8_t *frame, uint8_t from, uint8_t to, uint16_t operation)
{
    static const uint8_t ethernet_and_ipv4[6] = { 0, 1, 8, 0, 6, 4 };
    enum { REQUEST = 1, ARP_BYTES = 46 };
    uint8_t *arp = ethernet(frame, from, operation == REQUEST ? STATION_BROADCAST : to, ETHERTYPE_ARP);
    memset(arp, 0, ARP_BYTES);
    memcpy(arp, ethernet_and_ipv4, sizeof ethernet_and_ipv4);
    write_16(arp + 6, operation);
    station_mac(arp + 8, from);
    station_ip(arp + 14, from);
    if (operation != REQUEST) {
        station_mac(arp + 18, to);
    }
    station_ip(arp + 24, to);
    return ETHERNET_BYTES + ARP_BYTES;
}

size_t frame_ipv4(uint8_t *frame, uint8_t from, uint8_t to, uint8_t protocol, size_t option_bytes,
                  const uint8_t *payload, size_t payload_bytes)
{
    uint8_t *ip = ethernet(frame, from, to, ETHERTYPE_IPV4);
    const size_t header_bytes = IPV4_BYTES + option_bytes;
    memset(ip, 0, IPV4_BYTES);
    memset(ip + IPV4_BYTES, 1, option_bytes);
    ip[0] = (uint8_t)(0x40 | header_bytes / 4);
    write_16(ip + 2, (uint32_t)(header_bytes + payload_bytes));
    ip[8] = 64;
    ip[9] = protocol;
    station_ip(ip + 12, from);
    station_ip(ip + 16, to);
    memmove(ip + header_bytes, payload, payload_bytes);
    return ETHERNET_BYTES + header_bytes + payload_bytes;
}

size_t frame_icmp_echo(uint8_t *frame, uint8_t from, size_t payload_bytes)
{
    uint8_t message[FRAME_SPACE_BYTES] = { 8 };
    return frame_ipv4(frame, from, STATION_FIRMWARE, PROTOCOL_ICMP, 0, message, 8 + payload_bytes);
}

size_t frame_udp(uint8_t *frame, uint8_t from, uint8_t to, uint16_t from_port, uint16_t to_port,
                 const uint8_t *payload, size_t payload_bytes)
{
    uint8_t datagram[FRAME_SPACE_BYTES] = { 0 };
    write_16(datagram, from_port);
    write_16(datagram + 2, to_port);
    write_16(datagram + 4, (uint32_t)(UDP_BYTES + payload_bytes));
    memcpy(datagram + UDP_BYTES, payload, payload_bytes);
    return frame_ipv4(frame, from, to, PROTOCOL_UDP, 0, datagram, UDP_BYTES + payload_bytes);
}

size_t frame_dhcp(uint8_t *frame, enum dhcp_type type, const uint8_t transaction[4], uint8_t overload)
{
    static const uint8_t magic[4] = { 99, 130, 83, 99 };
    /* Padding, and when to renew and to rebind. */
    static const uint8_t in_other_fields[] = { 0, 0, 58, 4, 0, 0, 0, RENEW_S, 59, 4, 0, 0, 0, REBIND_S, 255 };
    const uint8_t options[] = {
        53, 1, (uint8_t)type, 54, 4, 10, 0, 0, STATION_SERVER, 51, 4, 0, 0, LEASE_S >> 8, LEASE_S & 255,
        1, 4, 255, 255, 255, 0, 3, 8, 10, 0, 0, STATION_SERVER, 10, 0, 0, 2, 52, 1, overload, 255,
    };
    uint8_t message[DHCP_FIXED_BYTES + sizeof options] = { 2, 1, 6 };
    memcpy(message + 4, transaction, 4);
    station_ip(message + 16, STATION_FIRMWARE);
    station_mac(message + 28, STATION_FIRMWARE);
    memcpy(message + 44, in_other_fields, overload & 2 ? sizeof in_other_fields : 0);
    memcpy(message + 108, in_other_fields, overload & 1 ? sizeof in_other_fields : 0);
    memcpy(message + 236, magic, sizeof magic);
    memcpy(message + DHCP_FIXED_BYTES, options, sizeof options);
    return frame_udp(frame, STATION_SERVER, STATION_BROADCAST, 67, 68, message, sizeof message);
}
