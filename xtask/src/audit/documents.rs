//! Documents: rendered again, and every figure, claim and digit of them.

use super::claims;
use super::figures;
use super::orphans;
use super::report::{Checked, Finding, Kind, Report};
use super::set::{Files, Places};
use crate::render::{self, Rendered};

/// The documents that results and templates give; a finding in place of them when they cannot be
/// rendered.
pub fn render(places: &Places) -> Result<Vec<Rendered>, Box<Finding>> {
    render::rendered(&places.set, &places.templates).map_err(|error| {
        let message = format!("{error:#}");
        let file = places.file_in(&message);
        Box::new(Finding {
            kind: Kind::Document,
            file: file.unwrap_or_else(|| places.shown(&places.templates)),
            place: None,
            message: format!(
                "the documents cannot be rendered: {}",
                places.shortened(&message)
            ),
            command: places.render_command.clone(),
        })
    })
}

/// Checks every document.
pub fn check(places: &Places, files: &Files, rendered: &[Rendered]) -> Report {
    let mut report = Report::default();
    for document in rendered {
        let Some(committed) = files.documents.get(&document.document) else {
            continue;
        };
        let file = places.shown(&places.set.document(&document.document));
        report.checked.add("documents rendered again", 1);
        report
            .findings
            .extend(changed(places, &file, committed, document));
        let checker = Checker {
            places,
            files,
            file: &file,
            committed: &Lines::of(committed),
        };
        report.merge(figures::check(&checker, &document.figures));
        report.merge(claims::check(&checker, &document.claims));
        report.merge(orphans::check(&checker, document));
    }
    report
}

/// What the parts of a document are checked against.
pub struct Checker<'a> {
    pub places: &'a Places,
    pub files: &'a Files,
    /// The document, as findings name it.
    pub file: &'a str,
    /// The document as it is committed.
    pub committed: &'a Lines<'a>,
}

impl Checker<'_> {
    /// A finding at a place of the document.
    pub fn finding(&self, kind: Kind, place: String, message: String) -> Finding {
        Finding {
            kind,
            file: self.file.to_owned(),
            place: Some(place),
            message,
            command: self.places.render_command.clone(),
        }
    }

    /// A report of so many checked things and these findings.
    pub fn report(what: &'static str, number: usize, findings: Vec<Finding>) -> Report {
        let mut checked = Checked::default();
        checked.add(what, number as u64);
        Report {
            checked,
            findings,
            ..Report::default()
        }
    }
}

/// A text by lines and characters, both counted from 1.
pub struct Lines<'a>(Vec<&'a str>);

impl<'a> Lines<'a> {
    /// The lines of a text.
    pub fn of(text: &'a str) -> Self {
        Self(text.lines().collect())
    }

    /// The line of that number; empty when there is none.
    pub fn line(&self, number: usize) -> &'a str {
        let line = number.checked_sub(1).and_then(|index| self.0.get(index));
        line.copied().unwrap_or_default()
    }

    /// Every line with its number.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &'a str)> + '_ {
        (1..).zip(self.0.iter().copied())
    }

    /// What stands at a place, `length` characters of it.
    pub fn at(&self, line: usize, column: usize, length: usize) -> String {
        let characters = self.line(line).chars();
        characters
            .skip(column.saturating_sub(1))
            .take(length)
            .collect()
    }
}

/// A finding when the committed document is not the one that was rendered; it names the first line.
fn changed(places: &Places, file: &str, committed: &str, rendered: &Rendered) -> Option<Finding> {
    if committed == rendered.text {
        return None;
    }
    let (is, should) = (Lines::of(committed), Lines::of(&rendered.text));
    let last = is.0.len().max(should.0.len());
    let line = (1..=last).find(|&line| is.line(line) != should.line(line));
    let (place, message) = match line {
        Some(line) => (
            Some(line.to_string()),
            format!(
                "it is {:?}, and results and templates give {:?}",
                is.line(line),
                should.line(line)
            ),
        ),
        None => (None, String::from("it differs in its line ends")),
    };
    Some(Finding {
        kind: Kind::Document,
        file: file.to_owned(),
        place,
        message,
        command: places.render_command.clone(),
    })
}
