/* The Ethernet MAC and its DMA, with four descriptors each way. Frames are lwIP's pbufs in both
   directions and are never copied; their memory is uncached, so that no cache needs maintenance.

   Nothing else of the hardware reaches the network interface: a build for another machine replaces
   this header's functions and those of phy.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct pbuf;

/* Resets MAC and DMA and starts both engines. The MAC neither sends nor receives before
   ethernet_link_up. */
void ethernet_start(const uint8_t mac_address[6]);

/* Lets frames pass, at what the PHY has negotiated. */
void ethernet_link_up(bool fast, bool full_duplex);
void ethernet_link_down(void);

/* Whether a frame waits and, so that it can be answered, a descriptor for another one is free. */
bool ethernet_frame_waits(void);

/* The oldest good frame that waits, or NULL. The caller frees it. */
struct pbuf *ethernet_receive(void);

/* Queues a frame; the DMA reads it, and keeps a reference to it, until it has left. False when it does
   not fit the free descriptors or lies where the DMA does not reach. */
bool ethernet_transmit(struct pbuf *frame);

/* Waits for a frame, as ethernet_frame_waits tells, or for the tick's count to reach `deadline_ms`:
   in the interrupt-driven build asleep. */
void ethernet_wait(uint32_t deadline_ms);
