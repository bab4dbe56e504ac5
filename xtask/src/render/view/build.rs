//! One build of one variant as a template sees it.

use serde::Serialize;

use super::burst::BurstSummary;
use super::functional::{self, FunctionalView};
use super::group;
use super::latency::{self, LatencyView};
use super::recovery::{self, RecoveryView};
use super::soak::{self, SoakView};
use super::status::Status;
use super::stream::{self, StreamView};
use super::sweep::SweepSummary;
use super::throughput::{self, ThroughputView};
use super::traffic::{self, TrafficView};
use crate::metadata::TELEMETRY_FEATURE;
use crate::results::{
    BuildResults, BuildSubject, FileLines, ImageInputs, LinesFile, SectionBytes, SizeFile,
    VariantResults, VariantSubject,
};
use crate::trace::{Formula, Place, Traced, Tree};

/// One build of one variant.
#[derive(Serialize)]
pub struct BuildView {
    pub variant: VariantSubject,
    /// What the program itself goes by; a template has `subject`, whose figures are traced.
    #[serde(skip)]
    pub about: BuildSubject,
    pub subject: Tree,
    /// The core clock.
    pub core_hz: Traced,
    pub image: ImageInputs,
    /// What is special about the build, in one sentence.
    pub note: Option<String>,
    /// The SCK frequency that the firmware sets for its SPI.
    pub spi_hz: Option<Traced>,
    /// Whether the build is there to be compared with another one of its variant.
    pub is_comparison: bool,
    /// The name of the build that this one is compared with.
    pub baseline: Option<String>,
    /// Whether the build counts its own processor time and stack.
    pub has_counters: bool,
    pub lines: Option<LinesView>,
    pub flash_bytes: Option<Traced>,
    pub static_ram_bytes: Option<Traced>,
    pub sections: Option<Tree>,
    pub functional: Option<FunctionalView>,
    pub functional_status: Status,
    pub stream: Option<StreamView>,
    pub stream_status: Status,
    pub sweep: SweepSummary,
    pub large_sweep: SweepSummary,
    pub burst: BurstSummary,
    pub latency: Option<LatencyView>,
    pub latency_status: Status,
    /// By payload.
    pub throughput: Vec<ThroughputView>,
    pub throughput_status: Status,
    pub soak: Option<SoakView>,
    pub soak_status: Status,
    /// By disturbance.
    pub recovery: Vec<RecoveryView>,
    pub recovery_status: Status,
    /// SPI traffic by payload; empty for a network device that is not on SPI.
    pub traffic: Vec<TrafficView>,
    pub traffic_status: Status,
}

/// Non-comment, non-blank lines by role.
#[derive(Serialize)]
pub struct LinesView {
    pub entry: Traced,
    pub bring_up: Traced,
    pub server: Traced,
    pub platform: Traced,
    pub profiling: Traced,
    pub total: Traced,
}

/// Whether `build` counts its own processor time and stack.
pub fn has_counters(build: &BuildResults) -> bool {
    let mut features = build.subject.features.iter();
    features.any(|name| name == TELEMETRY_FEATURE)
}

impl BuildView {
    /// What the results of `build` say; bursts have the columns `burst_payloads`.
    pub fn new(variant: &VariantResults, build: &BuildResults, burst_payloads: &[Traced]) -> Self {
        let about = &build.subject;
        let baseline = group::baseline(variant, build).filter(|_| !group::is_full(build));
        let sections = build.size.as_ref().map(SectionsView::new);
        let (flash_bytes, static_ram_bytes, sections) = match sections {
            Some(view) => (Some(view.flash), Some(view.static_ram), Some(view.sections)),
            None => (None, None, None),
        };
        let place = place_of(&variant.subject.id, build);
        Self {
            variant: variant.subject.clone(),
            about: about.clone(),
            subject: place.tree("build", about),
            core_hz: place.figure("build/core_hz", about.core_hz),
            image: build.image.clone(),
            note: about.note.clone(),
            spi_hz: about.spi_hz.map(|hz| place.figure("build/spi_hz", hz)),
            is_comparison: !group::is_full(build),
            baseline: baseline.map(|baseline| baseline.subject.name.clone()),
            has_counters: has_counters(build),
            lines: build.lines.as_ref().map(LinesView::new),
            flash_bytes,
            static_ram_bytes,
            sections,
            functional: functional::of_build(build),
            functional_status: Status::of(build.functional.as_ref()),
            stream: stream::of_build(build),
            stream_status: Status::of(build.stream.as_ref()),
            sweep: SweepSummary::new(build.sweep.as_ref()),
            large_sweep: SweepSummary::new(build.large_sweep.as_ref()),
            burst: BurstSummary::new(build, burst_payloads),
            latency: latency::of_build(build),
            latency_status: Status::of(build.latency.as_ref()),
            throughput: throughput::of_build(build),
            throughput_status: Status::of(build.throughput.as_ref()),
            soak: soak::of_build(build),
            soak_status: Status::of(build.soak.as_ref()),
            recovery: recovery::of_build(build),
            recovery_status: Status::of(build.recovery.as_ref()),
            traffic: traffic::of_build(&variant.subject.id, build),
            traffic_status: Status::of(build.traffic.as_ref()),
        }
    }
}

/// A file that says what `build` is.
fn place_of(variant: &str, build: &BuildResults) -> Place {
    let files = [
        ("size", build.size.is_some()),
        ("ncloc", build.lines.is_some()),
        ("functional", build.functional.is_some()),
        ("stream", build.stream.is_some()),
        ("sweep", build.sweep.is_some()),
        ("large-sweep", build.large_sweep.is_some()),
        ("burst", build.burst.is_some()),
    ];
    let present = files.into_iter().find(|(_, is_there)| *is_there);
    let (name, _) = present.unwrap_or(("traffic", true));
    Place::of_file(variant, &build.subject.name, name)
}

/// Flash and static RAM, and what they consist of.
struct SectionsView {
    flash: Traced,
    static_ram: Traced,
    sections: Tree,
}

impl SectionsView {
    fn new(file: &SizeFile) -> Self {
        let SizeFile {
            variant,
            build,
            sections,
            ..
        } = file;
        let place = Place::of_file(&variant.id, &build.name, "size");
        let sum = |names: &[&str]| place.sum("sections", names);
        let flash = sum(&[
            "vector_table_bytes",
            "text_bytes",
            "rodata_bytes",
            "data_bytes",
        ]);
        let static_ram = sum(&["data_bytes", "bss_bytes", "uninit_bytes"]);
        Self {
            flash: Traced::whole(SectionBytes::flash_bytes(*sections), flash),
            static_ram: Traced::whole(SectionBytes::static_ram_bytes(*sections), static_ram),
            sections: place.tree("sections", sections),
        }
    }
}

impl LinesView {
    fn new(file: &LinesFile) -> Self {
        let place = Place::of_file(&file.variant.id, &file.build.name, "ncloc").at("files");
        let sum = |is_counted: &dyn Fn(&FileLines) -> bool| {
            let files = file.files.iter().enumerate();
            let counted = files.filter(|(_, file)| is_counted(file));
            let lines = counted
                .clone()
                .map(|(_, file)| file.code_lines)
                .sum::<u64>();
            let inputs = counted.map(|(index, _)| place.value(&format!("{index}/code_lines")));
            Traced::whole(lines, Formula::Sum(inputs.collect()))
        };
        let of_role = |role: &str| sum(&|file| file.role == role);
        Self {
            entry: of_role("entry"),
            bring_up: of_role("bring-up"),
            server: of_role("server"),
            platform: of_role("platform"),
            profiling: of_role("profiling"),
            total: sum(&|_| true),
        }
    }
}
