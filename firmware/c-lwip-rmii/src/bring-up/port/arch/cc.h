/* What lwIP asks of compiler and platform. */
#pragma once

#include "platform/halt.h"

#define LWIP_PLATFORM_DIAG(message)
#define LWIP_PLATFORM_ASSERT(message) halt()
