/* How busy the main loop is. A pass is what lies between two waits; its cycles, those of the wait
   excluded, count as busy. Other builds than those with profiling measure nothing. */
#pragma once

#include <stdint.h>

struct load {
    uint64_t window_cycles;
    uint64_t busy_cycles;
    uint64_t passes;
};

#ifdef STUDY_FEATURE_PROFILING

/* Starts the cycle counter, the first window and the first pass. */
void load_start(void);
void load_pass_began(void);
void load_pass_ended(void);

/* Starts a new window; the pass in progress belongs to it with what is left of it. */
void load_reset(void);

/* The window up to now, with the pass in progress. */
struct load load_read(void);

#else

static inline void load_start(void)
{
}

static inline void load_pass_began(void)
{
}

static inline void load_pass_ended(void)
{
}

#endif
