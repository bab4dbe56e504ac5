/* The telemetry datagrams of firmware/profiling-model: an 8-byte request and a 56-byte reply, both
   little-endian, as the core is. */

#include "profiling/telemetry.h"

#include <stdbool.h>
#include <string.h>

#include "lwip/udp.h"

#include "platform/halt.h"
#include "profiling/load.h"
#include "profiling/stack.h"
#include "study.h"

enum command { COMMAND_READ, COMMAND_RESET_THEN_READ, COMMANDS };

enum { VERSION = 1 };

static const char magic[4] = { 'T', 'L', 'M', '1' };

struct request {
    char magic[4];
    uint8_t command;
    uint8_t zero[3];
};

struct reply {
    char magic[4];
    uint8_t command;
    uint8_t version;
    uint16_t zero;
    uint64_t window_cycles;
    uint64_t busy_cycles;
    uint64_t passes;
    uint32_t core_hz;
    uint32_t stack_capacity_bytes;
    uint32_t stack_high_water_bytes;
    uint32_t static_ram_bytes;
    uint64_t echoed_datagrams; /* 0: the server does not count */
};

_Static_assert(sizeof(struct request) == 8, "the request's fields leave no gaps");
_Static_assert(sizeof(struct reply) == 56, "the reply's fields leave no gaps");

extern uint8_t _data_start[], _data_end[], _bss_start[], _bss_end[], _dma_used_start[],
    _dma_used_end[];

static uint32_t static_ram_bytes(void)
{
    return (uint32_t)((_data_end - _data_start) + (_bss_end - _bss_start) +
                      (_dma_used_end - _dma_used_start));
}

static bool is_request(const struct pbuf *datagram, struct request *request)
{
    static const uint8_t zero[3];
    return datagram->tot_len == sizeof *request &&
           pbuf_copy_partial(datagram, request, sizeof *request, 0) == sizeof *request &&
           memcmp(request->magic, magic, sizeof magic) == 0 && request->command < COMMANDS &&
           memcmp(request->zero, zero, sizeof zero) == 0;
}

static struct reply reply_to(enum command command)
{
    /* Scanning the stack takes long: it comes first, so that a new window does not contain it. */
    const uint32_t high_water_bytes = stack_high_water_bytes();
    if (command == COMMAND_RESET_THEN_READ) {
        load_reset();
    }
    const struct load load = load_read();
    struct reply reply = {
        .command = (uint8_t)command,
        .version = VERSION,
        .window_cycles = load.window_cycles,
        .busy_cycles = load.busy_cycles,
        .passes = load.passes,
        .core_hz = CORE_HZ,
        .stack_capacity_bytes = stack_capacity_bytes(),
        .stack_high_water_bytes = high_water_bytes,
        .static_ram_bytes = static_ram_bytes(),
    };
    memcpy(reply.magic, magic, sizeof magic);
    return reply;
}

static void answer(void *argument, struct udp_pcb *socket, struct pbuf *datagram,
                   const ip_addr_t *sender, u16_t sender_port)
{
    (void)argument;
    struct request request;
    const bool understood = is_request(datagram, &request);
    pbuf_free(datagram);
    if (!understood) {
        return;
    }
    const struct reply reply = reply_to(request.command);
    struct pbuf *message = pbuf_alloc(PBUF_TRANSPORT, sizeof reply, PBUF_RAM);
    if (message != NULL) {
        memcpy(message->payload, &reply, sizeof reply);
        udp_sendto(socket, message, sender, sender_port);
        pbuf_free(message);
    }
}

void telemetry_start(void)
{
    struct udp_pcb *socket = udp_new();
    if (socket == NULL || udp_bind(socket, IP_ADDR_ANY, TELEMETRY_PORT) != ERR_OK) {
        halt();
    }
    udp_recv(socket, answer, NULL);
}
