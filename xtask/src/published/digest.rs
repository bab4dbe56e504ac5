//! Whether the files are still the ones that were imported.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

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
    sha256: BTreeMap<String, String>,
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
    let DigestFile { sha256, .. } = read_json(&folder.join(DIGESTS))?;
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
