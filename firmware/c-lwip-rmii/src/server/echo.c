#include "server/echo.h"

#include "lwip/udp.h"

#include "platform/halt.h"
#include "study.h"

/* Sends the received datagram back in the buffer it came in. One that cannot be sent now is lost, as
   UDP may lose any. */
static void echo(void *argument, struct udp_pcb *socket, struct pbuf *datagram,
                 const ip_addr_t *sender, u16_t sender_port)
{
    (void)argument;
    udp_sendto(socket, datagram, sender, sender_port);
    pbuf_free(datagram);
}

void echo_start(void)
{
    struct udp_pcb *socket = udp_new();
    if (socket == NULL || udp_bind(socket, IP_ADDR_ANY, ECHO_PORT) != ERR_OK) {
        halt();
    }
    udp_recv(socket, echo, NULL);
}
