//! The kinds of result files.

use std::fmt;

use bench::{BrokenIdentity, Nanos};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::layout::SetName;
use super::measurement::Measurement;
use super::subject::{
    BuildSubject, ImageInputs, Inputs, Provenance, SchemaVersion, VariantSubject,
};

/// The workloads of a study; each has one result file a build.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum WorkloadName {
    /// Datagrams of several lengths, echoed byte for byte.
    Functional,
    /// One rate for long.
    Stream,
    /// Rising rates, each on a freshly reset board.
    Sweep,
    /// Rising rates of the largest datagrams, each on a freshly reset board.
    LargeSweep,
    /// Datagrams back to back.
    Burst,
    /// One datagram at a time, size after size.
    Latency,
    /// The highest rate without loss, searched for at each size on a freshly reset board.
    Throughput,
    /// Mixed sizes for long.
    Soak,
    /// Disturbances under a stream, each on a freshly reset board.
    Recovery,
    /// What a network device on SPI is asked for.
    Traffic,
}

impl WorkloadName {
    /// The name in paths, files and tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Functional => "functional",
            Self::Stream => "stream",
            Self::Sweep => "sweep",
            Self::LargeSweep => "large-sweep",
            Self::Burst => "burst",
            Self::Latency => "latency",
            Self::Throughput => "throughput",
            Self::Soak => "soak",
            Self::Recovery => "recovery",
            Self::Traffic => "traffic",
        }
    }
}

impl fmt::Display for WorkloadName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// The trials of one workload on one build of one variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound = "M: Measurement")]
#[schemars(bound = "M: Measurement")]
pub struct TrialFile<M: Measurement> {
    pub schema: SchemaVersion,
    pub provenance: Provenance,
    pub set: SetName,
    pub workload: WorkloadName,
    pub variant: VariantSubject,
    pub build: BuildSubject,
    pub inputs: Inputs,
    /// How many trials were planned; fewer are here while a study is not finished.
    pub planned_trials: u64,
    /// In the order of the plan: one trial, or one for each rate or other set of parameters.
    pub trials: Vec<Trial<M>>,
}

/// One run on one freshly reset board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", bound = "M: Measurement")]
#[schemars(bound = "M: Measurement")]
pub enum Trial<M: Measurement> {
    /// It ran to its end.
    Measured(Box<Measured<M>>),
    /// It has no figures, and this is why.
    Failed(Failed<M::Options>),
}

/// What a trial that ran to its end measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound = "M: Measurement")]
#[schemars(bound = "M: Measurement")]
pub struct Measured<M: Measurement> {
    pub boot: Boot,
    /// The result, which holds the workload's effective parameters, its seed among them.
    pub result: M,
}

/// Why a trial has no figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Failed<Options> {
    /// The parameters of the workload that failed.
    pub options: Options,
    /// Virtual time since reset.
    pub at_ns: Nanos,
    /// One line.
    pub message: String,
}

/// When a freshly reset board became usable, in virtual time since reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Boot {
    /// The link came up.
    pub link_up_ns: Nanos,
    /// What it runs at.
    pub link_mode: LinkMode,
    /// The DHCP lease was given.
    pub lease_ns: Nanos,
    /// The first echo came back.
    pub first_echo_ns: Nanos,
}

/// Speed and duplex of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkMode {
    pub speed_mbit_per_s: u64,
    pub full_duplex: bool,
}

impl LinkMode {
    /// What every trial is made at.
    pub const REQUIRED: Self = Self {
        speed_mbit_per_s: 100,
        full_duplex: true,
    };
}

impl fmt::Display for LinkMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let duplex = if self.full_duplex { "full" } else { "half" };
        write!(
            formatter,
            "{} Mbit/s {duplex} duplex",
            self.speed_mbit_per_s
        )
    }
}

impl From<board::LinkMode> for LinkMode {
    fn from(mode: board::LinkMode) -> Self {
        Self {
            speed_mbit_per_s: if mode.speed_100 { 100 } else { 10 },
            full_duplex: mode.full_duplex,
        }
    }
}

impl<M: Measurement> Trial<M> {
    /// The parameters that tell this trial from the others of its file.
    pub fn options(&self) -> &M::Options {
        match self {
            Self::Measured(measured) => measured.result.options(),
            Self::Failed(failed) => &failed.options,
        }
    }

    /// The measurement, if there is one.
    pub fn measured(&self) -> Option<&Measured<M>> {
        match self {
            Self::Measured(measured) => Some(measured),
            Self::Failed(_) => None,
        }
    }
}

impl<M: Measurement> TrialFile<M> {
    /// Checks that no trial is there that was not planned, and the identities of every measurement; the
    /// error names the first broken one.
    pub fn check(&self) -> Result<(), BrokenIdentity> {
        let trials = self.trials.len() as u64;
        if trials > self.planned_trials {
            return Err(BrokenIdentity {
                identity: "trials <= planned_trials",
                left: trials.into(),
                right: self.planned_trials.into(),
            });
        }
        let measured = self.trials.iter().filter_map(Trial::measured);
        measured
            .map(|measured| &measured.result)
            .try_for_each(M::check)
    }
}

/// Flash and static RAM of one build, by the published definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizeFile {
    pub schema: SchemaVersion,
    pub provenance: Provenance,
    pub set: SetName,
    pub variant: VariantSubject,
    pub build: BuildSubject,
    pub image: ImageInputs,
    pub sections: SectionBytes,
}

/// Bytes of an ELF file by what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SectionBytes {
    pub vector_table_bytes: u64,
    pub text_bytes: u64,
    pub rodata_bytes: u64,
    pub data_bytes: u64,
    pub bss_bytes: u64,
    pub uninit_bytes: u64,
    /// Set aside for heap and stack; part of no sum.
    pub reserved_bytes: u64,
}

impl SectionBytes {
    /// Vector table, text, rodata and data.
    pub const fn flash_bytes(self) -> u64 {
        self.vector_table_bytes + self.text_bytes + self.rodata_bytes + self.data_bytes
    }

    /// Data, bss and uninit.
    pub const fn static_ram_bytes(self) -> u64 {
        self.data_bytes + self.bss_bytes + self.uninit_bytes
    }
}

/// Source lines that were compiled into one build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinesFile {
    pub schema: SchemaVersion,
    pub provenance: Provenance,
    pub set: SetName,
    pub variant: VariantSubject,
    pub build: BuildSubject,
    pub image: ImageInputs,
    /// First-party files, by path.
    pub files: Vec<FileLines>,
}

/// Source lines of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileLines {
    /// The path in the firmware workspace, with slashes.
    pub path: String,
    /// `entry`, `bring-up`, `server`, `platform` or `profiling`.
    pub role: String,
    /// Lines that are neither blank nor comment alone, without unit tests.
    pub code_lines: u64,
    /// The same as tokei counts them, to compare.
    pub tokei_code_lines: u64,
    /// Lines of unit tests; not among the code lines.
    pub test_lines: u64,
}
