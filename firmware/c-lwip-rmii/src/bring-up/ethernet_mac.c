/* The MAC: pins, clocks, reset, and everything about frames that is not descriptors. */

#include "bring-up/ethernet_mac.h"

#include <stdbool.h>
#include <stddef.h>

#include "bring-up/ethernet.h"
#include "bring-up/ethernet_registers.h"
#include "platform/halt.h"
#include "platform/stm32h723.h"
#include "platform/tick.h"
#include "study.h"

/* The 50 MHz reference from the PHY ends a reset within microseconds; without it none ever ends. */
enum { RESET_TIMEOUT_MS = 100 };

enum { ALTERNATE_FUNCTION_ETH = 11 };

/* RMII of the NUCLEO-H723ZG (UM2407, solder bridges as delivered). */
static const struct {
    char port;
    uint8_t pin;
} rmii_pins[] = {
    { 'A', 1 },  /* REF_CLK */
    { 'A', 2 },  /* MDIO */
    { 'A', 7 },  /* CRS_DV */
    { 'B', 13 }, /* TXD1 */
    { 'C', 1 },  /* MDC */
    { 'C', 4 },  /* RXD0 */
    { 'C', 5 },  /* RXD1 */
    { 'G', 11 }, /* TX_EN */
    { 'G', 13 }, /* TXD0 */
};

static void set_field(volatile uint32_t *reg, uint32_t width, uint32_t index, uint32_t value)
{
    const uint32_t shift = width * index;
    const uint32_t mask = ((1u << width) - 1u) << shift;
    *reg = (*reg & ~mask) | (value << shift);
}

static void route_pins(void)
{
    for (size_t i = 0; i < sizeof rmii_pins / sizeof rmii_pins[0]; i++) {
        const uint32_t port = (uint32_t)rmii_pins[i].port;
        const uint32_t pin = rmii_pins[i].pin;
        RCC_AHB4ENR |= 1u << (port - 'A');
        (void)RCC_AHB4ENR;
        set_field(&GPIO_OSPEEDR(port), 2, pin, GPIO_SPEED_VERY_HIGH);
        set_field(&GPIO_AFR(port, pin), 4, pin % 8u, ALTERNATE_FUNCTION_ETH);
        set_field(&GPIO_MODER(port), 2, pin, GPIO_MODE_ALTERNATE);
    }
}

/* The interface is selected while the MAC has no clock (RM0468 §60.4.6). */
static void select_rmii(void)
{
    RCC_APB4ENR |= RCC_APB4ENR_SYSCFGEN;
    (void)RCC_APB4ENR;
    SYSCFG_PMCR = (SYSCFG_PMCR & ~SYSCFG_PMCR_EPIS_MASK) | SYSCFG_PMCR_EPIS_RMII;
}

static void start_clocks(void)
{
    RCC_AHB1ENR |= RCC_AHB1ENR_ETH1MACEN | RCC_AHB1ENR_ETH1TXEN | RCC_AHB1ENR_ETH1RXEN;
    (void)RCC_AHB1ENR;
    RCC_AHB1RSTR |= RCC_AHB1RSTR_ETH1MACRST;
    RCC_AHB1RSTR &= ~RCC_AHB1RSTR_ETH1MACRST;
}

static void reset(void)
{
    const uint32_t start_ms = tick_ms();
    ETH_DMAMR = ETH_DMAMR_SWR;
    while (ETH_DMAMR & ETH_DMAMR_SWR) {
        if (tick_ms() - start_ms > RESET_TIMEOUT_MS) {
            halt();
        }
    }
}

/* The high half is written first: writing the low one makes both valid (RM0468, ETH_MACA0LR). */
static void set_address(const uint8_t mac[6])
{
    ETH_MACA0HR = (uint32_t)mac[5] << 8 | mac[4];
    ETH_MACA0LR = (uint32_t)mac[3] << 24 | (uint32_t)mac[2] << 16 | (uint32_t)mac[1] << 8 | mac[0];
}

void mac_start(const uint8_t mac_address[6])
{
    route_pins();
    select_rmii();
    start_clocks();
    reset();
    ETH_MAC1USTCR = HCLK_HZ / 1000000 - 1;
    set_address(mac_address);
    ETH_MMC_RX_INTERRUPT_MASK = ETH_MMC_RX_ALL;
    ETH_MMC_TX_INTERRUPT_MASK = ETH_MMC_TX_ALL;
    /* Whole frames in both FIFOs, which the checksum engines need. */
    ETH_MTLTXQOMR |= ETH_MTLTXQOMR_TSF;
    ETH_MTLRXQOMR |= ETH_MTLRXQOMR_RSF;
    ETH_DMASBMR |= ETH_DMASBMR_FB | ETH_DMASBMR_AAL;
    /* Check IP, UDP and ICMP checksums of what is received, and pass on neither padding nor the
       frame's check sequence. */
    ETH_MACCR = ETH_MACCR_IPC | ETH_MACCR_ACS | ETH_MACCR_CST;
}

void ethernet_link_up(bool fast, bool full_duplex)
{
    uint32_t control = ETH_MACCR & ~(ETH_MACCR_FES | ETH_MACCR_DM);
    control |= fast ? ETH_MACCR_FES : 0;
    control |= full_duplex ? ETH_MACCR_DM : 0;
    ETH_MACCR = control;
    ETH_MACCR = control | ETH_MACCR_RE | ETH_MACCR_TE;
}

void ethernet_link_down(void)
{
    ETH_MACCR &= ~(ETH_MACCR_RE | ETH_MACCR_TE);
}
