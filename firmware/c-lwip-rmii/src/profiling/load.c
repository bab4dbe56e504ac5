#include "profiling/load.h"

#include "platform/cortex_m7.h"
#include "platform/tick.h"

static struct {
    uint64_t window_start;
    uint64_t busy_cycles;
    uint64_t passes;
    /* The cycle counter when the pass in progress began; a pass is shorter than its 2^32 cycles. */
    uint32_t pass_start;
} load;

void load_start(void)
{
    DEMCR |= DEMCR_TRCENA;
    DWT_LAR = DWT_LAR_KEY;
    DWT_CYCCNT = 0;
    DWT_CTRL |= DWT_CTRL_CYCCNTENA;
    load_reset();
}

void load_pass_began(void)
{
    load.pass_start = DWT_CYCCNT;
}

void load_pass_ended(void)
{
    load.busy_cycles += DWT_CYCCNT - load.pass_start;
    load.passes++;
}

void load_reset(void)
{
    load.window_start = tick_cycles();
    load.busy_cycles = 0;
    load.passes = 0;
    load.pass_start = DWT_CYCCNT;
}

struct load load_read(void)
{
    const uint64_t busy_cycles = load.busy_cycles + (DWT_CYCCNT - load.pass_start);
    const uint64_t window_cycles = tick_cycles() - load.window_start;
    return (struct load){
        .window_cycles = window_cycles,
        .busy_cycles = busy_cycles,
        .passes = load.passes,
    };
}
