//! What a template sees: the results, with what follows from them, still exact.
//!
//! Every figure is an integer in its base unit or an exact quotient; rounding is the filters' work.

mod stream;
mod sweep;

use bench::functional::SizeCounts;
use bench::stream::OFFERED_MIN_PERCENT;
use bench::{FunctionalResult, Nanos};
use serde::Serialize;

use crate::results::{
    BoardModel, BuildResults, BuildSubject, ImageInputs, LinesFile, Measured, Measurement,
    SectionBytes, SetName, StudyResults, Trial, TrialFile, VariantResults, VariantSubject,
    WorkloadName,
};

pub use stream::StreamView;
use sweep::SweepView;

/// The whole document's data, `study` in a template.
#[derive(Serialize)]
pub struct StudyView {
    pub set: SetName,
    pub board: Option<BoardModel>,
    pub variants: Vec<VariantSubject>,
    /// Every build of every variant, in the order of the tables.
    pub builds: Vec<BuildView>,
    /// The error events of every build at every rate.
    pub sweep: SweepView,
    /// The share of a rate that must have been offered for a trial to count, in percent.
    pub offered_min_percent: u64,
    /// Every trial that has no figures.
    pub failures: Vec<FailureView>,
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

/// One build of one variant.
#[derive(Serialize)]
pub struct BuildView {
    pub variant: VariantSubject,
    pub subject: BuildSubject,
    pub image: ImageInputs,
    pub lines: Option<LinesView>,
    pub flash_bytes: Option<u64>,
    pub static_ram_bytes: Option<u64>,
    pub sections: Option<SectionBytes>,
    pub functional: Option<FunctionalView>,
    pub functional_status: Status,
    pub stream: Option<StreamView>,
    pub stream_status: Status,
    pub sweep_status: Status,
    /// The highest rate up to which every rate is clean.
    pub clean_up_to_hz: Option<u64>,
    /// The highest clean rate, whatever lies below it.
    pub highest_clean_hz: Option<u64>,
}

/// What there is of a workload on one build, in the words of the document.
#[derive(Clone, Copy, Serialize)]
pub enum Status {
    /// Every trial ran to its end.
    #[serde(rename = "measured")]
    Measured,
    /// A trial failed.
    #[serde(rename = "failed")]
    Failed,
    /// Some trials were not run yet.
    #[serde(rename = "not finished")]
    NotFinished,
    #[serde(rename = "not measured")]
    NotMeasured,
}

impl Status {
    fn of<M: Measurement>(file: Option<&TrialFile<M>>) -> Self {
        let Some(file) = file else {
            return Self::NotMeasured;
        };
        if file.trials.iter().any(|trial| trial.measured().is_none()) {
            Self::Failed
        } else if (file.trials.len() as u64) < file.planned_trials {
            Self::NotFinished
        } else {
            Self::Measured
        }
    }
}

/// The functional gate as a template sees it.
#[derive(Serialize)]
pub struct FunctionalView {
    pub passed: bool,
    pub sizes: Vec<SizeCounts>,
}

/// A trial without figures.
#[derive(Serialize)]
pub struct FailureView {
    pub variant: String,
    pub build: String,
    pub workload: WorkloadName,
    /// The rate of a stream; absent for other workloads.
    pub rate_hz: Option<u64>,
    pub at_ns: Nanos,
    pub message: String,
}

impl StudyView {
    /// What `results` give a template to work with.
    pub fn new(results: &StudyResults) -> Self {
        let pairs = || {
            let variants = results.variants.iter();
            variants.flat_map(|variant| variant.builds.iter().map(move |build| (variant, build)))
        };
        let builds = pairs().map(|(variant, build)| BuildView::new(variant, build));
        Self {
            set: results.set,
            board: results.board.clone(),
            variants: results
                .variants
                .iter()
                .map(|variant| variant.subject.clone())
                .collect(),
            builds: builds.collect(),
            sweep: SweepView::new(pairs().map(|(_, build)| build)),
            offered_min_percent: OFFERED_MIN_PERCENT,
            failures: pairs()
                .flat_map(|(variant, build)| failures(variant, build))
                .collect(),
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

impl BuildView {
    fn new(variant: &VariantResults, build: &BuildResults) -> Self {
        let sections = build.size.as_ref().map(|size| size.sections);
        Self {
            variant: variant.subject.clone(),
            subject: build.subject.clone(),
            image: build.image.clone(),
            lines: build.lines.as_ref().map(LinesView::new),
            flash_bytes: sections.map(SectionBytes::flash_bytes),
            static_ram_bytes: sections.map(SectionBytes::static_ram_bytes),
            sections,
            functional: functional(build),
            functional_status: Status::of(build.functional.as_ref()),
            stream: stream::of_build(build),
            stream_status: Status::of(build.stream.as_ref()),
            sweep_status: Status::of(build.sweep.as_ref()),
            clean_up_to_hz: sweep::clean_up_to_hz(build),
            highest_clean_hz: sweep::highest_clean_hz(build),
        }
    }
}

fn functional(build: &BuildResults) -> Option<FunctionalView> {
    let trial = build.functional.as_ref()?.trials.first()?;
    trial.measured().map(FunctionalView::new)
}

impl FunctionalView {
    /// What `measured` says.
    pub fn new(measured: &Measured<FunctionalResult>) -> Self {
        Self {
            passed: measured.result.passed(),
            sizes: measured.result.sizes.clone(),
        }
    }
}

/// The trials of `build` that have no figures.
fn failures(variant: &VariantResults, build: &BuildResults) -> Vec<FailureView> {
    let functional = build.functional.iter().flat_map(|file| &file.trials);
    let functional = functional.map(|trial| (WorkloadName::Functional, None, failed(trial)));
    let streams = build.stream.iter().chain(&build.sweep).flat_map(|file| {
        let trials = file.trials.iter();
        trials.map(|trial| (file.workload, Some(trial.options().rate_hz), failed(trial)))
    });
    let trials = functional.chain(streams);
    let failures = trials.filter_map(|(workload, rate_hz, failed)| {
        let (at_ns, message) = failed?;
        Some(FailureView {
            variant: variant.subject.id.clone(),
            build: build.subject.name.clone(),
            workload,
            rate_hz,
            at_ns,
            message,
        })
    });
    failures.collect()
}

/// When and why a trial failed.
fn failed<M: Measurement>(trial: &Trial<M>) -> Option<(Nanos, String)> {
    match trial {
        Trial::Measured(_) => None,
        Trial::Failed(failed) => Some((failed.at_ns, failed.message.clone())),
    }
}
