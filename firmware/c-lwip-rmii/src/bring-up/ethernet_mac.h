#pragma once

#include <stdint.h>

/* Routes the RMII to its pins, clocks the block, resets it and sets what does not depend on rings or
   link. */
void mac_start(const uint8_t mac_address[6]);
