/* Well-formed frames. Each function writes one and returns its length. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_SPACE_BYTES = 4096,
    ETHERNET_BYTES = 14,
    IPV4_BYTES = 20,
    UDP_BYTES = 8,
    ETHERTYPE_IPV4 = 0x0800,
    ETHERTYPE_ARP = 0x0806,
    PROTOCOL_ICMP = 1,
    PROTOCOL_UDP = 17,
};

/* Stations of 10.0.0.0/24; number 1 is the DHCP server, and the firmware's is leased. */
enum { STATION_SERVER = 1, STATION_FIRMWARE = 100, STATION_BROADCAST = 255 };

enum dhcp_type {
    DHCP_TYPE_DISCOVER = 1,
    DHCP_TYPE_OFFER = 2,
    DHCP_TYPE_REQUEST = 3,
    DHCP_TYPE_ACK = 5,
    DHCP_TYPE_NAK = 6,
};

uint16_t read_16(const uint8_t *at);
void write_16(uint8_t *at, uint32_t value);

/* A station's address: its number at the end of 10.0.0.0. */
void station_ip(uint8_t ip[4], uint8_t station);
void station_mac(uint8_t mac[6], uint8_t station);

size_t frame_arp(uint8_t *frame, uint8_t from, uint8_t to, uint16_t operation);

/* An IPv4 packet with `option_bytes` of options (no operation), a multiple of 4. */
size_t frame_ipv4(uint8_t *frame, uint8_t from, uint8_t to, uint8_t protocol, size_t option_bytes,
                  const uint8_t *payload, size_t payload_bytes);

size_t frame_icmp_echo(uint8_t *frame, uint8_t from, size_t payload_bytes);

size_t frame_udp(uint8_t *frame, uint8_t from, uint8_t to, uint16_t from_port, uint16_t to_port,
                 const uint8_t *payload, size_t payload_bytes);

/* A server's answer to the transaction. By the low bits of `overload` the fields for the names of file
   and server have options as well (RFC 2132 §9.3). */
size_t frame_dhcp(uint8_t *frame, enum dhcp_type type, const uint8_t transaction[4], uint8_t overload);
