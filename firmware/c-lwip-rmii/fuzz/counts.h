/* Counters and buffers of the firmware, each moved by an exact amount. */
#pragma once

void counts_check(void);
