/* The Ethernet MAC as one of lwIP's network interfaces. */
#pragma once

#include "lwip/netif.h"

/* Initialises the interface, for netif_add. */
err_t interface_init(struct netif *interface);

/* Hands the oldest frame that waits to the stack. */
void interface_receive(struct netif *interface);
