#include "platform/clocks.h"

#include "platform/stm32h723.h"
#include "study.h"

/* HSE / 4 = 2 MHz into PLL1, whose oscillator then runs at CORE_HZ: within the 192 to 836 MHz of the
   wide range (RM0468 §8.5.5). */
enum {
    HSE_HZ = 8000000,
    PLL_PREDIVIDER = 4,
    PLL_MULTIPLIER = CORE_HZ / (HSE_HZ / PLL_PREDIVIDER),
};

_Static_assert(PLL_MULTIPLIER * (HSE_HZ / PLL_PREDIVIDER) == CORE_HZ, "the PLL cannot make CORE_HZ");
_Static_assert(CORE_HZ == 2 * HCLK_HZ, "HCLK is half the core clock");

/* Voltage scale and flash wait states by clock (RM0468 §6.6.2, §4.3.8). */
#if STUDY_CORE_HZ <= 400000000 && STUDY_HCLK_HZ <= 200000000
enum { VOLTAGE_SCALE_1_FIELD = 3, VOS_FIELD = VOLTAGE_SCALE_1_FIELD, WAIT_STATES = 2 };
#elif STUDY_CORE_HZ <= 520000000 && STUDY_HCLK_HZ <= 260000000
enum { VOLTAGE_SCALE_0_FIELD = 0, VOS_FIELD = VOLTAGE_SCALE_0_FIELD, WAIT_STATES = 3 };
#else
#error "the part does not reach these clocks without the option CPU_FREQ_BOOST"
#endif

static void set_voltage(void)
{
    PWR_CR3 = (PWR_CR3 & ~PWR_CR3_SDEN) | PWR_CR3_LDOEN;
    while (!(PWR_CSR1 & PWR_CSR1_ACTVOSRDY)) {
    }
    PWR_D3CR = PWR_D3CR_VOS(VOS_FIELD);
    while (!(PWR_D3CR & PWR_D3CR_VOSRDY)) {
    }
}

static void start_hse(void)
{
    RCC_CR |= RCC_CR_HSEBYP;
    RCC_CR |= RCC_CR_HSEON;
    while (!(RCC_CR & RCC_CR_HSERDY)) {
    }
}

static void start_pll1(void)
{
    RCC_PLLCKSELR = RCC_PLLCKSELR_PLLSRC_HSE | RCC_PLLCKSELR_DIVM1(PLL_PREDIVIDER);
    RCC_PLLCFGR = RCC_PLLCFGR_PLL1RGE_2_TO_4_MHZ | RCC_PLLCFGR_DIVP1EN;
    RCC_PLL1DIVR = RCC_PLL1DIVR_N((uint32_t)PLL_MULTIPLIER) | RCC_PLL1DIVR_P(1u);
    RCC_CR |= RCC_CR_PLL1ON;
    while (!(RCC_CR & RCC_CR_PLL1RDY)) {
    }
}

/* Dividers and wait states before the switch, so that nothing is ever too fast. */
static void switch_to_pll1(void)
{
    RCC_D1CFGR = RCC_D1CFGR_HPRE_2 | RCC_D1CFGR_D1PPRE_2;
    RCC_D2CFGR = RCC_D2CFGR_D2PPRE1_2 | RCC_D2CFGR_D2PPRE2_2;
    RCC_D3CFGR = RCC_D3CFGR_D3PPRE_2;
    FLASH_ACR = FLASH_ACR_LATENCY(WAIT_STATES) | FLASH_ACR_WRHIGHFREQ(WAIT_STATES);
    (void)FLASH_ACR;
    RCC_CFGR = RCC_CFGR_SW_PLL1;
    while ((RCC_CFGR & RCC_CFGR_SWS_MASK) != RCC_CFGR_SWS_PLL1) {
    }
}

void clocks_start(void)
{
    set_voltage();
    start_hse();
    start_pll1();
    switch_to_pll1();
    RCC_AHB2ENR |= RCC_AHB2ENR_SRAM1EN | RCC_AHB2ENR_SRAM2EN;
    (void)RCC_AHB2ENR;
}
