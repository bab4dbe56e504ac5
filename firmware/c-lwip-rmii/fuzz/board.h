/* The firmware on a board of plain variables: its time, its link, its main loop. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What each pass of the main loop takes by the cycle counter. */
enum { PASS_CYCLES = 1000 };

/* What telemetry is to report of memory; the linker's command line has the sections' sizes. */
enum { STACK_CAPACITY_BYTES = 8192, STACK_HIGH_WATER_BYTES = 1234, STATIC_RAM_BYTES = 112 };

/* Starts the firmware, as main does. */
void board_start(void);

/* One pass of the main loop. What is sent leaves behind it, unless the transmitter is held. */
void board_pass(void);

/* Passes until no received frame waits that the main loop would take. */
void board_settle(void);

/* Lets time pass; the main loop runs when a timer of the stack is due. */
void board_advance(uint32_t ms);

/* Plugs the cable in or pulls it; the firmware sees it when time passes. */
void board_plug(bool in);

/* Keeps queued frames from leaving, or lets them leave. */
void board_hold_transmitter(bool hold);

/* Whether the firmware has the address that the peers lease to it. */
bool board_has_lease(void);
