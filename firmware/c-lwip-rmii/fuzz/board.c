#include "board.h"

#include "lwip/netif.h"
#include "lwip/timeouts.h"

#include "bring-up/ethernet.h"
#include "bring-up/network.h"
#include "bring-up/phy.h"
#include "platform/cortex_m7.h"
#include "platform/tick.h"
#include "profiling/load.h"
#include "profiling/stack.h"
#include "profiling/telemetry.h"
#include "server/echo.h"
#include "study.h"

#include "check.h"
#include "dma.h"
#include "peers.h"

volatile uint32_t tick_milliseconds;

static bool plugged_in = true;
static bool transmitter_held;

uint64_t tick_cycles(void)
{
    return (uint64_t)tick_milliseconds * (CORE_HZ / 1000);
}

/* A variable for each register that has been used. */
volatile uint32_t *host_register(uint32_t address)
{
    enum { REGISTERS = 64 };
    static struct {
        uint32_t address;
        volatile uint32_t value;
    } registers[REGISTERS];
    for (uint32_t i = 0; i < REGISTERS; i++) {
        if (registers[i].address == 0 || registers[i].address == address) {
            registers[i].address = address;
            return &registers[i].value;
        }
    }
    CHECK(false, "no variable is left for register %#x", address);
    return NULL;
}

void phy_start(void)
{
}

struct link phy_poll(void)
{
    return (struct link){ .up = plugged_in, .fast = true, .full_duplex = true };
}

uint32_t stack_high_water_bytes(void)
{
    return STACK_HIGH_WATER_BYTES;
}

uint32_t stack_capacity_bytes(void)
{
    return STACK_CAPACITY_BYTES;
}

static void let_frames_leave(void)
{
    uint8_t frame[FRAME_BYTES_MAX];
    for (size_t bytes; !transmitter_held && (bytes = dma_transmit(frame)) > 0;) {
        peers_take(frame, bytes);
    }
}

void board_start(void)
{
    load_start();
    network_start();
    echo_start();
    telemetry_start();
}

void board_pass(void)
{
    load_pass_ended();
    if (ethernet_frame_waits()) {
        network_wait(); /* at once, as a frame waits; the tick stands still */
    }
    load_pass_began();
    DWT_CYCCNT += PASS_CYCLES;
    network_poll();
    dma_guard();
    let_frames_leave();
}

void board_settle(void)
{
    while (ethernet_frame_waits()) {
        board_pass();
    }
}

void board_advance(uint32_t ms)
{
    while (ms > 0) {
        const uint32_t due_ms = sys_timeouts_sleeptime();
        const uint32_t step_ms = due_ms < ms ? due_ms : ms;
        tick_milliseconds += step_ms;
        ms -= step_ms;
        board_pass();
        peers_answer();
        board_settle();
    }
}

void board_plug(bool in)
{
    plugged_in = in;
}

void board_hold_transmitter(bool hold)
{
    transmitter_held = hold;
    let_frames_leave();
}

bool board_has_lease(void)
{
    return netif_is_link_up(netif_default) &&
           ip4_addr_get_u32(netif_ip4_addr(netif_default)) == peers_lease();
}
