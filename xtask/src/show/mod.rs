//! `cargo xtask show`: one line a trial, from the results alone.

mod headline;

use bench::Nanos;
use serde::Serialize;

use crate::cli;
use crate::results::{
    BuildResults, ResultSet, SetName, StudyResults, Trial, TrialFile, WorkloadName,
};
use crate::{output, paths};

use headline::MainFigures;

pub use headline::Headline;

/// Print one line a trial with its main figures.
#[derive(clap::Args)]
pub struct ShowArgs {
    /// Show the quick set instead of the full one.
    #[arg(long)]
    quick: bool,
    /// Print JSON, figures in base units, instead of text.
    #[arg(long)]
    json: bool,
}

/// One trial in `show --json`.
#[derive(Serialize)]
struct Line<'a> {
    variant: &'a str,
    build: &'a str,
    workload: WorkloadName,
    /// What tells the trial from the others of its build, workload included.
    #[serde(skip)]
    name: String,
    #[serde(skip)]
    headline: String,
    #[serde(flatten)]
    outcome: Outcome,
}

/// How the trial of a [`Line`] ended.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    Measured(MainFigures),
    Failed { at_ns: Nanos, message: String },
}

impl ShowArgs {
    /// Prints the chosen set.
    pub fn run(self) -> anyhow::Result<cli::Outcome> {
        let name = if self.quick {
            SetName::Quick
        } else {
            SetName::Full
        };
        let set = ResultSet::in_checkout(paths::root(), name);
        let results = StudyResults::read(&set)?;
        let text = if self.json {
            json(&results)?
        } else {
            text(&results)
        };
        output::print(&text)?;
        Ok(cli::Outcome::Done)
    }
}

fn text(results: &StudyResults) -> String {
    let mut text = String::new();
    for line in lines(results) {
        let Line {
            variant,
            build,
            name,
            headline,
            ..
        } = line;
        text += &format!("{variant} {build} {name}: {headline}\n");
    }
    if text.is_empty() {
        text += "no trial was measured\n";
    }
    text
}

fn json(results: &StudyResults) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(&lines(results))? + "\n")
}

fn lines(results: &StudyResults) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for variant in &results.variants {
        for build in &variant.builds {
            let BuildResults {
                functional,
                stream,
                sweep,
                large_sweep,
                burst,
                latency,
                throughput,
                soak,
                recovery,
                traffic,
                ..
            } = build;
            lines.extend(functional.iter().flat_map(of_file));
            lines.extend(stream.iter().flat_map(of_file));
            lines.extend(sweep.iter().flat_map(of_file));
            lines.extend(large_sweep.iter().flat_map(of_file));
            lines.extend(burst.iter().flat_map(of_file));
            lines.extend(latency.iter().flat_map(of_file));
            lines.extend(throughput.iter().flat_map(of_file));
            lines.extend(soak.iter().flat_map(of_file));
            lines.extend(recovery.iter().flat_map(of_file));
            lines.extend(traffic.iter().flat_map(of_file));
        }
    }
    lines
}

/// The lines of one file's trials.
fn of_file<M: Headline>(file: &TrialFile<M>) -> impl Iterator<Item = Line<'_>> {
    file.trials.iter().map(|trial| Line {
        variant: &file.variant.id,
        build: &file.build.name,
        workload: file.workload,
        name: M::name(trial.options(), file.workload),
        headline: M::headline(trial),
        outcome: match trial {
            Trial::Measured(measured) => Outcome::Measured(M::main_figures(measured)),
            Trial::Failed(failed) => Outcome::Failed {
                at_ns: failed.at_ns,
                message: failed.message.clone(),
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixtures::{write_set, write_spi_variant, write_whole_set};

    #[test]
    fn every_trial_has_a_line_with_its_main_figures() {
        let folder = tempfile::tempdir().unwrap();
        let set = write_set(folder.path());
        write_spi_variant(&set);
        let results = StudyResults::read(&set).unwrap();
        insta::assert_snapshot!(text(&results));
    }

    #[test]
    fn json_has_base_units() {
        let folder = tempfile::tempdir().unwrap();
        let mut results = StudyResults::read(&write_whole_set(folder.path())).unwrap();
        results.variants[0].builds.truncate(1);
        insta::assert_snapshot!(json(&results).unwrap());
    }

    #[test]
    fn no_results_are_said_to_be_none() {
        let folder = tempfile::tempdir().unwrap();
        let set = ResultSet::in_folder(SetName::Full, &folder.path().join("none"));
        let results = StudyResults::read(&set).unwrap();
        assert_eq!(text(&results), "no trial was measured\n");
        assert_eq!(json(&results).unwrap(), "[]\n");
    }
}
