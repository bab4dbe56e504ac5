/* The stack's high-water mark: painted at reset, and looked at from its far end. */
#pragma once

#include <stdint.h>

#ifdef STUDY_FEATURE_PROFILING

/* Paints what of the stack is not in use. Called first of all: static data is not there yet. */
void stack_paint(void);

/* Bytes of the stack that have been used since. */
uint32_t stack_high_water_bytes(void);

uint32_t stack_capacity_bytes(void);

#else

static inline void stack_paint(void)
{
}

#endif
