/* Registers of the Cortex-M7 that this firmware uses (ARMv7-M Architecture Reference Manual B3 and C1;
   Cortex-M7 Technical Reference Manual for the caches). */
#pragma once

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* SysTick, B3.3 */
#define SYST_CSR REGISTER(0xE000E010u)
#define SYST_RVR REGISTER(0xE000E014u)
#define SYST_CVR REGISTER(0xE000E018u)
#define SYST_CSR_ENABLE (1u << 0)
#define SYST_CSR_TICKINT (1u << 1)
#define SYST_CSR_CLKSOURCE_CORE (1u << 2)

/* System control block, B3.2 */
#define ICSR REGISTER(0xE000ED04u)
#define ICSR_PENDSTSET (1u << 26)
#define CCR REGISTER(0xE000ED14u)
#define CCR_DC (1u << 16)
#define CCR_IC (1u << 17)
#define CCSIDR REGISTER(0xE000ED80u)
#define CSSELR REGISTER(0xE000ED84u)
#define CPACR REGISTER(0xE000ED88u)
#define CPACR_FPU_FULL_ACCESS (0xFu << 20)
#define ICIALLU REGISTER(0xE000EF50u)
#define DCISW REGISTER(0xE000EF60u)

/* Memory protection unit, B3.5 */
#define MPU_CTRL REGISTER(0xE000ED94u)
#define MPU_CTRL_ENABLE (1u << 0)
#define MPU_CTRL_PRIVDEFENA (1u << 2)
#define MPU_RBAR REGISTER(0xE000ED9Cu)
#define MPU_RBAR_REGION(number) ((1u << 4) | (number))
#define MPU_RASR REGISTER(0xE000EDA0u)
#define MPU_RASR_ENABLE (1u << 0)
/* Size of the region as a power of two. */
#define MPU_RASR_SIZE(log2) (((log2) - 1u) << 1)
#define MPU_RASR_DISABLED_EIGHTHS(mask) ((mask) << 8)
#define MPU_RASR_NORMAL_NON_CACHEABLE ((1u << 19) | (1u << 18))
#define MPU_RASR_FULL_ACCESS (3u << 24)
#define MPU_RASR_NO_EXECUTE (1u << 28)

/* Nested vectored interrupt controller, B3.4 */
#define NVIC_ISER(line) REGISTER(0xE000E100u + 4u * ((line) / 32u))

/* Data watchpoint and trace, C1.8 */
#define DEMCR REGISTER(0xE000EDFCu)
#define DEMCR_TRCENA (1u << 24)
#define DWT_CTRL REGISTER(0xE0001000u)
#define DWT_CTRL_CYCCNTENA (1u << 0)
#define DWT_CYCCNT REGISTER(0xE0001004u)
#define DWT_LAR REGISTER(0xE0001FB0u)
#define DWT_LAR_KEY 0xC5ACCE55u

/* Everything before is done before anything behind begins, for the core and for other masters. */
static inline void data_barrier(void)
{
    __asm volatile("dsb" ::: "memory");
}

static inline void instruction_barrier(void)
{
    __asm volatile("isb" ::: "memory");
}

static inline void interrupts_off(void)
{
    __asm volatile("cpsid i" ::: "memory");
}

static inline void interrupts_on(void)
{
    __asm volatile("cpsie i" ::: "memory");
}

/* Sleeps until an interrupt is pending, even while interrupts are off. */
static inline void wait_for_interrupt(void)
{
    __asm volatile("dsb\n\twfi" ::: "memory");
}
