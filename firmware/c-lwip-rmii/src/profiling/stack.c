#include "profiling/stack.h"

extern uint32_t _stack_start[], _stack_end[];

static const uint32_t PAINT = 0xCCCCCCCC;

/* Not inlined, so that the frame it leaves alone is its own, at the end of all that is in use. */
__attribute__((noinline)) void stack_paint(void)
{
    const uint32_t *in_use = __builtin_frame_address(0);
    for (volatile uint32_t *word = _stack_end; word < in_use - 16; word++) {
        *word = PAINT;
    }
}

uint32_t stack_high_water_bytes(void)
{
    const volatile uint32_t *word = _stack_end;
    while (word < _stack_start && *word == PAINT) {
        word++;
    }
    return (uint32_t)((_stack_start - word) * sizeof *word);
}

uint32_t stack_capacity_bytes(void)
{
    return (uint32_t)((_stack_start - _stack_end) * sizeof *_stack_start);
}
