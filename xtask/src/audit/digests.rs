//! `digests.json`: the SHA-256 of every result of a set, and of every template and document as they
//! were rendered, so that no digit of them changes unseen.
//!
//! `study` records results when its last trial has ended, `render` templates and documents whenever it
//! writes them. Neither ever records the other's, so that a result changed by hand stays one.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::strict;
use crate::files;
use crate::hash::sha256_hex;
use crate::results::{ResultSet, write_json};

/// The file's name, in the folder of the set.
pub const DIGESTS: &str = "digests.json";

/// The version of the file's schema.
const SCHEMA: u64 = 1;

/// SHA-256 in hexadecimal by path.
pub type Digests = BTreeMap<String, String>;

/// What is recorded of a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    schema: u64,
    /// By path in the folder of the set.
    pub results: Digests,
    /// By path in the folder of templates.
    pub templates: Digests,
    /// By name.
    pub documents: Digests,
}

impl Default for Manifest {
    fn default() -> Self {
        Self {
            schema: SCHEMA,
            results: Digests::new(),
            templates: Digests::new(),
            documents: Digests::new(),
        }
    }
}

impl Manifest {
    /// Reads the manifest of the set in `folder`; `None` when it has none.
    ///
    /// # Errors
    /// A file that is no manifest of this schema, or that has a key twice.
    pub fn read(folder: &Path) -> anyhow::Result<Option<Self>> {
        let path = folder.join(DIGESTS);
        let Some(text) = files::read_text_if_any(&path)? else {
            return Ok(None);
        };
        let parse = || -> anyhow::Result<Self> {
            let manifest: Self = serde_json::from_value(strict::parse(text.as_bytes())?)?;
            anyhow::ensure!(
                manifest.schema == SCHEMA,
                "schema {}, this program reads schema {SCHEMA}",
                manifest.schema
            );
            Ok(manifest)
        };
        let manifest = parse().with_context(|| {
            let path = path.display();
            format!("{path} is no list of digests (restore it, or delete it and run `cargo xtask study`)")
        })?;
        Ok(Some(manifest))
    }

    fn write(&self, folder: &Path) -> anyhow::Result<()> {
        write_json(&folder.join(DIGESTS), self)
    }
}

/// Records the results of `set` as they are now.
///
/// # Errors
/// A file that cannot be read or written.
pub fn record_results(set: &ResultSet) -> anyhow::Result<()> {
    let mut manifest = Manifest::read(set.folder())?.unwrap_or_default();
    let is_result = |path: &str| path.ends_with(".json") && path != DIGESTS;
    manifest.results = of_folder(set.folder(), is_result)?;
    manifest.write(set.folder())
}

/// Records the templates and the documents of `set` that were just written from them.
///
/// # Errors
/// A file that cannot be read or written.
pub fn record_documents<'a>(
    set: &ResultSet,
    templates: &Path,
    documents: impl IntoIterator<Item = &'a str>,
) -> anyhow::Result<()> {
    let mut manifest = Manifest::read(set.folder())?.unwrap_or_default();
    manifest.templates = of_folder(templates, is_template)?;
    let digest = |name: &str| {
        let bytes = files::read(&set.document(name))?;
        Ok((name.to_owned(), sha256_hex(&bytes)))
    };
    let documents = documents.into_iter().map(digest);
    manifest.documents = documents.collect::<anyhow::Result<_>>()?;
    manifest.write(set.folder())
}

/// Whether a file in the folder of templates is one.
pub fn is_template(path: &str) -> bool {
    path.ends_with(".j2")
}

/// The digests of the files below `folder` whose path in it is `chosen`.
fn of_folder(folder: &Path, chosen: impl Fn(&str) -> bool) -> anyhow::Result<Digests> {
    let mut digests = Digests::new();
    for path in files_below(folder)? {
        if chosen(&path) {
            let bytes = files::read(&folder.join(&path))?;
            digests.insert(path, sha256_hex(&bytes));
        }
    }
    Ok(digests)
}

/// The paths of all files below `folder`, with slashes, sorted; none when there is no such folder.
pub fn files_below(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut files = Vec::new();
    collect(folder, "", &mut files)?;
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<String>) -> anyhow::Result<()> {
    let cannot_list = || format!("cannot list {}", folder.display());
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound && prefix.is_empty() => return Ok(()),
        entries => entries.with_context(cannot_list)?,
    };
    for entry in entries {
        let entry = entry.with_context(cannot_list)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), files)?;
        } else {
            files.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::SetName;

    #[test]
    fn each_program_records_its_own_files_and_keeps_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let set = ResultSet::in_folder(SetName::Quick, &folder.path().join("set"));
        let templates = folder.path().join("templates");
        assert_eq!(Manifest::read(set.folder()).unwrap(), None);
        files::write(&set.folder().join("a/b/size.json"), b"{}").unwrap();
        files::write(&set.document("A.md"), b"A").unwrap();
        files::write(&templates.join("part/a.md.j2"), b"a").unwrap();
        files::write(&templates.join("part/a.md.j2.swp"), b"a").unwrap();
        record_results(&set).unwrap();
        record_documents(&set, &templates, ["A.md"]).unwrap();
        let manifest = Manifest::read(set.folder()).unwrap().unwrap();
        let of = |path: &str, bytes: &[u8]| Digests::from([(path.to_owned(), sha256_hex(bytes))]);
        assert_eq!(manifest.results, of("a/b/size.json", b"{}"));
        assert_eq!(manifest.templates, of("part/a.md.j2", b"a"));
        assert_eq!(manifest.documents, of("A.md", b"A"));

        files::write(&set.folder().join("a/b/size.json"), b"{1}").unwrap();
        record_documents(&set, &templates, ["A.md"]).unwrap();
        let again = Manifest::read(set.folder()).unwrap().unwrap();
        assert_eq!(again, manifest, "render does not bless a changed result");
        record_results(&set).unwrap();
        let again = Manifest::read(set.folder()).unwrap().unwrap();
        assert_eq!(again.results, of("a/b/size.json", b"{1}"));
        assert_eq!(again.documents, manifest.documents);
    }

    #[test]
    fn what_is_no_manifest_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(DIGESTS);
        let rest = r#""results": {}, "templates": {}, "documents": {}"#;
        for (text, message) in [
            (
                format!("{{\"schema\": 2, {rest}}}"),
                "schema 2, this program reads schema 1",
            ),
            (
                format!("{{\"schema\": 1, \"schema\": 1, {rest}}}"),
                "is there twice",
            ),
            (
                format!("{{\"schema\": 1, \"x\": 1, {rest}}}"),
                "unknown field",
            ),
        ] {
            files::write(&path, text.as_bytes()).unwrap();
            let error = format!("{:#}", Manifest::read(folder.path()).unwrap_err());
            assert!(error.contains("is no list of digests"), "{error}");
            assert!(error.contains(message), "{error}");
        }
    }
}
