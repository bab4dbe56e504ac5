//! One build of one variant as a template sees it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::burst::BurstSummary;
use super::functional::{self, FunctionalView};
use super::group;
use super::status::Status;
use super::stream::{self, StreamView};
use super::sweep::SweepSummary;
use super::traffic::{self, TrafficView};
use crate::metadata::TELEMETRY_FEATURE;
use crate::results::{
    BuildResults, BuildSubject, ImageInputs, LinesFile, SectionBytes, VariantResults,
    VariantSubject,
};

/// One build of one variant.
#[derive(Serialize)]
pub struct BuildView {
    pub variant: VariantSubject,
    pub subject: BuildSubject,
    pub image: ImageInputs,
    /// What is special about the build, in one sentence.
    pub note: Option<String>,
    /// The SCK frequency that the firmware sets for its SPI.
    pub spi_hz: Option<u64>,
    /// Whether the build is there to be compared with another one of its variant.
    pub is_comparison: bool,
    /// The name of the build that this one is compared with.
    pub baseline: Option<String>,
    /// Whether the build counts its own processor time and stack.
    pub has_counters: bool,
    pub lines: Option<LinesView>,
    pub flash_bytes: Option<u64>,
    pub static_ram_bytes: Option<u64>,
    pub sections: Option<SectionBytes>,
    pub functional: Option<FunctionalView>,
    pub functional_status: Status,
    pub stream: Option<StreamView>,
    pub stream_status: Status,
    pub sweep: SweepSummary,
    pub large_sweep: SweepSummary,
    pub burst: BurstSummary,
    /// SPI traffic by payload; empty for a network device that is not on SPI.
    pub traffic: Vec<TrafficView>,
    pub traffic_status: Status,
}

/// Non-comment, non-blank lines by role.
#[derive(Serialize)]
pub struct LinesView {
    pub entry: u64,
    pub bring_up: u64,
    pub server: u64,
    pub platform: u64,
    pub profiling: u64,
    pub total: u64,
}

/// Whether `build` counts its own processor time and stack.
pub fn has_counters(build: &BuildResults) -> bool {
    let mut features = build.subject.features.iter();
    features.any(|name| name == TELEMETRY_FEATURE)
}

impl BuildView {
    /// What the results of `build` say; bursts have the columns `burst_payloads`.
    pub fn new(
        variant: &VariantResults,
        build: &BuildResults,
        burst_payloads: &BTreeSet<u64>,
    ) -> Self {
        let about = &build.subject;
        let baseline = group::baseline(variant, build).filter(|_| !group::is_full(build));
        let sections = build.size.as_ref().map(|size| size.sections);
        Self {
            variant: variant.subject.clone(),
            subject: build.subject.clone(),
            image: build.image.clone(),
            note: about.note.clone(),
            spi_hz: about.spi_hz,
            is_comparison: !group::is_full(build),
            baseline: baseline.map(|baseline| baseline.subject.name.clone()),
            has_counters: has_counters(build),
            lines: build.lines.as_ref().map(LinesView::new),
            flash_bytes: sections.map(SectionBytes::flash_bytes),
            static_ram_bytes: sections.map(SectionBytes::static_ram_bytes),
            sections,
            functional: functional::of_build(build),
            functional_status: Status::of(build.functional.as_ref()),
            stream: stream::of_build(build),
            stream_status: Status::of(build.stream.as_ref()),
            sweep: SweepSummary::new(build.sweep.as_ref()),
            large_sweep: SweepSummary::new(build.large_sweep.as_ref()),
            burst: BurstSummary::new(build, burst_payloads),
            traffic: traffic::of_build(&variant.subject.id, build),
            traffic_status: Status::of(build.traffic.as_ref()),
        }
    }
}

impl LinesView {
    fn new(file: &LinesFile) -> Self {
        let of_role = |role: &str| {
            let files = file.files.iter().filter(|file| file.role == role);
            files.map(|file| file.code_lines).sum()
        };
        Self {
            entry: of_role("entry"),
            bring_up: of_role("bring-up"),
            server: of_role("server"),
            platform: of_role("platform"),
            profiling: of_role("profiling"),
            total: file.files.iter().map(|file| file.code_lines).sum(),
        }
    }
}
