/* The descriptor rings.

   OWN alone says whose a descriptor is. An engine would also stop where it reaches its tail pointer;
   the pointer is therefore always written as the end of the ring, which no descriptor has as its
   address, and each write makes a suspended engine look again. */

#include "bring-up/ethernet.h"

#include "lwip/opt.h"
#include "lwip/pbuf.h"

#include "bring-up/ethernet_mac.h"
#include "bring-up/ethernet_registers.h"
#include "platform/memory.h"
#include "platform/stm32h723.h"
#include "platform/tick.h"

enum { TX_DESCRIPTORS = 4, RX_DESCRIPTORS = 4 };

/* Enough that one is always left to take a received frame's place in the ring: besides the ring's, those
   that lwIP keeps while it resolves the address they go to, those of frames on their way out, and the
   one in hand, which is received only when it can be sent. */
enum { RX_BUFFERS = RX_DESCRIPTORS + ARP_TABLE_SIZE + TX_DESCRIPTORS };

/* A frame with its check sequence has at most 1522 bytes. */
enum { RX_BUFFER_BYTES = 1536 };

/* The headers of a reply go where those of the request were: pbuf and frame lie together, which is
   what lwIP asks of memory that it may extend a payload into. */
struct rx_buffer {
    struct pbuf_custom pbuf;
    uint8_t frame[RX_BUFFER_BYTES] __attribute__((aligned(4)));
};

static struct descriptor tx_ring[TX_DESCRIPTORS] DMA_MEMORY;
static struct descriptor rx_ring[RX_DESCRIPTORS] DMA_MEMORY;
static struct rx_buffer rx_buffers[RX_BUFFERS] DMA_MEMORY;

/* Transmission: `used` descriptors before `next` belong to the DMA or wait to be taken back. The last
   one of a frame holds the reference to it. */
static struct {
    uint32_t next;
    uint32_t used;
    struct pbuf *frame[TX_DESCRIPTORS];
} tx;

/* Reception: every descriptor has a buffer at all times. */
static struct {
    uint32_t next;
    struct rx_buffer *buffer[RX_DESCRIPTORS];
    struct rx_buffer *spare[RX_BUFFERS];
    uint32_t spares;
} rx;

static void release(struct pbuf *frame)
{
    rx.spare[rx.spares++] = (struct rx_buffer *)frame;
}

/* The address and the rest of a descriptor before its OWN: the DMA reads them together. */
static void give_to_receiver(uint32_t index, struct rx_buffer *buffer)
{
    struct descriptor *descriptor = &rx_ring[index];
    rx.buffer[index] = buffer;
    descriptor->word[0] = (uint32_t)buffer->frame;
    descriptor->word[1] = 0;
    descriptor->word[2] = 0;
    data_barrier();
    descriptor->word[3] = RDES3_OWN | RDES3_INTERRUPT | RDES3_BUFFER_1_VALID;
    data_barrier();
    ETH_DMACRXDTPR = (uint32_t)&rx_ring[RX_DESCRIPTORS];
}

static void start_receiver(void)
{
    ETH_DMACRXDLAR = (uint32_t)rx_ring;
    ETH_DMACRXRLR = RX_DESCRIPTORS - 1;
    for (uint32_t i = 0; i < RX_BUFFERS; i++) {
        rx_buffers[i].pbuf.custom_free_function = release;
        release(&rx_buffers[i].pbuf.pbuf);
    }
    for (uint32_t i = 0; i < RX_DESCRIPTORS; i++) {
        give_to_receiver(i, rx.spare[--rx.spares]);
    }
    ETH_DMACRXCR = ETH_DMA_BURST_32 | ETH_DMACRXCR_RBSZ((uint32_t)RX_BUFFER_BYTES) | ETH_DMACRXCR_SR;
}

static void start_transmitter(void)
{
    for (uint32_t i = 0; i < TX_DESCRIPTORS; i++) {
        tx_ring[i].word[3] = 0;
    }
    ETH_DMACTXDLAR = (uint32_t)tx_ring;
    ETH_DMACTXRLR = TX_DESCRIPTORS - 1;
    ETH_DMACTXCR = ETH_DMA_BURST_32 | ETH_DMACTXCR_OSF | ETH_DMACTXCR_ST;
}

void ethernet_start(const uint8_t mac_address[6])
{
    mac_start(mac_address);
    start_transmitter();
    start_receiver();
#ifdef STUDY_FEATURE_INTERRUPT_DRIVEN
    ETH_DMACIER = ETH_DMA_NI | ETH_DMA_RI | ETH_DMA_TI;
    NVIC_ISER(ETH_INTERRUPT) = 1u << (ETH_INTERRUPT % 32u);
#endif
}

bool ethernet_frame_waits(void)
{
    return !(rx_ring[rx.next].word[3] & RDES3_OWN) && !(tx_ring[tx.next].word[3] & TDES3_OWN);
}

/* Takes back the descriptors of frames that have left. */
static void reclaim(void)
{
    while (tx.used > 0) {
        const uint32_t oldest = (tx.next + TX_DESCRIPTORS - tx.used) % TX_DESCRIPTORS;
        if (tx_ring[oldest].word[3] & TDES3_OWN) {
            break;
        }
        if (tx.frame[oldest] != NULL) {
            pbuf_free(tx.frame[oldest]);
            tx.frame[oldest] = NULL;
        }
        tx.used--;
    }
}

static bool is_good(const struct descriptor *descriptor)
{
    const uint32_t whole = RDES3_FIRST | RDES3_LAST;
    const uint32_t status = descriptor->word[3];
    const uint32_t checks = descriptor->word[1];
    return (status & (whole | RDES3_CONTEXT | RDES3_ERROR)) == whole &&
           !(checks & (RDES1_IP_HEADER_ERROR | RDES1_IP_PAYLOAD_ERROR));
}

struct pbuf *ethernet_receive(void)
{
    reclaim();
    while (ethernet_frame_waits()) {
        const uint32_t index = rx.next;
        struct rx_buffer *buffer = rx.buffer[index];
        const uint32_t length = rx_ring[index].word[3] & RDES3_LENGTH;
        /* The ring is never left short of a buffer, whatever the stack does with the others. */
        const bool pass_on = is_good(&rx_ring[index]) && rx.spares > 0;
        rx.next = (index + 1) % RX_DESCRIPTORS;
        give_to_receiver(index, pass_on ? rx.spare[--rx.spares] : buffer);
        if (pass_on) {
            return pbuf_alloced_custom(PBUF_RAW, (u16_t)length, PBUF_POOL, &buffer->pbuf,
                                       buffer->frame, sizeof buffer->frame);
        }
    }
    return NULL;
}

/* How many descriptors the frame takes, or more than there are if it cannot be sent. */
static uint32_t descriptors_for(const struct pbuf *frame)
{
    uint32_t count = 0;
    for (const struct pbuf *part = frame; part != NULL; part = part->next) {
        if (part->len == 0 || !memory_is_dma(part->payload, part->len)) {
            return TX_DESCRIPTORS + 1;
        }
        count++;
    }
    return count;
}

bool ethernet_transmit(struct pbuf *frame)
{
    reclaim();
    if (descriptors_for(frame) > TX_DESCRIPTORS - tx.used) {
        return false;
    }
    const uint32_t first = tx.next;
    uint32_t last = first;
    for (const struct pbuf *part = frame; part != NULL; part = part->next) {
        struct descriptor *descriptor = &tx_ring[tx.next];
        const bool is_first = part == frame;
        const bool is_last = part->next == NULL;
        descriptor->word[0] = (uint32_t)part->payload;
        descriptor->word[1] = 0;
        descriptor->word[2] = part->len | (is_last ? TDES2_INTERRUPT : 0);
        /* The first descriptor changes hands when all the others have. */
        descriptor->word[3] = (is_first ? TDES3_FIRST | TDES3_ALL_CHECKSUMS | frame->tot_len : TDES3_OWN) |
                              (is_last ? TDES3_LAST : 0);
        last = tx.next;
        tx.next = (tx.next + 1) % TX_DESCRIPTORS;
        tx.used++;
    }
    pbuf_ref(frame);
    tx.frame[last] = frame;
    data_barrier();
    tx_ring[first].word[3] |= TDES3_OWN;
    data_barrier();
    ETH_DMACTXDTPR = (uint32_t)&tx_ring[TX_DESCRIPTORS];
    return true;
}

static bool is_idle(uint32_t deadline_ms)
{
    return !ethernet_frame_waits() && (int32_t)(tick_ms() - deadline_ms) < 0;
}

#ifdef STUDY_FEATURE_INTERRUPT_DRIVEN

void ETH_IRQHandler(void);
void ETH_IRQHandler(void)
{
    /* What happened is in the descriptors. */
    ETH_DMACSR = ETH_DMA_NI | ETH_DMA_RI | ETH_DMA_TI;
    data_barrier();
}

void ethernet_wait(uint32_t deadline_ms)
{
    /* With interrupts off, one that comes between the look and the sleep still ends the sleep. */
    interrupts_off();
    while (is_idle(deadline_ms)) {
        wait_for_interrupt();
        interrupts_on();
        instruction_barrier();
        interrupts_off();
    }
    interrupts_on();
}

#else

void ethernet_wait(uint32_t deadline_ms)
{
    while (is_idle(deadline_ms)) {
    }
}

#endif
