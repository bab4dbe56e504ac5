//! Whether a firmware that leaves the receive tail pointer on the slot it looks at next is said to have a
//! receiver that stalled, and not to have lost some share of its datagrams.
//!
//! That fault works while frames come singly. It ends reception when a burst fills the ring while the
//! firmware is busy: all descriptors are the DMA's again and the tail names the one where it waits
//! (zephyr issue 79066, stm32h7xx-hal-driver issue 61).

use std::path::Path;

use anyhow::{Context, ensure};
use bench::{Burst, BurstOptions, BurstResult, Fault, Nanos, Stall};
use board::BoardConfig;

use crate::adapter::drive;
use crate::adapter::emulated::EmulatedBoard;
use crate::metadata::{Build, Study, Variant};
use crate::toolchain::Toolchain;
use crate::trial::boot;
use crate::{files, output};

use super::elsewhere::Elsewhere;
use super::plant::Plant;

/// Descriptors of the firmware's receive ring.
const RING: u64 = 4;
/// Those it has of a burst when it stops: the ring's, and the one that the server was busy with.
const RECEIVED: u64 = RING + 1;
/// Frames of a burst, back to back.
const BURST: u64 = 2 * RING;
const BURSTS: u64 = 10;

const DRIVER: &str = "src/bring-up/ethernet_dma.c";
const SERVER: &str = "src/server/echo.c";

/// A server that is slower than the wire, and says something by itself every second.
const BUSY: [Plant; 3] = [
    Plant {
        what: "a server that says something by itself",
        file: SERVER,
        right: "static void echo(",
        wrong: "\
#include \"platform/tick.h\"

static struct udp_pcb *client_socket;
static ip_addr_t client;
static u16_t client_port;
static uint32_t said_ms;

void beacon(void);
void beacon(void)
{
    if (client_socket == NULL || tick_ms() - said_ms < 1000) {
        return;
    }
    said_ms = tick_ms();
    struct pbuf *datagram = pbuf_alloc(PBUF_TRANSPORT, 4, PBUF_RAM);
    if (datagram != NULL) {
        udp_sendto(client_socket, datagram, &client, client_port);
        pbuf_free(datagram);
    }
}

static void echo(",
    },
    Plant {
        what: "a server that is busy",
        file: SERVER,
        right: "    udp_sendto(socket, datagram, sender, sender_port);\n",
        wrong: "\
    client_socket = socket;
    client = *sender;
    client_port = sender_port;
    for (volatile uint32_t i = 0; i < 20000; i++) {
    }
    udp_sendto(socket, datagram, sender, sender_port);
",
    },
    Plant {
        what: "a main loop that lets it",
        file: "src/main.c",
        right: "        network_poll();\n",
        wrong: "        network_poll();\n        extern void beacon(void);\n        beacon();\n",
    },
];

/// The tail is written once nothing is left to receive, and names the next slot.
const TAIL_AHEAD: [Plant; 2] = [
    Plant {
        what: "a slot that is given back without a word",
        file: DRIVER,
        right: "    data_barrier();\n    ETH_DMACRXDTPR = (uint32_t)&rx_ring[RX_DESCRIPTORS];\n",
        wrong: "    data_barrier();\n",
    },
    Plant {
        what: "a tail on the next slot",
        file: DRIVER,
        right: "        if (pass_on) {\n",
        wrong: "\
        if (rx_ring[rx.next].word[3] & RDES3_OWN) {
            ETH_DMACRXDTPR = (uint32_t)&rx_ring[rx.next];
        }
        if (pass_on) {
",
    },
];

/// Builds the variant with a server that is slower than the wire, with and without the fault, and sends
/// both bursts that are longer than the ring.
///
/// # Errors
/// Any verdict but a clean one without the fault, and a stalled receiver from the first burst on with it.
pub fn check(
    study: &Study,
    toolchain: &Toolchain,
    variant: &Variant,
    of: &Build,
) -> anyhow::Result<()> {
    let elsewhere = Elsewhere::new("planted")?;
    let planted = |plants: &[Plant]| -> anyhow::Result<BurstResult> {
        for plant in plants {
            let file = elsewhere.file(variant, plant.file)?;
            let text = plant.put_into(&files::read_text(&file)?)?;
            files::write(&file, text.as_bytes())?;
        }
        let elf = elsewhere.compile(study, toolchain, variant, of)?.executable;
        bursts(study, variant, &elf)
    };
    let busy = planted(&BUSY)?;
    let silent = |result: &BurstResult| {
        let mut verdict = result.verdict();
        verdict
            .faults
            .retain(|fault| !matches!(fault, Fault::Foreign { .. }));
        verdict
    };
    let verdict = silent(&busy);
    ensure!(
        verdict.is_clean(),
        "without the fault, bursts of {BURST} are {verdict}"
    );
    let stalled = planted(&TAIL_AHEAD)?;
    ensure_stalled(&stalled)?;
    output::note(&format!(
        "{}: with its tail pointer on the next slot, bursts of {BURST} are {}",
        variant.id,
        silent(&stalled)
    ));
    Ok(())
}

/// What was received of the first burst is answered, nothing after them, and all is said to be a stall.
fn ensure_stalled(result: &BurstResult) -> anyhow::Result<()> {
    let verdict = result.verdict();
    let expected = Stall {
        last_reply_ns: result.tail.last_reply_ns,
        unanswered: BURSTS * BURST - RECEIVED,
        transmit_alive: true,
    };
    ensure!(
        verdict.stall() == Some(expected) && result.counts.valid == RECEIVED,
        "the verdict is {verdict}, {:?} and not {expected:?}",
        verdict.stall()
    );
    ensure!(
        !verdict
            .faults
            .iter()
            .any(|fault| matches!(fault, Fault::Lost { .. })),
        "what a stall left unanswered is called lost: {verdict}"
    );
    Ok(())
}

fn bursts(study: &Study, variant: &Variant, elf: &Path) -> anyhow::Result<BurstResult> {
    let config = BoardConfig {
        jack: variant.network_device,
        ..BoardConfig::default()
    };
    let mut target = EmulatedBoard::new(&files::read(elf)?, config)?;
    let ready = boot(&mut target, study.echo_port, |_| true)?.context("the boot was stopped")?;
    let options = BurstOptions {
        packets: BURST,
        repeats: BURSTS,
        settle_limit_ns: Nanos::from_secs(1),
        ..BurstOptions::default()
    };
    let mut burst = Burst::new(options, ready.echo)?;
    drive(&mut burst, &mut target, |_| true)?;
    let result = burst.into_result();
    result.check()?;
    Ok(result)
}
