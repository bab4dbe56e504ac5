/* The firmware's options, with all of lwIP's own checks on, and counts of what is allocated. */
#pragma once

#include_next "lwipopts.h"

/* Pointers of the host have 8 bytes. */
#undef MEM_ALIGNMENT
#define MEM_ALIGNMENT 8

/* Level 2 looks at every element each time one is allocated or freed. */
#define MEM_OVERFLOW_CHECK 2
#define MEMP_OVERFLOW_CHECK 2
#define MEM_SANITY_CHECK 1
#define MEMP_SANITY_CHECK 1

#undef LWIP_STATS
#define LWIP_STATS 1
