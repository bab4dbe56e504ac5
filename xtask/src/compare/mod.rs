//! `cargo xtask compare`: what changed between two result sets, as a gate.

mod difference;
mod facts;
mod limits;
mod report;
mod side;
#[cfg(test)]
mod tests;

use crate::cli::Outcome;
use crate::{output, paths};
use difference::differences;
use limits::LimitArgs;
use report::Report;
use side::Side;

/// Compare two result sets: sizes, lines, RTT, clean rates, CPU, stack, bursts, recovery, failures.
///
/// A set is a folder of results, or a git revision of this repository, whose results/emulated is read
/// without touching the work tree. Every difference is listed; one to the worse beyond its threshold
/// crosses it. A figure that only the second set lacks, a new failure and a new error event always cross.
///
/// Exit status: 0 no threshold is crossed, 1 one is, 2 a set cannot be read.
#[derive(clap::Args)]
pub struct CompareArgs {
    /// The set compared with.
    before: String,
    /// The set that is compared.
    after: String,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print JSON with exact figures in base units instead of a table.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print a Markdown table, for a comment.
    #[arg(long)]
    markdown: bool,
}

impl CompareArgs {
    /// Compares and prints.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let [before, after] =
            [&self.before, &self.after].map(|name| Side::read(paths::root(), name));
        let (before, after) = (before?, after?);
        let report = Report {
            differences: differences(&before.facts, &after.facts, &self.limits),
            before: before.name,
            after: after.name,
        };
        output::print(&match (self.json, self.markdown) {
            (true, _) => report.json()?,
            (_, true) => report.markdown(),
            _ => report.text(),
        })?;
        Ok(match report.crossed() {
            0 => Outcome::Done,
            _ => Outcome::CheckFailed,
        })
    }
}
