/* Registers and descriptors of the STM32H723's Ethernet block (RM0468 §60.11, §60.10), as far as this
   firmware uses them. */
#pragma once

#include "platform/cortex_m7.h"

#define ETH_REGISTER(offset) REGISTER(0x40028000u + (offset))

/* MAC */
#define ETH_MACCR ETH_REGISTER(0x0000u)
#define ETH_MACCR_RE (1u << 0)
#define ETH_MACCR_TE (1u << 1)
#define ETH_MACCR_DM (1u << 13)
#define ETH_MACCR_FES (1u << 14)
#define ETH_MACCR_ACS (1u << 20)
#define ETH_MACCR_CST (1u << 21)
#define ETH_MACCR_IPC (1u << 27)
#define ETH_MAC1USTCR ETH_REGISTER(0x00DCu)
#define ETH_MACMDIOAR ETH_REGISTER(0x0200u)
#define ETH_MACMDIOAR_BUSY (1u << 0)
#define ETH_MACMDIOAR_WRITE (1u << 2)
#define ETH_MACMDIOAR_READ (3u << 2)
#define ETH_MACMDIOAR_CLOCK_RANGE(field) ((field) << 8)
#define ETH_MACMDIOAR_REGISTER(number) ((uint32_t)(number) << 16)
#define ETH_MACMDIOAR_PHY(address) ((uint32_t)(address) << 21)
#define ETH_MACMDIODR ETH_REGISTER(0x0204u)
#define ETH_MACA0HR ETH_REGISTER(0x0300u)
#define ETH_MACA0LR ETH_REGISTER(0x0304u)
#define ETH_MMC_RX_INTERRUPT_MASK ETH_REGISTER(0x070Cu)
#define ETH_MMC_TX_INTERRUPT_MASK ETH_REGISTER(0x0710u)
#define ETH_MMC_RX_ALL 0x0C020060u
#define ETH_MMC_TX_ALL 0x0C20C000u

/* MTL */
#define ETH_MTLTXQOMR ETH_REGISTER(0x0D00u)
#define ETH_MTLTXQOMR_TSF (1u << 1)
#define ETH_MTLRXQOMR ETH_REGISTER(0x0D30u)
#define ETH_MTLRXQOMR_RSF (1u << 5)

/* DMA */
#define ETH_DMAMR ETH_REGISTER(0x1000u)
#define ETH_DMAMR_SWR (1u << 0)
#define ETH_DMASBMR ETH_REGISTER(0x1004u)
#define ETH_DMASBMR_FB (1u << 0)
#define ETH_DMASBMR_AAL (1u << 12)
#define ETH_DMACTXCR ETH_REGISTER(0x1104u)
#define ETH_DMACTXCR_ST (1u << 0)
#define ETH_DMACTXCR_OSF (1u << 4)
#define ETH_DMACRXCR ETH_REGISTER(0x1108u)
#define ETH_DMACRXCR_SR (1u << 0)
#define ETH_DMACRXCR_RBSZ(bytes) ((bytes) << 1)
#define ETH_DMA_BURST_32 (32u << 16)
#define ETH_DMACTXDLAR ETH_REGISTER(0x1114u)
#define ETH_DMACRXDLAR ETH_REGISTER(0x111Cu)
#define ETH_DMACTXDTPR ETH_REGISTER(0x1120u)
#define ETH_DMACRXDTPR ETH_REGISTER(0x1128u)
#define ETH_DMACTXRLR ETH_REGISTER(0x112Cu)
#define ETH_DMACRXRLR ETH_REGISTER(0x1130u)
#define ETH_DMACIER ETH_REGISTER(0x1134u)
#define ETH_DMACSR ETH_REGISTER(0x1160u)
/* The same bits in both. */
#define ETH_DMA_TI (1u << 0)
#define ETH_DMA_RI (1u << 6)
#define ETH_DMA_NI (1u << 15)

/* Four words in the order the DMA reads them; software keeps nothing in them. */
struct descriptor {
    volatile uint32_t word[4];
};

/* Transmit, as software writes it: word 0 the buffer's address. */
#define TDES2_INTERRUPT (1u << 31)
#define TDES3_OWN (1u << 31)
#define TDES3_FIRST (1u << 29)
#define TDES3_LAST (1u << 28)
#define TDES3_ALL_CHECKSUMS (3u << 16)

/* Receive: word 0 the buffer's address when software writes it. */
#define RDES3_OWN (1u << 31)
#define RDES3_INTERRUPT (1u << 30)
#define RDES3_BUFFER_1_VALID (1u << 24)
/* Receive, as the DMA writes it back. */
#define RDES1_IP_HEADER_ERROR (1u << 3)
#define RDES1_IP_PAYLOAD_ERROR (1u << 7)
#define RDES3_CONTEXT (1u << 30)
#define RDES3_FIRST (1u << 29)
#define RDES3_LAST (1u << 28)
#define RDES3_ERROR (1u << 15)
#define RDES3_LENGTH 0x7FFFu
