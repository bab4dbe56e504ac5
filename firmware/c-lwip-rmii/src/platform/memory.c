#include "platform/memory.h"

#include <stdint.h>

#include "platform/cortex_m7.h"
#include "study.h"

extern uint8_t _dma_start[], _dma_end[];

/* Of two regions that overlap the one with the higher number counts. */
enum { REGION_EXTERNAL, REGION_DMA };

static const uint32_t LOG2_4_GB = 32;
static const uint32_t LOG2_32_KB = 15;

/* Eighths of the address space that region 0 leaves alone: code, SRAM and peripherals below, the
   system's registers at the top. The part has nothing on the buses between them, and a speculative
   read there would hang (AN4839). */
static const uint32_t INTERNAL_EIGHTHS = 0x87;

void memory_protect(void)
{
    MPU_CTRL = 0;
    MPU_RBAR = MPU_RBAR_REGION(REGION_EXTERNAL);
    MPU_RASR = MPU_RASR_ENABLE | MPU_RASR_SIZE(LOG2_4_GB) |
               MPU_RASR_DISABLED_EIGHTHS(INTERNAL_EIGHTHS) | MPU_RASR_NO_EXECUTE;
    MPU_RBAR = (uint32_t)_dma_start | MPU_RBAR_REGION(REGION_DMA);
    MPU_RASR = MPU_RASR_ENABLE | MPU_RASR_SIZE(LOG2_32_KB) | MPU_RASR_NORMAL_NON_CACHEABLE |
               MPU_RASR_FULL_ACCESS | MPU_RASR_NO_EXECUTE;
    MPU_CTRL = MPU_CTRL_ENABLE | MPU_CTRL_PRIVDEFENA;
    data_barrier();
    instruction_barrier();
}

#if STUDY_ICACHE
static void enable_instruction_cache(void)
{
    ICIALLU = 0;
    data_barrier();
    instruction_barrier();
    CCR |= CCR_IC;
    data_barrier();
    instruction_barrier();
}
#endif

#if STUDY_DCACHE
/* Cortex-M7 TRM §5: the cache holds garbage after reset, so that every line is invalidated by its set
   and way first. The way is in the top bits of DCISW; a line has 32 bytes. */
static void enable_data_cache(void)
{
    CSSELR = 0;
    data_barrier();
    const uint32_t geometry = CCSIDR;
    const uint32_t last_set = (geometry >> 13) & 0x7FFFu;
    const uint32_t last_way = (geometry >> 3) & 0x3FFu;
    const uint32_t way_shift = (uint32_t)__builtin_clz(last_way);
    for (uint32_t set = 0; set <= last_set; set++) {
        for (uint32_t way = 0; way <= last_way; way++) {
            DCISW = (way << way_shift) | (set << 5);
        }
    }
    data_barrier();
    CCR |= CCR_DC;
    data_barrier();
    instruction_barrier();
}
#endif

void caches_enable(void)
{
#if STUDY_ICACHE
    enable_instruction_cache();
#endif
#if STUDY_DCACHE
    enable_data_cache();
#endif
}

bool memory_is_dma(const void *object, size_t bytes)
{
    const uint8_t *first = object;
    return first >= _dma_start && bytes <= (size_t)(_dma_end - first);
}
