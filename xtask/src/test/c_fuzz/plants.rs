//! The bugs that malformed frames must find.

use crate::test::plant::Plant;

/// One for each kind of check: what the CPU may touch, what is freed, what a library checks for it, what
/// is sent.
pub const PLANTS: [Plant; 5] = [
    Plant {
        what: "a received frame that is one byte too long",
        file: "src/bring-up/ethernet_dma.c",
        right: "(u16_t)length, PBUF_POOL",
        wrong: "(u16_t)(length + 1), PBUF_POOL",
    },
    Plant {
        what: "an echo that does not free its datagram",
        file: "src/server/echo.c",
        right: "    pbuf_free(datagram);\n",
        wrong: "",
    },
    Plant {
        what: "telemetry that frees a datagram which it does not understand twice",
        file: "src/profiling/telemetry.c",
        right: "    if (!understood) {\n",
        wrong: "    if (!understood) {\n        pbuf_free(datagram);\n",
    },
    Plant {
        what: "an IP packet that is longer than its frame",
        file: "src/core/ipv4/ip4.c",
        right: "(iphdr_len > p->tot_len) ||",
        wrong: "",
    },
    Plant {
        what: "a frame to be sent that is not kept until it has left",
        file: "src/bring-up/ethernet_dma.c",
        right: "    pbuf_ref(frame);\n    tx.frame[last] = frame;\n",
        wrong: "    tx.frame[last] = NULL;\n",
    },
];
