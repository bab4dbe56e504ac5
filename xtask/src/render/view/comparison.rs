//! Builds that differ in one thing, under the same load.

use std::collections::BTreeSet;

use bench::{Nanos, StreamResult};
use serde::Serialize;

use super::build::has_counters;
use super::burst::{self, BurstRow};
use super::burst_pair::BurstPairCounts;
use super::group;
use super::stream::StreamView;
use super::sweep::SweepFile;
use crate::results::{BuildResults, Measured, StudyResults, Trial, VariantResults};
use crate::trace::{self, Place, Traced};

/// A build for comparison and the one it is compared with.
#[derive(Serialize)]
pub struct ComparisonView {
    pub variant: String,
    pub baseline: String,
    pub build: String,
    /// Whether both count their own processor time.
    pub both_counted: bool,
    /// Both under the same load, where both have figures: at the lowest rate of each sweep, and at
    /// the highest that is clean for both.
    pub loads: Vec<LoadView>,
    /// Bursts; the first cell is of the baseline, the second of the build.
    pub bursts: Vec<BurstRow>,
    /// What became of those that both were measured with; absent when there is none.
    pub burst_counts: Option<BurstPairCounts>,
}

/// Two builds under one load.
#[derive(Serialize)]
pub struct LoadView {
    pub payload_bytes: Traced,
    pub rate_hz: Traced,
    pub baseline: StreamView,
    pub build: StreamView,
    /// The median RTT of each over the time from one datagram to the next.
    pub baseline_p50_periods: Option<Traced>,
    pub build_p50_periods: Option<Traced>,
}

/// Every build for comparison with the one it is compared with.
pub fn comparisons(results: &StudyResults) -> Vec<ComparisonView> {
    let variants = results.variants.iter();
    let pairs = variants.flat_map(|variant| {
        let builds = variant.builds.iter().filter(|build| !group::is_full(build));
        builds.filter_map(move |build| comparison(variant, build))
    });
    pairs.collect()
}

fn comparison(variant: &VariantResults, build: &BuildResults) -> Option<ComparisonView> {
    let baseline = group::baseline(variant, build)?;
    let mut loads = loads(baseline.sweep.as_ref(), build.sweep.as_ref());
    loads.extend(self::loads(
        baseline.large_sweep.as_ref(),
        build.large_sweep.as_ref(),
    ));
    Some(ComparisonView {
        variant: variant.subject.id.clone(),
        baseline: baseline.subject.name.clone(),
        build: build.subject.name.clone(),
        both_counted: has_counters(baseline) && has_counters(build),
        loads,
        bursts: burst::pairs(baseline, build),
        burst_counts: BurstPairCounts::new(baseline, build),
    })
}

/// The loads of a sweep under which two builds are compared.
fn loads(baseline: Option<&SweepFile>, build: Option<&SweepFile>) -> Vec<LoadView> {
    let both = |of: fn(&Measured<StreamResult>) -> bool| {
        let rates = |file: Option<&SweepFile>| -> BTreeSet<u64> {
            let measured = file
                .into_iter()
                .flat_map(|file| &file.trials)
                .filter_map(Trial::measured);
            let measured = measured.filter(|measured| of(measured));
            measured
                .map(|measured| measured.result.options.rate_hz)
                .collect()
        };
        &rates(baseline) & &rates(build)
    };
    let lowest = both(|_| true).first().copied();
    let highest_clean = both(|measured| measured.result.is_clean()).last().copied();
    let rates: BTreeSet<u64> = lowest.into_iter().chain(highest_clean).collect();
    let at = |rate_hz| {
        let (place, baseline) = at_rate(baseline, rate_hz)?;
        let (build_place, build) = at_rate(build, rate_hz)?;
        let options = place.at("result/options");
        Some(LoadView {
            payload_bytes: options.figure("payload_bytes", baseline.result.options.payload_bytes),
            rate_hz: options.figure("rate_hz", rate_hz),
            baseline: StreamView::new(&place, baseline),
            build: StreamView::new(&build_place, build),
            baseline_p50_periods: p50_periods(&place, baseline),
            build_p50_periods: p50_periods(&build_place, build),
        })
    };
    rates.into_iter().filter_map(at).collect()
}

fn p50_periods(place: &Place, measured: &Measured<StreamResult>) -> Option<Traced> {
    let place = place.at("result");
    let p50 = place.percentile("rtt", &measured.result.rtt, 50, 100)?;
    let rate = place.figure("options/rate_hz", measured.result.options.rate_hz);
    let second = Traced::stated(Nanos::SECOND.0, "ns in a second");
    let period = Traced {
        value: second.over(&rate)?.value,
        formula: second.formula.over(rate.formula),
    };
    p50.over(&period)
}

fn at_rate(file: Option<&SweepFile>, rate_hz: u64) -> Option<(Place, &Measured<StreamResult>)> {
    let mut measured = trace::measured(file?);
    measured.find(|(_, measured)| measured.result.options.rate_hz == rate_hz)
}
