//! `cargo xtask audit`: whether results, documents and published figures are what they say they are.
//!
//! The audit recomputes from raw JSON with code of its own: it shares with the pipeline neither types,
//! checks and histograms of the bench, nor views, filters and decimals of the renderer. The one thing
//! taken from the renderer is what it says of each figure: its inputs and its formula.

pub mod digests;
mod identities;
mod ledger;
mod node;
mod published;
mod report;
mod schema;
mod set;
mod strict;
mod subject;

use std::path::PathBuf;

use clap::ValueEnum;

use crate::cli::Outcome;
use crate::results::{ResultSet, SetName};
use crate::{output, paths, render};
use report::Report;
use set::{Files, Places};

/// Which set is audited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Chosen {
    /// What is committed, with the published figures.
    Full,
    /// The quick set.
    Quick,
    /// The smoke set.
    Smoke,
}

/// Audit results, documents and published figures.
///
/// Exit status: 0 nothing is wrong, 1 something is, 2 the audit could not be made.
#[derive(clap::Args)]
pub struct AuditArgs {
    /// The set.
    #[arg(long, value_enum, default_value_t = Chosen::Full)]
    set: Chosen,
    /// Audit the set in this folder instead of where it usually is.
    #[arg(long, value_name = "FOLDER")]
    results_dir: Option<PathBuf>,
    /// List what is known of published figures too.
    #[arg(long)]
    verbose: bool,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

impl AuditArgs {
    /// Audits the chosen set and prints what came of it.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let places = self.places();
        anyhow::ensure!(
            places.set.folder().is_dir(),
            "there are no results in {}; run `{}`",
            places.set.folder().display(),
            places.study_command
        );
        let report = of(&places)?;
        let text = if self.json {
            report.json()?
        } else {
            report.text(self.verbose)
        };
        output::print(&text)?;
        Ok(match report.findings.is_empty() {
            true => Outcome::Done,
            false => Outcome::CheckFailed,
        })
    }

    fn places(&self) -> Places {
        let root = paths::root();
        let (name, flag) = match self.set {
            Chosen::Full => (SetName::Full, ""),
            Chosen::Quick => (SetName::Quick, " --quick"),
            Chosen::Smoke => (SetName::Smoke, " --smoke"),
        };
        let is_committed = self.set == Chosen::Full && self.results_dir.is_none();
        let (set, study_command) = match &self.results_dir {
            Some(folder) => (
                ResultSet::in_folder(name, folder),
                format!("cargo xtask study{flag} --results-dir {}", folder.display()),
            ),
            None => (
                ResultSet::in_checkout(root, name),
                format!("cargo xtask study{flag}"),
            ),
        };
        let render_command = match (is_committed, self.set, &self.results_dir) {
            (true, ..) => "cargo xtask render".to_owned(),
            (_, Chosen::Quick, None) => "cargo xtask render --quick".to_owned(),
            _ => study_command.clone(),
        };
        Places {
            set,
            templates: render::templates(),
            published: is_committed.then(crate::published::load::folder),
            root: root.to_owned(),
            study_command,
            render_command,
        }
    }
}

/// Audits everything at `places`.
///
/// # Errors
/// Something that cannot be read, as against something that is wrong.
fn of(places: &Places) -> anyhow::Result<Report> {
    let mut files = Files::read(places)?;
    let mut report = Report {
        findings: std::mem::take(&mut files.findings),
        checked: subject::count(&files),
        ..Report::default()
    };
    report.merge(subject::check(places, &files));
    report.merge(identities::check(places, &files));
    if let Some(folder) = &places.published {
        report.merge(published::check(places, folder));
    }
    report.sort();
    Ok(report)
}
