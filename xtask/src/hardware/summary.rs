//! The document that shows the results of a set measured on hardware.

use std::path::Path;

use serde::Serialize;

use crate::results::ResultSet;
use crate::results::hardware::{
    HardwareBuild, HardwareFile, HardwareInputs, NetworkPath, builds_in,
};
use crate::show::Headline;
use crate::trace::{Place, Traced};
use crate::{files, render};

/// The document's name; its template has the suffix of all templates.
pub const DOCUMENT: &str = "HARDWARE.md";

/// Everything that the document shows.
#[derive(Serialize)]
struct View {
    builds: Vec<BuildView>,
}

/// The trials of one build.
#[derive(Serialize)]
struct BuildView {
    variant: String,
    build: String,
    inputs: HardwareInputs,
    trials: Vec<TrialView>,
}

/// One trial in one line.
#[derive(Serialize)]
struct TrialView {
    name: String,
    void: Option<String>,
    figures: String,
    first_echo_ns: Traced,
    path: NetworkPath,
    link: Option<String>,
}

/// Renders the document of `set` from its results and writes it beside them; nothing when there are none.
///
/// # Errors
/// Results that cannot be read, or come from different test benches.
pub fn write(set: &ResultSet, templates: &Path) -> anyhow::Result<()> {
    let mut builds = Vec::new();
    for (variant, build) in builds_in(set)? {
        let results = HardwareBuild::read(set, &variant, &build)?;
        let Some(inputs) = results.inputs().next() else {
            continue;
        };
        builds.push(BuildView {
            inputs: inputs.clone(),
            trials: trials_of(&results),
            variant,
            build,
        });
    }
    if builds.is_empty() {
        return Ok(());
    }
    let rendered = render::template(templates, DOCUMENT, &View { builds })?;
    files::write(&set.document(DOCUMENT), rendered.text.as_bytes())
}

fn trials_of(results: &HardwareBuild) -> Vec<TrialView> {
    let all = [
        views(&results.functional),
        views(&results.stream),
        views(&results.sweep),
        views(&results.large_sweep),
        views(&results.burst),
        views(&results.latency),
        views(&results.throughput),
        views(&results.soak),
        views(&results.recovery),
    ];
    all.into_iter().flatten().collect()
}

fn views<M: Headline>(file: &Option<HardwareFile<M>>) -> Vec<TrialView> {
    let of_file = |file: &HardwareFile<M>| {
        let place = Place::of_file(&file.variant.id, &file.build.name, file.workload.as_str());
        let trials = file
            .trials
            .iter()
            .enumerate()
            .map(|(index, trial)| TrialView {
                name: M::name(trial.result.options(), file.workload),
                void: trial.void.clone(),
                figures: trial.result.figures(),
                first_echo_ns: place.figure(
                    &format!("trials/{index}/boot/first_echo_ns"),
                    trial.boot.first_echo_ns.0,
                ),
                path: trial.path.clone(),
                link: trial.path.link_mode.map(|mode| mode.to_string()),
            });
        trials.collect::<Vec<_>>()
    };
    file.iter().flat_map(of_file).collect()
}
