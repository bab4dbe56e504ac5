//! `cargo xtask render`: documents from results and templates, and from nothing else.

mod decimal;
mod filters;
mod template;
mod view;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cli::Outcome;
use crate::results::{ResultSet, SetName, StudyResults};
use crate::{files, output, paths};

pub use decimal::decimal;
pub use view::{FunctionalView, StreamView};

/// The template of the study, in the templates folder.
const STUDY_TEMPLATE: &str = "TRADE_STUDY.md.j2";

/// Render TRADE_STUDY.md from the results.
#[derive(clap::Args)]
pub struct RenderArgs {
    /// Write nothing; fail when the document is not what the results give.
    #[arg(long)]
    check: bool,
    /// Render the quick set, beside its results, instead of the full one.
    #[arg(long)]
    quick: bool,
}

impl RenderArgs {
    /// Renders or checks the document of the chosen set.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let name = if self.quick {
            SetName::Quick
        } else {
            SetName::Full
        };
        let set = ResultSet::in_checkout(paths::root(), name);
        let document = set.document().display();
        if !self.check {
            write_document(&set, &templates())?;
            output::note(&format!("{document} is rendered"));
            return Ok(Outcome::Done);
        }
        if document_is_current(&set, &templates())? {
            return Ok(Outcome::Done);
        }
        let flag = if self.quick { " --quick" } else { "" };
        output::note(&format!(
            "{document} is not what its results give; run `cargo xtask render{flag}`"
        ));
        Ok(Outcome::CheckFailed)
    }
}

/// The templates of the checkout.
pub fn templates() -> PathBuf {
    paths::root().join("templates")
}

/// Renders the document of `set` and writes it.
pub fn write_document(set: &ResultSet, templates: &Path) -> anyhow::Result<()> {
    let text = render_document(set, templates)?;
    files::write(set.document(), text.as_bytes())
}

/// Whether the document of `set` is there and is what its results give.
fn document_is_current(set: &ResultSet, templates: &Path) -> anyhow::Result<bool> {
    let text = render_document(set, templates)?;
    let path = set.document();
    match fs::read_to_string(path) {
        Ok(current) => Ok(current == text),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// The document that the results of `set` give.
fn render_document(set: &ResultSet, templates: &Path) -> anyhow::Result<String> {
    let path = templates.join(STUDY_TEMPLATE);
    let source =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let results = StudyResults::read(set)?;
    template::render(
        &path.display().to_string(),
        &source,
        &view::StudyView::new(&results),
    )
}

#[cfg(test)]
mod tests;
