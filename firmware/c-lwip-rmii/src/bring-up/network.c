#include "bring-up/network.h"

#include "lwip/dhcp.h"
#include "lwip/init.h"
#include "lwip/timeouts.h"
#include "netif/ethernet.h"

#include "bring-up/ethernet.h"
#include "bring-up/interface.h"
#include "bring-up/phy.h"
#include "platform/halt.h"
#include "platform/tick.h"

enum { LINK_PERIOD_MS = 100 };

static struct netif interface;

static void supervise_link(void *argument)
{
    (void)argument;
    sys_timeout(LINK_PERIOD_MS, supervise_link, NULL);
    const struct link link = phy_poll();
    if (link.up && !netif_is_link_up(&interface)) {
        ethernet_link_up(link.fast, link.full_duplex);
        netif_set_link_up(&interface);
    } else if (!link.up && netif_is_link_up(&interface)) {
        netif_set_link_down(&interface);
        ethernet_link_down();
    }
}

void network_start(void)
{
    lwip_init();
    if (netif_add_noaddr(&interface, NULL, interface_init, ethernet_input) == NULL) {
        halt();
    }
    netif_set_default(&interface);
    netif_set_up(&interface);
    phy_start();
    if (dhcp_start(&interface) != ERR_OK) {
        halt();
    }
    supervise_link(NULL);
}

void network_wait(void)
{
    ethernet_wait(tick_ms() + sys_timeouts_sleeptime());
}

void network_poll(void)
{
    interface_receive(&interface);
    sys_check_timeouts();
}
