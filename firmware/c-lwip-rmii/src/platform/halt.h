#pragma once

/* Ends the program where something happened that must not: an undefined instruction, so that a
   debugger, or the fault handler on the part, shows where. */
#define halt() __builtin_trap()
