#include "bring-up/interface.h"

#include <string.h>

#include "lwip/etharp.h"
#include "netif/ethernet.h"

#include "bring-up/ethernet.h"
#include "study.h"

enum { MTU_BYTES = 1500 };

static const uint8_t mac_address[ETH_HWADDR_LEN] = { STUDY_MAC_ADDRESS };

static err_t transmit(struct netif *interface, struct pbuf *frame)
{
    (void)interface;
    return ethernet_transmit(frame) ? ERR_OK : ERR_MEM;
}

err_t interface_init(struct netif *interface)
{
    interface->name[0] = 'e';
    interface->name[1] = 'n';
    interface->hwaddr_len = ETH_HWADDR_LEN;
    memcpy(interface->hwaddr, mac_address, sizeof mac_address);
    interface->mtu = MTU_BYTES;
    interface->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET;
    interface->output = etharp_output;
    interface->linkoutput = transmit;
    ethernet_start(mac_address);
    return ERR_OK;
}

void interface_receive(struct netif *interface)
{
    struct pbuf *frame = ethernet_receive();
    if (frame != NULL && interface->input(frame, interface) != ERR_OK) {
        pbuf_free(frame);
    }
}
