//! What a result is about and what it came from.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use bench::EmptyDatagrams;
use board::NetworkDevice;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};

use super::as_text;
use crate::metadata::Scope;

/// The version of the result files' schema that this program reads and writes.
pub const SCHEMA_VERSION: u64 = 3;

/// The `schema` field of a result file; reading any other version is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SchemaVersion;

impl JsonSchema for SchemaVersion {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "SchemaVersion".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "const": SCHEMA_VERSION })
    }
}

impl Serialize for SchemaVersion {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(SCHEMA_VERSION)
    }
}

impl<'de> Deserialize<'de> for SchemaVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            SCHEMA_VERSION => Ok(Self),
            other => Err(de::Error::custom(format!(
                "schema {other}, this program reads schema {SCHEMA_VERSION}"
            ))),
        }
    }
}

/// Where figures come from; never mixed in one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Provenance {
    /// Measured on, or of the images for, the emulated board.
    Emulated,
}

/// The variant of a result, as the firmware's metadata describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VariantSubject {
    /// The variant's name, such as `embassy-rmii`.
    pub id: String,
    /// Its title in documents.
    pub title: String,
    /// Its place in tables.
    pub order: u64,
    /// What connects its firmware to the wire.
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    pub network_device: NetworkDevice,
    /// What its firmware is declared to do with a datagram without payload.
    pub empty_datagrams: EmptyDatagrams,
}

/// The build of a result, as the firmware's metadata describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BuildSubject {
    /// The build's name, such as `release`.
    pub name: String,
    /// The Cargo profile, or GCC's option that sets the level of optimisation.
    pub profile: String,
    /// The Cargo features, or what C sources know as features.
    pub features: Vec<String>,
    /// The core clock in Hz.
    pub core_hz: u64,
    /// The AHB clock in Hz.
    pub hclk_hz: u64,
    /// Whether the instruction cache is on.
    pub icache: bool,
    /// Whether the data cache is on.
    pub dcache: bool,
    /// How much of the study it takes part in.
    pub scope: Scope,
    /// What is special about it, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The SCK frequency in Hz that the firmware sets for its SPI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spi_hz: Option<u64>,
}

/// What the trials of one result file are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    pub variant: VariantSubject,
    pub build: BuildSubject,
    pub inputs: Inputs,
}

impl fmt::Display for Subject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.variant.id, self.build.name)
    }
}

/// What an ELF file came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImageInputs {
    /// SHA-256 of the ELF file.
    pub elf_sha256: String,
    /// The compiler that made it.
    pub toolchain: String,
    /// SHA-256 of the firmware workspace's `Cargo.lock`.
    pub lock_sha256: String,
}

/// Everything besides its own parameters that a trial's result follows from.
///
/// A result whose inputs and parameters are unchanged is the result of running it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    /// The firmware that ran.
    pub image: ImageInputs,
    /// The emulated board that ran it.
    pub board: BoardModel,
    /// Hash of the sources that drive the board: workloads, ledger, and how a trial is set up.
    pub harness_sha256: String,
}

/// The emulated board as an input of a measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoardModel {
    /// The version of the model.
    pub version: String,
    /// SHA-256 over the model's sources.
    pub fingerprint: String,
    /// The name of the cost table.
    pub cost_table: String,
    /// The figures that its results follow from, by group and name; the unit is the end of the name, or
    /// core cycles.
    pub parameters: BTreeMap<String, BTreeMap<String, u64>>,
}
