//! `cargo xtask render`: documents from results and templates, and from nothing else.

mod decimal;
mod filters;
mod literals;
mod record;
mod template;
pub mod view;

use std::path::{Path, PathBuf};

use crate::audit::digests;
use crate::cli::Outcome;
use crate::fidelity::{self, Fidelity};
use crate::results::{ResultSet, SetName, StudyResults};
use crate::{files, output, paths};

pub use decimal::{decimal, parse as parse_decimal};
pub use record::{Printed, Rendered, Span, Unit};
pub use view::{FunctionalView, StreamView};

/// The documents; the template of each is the file of its name with [`TEMPLATE_SUFFIX`].
pub const DOCUMENTS: [&str; 2] = ["TRADE_STUDY.md", "W5500.md"];

const TEMPLATE_SUFFIX: &str = ".j2";

/// Render TRADE_STUDY.md, W5500.md and FIDELITY.md from the results.
#[derive(clap::Args)]
pub struct RenderArgs {
    /// Write nothing; fail when a document is not what the results give.
    #[arg(long)]
    check: bool,
    /// Render the quick set, beside its results, instead of the full one.
    #[arg(long)]
    quick: bool,
}

impl RenderArgs {
    /// Renders or checks the documents of the chosen set.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let name = if self.quick {
            SetName::Quick
        } else {
            SetName::Full
        };
        let set = ResultSet::in_checkout(paths::root(), name);
        if !self.check {
            write_documents(&set, &templates())?;
            if let Some((fidelity, of)) = fidelity_of(name)? {
                fidelity.write(&of)?;
            }
            output::note(&format!("rendered: {}", names(&set)));
            return Ok(Outcome::Done);
        }
        let flag = if self.quick { " --quick" } else { "" };
        let mut stale = stale_documents(&set, &templates())?;
        if let Some((fidelity, of)) = fidelity_of(name)? {
            stale.extend(fidelity.stale(&of)?);
        }
        for document in &stale {
            output::note(&format!(
                "{} is not what its results give; run `cargo xtask render{flag}`",
                document.display()
            ));
        }
        Ok(if stale.is_empty() {
            Outcome::Done
        } else {
            Outcome::CheckFailed
        })
    }
}

/// The comparison with published figures, which belongs to what is committed; `None` where nothing was
/// measured for it.
fn fidelity_of(set: SetName) -> anyhow::Result<Option<(Fidelity, ResultSet)>> {
    let of = fidelity::committed();
    if set != SetName::Full || !of.folder().is_dir() {
        return Ok(None);
    }
    Ok(Some((Fidelity::of(&of)?, of)))
}

/// The templates of the checkout.
pub fn templates() -> PathBuf {
    paths::root().join("templates")
}

/// The document that `data`, which its template calls `study`, gives.
///
/// # Errors
/// One line that says where in the template what is wrong.
pub fn template(
    templates: &Path,
    document: &str,
    data: &impl serde::Serialize,
) -> anyhow::Result<Rendered> {
    let name = format!("{document}{TEMPLATE_SUFFIX}");
    template::render(templates, (document, &name), data)
}

/// The documents of `set` in a row.
pub fn names(set: &ResultSet) -> String {
    let paths = DOCUMENTS.map(|name| set.document(name).display().to_string());
    paths.join(", ")
}

/// Renders the documents of `set`, writes them, and records what they are and were made from; when one
/// cannot be rendered, none is written.
pub fn write_documents(set: &ResultSet, templates: &Path) -> anyhow::Result<()> {
    for Rendered { document, text, .. } in rendered(set, templates)? {
        files::write(&set.document(&document), text.as_bytes())?;
    }
    digests::record_documents(set, templates, DOCUMENTS)
}

/// The documents of `set` that are not there, or not what its results give.
fn stale_documents(set: &ResultSet, templates: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut stale = Vec::new();
    for Rendered { document, text, .. } in rendered(set, templates)? {
        let path = set.document(&document);
        if files::read_text_if_any(&path)? != Some(text) {
            stale.push(path);
        }
    }
    Ok(stale)
}

/// The documents that the results of `set` give, with every figure and claim in them.
///
/// # Errors
/// Results that cannot be read, and one line that says where in a template what is wrong.
pub fn rendered(set: &ResultSet, templates: &Path) -> anyhow::Result<Vec<Rendered>> {
    let study = view::StudyView::new(&StudyResults::read(set)?);
    let render = |name: &str| template(templates, name, &study);
    DOCUMENTS.into_iter().map(render).collect()
}

#[cfg(test)]
mod tests;
