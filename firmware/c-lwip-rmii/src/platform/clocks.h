#pragma once

/* Brings the core to CORE_HZ and the buses to HCLK_HZ and half of it, from the 8 MHz that the
   ST-LINK puts on the HSE input, and starts the clocks of SRAM1 and SRAM2. */
void clocks_start(void);
