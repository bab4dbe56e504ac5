/* The network: interface, link, DHCP, and the work they have to do from time to time. */
#pragma once

/* Starts the interface, its PHY and the stack; link and address follow while network_poll is called. */
void network_start(void);

/* Waits until there is something for network_poll to do. */
void network_wait(void);

/* Does what there is to do: one frame, so that no traffic keeps the rest waiting, then the timers of the
   stack and the supervision of the link. */
void network_poll(void);
