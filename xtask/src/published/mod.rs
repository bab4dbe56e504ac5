//! `cargo xtask published`: the figures that others published, as they printed them, and where they
//! disagree with themselves.

pub mod audit;
mod check;
mod digest;
pub mod fact;
pub mod figure;
mod json;
mod known;
pub mod load;
pub mod schema;
pub mod set;
pub mod text;
pub mod unit;

use crate::cli::Outcome;
use crate::output;

use audit::Audit;
use set::Published;

/// Print published tables as their documents print them, or check them against each other.
#[derive(clap::Args)]
pub struct PublishedArgs {
    /// The table to print; without it, the tables are listed.
    table: Option<String>,
    /// List where the published figures disagree with themselves; exit status 1 when something
    /// disagrees that is not recorded as known.
    #[arg(long, conflicts_with = "table")]
    check: bool,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

impl PublishedArgs {
    /// Prints a table, the list of them, or the outcome of the checks.
    pub fn run(self) -> anyhow::Result<Outcome> {
        if self.check {
            return self.check();
        }
        let set = Published::load()?;
        let text = match (&self.table, self.json) {
            (Some(id), false) => text::table(&set, set.table(id)?),
            (Some(id), true) => json::table(set.table(id)?)?,
            (None, false) => text::list(&set),
            (None, true) => json::list(&set)?,
        };
        output::print(&text)?;
        Ok(Outcome::Done)
    }

    fn check(&self) -> anyhow::Result<Outcome> {
        let audit = Audit::of(&load::folder())?;
        let text = if self.json {
            json::audit(&audit)?
        } else {
            audit.text()
        };
        output::print(&text)?;
        Ok(if audit.is_clean() {
            Outcome::Done
        } else {
            Outcome::CheckFailed
        })
    }
}

#[cfg(test)]
mod mutation_tests;
#[cfg(test)]
mod tests;
