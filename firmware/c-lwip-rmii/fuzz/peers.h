/* The other stations: they answer ARP and lease the firmware its address, and they check each frame it
   sends. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dma.h"

/* Sends the firmware a frame, padded if it is short (the MAC drops what is shorter; RM0468,
   ETH_MTLRXQOMR.FUP), of which the peers remember what an answer may contain. False when it
   does not get in. */
bool peers_send(const uint8_t *frame, size_t bytes, enum frame_status status);

/* Checks a frame that the firmware has sent, and prepares the answer. */
void peers_take(const uint8_t *frame, size_t bytes);

/* Sends the answers that are prepared. */
void peers_answer(void);

/* The leased address, as lwIP keeps it. */
uint32_t peers_lease(void);

/* The transaction of the firmware's last DHCP message. */
extern uint8_t peers_transaction[4];

/* Whether no station answers; those beyond number 50 never answer ARP. */
extern bool peers_are_silent;

/* Frames that the firmware has sent, and UDP datagrams among them by port, with the last of them. */
extern struct peers_seen {
    uint64_t frames;
    uint64_t echoed;
    uint64_t telemetry;
    uint8_t datagram[FRAME_BYTES_MAX];
    size_t datagram_bytes;
} peers_seen;
