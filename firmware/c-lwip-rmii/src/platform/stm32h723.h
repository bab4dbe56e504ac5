/* Registers of the STM32H723 outside the Ethernet block that this firmware uses (RM0468). */
#pragma once

#include "platform/cortex_m7.h"

/* Lines of the interrupt controller, RM0468 §19.1 */
#define ETH_INTERRUPT 61u

/* FLASH, RM0468 §4.9 */
#define FLASH_ACR REGISTER(0x52002000u)
#define FLASH_ACR_LATENCY(wait_states) (wait_states)
#define FLASH_ACR_WRHIGHFREQ(delay) ((delay) << 4)

/* SYSCFG, RM0468 §12.3 */
#define SYSCFG_PMCR REGISTER(0x58000404u)
#define SYSCFG_PMCR_EPIS_MASK (7u << 21)
#define SYSCFG_PMCR_EPIS_RMII (4u << 21)

/* PWR, RM0468 §6.8 */
#define PWR_CSR1 REGISTER(0x58024804u)
#define PWR_CSR1_ACTVOSRDY (1u << 13)
#define PWR_CR3 REGISTER(0x5802480Cu)
#define PWR_CR3_LDOEN (1u << 1)
#define PWR_CR3_SDEN (1u << 2)
#define PWR_D3CR REGISTER(0x58024818u)
#define PWR_D3CR_VOSRDY (1u << 13)
#define PWR_D3CR_VOS(field) ((field) << 14)

/* RCC, RM0468 §8.7 */
#define RCC_CR REGISTER(0x58024400u)
#define RCC_CR_HSEON (1u << 16)
#define RCC_CR_HSERDY (1u << 17)
#define RCC_CR_HSEBYP (1u << 18)
#define RCC_CR_PLL1ON (1u << 24)
#define RCC_CR_PLL1RDY (1u << 25)
#define RCC_CFGR REGISTER(0x58024410u)
#define RCC_CFGR_SW_PLL1 (3u << 0)
#define RCC_CFGR_SWS_MASK (7u << 3)
#define RCC_CFGR_SWS_PLL1 (3u << 3)
#define RCC_D1CFGR REGISTER(0x58024418u)
#define RCC_D1CFGR_HPRE_2 (8u << 0)
#define RCC_D1CFGR_D1PPRE_2 (4u << 4)
#define RCC_D2CFGR REGISTER(0x5802441Cu)
#define RCC_D2CFGR_D2PPRE1_2 (4u << 4)
#define RCC_D2CFGR_D2PPRE2_2 (4u << 8)
#define RCC_D3CFGR REGISTER(0x58024420u)
#define RCC_D3CFGR_D3PPRE_2 (4u << 4)
#define RCC_PLLCKSELR REGISTER(0x58024428u)
#define RCC_PLLCKSELR_PLLSRC_HSE (2u << 0)
#define RCC_PLLCKSELR_DIVM1(divider) ((divider) << 4)
#define RCC_PLLCFGR REGISTER(0x5802442Cu)
#define RCC_PLLCFGR_PLL1RGE_2_TO_4_MHZ (1u << 2)
#define RCC_PLLCFGR_DIVP1EN (1u << 16)
#define RCC_PLL1DIVR REGISTER(0x58024430u)
#define RCC_PLL1DIVR_N(multiplier) (((multiplier) - 1u) << 0)
#define RCC_PLL1DIVR_P(divider) (((divider) - 1u) << 9)
#define RCC_AHB1RSTR REGISTER(0x58024480u)
#define RCC_AHB1RSTR_ETH1MACRST (1u << 15)
#define RCC_AHB1ENR REGISTER(0x580244D8u)
#define RCC_AHB1ENR_ETH1MACEN (1u << 15)
#define RCC_AHB1ENR_ETH1TXEN (1u << 16)
#define RCC_AHB1ENR_ETH1RXEN (1u << 17)
#define RCC_AHB2ENR REGISTER(0x580244DCu)
#define RCC_AHB2ENR_SRAM1EN (1u << 29)
#define RCC_AHB2ENR_SRAM2EN (1u << 30)
#define RCC_AHB4ENR REGISTER(0x580244E0u)
#define RCC_APB4ENR REGISTER(0x580244F4u)
#define RCC_APB4ENR_SYSCFGEN (1u << 1)

/* GPIO ports by letter, RM0468 §11.4 */
#define GPIO_BASE(port) (0x58020000u + 0x400u * ((port) - 'A'))
#define GPIO_MODER(port) REGISTER(GPIO_BASE(port) + 0x00u)
#define GPIO_OSPEEDR(port) REGISTER(GPIO_BASE(port) + 0x08u)
#define GPIO_AFR(port, pin) REGISTER(GPIO_BASE(port) + 0x20u + 4u * ((pin) / 8u))
#define GPIO_MODE_ALTERNATE 2u
#define GPIO_SPEED_VERY_HIGH 3u
