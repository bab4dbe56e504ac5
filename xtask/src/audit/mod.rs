//! `cargo xtask audit`: whether results, documents and published figures are what they say they are.
//!
//! The audit recomputes from raw JSON with code of its own: it shares with the pipeline neither types,
//! checks and histograms of the bench, nor views, filters and decimals of the renderer. The one thing
//! taken from the renderer is what it says of each figure: its inputs and its formula.

mod claims;
pub mod digests;
mod documents;
mod evaluate;
mod explain;
mod fidelity;
mod figures;
mod identities;
mod images;
mod ledger;
mod mutate;
mod node;
mod orphans;
mod print;
mod published;
mod random;
mod rational;
mod replay;
mod report;
mod schema;
mod set;
mod strict;
mod subject;

use std::path::PathBuf;
use std::time::SystemTime;

use clap::ValueEnum;

use crate::cli::Outcome;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::results::{ResultSet, SetName};
use crate::setup::InstallArgs;
use crate::{output, paths, render};
use explain::Explanation;
use images::ImageFiles;
use mutate::Mutations;
use replay::{Amount, EmulatedBoards, Replay};
use report::{Kind, Report};
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
    /// Instead, say of a figure, such as "54.06 %", or of a part of a line which results it follows from, and how.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["replay", "mutate"])]
    explain: Option<String>,
    /// Also run this many trials again, drawn at random among all of them, or all, and compare bytes.
    #[arg(long, value_name = "N|all")]
    replay: Option<Amount>,
    /// Instead, change one digit of a copy this many times, and see whether the audit names the file.
    #[arg(long, value_name = "N", conflicts_with_all = ["replay", "json"])]
    mutate: Option<usize>,
    /// Repeats the draws of an earlier run; by default they follow the time.
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    #[command(flatten)]
    install: InstallArgs,
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
        if let Some(text) = &self.explain {
            return self.explain(&places, text);
        }
        if let Some(number) = self.mutate {
            return self.mutate(&places, number);
        }
        let mut report = of(&places)?;
        if let Some(amount) = self.replay {
            report.merge(self.replay(&places, amount)?);
            report.sort();
        }
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

    /// Explains what reads like `text`.
    fn explain(&self, places: &Places, text: &str) -> anyhow::Result<Outcome> {
        let explanation = Explanation::of(places, text)?;
        output::print(&match self.json {
            true => explanation.json()?,
            false => explanation.text(text),
        })?;
        Ok(match explanation.is_empty() {
            true => Outcome::CheckFailed,
            false => Outcome::Done,
        })
    }

    /// The seed of draws, which is said so that they can be repeated.
    fn seed(&self) -> u64 {
        let seed = self.seed.unwrap_or_else(seed_of_now);
        output::note(&format!("--seed {seed} draws the same again"));
        seed
    }

    /// Changes digits, and says which of them nothing was found of.
    fn mutate(&self, places: &Places, number: usize) -> anyhow::Result<Outcome> {
        let say = |line: &str| {
            if self.verbose {
                output::note(line);
            }
        };
        let Mutations { made, missed } = mutate::run(places, number, self.seed(), &say)?;
        let caught = made - missed.len();
        let mut text =
            format!("{caught} of {made} changed digits were found, and their files named\n");
        text.extend(missed.iter().map(|change| format!("not found: {change}\n")));
        output::print(&text)?;
        Ok(match missed.is_empty() {
            true => Outcome::Done,
            false => Outcome::CheckFailed,
        })
    }

    /// Runs trials again.
    fn replay(&self, places: &Places, amount: Amount) -> anyhow::Result<Report> {
        let seed = match amount {
            Amount::All => 0,
            Amount::Some(_) => self.seed(),
        };
        let boards = EmulatedBoards::new(self.install)?;
        let replay = Replay {
            places,
            boards: &boards,
            progress: &Progress::new(),
            interrupt: &Interrupt::on_ctrl_c()?,
            workers: std::thread::available_parallelism().map_or(1, usize::from),
        };
        replay.run(replay::choose(&Files::read(places)?, amount, seed))
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
            images: Some(ImageFiles {
                elf: paths::firmware_target().join("elf"),
                firmware: root.join("firmware"),
            }),
            root: root.to_owned(),
            study_command,
            render_command,
        }
    }
}

/// A seed that is another one each time.
fn seed_of_now() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs())
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
    match documents::render(places) {
        Ok(rendered) => report.merge(documents::check(places, &files, &rendered)),
        // What is wrong with the results is told already.
        Err(finding) if report.findings.iter().any(|one| one.kind != Kind::Digest) => {
            report.skipped.push(finding.message);
        }
        Err(finding) => report.findings.push(*finding),
    }
    if let Some(images) = &places.images {
        report.merge(images::check(places, &files, images));
    }
    if let Some(folder) = &places.published {
        report.merge(published::check(places, folder));
    }
    // Its files are those of the checkout, wherever the set lies that is audited.
    if places.published.is_some() && places.root == paths::root() {
        report.merge(fidelity::check(places)?);
    }
    report.sort();
    Ok(report)
}

#[cfg(test)]
mod tests;
