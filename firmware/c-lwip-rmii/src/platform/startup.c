/* From reset to main: vector table, memory, clocks, protection and caches. */

#include <stddef.h>
#include <stdint.h>

#include "platform/clocks.h"
#include "platform/memory.h"
#include "platform/stm32h723.h"
#include "platform/tick.h"
#include "profiling/stack.h"

/* Places from the linker script. */
extern uint32_t _stack_start[], _data_start[], _data_end[], _bss_start[], _bss_end[];
extern const uint32_t _data_load[];

int main(void);
void Reset_Handler(void);
void SysTick_Handler(void);
void ETH_IRQHandler(void);

/* Every fault: stops where a debugger can see it, and under the name at which the emulated board ends a
   run. */
void HardFault(void);
void HardFault(void)
{
    for (;;) {
    }
}

typedef void (*vector)(void);

/* Exceptions of the core (ARMv7-M B1.5) and interrupts up to the only one in use. An entry of zero
   makes its exception a HardFault. */
static const struct {
    uint32_t *stack;
    vector exceptions[15];
    vector interrupts[ETH_INTERRUPT + 1];
} vector_table __attribute__((section(".vector_table"), used)) = {
    .stack = _stack_start,
    .exceptions = {
        [0] = Reset_Handler,
        [1] = HardFault, /* NMI */
        [2] = HardFault,
        [14] = SysTick_Handler,
    },
#ifdef STUDY_FEATURE_INTERRUPT_DRIVEN
    .interrupts = { [ETH_INTERRUPT] = ETH_IRQHandler },
#endif
};

static void fill_memory(void)
{
    const uint32_t *from = _data_load;
    for (uint32_t *to = _data_start; to < _data_end; to++) {
        *to = *from++;
    }
    for (uint32_t *to = _bss_start; to < _bss_end; to++) {
        *to = 0;
    }
}

static void enable_fpu(void)
{
    CPACR |= CPACR_FPU_FULL_ACCESS;
    data_barrier();
    instruction_barrier();
}

void Reset_Handler(void)
{
    enable_fpu();
    stack_paint();
    fill_memory();
    clocks_start();
    memory_protect();
    caches_enable();
    tick_start();
    main();
}
