//! The sequence on hardware against a scripted probe: in virtual time, and over loopback.

mod bring_up;
mod campaign;
mod chip;
mod loopback;
mod provenance;

use std::net::Ipv4Addr;
use std::path::Path;

use bench::{
    BurstOptions, Disturbance, FunctionalOptions, LatencyOptions, Nanos, RecoveryOptions,
    SoakOptions, StreamOptions, ThroughputOptions,
};

use super::campaign::{Campaign, Tally};
use super::clock::Clock;
use super::fixture::Firmware;
use super::image::FlashImage;
use super::network::Network;
use super::probe::Probe;
use super::record::Image;
use super::rig::Rig;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::results::fixtures::subject;
use crate::results::hardware::{HardwareInputs, Host, ProbeUsed, TestBench};
use crate::results::{ResultSet, SetName};
use crate::study::plan::Plan;
use crate::trial::Ports;

const FLASH_KIB: u16 = 1024;

/// A busy host may deliver late.
const DRAIN: Nanos = Nanos::from_millis(500);

/// What the firmware of the tests can log.
const MESSAGES: [&str; 4] = [
    "link up",
    "lease 192.168.7.2/24",
    "no lease, static 192.168.0.10/24",
    "link down",
];

/// An image with a plan of a few short trials.
fn image(firmware: &Firmware, echo_port: u16) -> Image {
    let about = subject("release");
    let elf = firmware.elf();
    Image {
        flash: FlashImage::read(&elf).unwrap(),
        elf,
        inputs: HardwareInputs {
            image: about.inputs.image.clone(),
            bench: TestBench {
                chip: "STM32H723ZGTx".to_owned(),
                probe: ProbeUsed {
                    name: "STLINK-V3".to_owned(),
                    usb: "0483:374e".to_owned(),
                    serial: Some("A".to_owned()),
                },
                host: Host {
                    os: "An operating system".to_owned(),
                    kernel: None,
                    processor: None,
                    logical_processors: Some(2),
                },
            },
            harness_sha256: about.inputs.harness_sha256.clone(),
        },
        ports: Ports {
            echo: echo_port,
            telemetry: None,
        },
        plan: plan(),
        variant: about.variant,
        build: about.build,
    }
}

fn plan() -> Plan {
    let stream = |rate_hz, payload_bytes| StreamOptions {
        rate_hz,
        payload_bytes,
        duration_ns: Nanos::from_millis(100),
        warm_up_packets: 2,
        drain_ns: DRAIN,
        ..StreamOptions::default()
    };
    Plan {
        functional: FunctionalOptions {
            rounds: 1,
            ..FunctionalOptions::default()
        },
        stream: stream(1_000, 100),
        sweep: vec![stream(500, 100), stream(2_000, 100)],
        large_sweep: vec![stream(200, 1472)],
        burst: vec![BurstOptions {
            packets: 4,
            repeats: 2,
            ..BurstOptions::default()
        }],
        latency: LatencyOptions {
            payload_bytes: vec![64],
            samples: 10,
            warm_up_packets: 0,
            drain_ns: DRAIN,
            ..LatencyOptions::default()
        },
        throughput: vec![ThroughputOptions {
            payload_bytes: vec![64],
            ceiling_bits_per_s: ThroughputOptions::default().start_bits_per_s,
            verify_ns: Nanos::from_millis(100),
            stream: stream(1, 64),
            ..ThroughputOptions::default()
        }],
        soak: SoakOptions {
            duration_ns: Nanos::from_millis(200),
            interval_ns: Nanos::from_millis(100),
            warm_up_packets: 0,
            drain_ns: DRAIN,
            ..SoakOptions::default()
        },
        recovery: [Disturbance::Reset, Disturbance::DhcpChange]
            .map(|disturbance| RecoveryOptions {
                disturbance,
                before_ns: Nanos::from_millis(300),
                limit_ns: Nanos::from_millis(700),
                warm_up_packets: 0,
                drain_ns: DRAIN,
                ..RecoveryOptions::default()
            })
            .to_vec(),
        traffic: Vec::new(),
    }
}

/// The number of trials of the plan that can be made on hardware.
const PLANNED: usize = 10;

/// The set of results in `folder`.
fn set(folder: &Path) -> ResultSet {
    ResultSet::in_folder(SetName::Smoke, folder)
}

/// Runs the plan of one image into `folder`.
fn run_campaign(
    folder: &Path,
    probe: impl Probe,
    clock: &impl Clock,
    network: impl Network,
    image: &Image,
    address: Option<Ipv4Addr>,
    interrupt: &Interrupt,
) -> anyhow::Result<Tally> {
    let progress = Progress::silent();
    let set = set(folder);
    let mut campaign = Campaign {
        rig: Rig::choose(probe, None, clock, interrupt, &progress)?,
        clock,
        network,
        set: &set,
        flash_kib: FLASH_KIB,
        retries: 0,
        fresh: false,
        interrupt,
        progress: &progress,
    };
    campaign.run(&[(image.clone(), address)])
}
