//! A measurement as JSON: what was measured, and on what.

use serde::Serialize;

use super::Measured;
use crate::results::{Boot, Measurement, Provenance};

/// One measurement. The result holds the parameters it was made with.
#[derive(Serialize)]
#[serde(bound = "M: Measurement")]
pub struct Report<'a, M: Measurement> {
    provenance: Provenance,
    workload: &'a str,
    variant: &'a str,
    build: &'a str,
    elf_sha256: String,
    /// The version of the emulated board.
    board: &'static str,
    boot: Boot,
    result: M,
}

impl<'a, M: Measurement> Report<'a, M> {
    pub fn new(
        workload: &'a str,
        variant: &'a str,
        build: &'a str,
        elf_sha256: String,
        measured: Measured<M>,
    ) -> Self {
        Self {
            provenance: Provenance::Emulated,
            workload,
            variant,
            build,
            elf_sha256,
            board: board::MODEL_VERSION,
            boot: measured.boot,
            result: measured.result,
        }
    }

    /// The report as text that ends in a line feed.
    pub fn to_json(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
