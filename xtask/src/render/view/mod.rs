//! What a template sees: the results, with what follows from them, still exact.
//!
//! Every figure is an integer in its base unit or an exact quotient; rounding is the filters' work.

mod build;
mod burst;
mod burst_pair;
mod comparison;
mod derivation;
mod failure;
mod functional;
mod group;
mod languages;
pub mod latency;
mod option;
mod recovery;
mod soak;
mod status;
pub mod stream;
mod sweep;
pub mod throughput;
mod traffic;
mod w5500;

use bench::stream::OFFERED_MIN_PERCENT;
use serde::Serialize;

use crate::results::{BuildResults, Measurement, SetName, StudyResults, TrialFile, VariantSubject};
use crate::trace::{Place, Traced, Tree};

use build::BuildView;
use burst::BurstTables;
use comparison::ComparisonView;
use failure::FailureView;
use languages::LanguagesView;
use sweep::SweepTables;
use w5500::W5500View;

pub use functional::FunctionalView;
pub use stream::StreamView;

/// The whole document's data, `study` in a template.
#[derive(Serialize)]
pub struct StudyView {
    pub set: SetName,
    pub board: Option<Tree>,
    pub variants: Vec<VariantSubject>,
    /// Every build of every variant, in the order of the tables.
    pub builds: Vec<BuildView>,
    /// The payloads of the functional gates, rising.
    pub functional_payloads: Vec<Traced>,
    /// The sweep with datagrams of the stream's size.
    pub sweep: SweepTables,
    /// The sweep with the largest datagrams.
    pub large_sweep: SweepTables,
    pub bursts: BurstTables,
    /// The payloads of each workload that has several, rising.
    pub latency_payloads: Vec<Traced>,
    pub throughput_payloads: Vec<Traced>,
    pub soak_payloads: Vec<Traced>,
    pub comparisons: Vec<ComparisonView>,
    /// Absent without a variant in C and one in Rust on the same network device.
    pub languages: Option<LanguagesView>,
    pub w5500: W5500View,
    /// The share of a rate that must have been offered for a trial to count, in percent.
    pub offered_min_percent: Traced,
    /// Every trial that has no figures.
    pub failures: Vec<FailureView>,
}

impl StudyView {
    /// What `results` give a template to work with.
    pub fn new(results: &StudyResults) -> Self {
        let pairs = || {
            let variants = results.variants.iter();
            variants.flat_map(|variant| variant.builds.iter().map(move |build| (variant, build)))
        };
        let groups = group::groups(results);
        let variants: Vec<_> = results.variants.iter().map(group::of_variant).collect();
        let bursts = BurstTables::new(&variants);
        let builds: Vec<_> = pairs()
            .map(|(variant, build)| BuildView::new(variant, build, &bursts.payloads))
            .collect();
        Self {
            set: results.set,
            board: pairs().find_map(|(_, build)| board(build)),
            variants: results
                .variants
                .iter()
                .map(|variant| variant.subject.clone())
                .collect(),
            languages: LanguagesView::new(&builds),
            latency_payloads: payloads(&builds, |build| {
                let sizes = build.latency.iter().flat_map(|latency| &latency.sizes);
                sizes.map(|size| &size.payload_bytes).collect()
            }),
            throughput_payloads: payloads(&builds, |build| {
                let searches = build.throughput.iter();
                searches.map(|search| &search.payload_bytes).collect()
            }),
            soak_payloads: payloads(&builds, |build| {
                let sizes = build.soak.iter().flat_map(|soak| &soak.sizes);
                sizes.map(|size| &size.payload_bytes).collect()
            }),
            w5500: W5500View::new(&builds),
            builds,
            functional_payloads: option::distinct(
                pairs()
                    .flat_map(|(_, build)| functional::payloads(build))
                    .collect(),
            ),
            sweep: SweepTables::new(&groups, |build| build.sweep.as_ref()),
            large_sweep: SweepTables::new(&groups, |build| build.large_sweep.as_ref()),
            bursts,
            comparisons: comparison::comparisons(results),
            offered_min_percent: Traced::stated(OFFERED_MIN_PERCENT, stream::OFFERED_MIN_SOURCE),
            failures: pairs()
                .flat_map(|(variant, build)| failure::of_build(variant, build))
                .collect(),
        }
    }
}

/// The different payloads of a workload, rising.
fn payloads(builds: &[BuildView], of: impl Fn(&BuildView) -> Vec<&Traced>) -> Vec<Traced> {
    option::distinct(builds.iter().flat_map(of).cloned().collect())
}

/// The board of the first trials of `build`.
fn board(build: &BuildResults) -> Option<Tree> {
    fn of<M: Measurement>(file: Option<&TrialFile<M>>) -> Option<Tree> {
        let file = file?;
        Some(Place::of_trials(file).tree("inputs/board", &file.inputs.board))
    }
    of(build.functional.as_ref())
        .or_else(|| of(build.stream.as_ref()))
        .or_else(|| of(build.sweep.as_ref()))
        .or_else(|| of(build.large_sweep.as_ref()))
        .or_else(|| of(build.burst.as_ref()))
        .or_else(|| of(build.latency.as_ref()))
        .or_else(|| of(build.throughput.as_ref()))
        .or_else(|| of(build.soak.as_ref()))
        .or_else(|| of(build.recovery.as_ref()))
        .or_else(|| of(build.traffic.as_ref()))
}

/// The one value of several that is all of them.
fn only<T>(values: Vec<T>) -> Option<T> {
    let mut values = values.into_iter();
    values.next().filter(|_| values.next().is_none())
}
