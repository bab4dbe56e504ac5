//! Subjects and results for tests.

mod languages;
mod searches;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use bench::telemetry::Telemetry;
use bench::{
    BurstOptions, BurstResult, EmptyDatagrams, FunctionalOptions, FunctionalResult, Nanos,
    StreamOptions, StreamResult,
};

use board::NetworkDevice;

use super::{
    BoardModel, BuildSubject, FileLines, ImageInputs, Inputs, LinesFile, Provenance, ResultSet,
    SchemaVersion, SectionBytes, SetName, SizeFile, Subject, TrafficOptions, TrafficResult,
    TrafficRow, TrialFile, VariantSubject, WorkloadName, write_json,
};
use crate::adapter::fake::{ECHO_PORT, FakeSpi, FakeTarget, Script, TELEMETRY_PORT};
use crate::metadata::Scope;
use crate::trial::{self, Ports, Runnable};

pub use languages::write_languages_set;
pub use searches::{disturbances, latency, soak, throughput};

/// What a build of the variant `fake` is about.
pub fn subject(build: &str) -> Subject {
    Subject {
        variant: VariantSubject {
            id: "fake".to_owned(),
            title: "A scripted device".to_owned(),
            order: 1,
            network_device: NetworkDevice::Stm32Mac,
            empty_datagrams: EmptyDatagrams::Echoed,
        },
        build: BuildSubject {
            name: build.to_owned(),
            profile: "release".to_owned(),
            features: match build {
                "release" => Vec::new(),
                other => vec![other.to_owned()],
            },
            core_hz: 400_000_000,
            hclk_hz: 200_000_000,
            icache: true,
            dcache: false,
            scope: Scope::Full,
            note: None,
            spi_hz: None,
        },
        inputs: Inputs {
            image: ImageInputs {
                elf_sha256: crate::hash::sha256_hex(build.as_bytes()),
                toolchain: "rustc 1.0.0, core from its sources, GNU ld".to_owned(),
                lock_sha256: crate::hash::sha256_hex(b"lock"),
            },
            board: BoardModel {
                version: "1".to_owned(),
                fingerprint: crate::hash::sha256_hex(b"board"),
                cost_table: "class-and-region-1".to_owned(),
                parameters: BTreeMap::from([(
                    "core".to_owned(),
                    BTreeMap::from([("load".to_owned(), 1), ("divide".to_owned(), 7)]),
                )]),
            },
            harness_sha256: crate::hash::sha256_hex(b"harness"),
        },
    }
}

/// What a build of the variant `fake-spi` is about; all but `release` and `profiling` are for comparison.
pub fn spi_subject(build: &str) -> Subject {
    let mut subject = subject(build);
    subject.variant = VariantSubject {
        id: "fake-spi".to_owned(),
        title: "A scripted device on SPI".to_owned(),
        order: 2,
        network_device: NetworkDevice::W5500,
        empty_datagrams: EmptyDatagrams::Dropped,
    };
    subject.build.spi_hz = Some(25_000_000);
    if !["release", "profiling"].contains(&build) {
        subject.build.scope = Scope::Comparison;
        subject.build.note = Some("SPI by DMA.".to_owned());
    }
    subject
}

/// A small quick set in `folder` with the variant `fake`: build `release` is whole, of `profiling` the
/// functional gate is absent, the long stream failed, and the sweep lacks its middle rate.
pub fn write_set(folder: &Path) -> ResultSet {
    let set = ResultSet::in_folder(SetName::Quick, folder);
    let release = Results::new(&set, subject("release"), Script::default());
    let profiling = Results::new(&set, subject("profiling"), profiling());

    release.write_image();
    release.write::<FunctionalResult>(WorkloadName::Functional, 1, &[FunctionalOptions::default()]);
    release.write::<StreamResult>(WorkloadName::Stream, 1, &[stream(1_000)]);
    let sweep = [1_000, 2_000, 4_000].map(short_stream);
    let lossy = release.with(Script {
        lose_every: Some(1_000),
        ..Script::default()
    });
    lossy.write::<StreamResult>(WorkloadName::Sweep, 3, &sweep);
    release.write::<StreamResult>(WorkloadName::LargeSweep, 2, &large_sweep());
    release.write::<BurstResult>(WorkloadName::Burst, 4, &bursts());
    release.write_searches();

    profiling.write_image();
    let broken = profiling.with(Script {
        break_at: Some(Nanos::from_millis(3_500)),
        ..Script::default()
    });
    broken.write::<StreamResult>(WorkloadName::Stream, 1, &[stream(1_000)]);
    let [lowest, _, highest] = sweep;
    profiling.write::<StreamResult>(WorkloadName::Sweep, 3, &[lowest, highest]);
    set
}

/// As [`write_set`], with the long stream of build `profiling` measured.
pub fn write_whole_set(folder: &Path) -> ResultSet {
    let set = write_set(folder);
    let script = Script {
        rtt: Nanos::from_micros(312),
        ..profiling()
    };
    let profiling = Results::new(&set, subject("profiling"), script);
    profiling.write::<StreamResult>(WorkloadName::Stream, 1, &[stream(1_000)]);
    set
}

/// Adds the variant `fake-spi` to a set, every result measured: builds `release` and `profiling`, and
/// `dma` for comparison, which is slower. Of bursts every tenth datagram is lost.
pub fn write_spi_variant(set: &ResultSet) {
    let release = Script {
        drop_empty: true,
        spi: Some(spi()),
        rtt: Nanos::from_micros(450),
        ..Script::default()
    };
    let profiling = Script {
        telemetry: Some(TELEMETRY),
        ..release.clone()
    };
    let dma = Script {
        rtt: Nanos::from_micros(520),
        ..profiling.clone()
    };
    for (build, script) in [("release", release), ("profiling", profiling), ("dma", dma)] {
        let results = Results::new(set, spi_subject(build), script);
        results.write_image();
        let functional = FunctionalOptions {
            empty_datagrams: EmptyDatagrams::Dropped,
            ..FunctionalOptions::default()
        };
        results.write::<FunctionalResult>(WorkloadName::Functional, 1, &[functional]);
        results.write::<StreamResult>(WorkloadName::Stream, 1, &[stream(1_000)]);
        let sweep = [1_000, 2_000, 4_000].map(short_stream);
        results.write::<StreamResult>(WorkloadName::Sweep, 3, &sweep);
        results.write::<StreamResult>(WorkloadName::LargeSweep, 2, &large_sweep());
        let lossy = results.with(Script {
            lose_every: Some(10),
            ..results.script.clone()
        });
        lossy.write::<BurstResult>(WorkloadName::Burst, 4, &bursts());
        results.write_searches();
        results.write::<TrafficResult>(WorkloadName::Traffic, 2, &[100, 1_472].map(traffic));
    }
}

/// Eight transactions a datagram, and a poll every 10 ms.
pub fn spi() -> FakeSpi {
    let row = |register: &str, transactions, bytes| TrafficRow {
        block: "socket 0".to_owned(),
        register: Some(register.to_owned()),
        write: false,
        transactions,
        bytes,
    };
    FakeSpi {
        sck_hz: 25_000_000,
        datagram: row("RX_RSR", 8, 254),
        poll_every: Nanos::from_millis(10),
        poll: row("IR", 1, 4),
    }
}

fn profiling() -> Script {
    Script {
        telemetry: Some(TELEMETRY),
        ..Script::default()
    }
}

const TELEMETRY: Telemetry = Telemetry {
    window_cycles: 800_000_000,
    busy_cycles: 205_440_001,
    executor_polls: 8_034,
    core_hz: 400_000_000,
    stack_capacity_bytes: 110_512,
    stack_high_water_bytes: 25_492,
    static_ram_bytes: 21_584,
    echoed_datagrams: 0,
};

fn stream(rate_hz: u64) -> StreamOptions {
    StreamOptions {
        rate_hz,
        duration_ns: Nanos::from_secs(2),
        ..StreamOptions::default()
    }
}

fn short_stream(rate_hz: u64) -> StreamOptions {
    StreamOptions {
        duration_ns: Nanos::from_millis(500),
        ..stream(rate_hz)
    }
}

fn large_sweep() -> [StreamOptions; 2] {
    [500, 1_000].map(|rate_hz| StreamOptions {
        payload_bytes: 1_472,
        ..short_stream(rate_hz)
    })
}

/// Bursts of two lengths and two payloads.
pub fn bursts() -> [BurstOptions; 4] {
    [(1, 64), (8, 64), (1, 1_472), (8, 1_472)].map(|(packets, payload_bytes)| BurstOptions {
        packets,
        payload_bytes,
        repeats: 5,
        ..BurstOptions::default()
    })
}

/// A hundred datagrams of this payload.
pub fn traffic(payload_bytes: u64) -> TrafficOptions {
    TrafficOptions {
        seed: 0,
        rate_hz: 100,
        payload_bytes,
        packets: 100,
    }
}

/// Writes the results of one build of a scripted device.
struct Results<'a> {
    set: &'a ResultSet,
    subject: Subject,
    script: Script,
}

impl<'a> Results<'a> {
    fn new(set: &'a ResultSet, subject: Subject, script: Script) -> Self {
        Self {
            set,
            subject,
            script,
        }
    }

    /// The same build on a device of another script.
    fn with(&self, script: Script) -> Self {
        Self::new(self.set, self.subject.clone(), script)
    }

    /// Sizes and source lines.
    fn write_image(&self) {
        let Subject {
            variant,
            build,
            inputs,
        } = self.subject.clone();
        let size = SizeFile {
            schema: SchemaVersion,
            provenance: Provenance::Emulated,
            set: self.set.name,
            variant: variant.clone(),
            build: build.clone(),
            image: inputs.image.clone(),
            sections: SectionBytes {
                vector_table_bytes: 716,
                text_bytes: 41_002,
                rodata_bytes: 6_388,
                data_bytes: 120,
                bss_bytes: 20_440,
                uninit_bytes: 1_024,
                reserved_bytes: 0,
            },
        };
        write_json(&self.set.size(&variant.id, &build.name), &size).unwrap();
        let path = self.set.lines(&variant.id, &build.name);
        let lines = LinesFile {
            schema: SchemaVersion,
            provenance: Provenance::Emulated,
            set: self.set.name,
            variant,
            build,
            image: inputs.image,
            files: [
                ("main", "entry", 31),
                ("board", "bring-up", 204),
                ("link", "bring-up", 12),
                ("echo", "server", 40),
            ]
            .map(|(name, role, code_lines)| FileLines {
                path: format!("{role}/src/{name}.rs"),
                role: role.to_owned(),
                code_lines,
                tokei_code_lines: code_lines,
                test_lines: 0,
            })
            .to_vec(),
        };
        write_json(&path, &lines).unwrap();
    }

    /// Runs the trials of `plan`, which may be fewer than were planned, and writes them.
    fn write<M: Runnable>(&self, workload: WorkloadName, planned_trials: u64, plan: &[M::Options]) {
        let Subject {
            variant,
            build,
            inputs,
        } = self.subject.clone();
        let ports = Ports {
            echo: ECHO_PORT,
            telemetry: self.script.telemetry.map(|_| TELEMETRY_PORT),
        };
        let run = |options| {
            let mut target = FakeTarget::new(self.script.clone());
            trial::run::<M>(&mut target, ports, options, |_| true).unwrap()
        };
        let path = self.set.trials(&variant.id, &build.name, workload);
        let file = TrialFile {
            schema: SchemaVersion,
            provenance: Provenance::Emulated,
            set: self.set.name,
            workload,
            variant,
            build,
            inputs,
            planned_trials,
            trials: plan.iter().map(run).collect(),
        };
        write_json(&path, &file).unwrap();
    }
}
