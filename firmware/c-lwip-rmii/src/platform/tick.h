/* Time since start-up, counted by SysTick. */
#pragma once

#include <stdint.h>

/* Milliseconds, modulo 2^32. Read it with tick_ms. */
extern volatile uint32_t tick_milliseconds;

void tick_start(void);

static inline uint32_t tick_ms(void)
{
    return tick_milliseconds;
}

/* Core cycles, asleep or not. Interrupts must be on. */
uint64_t tick_cycles(void);
