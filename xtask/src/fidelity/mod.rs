//! `cargo xtask fidelity`: how true the emulated board is, by the figures that were published of a real one.

mod cite;
mod comparisons;
mod document;
mod measure;
mod measured;
mod model;
mod plots;
mod report;
mod states;
mod summary;

pub use document::{Fidelity, committed};

use crate::cli::Outcome;
use crate::output;
use crate::setup::InstallArgs;

/// Compare the emulated board with the published figures of a real one.
///
/// Builds the firmware in the states in which the figures were published, measures it on the emulated board,
/// and prints each published figure, the emulated one and the difference, with which of them fitted the
/// board's model and which it predicts. Results are in results/fidelity, the document is FIDELITY.md. Trials
/// whose inputs are unchanged are reused.
#[derive(clap::Args)]
pub struct FidelityArgs {
    /// Measure and write nothing; fail when FIDELITY.md is not what the results give.
    #[arg(long, conflicts_with_all = ["fresh", "json"])]
    check: bool,
    /// Measure nothing; compare the results that are there.
    #[arg(long, conflicts_with_all = ["fresh", "check"])]
    committed: bool,
    /// Measure again what is measured already.
    #[arg(long)]
    fresh: bool,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    install: InstallArgs,
}

impl FidelityArgs {
    /// Measures, compares and prints.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let set = committed();
        if self.check {
            return check(&set);
        }
        if !self.committed {
            measure::all(&set, self.fresh, self.install)?;
        }
        let fidelity = Fidelity::of(&set)?;
        if !self.committed {
            fidelity.write(&set)?;
        }
        output::print(&match self.json {
            true => report::json(&fidelity.comparisons)?,
            false => report::text(&fidelity.comparisons),
        })?;
        Ok(Outcome::Done)
    }
}

fn check(set: &crate::results::ResultSet) -> anyhow::Result<Outcome> {
    let stale = Fidelity::of(set)?.stale(set)?;
    for path in &stale {
        let path = path.display();
        output::note(&format!(
            "{path} is not what its results give; run `cargo xtask render`"
        ));
    }
    Ok(match stale.is_empty() {
        true => Outcome::Done,
        false => Outcome::CheckFailed,
    })
}

#[cfg(test)]
mod tests;
