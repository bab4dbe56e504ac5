//! The published figures against themselves.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::digests::{self, DIGESTS};
use super::report::{Finding, Kind, Report};
use super::set::Places;
use super::strict;
use crate::hash::sha256_hex;
use crate::published::audit::{Audit, Line};

/// The command that lists every check that does not hold.
const CHECK: &str = "cargo xtask published --check";

/// Runs every check on the published set in `folder`.
pub fn check(places: &Places, folder: &Path) -> Report {
    let mut report = Report::default();
    match Audit::of(folder) {
        Ok(audit) => {
            let checks = audit.held + audit.failed;
            report.checked.add("checks of published figures", checks);
            report.known = audit.known.iter().map(Line::to_string).collect();
            let findings = audit.unexpected.iter();
            report.findings = findings.map(|line| finding(places, folder, line)).collect();
        }
        Err(error) => {
            // Which file was changed is told by its digest, whatever made it unusable.
            report.findings.extend(changed(places, folder));
            let message = format!("{error:#}");
            report.findings.push(Finding {
                kind: Kind::Published,
                file: places.shown(&file_of(folder, &message)),
                place: None,
                message: format!("it cannot be used: {}", places.shortened(&message)),
                command: CHECK.to_owned(),
            });
        }
    }
    report
}

fn finding(places: &Places, folder: &Path, line: &Line) -> Finding {
    Finding {
        kind: Kind::Published,
        file: places.shown(&file_of(folder, &line.left.place)),
        place: None,
        message: line.to_string(),
        command: CHECK.to_owned(),
    }
}

/// The file of the folder that a text speaks of; the folder itself when it speaks of none.
fn file_of(folder: &Path, text: &str) -> PathBuf {
    let files = digests::files_below(folder).unwrap_or_default();
    let spoken_of = files.into_iter().find(|file| text.contains(file.as_str()));
    spoken_of.map_or_else(|| folder.to_owned(), |file| folder.join(file))
}

/// The files of the folder that are not as its own list of digests has them.
fn changed(places: &Places, folder: &Path) -> Vec<Finding> {
    let list = std::fs::read(folder.join(DIGESTS)).ok();
    let list = list.and_then(|bytes| strict::parse(&bytes).ok());
    let rows = list.as_ref().and_then(|list| list.get("files")?.as_array());
    let changed = rows.into_iter().flatten().filter_map(|row| {
        let text = |key: &str| row.get(key).and_then(Value::as_str);
        let (file, recorded) = (text("file")?, text("sha256")?);
        let is = std::fs::read(folder.join(file)).ok();
        let is = is.map_or_else(|| String::from("not there"), |bytes| sha256_hex(&bytes));
        (is != recorded).then(|| Finding {
            kind: Kind::Published,
            file: places.shown(&folder.join(file)),
            place: None,
            message: format!(
                "its SHA-256 is {is}, and {recorded} is recorded in {}",
                places.shown(&folder.join(DIGESTS))
            ),
            command: CHECK.to_owned(),
        })
    });
    changed.collect()
}
