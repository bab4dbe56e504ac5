use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use bench::{FunctionalOptions, StreamOptions};

use super::*;
use crate::adapter::fake::{ADDRESS, ECHO_PORT, FakeRecovery, FakeTarget, Script};
use crate::results::SetName;
use crate::results::fixtures::{
    bursts, disturbances, latency, soak, spi, subject, throughput, traffic,
};
use crate::study::plan::Plan;

/// Every workload of a device on SPI in short: 15 trials.
fn plan() -> Plan {
    let step = |rate_hz| StreamOptions {
        rate_hz,
        duration_ns: Nanos::from_millis(500),
        ..StreamOptions::default()
    };
    Plan {
        functional: FunctionalOptions::default(),
        stream: StreamOptions {
            duration_ns: Nanos::from_secs(2),
            ..StreamOptions::default()
        },
        sweep: [1_000, 2_000, 4_000].map(step).to_vec(),
        large_sweep: vec![StreamOptions {
            payload_bytes: 1_472,
            ..step(100)
        }],
        burst: bursts()[..2].to_vec(),
        latency: latency(),
        throughput: throughput().to_vec(),
        soak: soak(),
        recovery: disturbances().to_vec(),
        traffic: vec![traffic(100)],
    }
}

fn image(build: &str) -> Image {
    Image {
        subject: subject(build),
        elf: build.as_bytes().to_vec(),
        ports: Ports {
            echo: ECHO_PORT,
            telemetry: None,
        },
        plan: plan().into(),
    }
}

fn script() -> Script {
    Script {
        spi: Some(spi()),
        recovery: Some(FakeRecovery {
            gone_for: Nanos::from_millis(700),
            address: ADDRESS,
        }),
        ..Script::default()
    }
}

/// A place for results, and the trials that ran to make them.
struct Bench {
    folder: tempfile::TempDir,
    set: ResultSet,
    booted: AtomicUsize,
    script: Script,
    interrupt: Interrupt,
    workers: usize,
    fresh: bool,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            set: ResultSet::in_folder(SetName::Smoke, folder.path()),
            folder,
            booted: AtomicUsize::new(0),
            script: script(),
            interrupt: Interrupt::default(),
            workers: 2,
            fresh: false,
        }
    }

    fn try_run(&self, images: &[Image]) -> anyhow::Result<Tally> {
        let boot = |_: &Image| -> anyhow::Result<Box<dyn EchoTarget>> {
            self.booted.fetch_add(1, Ordering::Relaxed);
            Ok(Box::new(FakeTarget::new(self.script.clone())))
        };
        let campaign = Campaign {
            set: &self.set,
            boot_board: &boot,
            workers: self.workers,
            fresh: self.fresh,
            interrupt: &self.interrupt,
            progress: &Progress::silent(),
        };
        campaign.run(images)
    }

    /// The tally of a run, and how many boards it booted.
    fn run(&self, images: &[Image]) -> (Tally, usize) {
        let before = self.booted.load(Ordering::Relaxed);
        let tally = self.try_run(images).unwrap();
        (tally, self.booted.load(Ordering::Relaxed) - before)
    }

    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(self.folder.path(), self.folder.path(), &mut files);
        files
    }
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().to_owned();
            files.insert(name, std::fs::read(path).unwrap());
        }
    }
}

fn measured(count: usize) -> Tally {
    Tally {
        measured: count,
        ..Tally::default()
    }
}

fn reused(count: usize) -> Tally {
    Tally {
        reused: count,
        ..Tally::default()
    }
}

#[test]
fn every_planned_trial_runs_on_a_board_of_its_own_and_is_written() {
    let bench = Bench::new();
    assert_eq!(
        bench.run(&[image("release"), image("profiling")]),
        (measured(30), 30)
    );
    let names: Vec<_> = bench.files().into_keys().collect();
    let workloads = [
        "burst",
        "functional",
        "large-sweep",
        "latency",
        "recovery",
        "soak",
        "stream",
        "sweep",
        "throughput",
        "traffic",
    ];
    let of_build = |build| workloads.map(|workload| format!("fake/{build}/{workload}.json"));
    let expected = ["profiling", "release"].map(of_build).into_iter();
    assert_eq!(names, Vec::from_iter(expected.flatten().map(PathBuf::from)));
}

#[test]
fn results_have_the_same_bytes_whatever_the_number_of_workers() {
    let images = [image("release"), image("profiling")];
    let mut alone = Bench::new();
    alone.workers = 1;
    alone.run(&images);
    let mut many = Bench::new();
    many.workers = 5;
    many.run(&images);
    assert_eq!(alone.files(), many.files());
    many.fresh = true;
    many.run(&images);
    assert_eq!(alone.files(), many.files());
}

#[test]
fn trials_whose_inputs_are_unchanged_are_reused() {
    let mut bench = Bench::new();
    let images = [image("release")];
    bench.run(&images);
    let files = bench.files();
    assert_eq!(bench.run(&images), (reused(15), 0));
    assert_eq!(bench.files(), files);
    bench.fresh = true;
    assert_eq!(bench.run(&images), (measured(15), 15));
    assert_eq!(bench.files(), files);
}

#[test]
fn any_other_input_makes_every_trial_run_again() {
    let change: [fn(&mut Image); 5] = [
        |image| image.subject.inputs.image.elf_sha256.push('0'),
        |image| image.subject.inputs.image.toolchain.push('0'),
        |image| image.subject.inputs.board.fingerprint.push('0'),
        |image| image.subject.inputs.harness_sha256.push('0'),
        |image| image.subject.inputs.board.parameters.clear(),
    ];
    for change in change {
        let bench = Bench::new();
        let mut image = image("release");
        bench.run(std::slice::from_ref(&image));
        change(&mut image);
        assert_eq!(bench.run(&[image]), (measured(15), 15));
    }
}

#[test]
fn a_trial_with_other_parameters_runs_and_its_neighbours_do_not() {
    let bench = Bench::new();
    let mut images = [image("release")];
    bench.run(&images);
    images[0].plan.stream[0].seed += 1;
    images[0].plan.sweep.remove(1);
    let expected = Tally {
        measured: 1,
        reused: 13,
        ..Tally::default()
    };
    assert_eq!(bench.run(&images), (expected, 1));
    let fresh = Bench::new();
    fresh.run(&images);
    assert_eq!(bench.files(), fresh.files());
}

#[test]
fn a_device_that_breaks_is_recorded_and_tried_again() {
    let mut bench = Bench::new();
    let images = [image("release")];
    // The functional gate, the sweeps and the bursts end before the device breaks.
    bench.script.break_at = Some(Nanos::from_millis(3_500));
    let (tally, _) = bench.run(&images);
    assert_eq!((tally.failed, tally.measured), (8, 7));
    let stream = &bench.files()[Path::new("fake/release/stream.json")];
    let stream = String::from_utf8(stream.clone()).unwrap();
    assert!(stream.contains("HardFault at 0x08001234"), "{stream}");
    assert!(!stream.contains("counts"), "{stream}");
    bench.script.break_at = None;
    let (tally, booted) = bench.run(&images);
    assert_eq!((tally.measured, tally.reused, booted), (8, 7, 8));
}

#[test]
fn an_interrupt_keeps_what_is_finished_and_writes_nothing_else() {
    let mut bench = Bench::new();
    bench.workers = 1;
    let images = [image("release")];
    bench.interrupt.request();
    let (tally, booted) = bench.run(&images);
    assert_eq!((tally.left, booted), (15, 0));
    assert!(bench.files().is_empty());
}

#[test]
fn a_result_file_that_cannot_be_used_stops_the_study_before_any_trial() {
    let bench = Bench::new();
    let images = [image("release")];
    bench.run(&images);
    let path = bench.folder.path().join("fake/release/sweep.json");
    let good = std::fs::read_to_string(&path).unwrap();
    let damage = [
        good.replace("\"schema\": 3", "\"schema\": 9"),
        good.replace("\"planned\"", "\"plannned\""),
        good[..good.len() / 2].to_owned(),
        good.replace("\"missing\": 0", "\"missing\": null"),
    ];
    for text in damage {
        assert_ne!(text, good);
        std::fs::write(&path, &text).unwrap();
        let before = bench.booted.load(Ordering::Relaxed);
        let error = format!("{:#}", bench.try_run(&images).unwrap_err());
        assert!(error.contains("sweep.json is not a result"), "{error}");
        assert_eq!(bench.booted.load(Ordering::Relaxed), before);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn an_image_that_no_board_takes_ends_the_study() {
    let bench = Bench::new();
    let campaign = Campaign {
        set: &bench.set,
        boot_board: &|_| anyhow::bail!("the ELF file is truncated"),
        workers: 2,
        fresh: false,
        interrupt: &bench.interrupt,
        progress: &Progress::silent(),
    };
    let error = campaign.run(&[image("release")]).unwrap_err();
    assert_eq!(
        format!("{error:#}"),
        "cannot run fake release: the ELF file is truncated"
    );
    assert!(bench.files().is_empty());
}

/// Where the child of [`ctrl_c_in_the_middle_of_a_trial_keeps_the_finished_ones`] writes.
const CHILD_FOLDER: &str = "STUDY_TEST_CHILD_FOLDER";

#[cfg(unix)]
#[test]
fn ctrl_c_in_the_middle_of_a_trial_keeps_the_finished_ones() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "study::campaign::tests::child_that_is_interrupted",
        ])
        .env(CHILD_FOLDER, folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let slow = "fake release sweep 2 kHz: started";
    assert!(lines.any(|line| line.unwrap() == slow));
    let interrupt = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupt.unwrap().success());
    let last_words: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(
        last_words,
        [
            "error: interrupted: 2 finished trials are kept, 9 were not run; \
          the same command without --fresh goes on from here"
        ]
    );
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let mut files = BTreeMap::new();
    collect(folder.path(), folder.path(), &mut files);
    let names: Vec<_> = files
        .keys()
        .map(|name| name.display().to_string())
        .collect();
    assert_eq!(
        names,
        ["fake/release/stream.json", "fake/release/sweep.json"]
    );
    let sweep = String::from_utf8(files.into_values().nth(1).unwrap()).unwrap();
    assert!(sweep.contains("\"rate_hz\": 4000"));
    assert!(!sweep.contains("\"rate_hz\": 2000"));
}

/// In a process of its own: a study whose third trial takes minutes. Otherwise nothing.
#[test]
fn child_that_is_interrupted() {
    let Some(folder) = std::env::var_os(CHILD_FOLDER) else {
        return;
    };
    let booted = AtomicUsize::new(0);
    let boot = |_: &Image| -> anyhow::Result<Box<dyn EchoTarget>> {
        let slowness = match booted.fetch_add(1, Ordering::Relaxed) {
            0 | 1 => std::time::Duration::ZERO,
            _ => std::time::Duration::from_millis(50),
        };
        Ok(Box::new(FakeTarget::new(Script {
            slowness,
            ..Script::default()
        })))
    };
    let set = ResultSet::in_folder(SetName::Smoke, Path::new(&folder));
    let campaign = Campaign {
        set: &set,
        boot_board: &boot,
        workers: 1,
        fresh: false,
        interrupt: &Interrupt::on_ctrl_c().unwrap(),
        progress: &Progress::new(),
    };
    let mut image = image("release");
    image.plan.throughput.clear();
    image.plan.recovery.clear();
    image.plan.soak[0].duration_ns = Nanos::from_millis(500);
    image.plan.soak[0].interval_ns = Nanos::from_millis(500);
    let tally = campaign.run(&[image]).unwrap();
    let error = super::super::conclude(&set, tally).unwrap_err();
    crate::output::print_error(&error);
    std::process::exit(2);
}
