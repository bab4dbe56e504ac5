//! `cargo xtask schema`: the JSON Schemas of the result files, as the types that read them give them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::audit::digests::files_below;
use crate::cli::Outcome;
use crate::results::json;
use crate::results::schema::{self, FileSchema};
use crate::{files, output, paths};

/// Where the schemas lie in a checkout.
const FOLDER: &str = "results/schema";

/// Write the JSON Schema of every kind of result file into results/schema.
#[derive(clap::Args)]
pub struct SchemaArgs {
    /// Write nothing; fail when a schema is not what the types give.
    #[arg(long)]
    check: bool,
}

impl SchemaArgs {
    /// Writes or checks the schemas of the checkout.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let folder = paths::root().join(FOLDER);
        if !self.check {
            for (path, text) in texts(&folder)? {
                files::write(&path, text.as_bytes())?;
            }
        }
        let stale = stale(&folder)?;
        for path in &stale {
            let path = path.display();
            output::note(&format!(
                "{path} is not what the types of the results give; run `cargo xtask schema`, and delete what no type gives"
            ));
        }
        Ok(match stale.is_empty() {
            true => Outcome::Done,
            false => Outcome::CheckFailed,
        })
    }
}

/// Every schema with its place in `folder`.
fn texts(folder: &Path) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let text = |FileSchema { path, schema }| Ok((folder.join(path), json::to_text(&schema)?));
    schema::all().into_iter().map(text).collect()
}

/// The files of `folder` that are not what the types give, are missing, or belong to none.
fn stale(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let found = files_below(folder)?.into_iter();
    let mut others: BTreeSet<PathBuf> = found.map(|path| folder.join(path)).collect();
    let mut stale = Vec::new();
    for (path, text) in texts(folder)? {
        others.remove(&path);
        if files::read_text_if_any(&path)? != Some(text) {
            stale.push(path);
        }
    }
    stale.extend(others);
    Ok(stale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_schemas_are_those_of_the_types() {
        assert_eq!(
            stale(&paths::root().join(FOLDER)).unwrap(),
            Vec::<PathBuf>::new()
        );
    }

    #[test]
    fn a_schema_that_differs_is_missing_or_belongs_to_nothing_is_stale() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for (path, text) in texts(folder).unwrap() {
            files::write(&path, text.as_bytes()).unwrap();
        }
        assert_eq!(stale(folder).unwrap(), Vec::<PathBuf>::new());
        let [changed, missing, foreign] =
            ["emulated/soak.json", "hardware/burst.json", "other.json"]
                .map(|name| folder.join(name));
        let text = files::read_text(&changed).unwrap();
        files::write(&changed, text.replacen('3', "4", 1).as_bytes()).unwrap();
        std::fs::remove_file(&missing).unwrap();
        files::write(&foreign, b"{}").unwrap();
        let stale = BTreeSet::from_iter(stale(folder).unwrap());
        assert_eq!(stale, BTreeSet::from([changed, missing, foreign]));
    }
}
