//! Whether the files are still the ones that were imported.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::ensure;
use serde::Deserialize;

use super::load::{json_files, read_json};
use super::schema::Schema;
use crate::files;
use crate::hash::sha256_hex;

/// `digests.json`: the SHA-256 of every other JSON file of the folder.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DigestFile {
    #[serde(rename = "schema")]
    _schema: Schema,
    files: Vec<FileDigest>,
}

/// The digest of one file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileDigest {
    file: String,
    sha256: String,
}

const DIGESTS: &str = "digests.json";

/// A file that is not as it was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    pub file: String,
    /// The SHA-256 it has, or that it is not there.
    pub is: String,
    /// The one recorded, or that none is.
    pub recorded: String,
}

/// The files in `folder` whose digest is not the recorded one.
pub fn check(folder: &Path) -> anyhow::Result<Vec<Changed>> {
    let DigestFile { files, .. } = read_json(&folder.join(DIGESTS))?;
    let mut sha256 = BTreeMap::new();
    for FileDigest {
        file,
        sha256: digest,
    } in files
    {
        ensure!(
            !sha256.contains_key(&file),
            "{DIGESTS}: {file} is there twice"
        );
        sha256.insert(file, digest);
    }
    let mut present: BTreeSet<String> = json_files(folder)?.into_iter().collect();
    present.remove(DIGESTS);
    let mut changed = Vec::new();
    for file in present.iter().chain(sha256.keys()).collect::<BTreeSet<_>>() {
        let is = if present.contains(file) {
            sha256_hex(&files::read(&folder.join(file))?)
        } else {
            "no such file".to_owned()
        };
        let recorded = sha256.get(file).map_or("none", String::as_str);
        if is != recorded {
            changed.push(Changed {
                file: file.clone(),
                recorded: recorded.to_owned(),
                is,
            });
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_changed_a_new_and_a_missing_file_are_told_and_one_named_twice_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let digests = |entries: &[(&str, &str)]| {
            let entry =
                |(file, sha256): &(&str, &str)| serde_json::json!({"file": file, "sha256": sha256});
            let files: Vec<_> = entries.iter().map(entry).collect();
            let text = serde_json::json!({"schema": 1, "files": files}).to_string();
            fs::write(folder.path().join(DIGESTS), text).unwrap();
            check(folder.path())
        };
        let one = sha256_hex(b"1");
        fs::write(folder.path().join("a.json"), "1").unwrap();
        assert_eq!(digests(&[("a.json", &one)]).unwrap(), []);
        let changed = digests(&[("a.json", "00"), ("gone.json", &one)]).unwrap();
        assert_eq!(
            [&changed[0].file, &changed[1].file],
            ["a.json", "gone.json"]
        );
        assert_eq!(changed[1].is, "no such file");
        assert_eq!(digests(&[]).unwrap()[0].recorded, "none");
        let error = digests(&[("a.json", &one), ("a.json", &one)]).unwrap_err();
        assert_eq!(error.to_string(), "digests.json: a.json is there twice");
    }
}
