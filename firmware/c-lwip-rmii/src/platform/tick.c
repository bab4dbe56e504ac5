#include "platform/tick.h"

#include "platform/cortex_m7.h"
#include "study.h"

enum { CYCLES_PER_MS = CORE_HZ / 1000 };

volatile uint32_t tick_milliseconds;

void SysTick_Handler(void);
void SysTick_Handler(void)
{
    tick_milliseconds++;
}

void tick_start(void)
{
    SYST_RVR = CYCLES_PER_MS - 1;
    SYST_CVR = 0;
    SYST_CSR = SYST_CSR_CLKSOURCE_CORE | SYST_CSR_TICKINT | SYST_CSR_ENABLE;
}

uint64_t tick_cycles(void)
{
    uint32_t before;
    uint32_t remaining;
    /* A tick between the reads would pair the old millisecond with the new count. */
    do {
        before = tick_milliseconds;
        remaining = SYST_CVR;
    } while (tick_milliseconds != before);
    return (uint64_t)before * CYCLES_PER_MS + (CYCLES_PER_MS - 1 - remaining);
}
