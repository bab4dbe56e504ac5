#include "bring-up/phy.h"

#include <stdint.h>

#include "bring-up/ethernet_registers.h"
#include "platform/halt.h"
#include "platform/tick.h"
#include "study.h"

/* The address that the board straps. */
enum { PHY_ADDRESS = 0 };

/* LAN8742A data sheet §4.2 */
enum {
    BASIC_CONTROL = 0,
    CONTROL_RESET = 1 << 15,
    CONTROL_AUTONEGOTIATE = 1 << 12,
    CONTROL_RESTART = 1 << 9,
    BASIC_STATUS = 1,
    STATUS_LINK = 1 << 2,
    IDENTIFIER_1 = 2,
    SMSC_OUI = 0x0007,
    SPECIAL_STATUS = 31,
    SPECIAL_STATUS_FAST = 1 << 3,
    SPECIAL_STATUS_FULL_DUPLEX = 1 << 4,
};

/* The data sheet allows half a second. */
enum { RESET_TIMEOUT_MS = 500 };

/* MDC at most 2.5 MHz: HCLK / 102 up to 250 MHz, / 124 above (RM0468, ETH_MACMDIOAR.CR). */
static const uint32_t CLOCK_RANGE = HCLK_HZ <= 250000000 ? 4 : 5;

static struct link link;

static bool is_busy(void)
{
    return ETH_MACMDIOAR & ETH_MACMDIOAR_BUSY;
}

static void begin(uint32_t number, uint32_t operation)
{
    ETH_MACMDIOAR = ETH_MACMDIOAR_PHY(PHY_ADDRESS) | ETH_MACMDIOAR_REGISTER(number) |
                    ETH_MACMDIOAR_CLOCK_RANGE(CLOCK_RANGE) | operation | ETH_MACMDIOAR_BUSY;
}

static void begin_read(uint32_t number)
{
    begin(number, ETH_MACMDIOAR_READ);
}

static uint32_t finish_read(void)
{
    while (is_busy()) {
    }
    return ETH_MACMDIODR;
}

static uint32_t read(uint32_t number)
{
    begin_read(number);
    return finish_read();
}

static void write(uint32_t number, uint32_t value)
{
    ETH_MACMDIODR = value;
    begin(number, ETH_MACMDIOAR_WRITE);
    while (is_busy()) {
    }
}

void phy_start(void)
{
    if (read(IDENTIFIER_1) != SMSC_OUI) {
        halt();
    }
    const uint32_t start_ms = tick_ms();
    write(BASIC_CONTROL, CONTROL_RESET);
    while (read(BASIC_CONTROL) & CONTROL_RESET) {
        if (tick_ms() - start_ms > RESET_TIMEOUT_MS) {
            halt();
        }
    }
    write(BASIC_CONTROL, CONTROL_AUTONEGOTIATE | CONTROL_RESTART);
    begin_read(BASIC_STATUS);
}

struct link phy_poll(void)
{
    const bool up = finish_read() & STATUS_LINK;
    if (up && !link.up) {
        const uint32_t mode = read(SPECIAL_STATUS);
        link.fast = mode & SPECIAL_STATUS_FAST;
        link.full_duplex = mode & SPECIAL_STATUS_FULL_DUPLEX;
    }
    link.up = up;
    begin_read(BASIC_STATUS);
    return link;
}
