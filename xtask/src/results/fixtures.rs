//! Subjects and results for tests.

use std::collections::BTreeMap;
use std::path::Path;

use bench::telemetry::Telemetry;
use bench::{
    EmptyDatagrams, FunctionalOptions, FunctionalResult, Nanos, StreamOptions, StreamResult,
};

use super::{
    BoardModel, BuildSubject, FileLines, ImageInputs, Inputs, LinesFile, Provenance, ResultSet,
    SchemaVersion, SectionBytes, SetName, SizeFile, Subject, TrialFile, VariantSubject,
    WorkloadName, write_json,
};
use crate::adapter::fake::{ECHO_PORT, FakeTarget, Script, TELEMETRY_PORT};
use crate::metadata::{NetworkDevice, Scope};
use crate::trial::{self, Ports, Runnable};

/// What a build of the variant `fake` is about.
pub fn subject(build: &str) -> Subject {
    Subject {
        variant: VariantSubject {
            id: "fake".to_owned(),
            title: "A scripted device".to_owned(),
            order: 1,
            network_device: NetworkDevice::W5500,
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
            spi_hz: Some(25_000_000),
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
                costs: BTreeMap::from([("load".to_owned(), 1), ("divide".to_owned(), 7)]),
            },
            harness_sha256: crate::hash::sha256_hex(b"harness"),
        },
    }
}

/// A small quick set in `folder`: build `release` is whole, of `profiling` the functional gate is
/// absent, the long stream failed, and the sweep lacks its middle rate.
pub fn write_set(folder: &Path) -> ResultSet {
    let set = ResultSet::in_folder(SetName::Quick, folder);
    let release = Script::default();
    write_image(&set, "release");
    write_trials::<StreamResult>(
        &set,
        "release",
        WorkloadName::Stream,
        &release,
        &[stream(1_000)],
    );
    let functional = [FunctionalOptions::default()];
    write_trials::<FunctionalResult>(
        &set,
        "release",
        WorkloadName::Functional,
        &release,
        &functional,
    );
    let lossy = Script {
        lose_every: Some(1_000),
        ..Script::default()
    };
    let sweep = [1_000, 2_000, 4_000].map(|rate_hz| StreamOptions {
        duration_ns: Nanos::from_millis(500),
        ..stream(rate_hz)
    });
    write_trials::<StreamResult>(&set, "release", WorkloadName::Sweep, &lossy, &sweep);

    write_image(&set, "profiling");
    let broken = Script {
        break_at: Some(Nanos::from_millis(3_500)),
        ..Script::default()
    };
    write_trials::<StreamResult>(
        &set,
        "profiling",
        WorkloadName::Stream,
        &broken,
        &[stream(1_000)],
    );
    let [lowest, _, highest] = sweep;
    let profiling = Script {
        telemetry: Some(TELEMETRY),
        ..Script::default()
    };
    write_trials::<StreamResult>(
        &set,
        "profiling",
        WorkloadName::Sweep,
        &profiling,
        &[lowest, highest],
    );
    set
}

/// As [`write_set`], with the long stream of build `profiling` measured.
pub fn write_whole_set(folder: &Path) -> ResultSet {
    let set = write_set(folder);
    let script = Script {
        telemetry: Some(TELEMETRY),
        rtt: Nanos::from_micros(312),
        ..Script::default()
    };
    write_trials::<StreamResult>(
        &set,
        "profiling",
        WorkloadName::Stream,
        &script,
        &[stream(1_000)],
    );
    set
}

const TELEMETRY: Telemetry = Telemetry {
    window_cycles: 800_000_000,
    busy_cycles: 205_440_001,
    executor_polls: 8_034,
    core_hz: 400_000_000,
    stack_capacity_bytes: 110_512,
    stack_high_water_bytes: 25_492,
    static_ram_bytes: 20_560,
    echoed_datagrams: 0,
};

fn stream(rate_hz: u64) -> StreamOptions {
    StreamOptions {
        rate_hz,
        duration_ns: Nanos::from_secs(2),
        ..StreamOptions::default()
    }
}

fn write_image(set: &ResultSet, build: &str) {
    let Subject {
        variant,
        build: about,
        inputs,
    } = subject(build);
    let size = SizeFile {
        schema: SchemaVersion,
        provenance: Provenance::Emulated,
        set: set.name,
        variant: variant.clone(),
        build: about.clone(),
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
    write_json(&set.size(&variant.id, build), &size).unwrap();
    let lines = LinesFile {
        schema: SchemaVersion,
        provenance: Provenance::Emulated,
        set: set.name,
        variant: variant.clone(),
        build: about,
        image: inputs.image,
        files: [
            ("entry", 31),
            ("bring-up", 204),
            ("bring-up", 12),
            ("server", 40),
        ]
        .map(|(role, code_lines)| FileLines {
            path: format!("{role}/src/lib.rs"),
            role: role.to_owned(),
            code_lines,
            tokei_code_lines: code_lines,
            test_lines: 0,
        })
        .to_vec(),
    };
    write_json(&set.lines(&variant.id, build), &lines).unwrap();
}

fn write_trials<M: Runnable>(
    set: &ResultSet,
    build: &str,
    workload: WorkloadName,
    script: &Script,
    plan: &[M::Options],
) {
    let Subject {
        variant,
        build: about,
        inputs,
    } = subject(build);
    let ports = Ports {
        echo: ECHO_PORT,
        telemetry: script.telemetry.map(|_| TELEMETRY_PORT),
    };
    let run = |options| {
        let mut target = FakeTarget::new(script.clone());
        trial::run::<M>(&mut target, ports, options, |_| true).unwrap()
    };
    let path = set.trials(&variant.id, build, workload);
    // Of the sweep, `plan` may hold less than was planned.
    let planned_trials = if workload == WorkloadName::Sweep {
        3
    } else {
        1
    };
    let file = TrialFile {
        schema: SchemaVersion,
        provenance: Provenance::Emulated,
        set: set.name,
        workload,
        variant,
        build: about,
        inputs,
        planned_trials,
        trials: plan.iter().map(run).collect(),
    };
    write_json(&path, &file).unwrap();
}
