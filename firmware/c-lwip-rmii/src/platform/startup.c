/* From reset to main: vector table, memory, clocks, protection and caches. */

#include <stddef.h>
#include <stdint.h>

#include "platform/clocks.h"
#include "platform/cortex_m7.h"
#include "platform/memory.h"
#include "platform/tick.h"
#include "profiling/stack.h"

/* Places from the linker script. */
extern uint32_t _stack_start[], _data_start[], _data_end[], _bss_start[], _bss_end[];
extern const uint32_t _data_load[];

int main(void);
void Reset_Handler(void);
void SysTick_Handler(void);
void ETH_IRQHandler(void);

/* Every fault and every exception that nothing enables: stops where a debugger can see it. */
void HardFault(void);
void HardFault(void)
{
    for (;;) {
    }
}

enum { ETHERNET_LINE = 61 };

typedef void (*vector)(void);

/* Exceptions of the core (ARMv7-M B1.5) and interrupts up to the only one in use. An entry of zero
   makes its exception a HardFault. */
static const struct {
    uint32_t *stack;
    vector exceptions[15];
    vector interrupts[ETHERNET_LINE + 1];
} vector_table __attribute__((section(".vector_table"), used)) = {
    .stack = _stack_start,
    .exceptions = {
        [0] = Reset_Handler,
        [1] = HardFault, /* NMI */
        [2] = HardFault,
        [14] = SysTick_Handler,
    },
#ifdef STUDY_FEATURE_INTERRUPT_DRIVEN
    .interrupts = { [ETHERNET_LINE] = ETH_IRQHandler },
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
