#include "dma.h"

#include <sanitizer/asan_interface.h>
#include <string.h>

#include "check.h"
#include "frames.h"

/* The driver itself, so that rings and buffers are at hand. */
#include "bring-up/ethernet_dma.c"

bool dma_link_up;

static uint32_t rx_position;
static uint32_t tx_position;

extern unsigned char __start_dma[], __stop_dma[];

bool memory_is_dma(const void *object, size_t bytes)
{
    const unsigned char *first = object;
    return first >= __start_dma && bytes <= (size_t)(__stop_dma - first);
}

/* Longer frames count as errors (RM0468, RDES3.GP and RDES3.ES). */
static bool is_giant(const uint8_t *frame, size_t bytes)
{
    enum { ETHERTYPE_VLAN = 0x8100, VLAN_TAG_BYTES = 4 };
    const bool is_tagged = read_16(frame + 12) == ETHERTYPE_VLAN;
    return bytes > FRAME_BYTES_MAX + (is_tagged ? VLAN_TAG_BYTES : 0u);
}

static struct rx_buffer *buffer_at(uint32_t address)
{
    for (uint32_t i = 0; i < RX_BUFFERS; i++) {
        if ((uint32_t)rx_buffers[i].frame == address) {
            return &rx_buffers[i];
        }
    }
    CHECK(false, "the receiver has a buffer at %#x", address);
    return NULL;
}

static void release_and_forbid(struct pbuf *frame)
{
    struct rx_buffer *buffer = (struct rx_buffer *)frame;
    for (uint32_t i = 0; i < rx.spares; i++) {
        CHECK(rx.spare[i] != buffer, "buffer %ld is freed twice", (long)(buffer - rx_buffers));
    }
    release(frame);
    ASAN_POISON_MEMORY_REGION(buffer, sizeof *buffer);
}

void mac_start(const uint8_t mac_address[6])
{
    (void)mac_address;
    /* The start-up code leaves this memory as it is. */
    memset(rx_ring, 0xA5, sizeof rx_ring);
    memset(tx_ring, 0xA5, sizeof tx_ring);
    memset(rx_buffers, 0xA5, sizeof rx_buffers);
}

/* Comes after ethernet_start. */
static void take_over_buffers(void)
{
    static bool done;
    if (!done) {
        for (uint32_t i = 0; i < RX_BUFFERS; i++) {
            rx_buffers[i].pbuf.custom_free_function = release_and_forbid;
            ASAN_POISON_MEMORY_REGION(&rx_buffers[i], sizeof rx_buffers[i]);
        }
        done = true;
    }
}

void ethernet_link_up(bool fast, bool full_duplex)
{
    (void)fast;
    (void)full_duplex;
    take_over_buffers();
    dma_link_up = true;
}

void ethernet_link_down(void)
{
    dma_link_up = false;
}

/* What the CPU may read of a frame: its own bytes and, of the buffer behind a packet that is cut off within
   its UDP header, the ports, at which lwIP's ip4_input looks without asking whether they are there. */
static size_t readable_bytes(const uint8_t *frame, size_t bytes)
{
    enum { PORTS_BYTES = 4 };
    const uint8_t *ip = frame + ETHERNET_BYTES;
    const bool is_udp = read_16(frame + 12) == ETHERTYPE_IPV4 && ip[9] == PROTOCOL_UDP;
    const size_t with_ports = ETHERNET_BYTES + (ip[0] & 15u) * 4u + PORTS_BYTES;
    return is_udp && with_ports > bytes ? with_ports : bytes;
}

static bool has_room(size_t bytes)
{
    const size_t needed = (bytes + RX_BUFFER_BYTES - 1) / RX_BUFFER_BYTES;
    for (size_t i = 0; i < needed; i++) {
        if (i == RX_DESCRIPTORS || !(rx_ring[(rx_position + i) % RX_DESCRIPTORS].word[3] & RDES3_OWN)) {
            return false;
        }
    }
    return true;
}

/* Where a frame tells the length of its data, the MAC takes the padding off (RM0468, ETH_MACCR.ACS). */
static size_t without_padding(const uint8_t *frame, size_t bytes)
{
    const size_t told = ETHERNET_BYTES + read_16(frame + 12);
    return told < FRAME_BYTES_MIN ? told : bytes;
}

bool dma_receive(const uint8_t *frame, size_t bytes, enum frame_status status)
{
    CHECK(bytes >= FRAME_BYTES_MIN, "a frame of %zu bytes, which the MAC drops", bytes);
    bytes = without_padding(frame, bytes);
    status = is_giant(frame, bytes) ? FRAME_ERROR : status;
    if (!dma_link_up || !has_room(bytes)) {
        return false;
    }
    for (size_t done = 0; done < bytes;) {
        struct descriptor *descriptor = &rx_ring[rx_position];
        struct rx_buffer *buffer = buffer_at(descriptor->word[0]);
        const size_t rest = bytes - done;
        const size_t part = rest < RX_BUFFER_BYTES ? rest : RX_BUFFER_BYTES;
        const bool is_last = part == rest;
        ASAN_POISON_MEMORY_REGION(buffer, sizeof *buffer);
        ASAN_UNPOISON_MEMORY_REGION(&buffer->pbuf, sizeof buffer->pbuf);
        ASAN_UNPOISON_MEMORY_REGION(buffer->frame, done == 0 ? readable_bytes(frame, part) : part);
        memcpy(buffer->frame, frame + done, part);
        descriptor->word[1] = (status == FRAME_IP_HEADER_ERROR ? RDES1_IP_HEADER_ERROR : 0) |
                              (status == FRAME_IP_PAYLOAD_ERROR ? RDES1_IP_PAYLOAD_ERROR : 0);
        descriptor->word[3] = (done == 0 ? RDES3_FIRST : 0) | (is_last ? RDES3_LAST : 0) |
                              (is_last ? (uint32_t)bytes : 0) |
                              (status == FRAME_ERROR ? RDES3_ERROR : 0);
        rx_position = (rx_position + 1) % RX_DESCRIPTORS;
        done += part;
    }
    return true;
}

size_t dma_transmit(uint8_t frame[FRAME_BYTES_MAX])
{
    if (!(tx_ring[tx_position].word[3] & TDES3_OWN)) {
        return 0;
    }
    const uint32_t announced = tx_ring[tx_position].word[3] & 0x7FFFu;
    CHECK(tx_ring[tx_position].word[3] & TDES3_FIRST, "a frame begins in its middle");
    size_t bytes = 0;
    for (bool is_last = false; !is_last;) {
        struct descriptor *descriptor = &tx_ring[tx_position];
        const uint32_t status = descriptor->word[3];
        const uint32_t part = descriptor->word[2] & 0x3FFFu;
        const void *payload = (const void *)(uintptr_t)descriptor->word[0];
        CHECK(status & TDES3_OWN, "a frame's descriptor is not the DMA's");
        CHECK(memory_is_dma(payload, part), "%u bytes at %p are out of the DMA's reach", part, payload);
        CHECK(bytes + part <= FRAME_BYTES_MAX, "a frame of %zu bytes", bytes + part);
        memcpy(frame + bytes, payload, part);
        bytes += part;
        is_last = status & TDES3_LAST;
        descriptor->word[3] = status & ~TDES3_OWN;
        tx_position = (tx_position + 1) % TX_DESCRIPTORS;
    }
    CHECK(bytes == announced, "%zu bytes in a frame that was said to have %u", bytes, announced);
    return bytes;
}

void dma_guard(void)
{
    CHECK(rx.spares > 0, "no buffer is left to take a received frame's place");
    CHECK(rx.spares <= RX_BUFFERS - RX_DESCRIPTORS, "%u spare buffers", rx.spares);
    for (uint32_t i = 0; i < RX_DESCRIPTORS; i++) {
        if (rx_ring[i].word[3] & RDES3_OWN) {
            ASAN_POISON_MEMORY_REGION(rx.buffer[i], sizeof *rx.buffer[i]);
        }
    }
}

void dma_check_buffers(uint32_t held)
{
    reclaim();
    CHECK(tx.used == 0, "%u transmit descriptors are not taken back", tx.used);
    CHECK(rx.spares + RX_DESCRIPTORS + held == RX_BUFFERS, "%u spare buffers", rx.spares);
}
