/* Which code of firmware and lwIP has been reached, counted by the calls that GCC puts into each basic
   block (-fsanitize-coverage=trace-pc). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Makes the record common to processes that fork later. */
void coverage_share(void);

/* Whether an edge has been reached for the first time since the last call. */
bool coverage_is_new(void);

/* Edges from block to block that have been reached. */
uint32_t coverage_edges(void);
