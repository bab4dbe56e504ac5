/* Whether the firmware still serves, whatever has come before, and has lost nothing. */
#pragma once

/* Pulls the cable and plugs it in, waits for the lease, and checks that an echo comes back byte for byte,
   that telemetry is answered, and that all buffers and all of lwIP's heap are free again. */
void probe(void);
