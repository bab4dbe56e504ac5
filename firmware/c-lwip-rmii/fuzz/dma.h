/* The other side of the firmware's descriptor rings: the Ethernet DMA, with the address sanitizer told
   who may touch a receive buffer. The CPU may touch what a received frame fills of its buffer, from
   the moment the frame is there until its pbuf is freed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Without the check sequence. */
enum { FRAME_BYTES_MIN = 60, FRAME_BYTES_MAX = 1514 };

/* What the MAC says of a received frame. */
enum frame_status {
    FRAME_GOOD,
    FRAME_ERROR,
    FRAME_IP_HEADER_ERROR,
    FRAME_IP_PAYLOAD_ERROR,
    FRAME_STATUSES,
};

/* Fills descriptors with a frame as the DMA does, over more than one when it is longer than a buffer.
   False when the receiver has none left, or there is no link. */
bool dma_receive(const uint8_t *frame, size_t bytes, enum frame_status status);

/* Takes the oldest frame that the firmware has queued, checks its descriptors and returns its length; 0
   when there is none. */
size_t dma_transmit(uint8_t frame[FRAME_BYTES_MAX]);

/* Forbids the CPU the buffers of the receiver; for after each pass of the main loop. */
void dma_guard(void);

/* Checks that no buffer is missing: `held` are in the hands of the stack or of the transmitter. */
void dma_check_buffers(uint32_t held);

/* Whether the firmware has let frames pass. */
extern bool dma_link_up;
