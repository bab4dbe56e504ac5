/* UDP echo with C/lwIP over the STM32 Ethernet MAC. The start-up code has set clocks, memory
   protection and caches when main begins. */

#include "bring-up/network.h"
#include "profiling/load.h"
#include "profiling/telemetry.h"
#include "server/echo.h"

int main(void)
{
    load_start();
    network_start();
    echo_start();
    telemetry_start();
    for (;;) {
        load_pass_ended();
        network_wait();
        load_pass_began();
        network_poll();
    }
}
