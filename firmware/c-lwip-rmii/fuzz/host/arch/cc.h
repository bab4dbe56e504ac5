/* In place of the firmware's: an assertion of lwIP that fails says so. */
#pragma once

#include <stdio.h>

#include "platform/halt.h"

#define LWIP_PLATFORM_DIAG(message)
#define LWIP_PLATFORM_ASSERT(message) \
    do {                              \
        fprintf(stderr, "lwIP asserts: %s\n", message); \
        halt();                       \
    } while (0)
