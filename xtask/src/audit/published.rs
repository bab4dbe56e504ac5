//! The published figures against themselves.

use std::path::Path;

use super::report::{Finding, Kind, Report};
use super::set::Places;
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
        Err(error) => report.findings.push(Finding {
            kind: Kind::Published,
            file: places.shown(folder),
            place: None,
            message: format!("it cannot be read: {error:#}"),
            command: CHECK.to_owned(),
        }),
    }
    report
}

fn finding(places: &Places, folder: &Path, line: &Line) -> Finding {
    let file = line.left.place.split([' ', '#', ':']).next();
    let file = file.filter(|name| name.ends_with(".json"));
    let path = file.map_or_else(|| folder.to_owned(), |name| folder.join(name));
    Finding {
        kind: Kind::Published,
        file: places.shown(&path),
        place: None,
        message: line.to_string(),
        command: CHECK.to_owned(),
    }
}
