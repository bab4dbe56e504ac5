//! The form of the study's metadata in the firmware manifests; unknown keys are refused.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context;
use bench::EmptyDatagrams;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `[workspace.metadata.study]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudySchema {
    pub part: String,
    pub target: String,
    pub echo_port: u16,
    pub telemetry_port: u16,
    pub regions: Vec<Region>,
}

/// A region of the part's memory, from RM0468 §2.3.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Its name in the reference manual.
    pub name: String,
    /// Its first address.
    pub origin: u32,
    /// Its length in bytes.
    pub length: u32,
    /// What it is made of.
    pub kind: RegionKind,
}

/// What a memory region is made of.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum RegionKind {
    /// Keeps the image while the power is off.
    Flash,
    /// Is filled by the start-up code.
    Ram,
}

/// `[package.metadata.study]`.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PackageSchema {
    Variant(VariantSchema),
    Shared(SharedSchema),
    PublishedStates(PublishedStatesSchema),
}

/// The keys of a variant package.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantSchema {
    pub id: String,
    pub title: String,
    pub mac_address: MacAddress,
    pub network_device: String,
    #[serde(default)]
    pub empty_datagrams: EmptyDatagrams,
    pub order: u32,
    #[serde(default)]
    pub language: Language,
    pub c: Option<CSources>,
    pub builds: BTreeMap<String, BuildSchema>,
}

/// What a variant's own sources are written in.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// Cargo builds it.
    #[default]
    Rust,
    /// GCC builds it.
    C,
}

/// What of a C variant is compiled besides the `.c` files below its `src`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct CSources {
    /// Folders that its headers are looked for in, seen from the package's.
    pub include: Vec<PathBuf>,
    /// The linker script, seen from the package's folder.
    pub linker_script: PathBuf,
    /// Libraries in C, by the package of the workspace's lock file that has their sources.
    #[serde(default)]
    pub libraries: BTreeMap<String, LibrarySources>,
}

/// What of a library is compiled, seen from the folder of its package.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct LibrarySources {
    /// Folders that its headers are looked for in.
    pub include: Vec<PathBuf>,
    /// Its source files.
    pub sources: Vec<PathBuf>,
}

/// The keys of one build of a variant.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildSchema {
    pub profile: Option<String>,
    pub optimization: Option<String>,
    pub features: Vec<String>,
    pub core_hz: u32,
    pub hclk_hz: u32,
    pub icache: bool,
    pub dcache: bool,
    #[serde(default)]
    pub scope: Scope,
    pub note: Option<String>,
    pub spi_hz: Option<u32>,
}

/// How much of the study a build takes part in.
#[derive(
    Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord,
)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// All of it.
    #[default]
    Full,
    /// All of it, with 30 s in place of the hour of stream and shorter rates: the build is there to be
    /// compared with another one of its variant.
    Comparison,
}

/// The keys of a shared package.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedSchema {
    pub role: Role,
    /// Whether the package builds for the host, where its unit tests run.
    #[serde(default)]
    pub host_tests: bool,
}

/// The keys of a package that has variants in published states.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedStatesSchema {
    /// By variant, then by the state's name.
    pub states: BTreeMap<String, BTreeMap<String, PublishedStateSchema>>,
}

/// The keys of one published state.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedStateSchema {
    pub published: String,
    pub profile: String,
    pub features: Vec<String>,
    pub core_hz: u32,
    pub hclk_hz: u32,
    pub icache: bool,
    pub dcache: bool,
    pub spi_hz: Option<u32>,
    pub poll_us: Option<u32>,
    pub udp_storage_bytes: Option<u32>,
    pub note: Option<String>,
}

/// What the lines of a first-party firmware package count as.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A variant's own entry point.
    #[serde(skip_deserializing)]
    Entry,
    /// Clocks, pins, the network device and its stack.
    BringUp,
    /// The echo server and what serves it.
    Server,
    /// What any firmware for the board needs.
    Platform,
    /// Measuring of the firmware by itself.
    Profiling,
}

impl Role {
    /// Those that shared packages have, and folders in a C variant's `src` are named after.
    pub const SHARED: [Self; 4] = [Self::BringUp, Self::Server, Self::Platform, Self::Profiling];
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Entry => "entry",
            Self::BringUp => "bring-up",
            Self::Server => "server",
            Self::Platform => "platform",
            Self::Profiling => "profiling",
        })
    }
}

/// An Ethernet address, written as six hexadecimal bytes between colons.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(try_from = "String")]
pub struct MacAddress(pub [u8; 6]);

impl FromStr for MacAddress {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let byte = |part: &str| {
            let hexadecimal = part.len() == 2 && part.bytes().all(|b| b.is_ascii_hexdigit());
            u8::from_str_radix(part, 16).ok().filter(|_| hexadecimal)
        };
        let bytes: Option<Vec<u8>> = text.split(':').map(byte).collect();
        let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
        let bytes = bytes.with_context(|| {
            format!("{text:?} is no MAC address; write it like 02:00:00:00:72:01")
        })?;
        Ok(Self(bytes))
    }
}

/// In the form in which it is parsed.
impl fmt::Display for MacAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.map(|byte| format!("{byte:02x}"));
        formatter.write_str(&bytes.join(":"))
    }
}

impl TryFrom<String> for MacAddress {
    type Error = anyhow::Error;

    fn try_from(text: String) -> anyhow::Result<Self> {
        text.parse()
    }
}

impl StudySchema {
    /// Reads the table, refusing what it does not know.
    pub fn parse(value: &Value) -> anyhow::Result<Self> {
        Ok(Self::deserialize(value)?)
    }
}

impl PackageSchema {
    /// Reads the table, refusing what it does not know.
    pub fn parse(value: &Value) -> anyhow::Result<Self> {
        Ok(Self::deserialize(value)?)
    }
}
