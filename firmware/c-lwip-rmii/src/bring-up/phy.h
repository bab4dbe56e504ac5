/* The LAN8742A, over the MAC's management interface. */
#pragma once

#include <stdbool.h>

struct link {
    bool up;
    bool fast;
    bool full_duplex;
};

/* Resets the PHY and lets it negotiate. Takes about a millisecond; stops the program when no PHY
   answers. The MAC must have been started. */
void phy_start(void);

/* The link as the status register showed it at the last call; reading it begins anew. A transaction
   on the management bus takes 30 us, and nobody waits for it here while the link stays as it is. */
struct link phy_poll(void);
