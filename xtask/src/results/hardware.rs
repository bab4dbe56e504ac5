//! Results that were measured on a board behind a debug probe, over a real network.
//!
//! Types of their own, so that no program can take one provenance for the other: a reader of emulated
//! results refuses these files, and the other way round. They hold what an emulated result must not,
//! the time of day and the machine, since a trial on hardware cannot be made again byte for byte.

use std::net::Ipv4Addr;

use anyhow::{Context, ensure};
use bench::realtime::Conditions;
use bench::{
    BurstResult, FunctionalResult, LatencyResult, Nanos, RecoveryResult, SoakResult, StreamResult,
    ThroughputResult,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::file::{LinkMode, WorkloadName};
use super::layout::{ResultSet, SetName};
use super::measurement::Measurement;
use super::read::folders_in;
use super::store::read_json;
use super::subject::{BuildSubject, ImageInputs, SchemaVersion, VariantSubject};

/// The provenance of everything in this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HardwareProvenance {
    /// Measured on a real board.
    Hardware,
}

/// The trials of one workload on one build of one variant, all on one test bench.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound = "M: Measurement")]
#[schemars(bound = "M: Measurement")]
pub struct HardwareFile<M: Measurement> {
    pub schema: SchemaVersion,
    pub provenance: HardwareProvenance,
    pub set: SetName,
    pub workload: WorkloadName,
    pub variant: VariantSubject,
    pub build: BuildSubject,
    pub inputs: HardwareInputs,
    /// How many trials were planned; fewer are here while a study is not finished.
    pub planned_trials: u64,
    /// In the order of the plan. Only trials that ran to their end are here.
    pub trials: Vec<HardwareTrial<M>>,
}

/// What the trials of one file have in common besides their subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HardwareInputs {
    /// The firmware that ran.
    pub image: ImageInputs,
    /// What it ran on, and what it ran against.
    pub bench: TestBench,
    /// Hash of the sources that drive the board: workloads, driver, and how a trial is set up.
    pub harness_sha256: String,
}

/// The debug probe, the chip and the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestBench {
    /// The chip, as the debug probe's software calls it.
    pub chip: String,
    pub probe: ProbeUsed,
    pub host: Host,
}

/// A debug probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProbeUsed {
    /// What it calls itself.
    pub name: String,
    /// Its USB vendor and product number, as `0483:374e`.
    pub usb: String,
    /// Its serial number, if it has one.
    pub serial: Option<String>,
}

/// The machine that sent the datagrams; what it does not tell is absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// The operating system.
    pub os: String,
    /// The release of its kernel.
    pub kernel: Option<String>,
    /// The model of its processor.
    pub processor: Option<String>,
    /// Processors that the operating system schedules on.
    pub logical_processors: Option<u64>,
}

/// The host's end of the network path to the board; what the host does not tell is absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NetworkPath {
    /// The host's address that faces the board.
    pub local_address: Ipv4Addr,
    /// The network interface with that address.
    pub interface: Option<String>,
    /// The interface's driver.
    pub driver: Option<String>,
    /// What the interface's own link runs at. The board's is the same only where nothing lies between.
    pub link_mode: Option<LinkMode>,
}

/// One run to its end on a freshly reset board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound = "M: Measurement")]
#[schemars(bound = "M: Measurement")]
pub struct HardwareTrial<M: Measurement> {
    /// The time of day at which the workload began, in seconds since 1970, UTC.
    pub started_unix_s: u64,
    /// The board's address.
    pub address: Ipv4Addr,
    pub boot: HardwareBoot,
    pub path: NetworkPath,
    /// What the driver's socket, clock and thread were like.
    pub conditions: Conditions,
    /// Why the trial says nothing of the board; `None` for one that counts.
    pub void: Option<String>,
    /// The result, which holds the workload's effective parameters, its seed among them.
    pub result: M,
}

/// How long a freshly reset board was waited for, in the host's time since reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HardwareBoot {
    /// The firmware's log said that the link is up; absent when the log was not waited for.
    pub link_up_ns: Option<Nanos>,
    /// The log gave the address of the DHCP lease; absent when the log was not waited for.
    pub lease_ns: Option<Nanos>,
    /// The first echo came back.
    pub first_echo_ns: Nanos,
}

impl<M: Measurement> HardwareFile<M> {
    /// Reads the file of a workload from its place; `None` when there is none.
    ///
    /// # Errors
    /// A file that is damaged, of another schema or provenance, in a place that is not its own, or whose
    /// counters contradict each other.
    pub fn read(
        set: &ResultSet,
        variant: &str,
        build: &str,
        workload: WorkloadName,
    ) -> anyhow::Result<Option<Self>> {
        let path = set.trials(variant, build, workload);
        let Some(file) = read_json::<Self>(&path)? else {
            return Ok(None);
        };
        let path = path.display();
        let place = (set.name, variant, build, workload);
        let claim = (
            file.set,
            file.variant.id.as_str(),
            file.build.name.as_str(),
            file.workload,
        );
        ensure!(
            claim == place,
            "{path} is in the place of another set, variant, build or workload"
        );
        for trial in &file.trials {
            let checked = trial.result.check();
            checked.with_context(|| format!("{path} contradicts itself"))?;
        }
        Ok(Some(file))
    }
}

/// What was measured of one build on hardware; what was not is absent.
#[derive(Clone, Debug)]
pub struct HardwareBuild {
    pub functional: Option<HardwareFile<FunctionalResult>>,
    pub stream: Option<HardwareFile<StreamResult>>,
    pub sweep: Option<HardwareFile<StreamResult>>,
    pub large_sweep: Option<HardwareFile<StreamResult>>,
    pub burst: Option<HardwareFile<BurstResult>>,
    pub latency: Option<HardwareFile<LatencyResult>>,
    pub throughput: Option<HardwareFile<ThroughputResult>>,
    pub soak: Option<HardwareFile<SoakResult>>,
    /// Resets alone.
    pub recovery: Option<HardwareFile<RecoveryResult>>,
}

impl HardwareBuild {
    /// Reads what there is of one build.
    ///
    /// # Errors
    /// As [`HardwareFile::read`]; files from different ELF files or test benches.
    pub fn read(set: &ResultSet, variant: &str, build: &str) -> anyhow::Result<Self> {
        let found = Self {
            functional: HardwareFile::read(set, variant, build, WorkloadName::Functional)?,
            stream: HardwareFile::read(set, variant, build, WorkloadName::Stream)?,
            sweep: HardwareFile::read(set, variant, build, WorkloadName::Sweep)?,
            large_sweep: HardwareFile::read(set, variant, build, WorkloadName::LargeSweep)?,
            burst: HardwareFile::read(set, variant, build, WorkloadName::Burst)?,
            latency: HardwareFile::read(set, variant, build, WorkloadName::Latency)?,
            throughput: HardwareFile::read(set, variant, build, WorkloadName::Throughput)?,
            soak: HardwareFile::read(set, variant, build, WorkloadName::Soak)?,
            recovery: HardwareFile::read(set, variant, build, WorkloadName::Recovery)?,
        };
        let first = found.inputs().next();
        ensure!(
            found.inputs().all(|inputs| Some(inputs) == first),
            "the results of {variant} {build} in {} come from different ELF files or test benches; run `cargo xtask study --on hardware` to measure again",
            set.folder().display()
        );
        Ok(found)
    }

    /// What each of the files comes from.
    pub fn inputs(&self) -> impl Iterator<Item = &HardwareInputs> {
        fn of<M: Measurement>(file: &Option<HardwareFile<M>>) -> Option<&HardwareInputs> {
            file.as_ref().map(|file| &file.inputs)
        }
        let inputs = [
            of(&self.functional),
            of(&self.stream),
            of(&self.sweep),
            of(&self.large_sweep),
            of(&self.burst),
            of(&self.latency),
            of(&self.throughput),
            of(&self.soak),
            of(&self.recovery),
        ];
        inputs.into_iter().flatten()
    }
}

/// Every build with results in a set, as pairs of variant and build, sorted.
pub fn builds_in(set: &ResultSet) -> anyhow::Result<Vec<(String, String)>> {
    let mut builds = Vec::new();
    for variant in folders_in(set.folder())? {
        let folder = set.folder().join(&variant);
        let names = folders_in(&folder)?.into_iter();
        builds.extend(names.map(|build| (variant.clone(), build)));
    }
    Ok(builds)
}
