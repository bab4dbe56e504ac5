//! Committed measurements: what a result file holds, and where it lies.
//!
//! A result is JSON that holds raw integers in base units (the unit is the end of the field's name) and whole
//! histograms. It holds nothing that depends on the day, the machine or the folder, so the same inputs
//! give the same bytes. What was not measured is absent, never zero.

mod as_text;
#[cfg(test)]
mod damage_tests;
mod file;
#[cfg(test)]
pub mod fixtures;
pub mod hardware;
pub mod json;
mod layout;
mod measurement;
mod read;
mod repeated;
pub mod schema;
mod store;
mod subject;
mod traffic;

pub use file::{
    Boot, Failed, FileLines, LinesFile, LinkMode, Measured, SectionBytes, SizeFile, Trial,
    TrialFile, WorkloadName,
};
pub use layout::{ResultSet, SetName};
pub use measurement::Measurement;
pub use read::{BuildResults, StudyResults, VariantResults};
pub use store::{read_json, write_json};
pub use subject::{
    BoardModel, BuildSubject, ImageInputs, Inputs, Provenance, SCHEMA_VERSION, SchemaVersion,
    Subject, VariantSubject,
};
pub use traffic::{SpiTraffic, TrafficOptions, TrafficResult, TrafficRow};
