//! `cargo xtask published --check`: the checks' outcome as text or JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;

use super::check::{self, Finding, Side, Tally};
use super::digest;
use super::known::{Item, Kind, KnownFile, KnownFinding, KnownSide, Sorted};
use super::schema::Source;
use super::set::Published;

/// What the checks of a set came to.
#[derive(Debug, Serialize)]
pub struct Audit {
    pub held: u64,
    pub failed: u64,
    pub rules: BTreeMap<&'static str, Tally>,
    /// Inconsistencies that are known and were found again.
    pub known: Vec<Line>,
    /// What is wrong with this set: a finding that no item records, one that is recorded and not
    /// there, a file that is not as it was imported.
    pub unexpected: Vec<Line>,
}

/// One inconsistency on one line.
#[derive(Debug, Serialize)]
pub struct Line {
    /// The item of `known_inconsistencies.json`; absent for one that none records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    pub rule: String,
    pub left: End,
    pub right: End,
}

/// One of two things that disagree.
#[derive(Debug, Serialize)]
pub struct End {
    pub value: String,
    /// Cells of the set.
    pub place: String,
    /// Sections of documents.
    pub sources: Vec<String>,
}

impl Audit {
    /// Runs every check on the set in `folder`.
    ///
    /// # Errors
    /// A file that cannot be read; see [`Published::read`].
    pub fn of(folder: &Path) -> anyhow::Result<Self> {
        let set = Published::read(folder)?;
        let report = check::run(&set)?;
        let file = KnownFile::read(folder)?;
        let Sorted {
            known,
            unexpected,
            gone,
        } = file.sort(&report);
        let known = known.into_iter().flat_map(|(item, findings)| {
            findings
                .into_iter()
                .map(|finding| Line::of(Some(item), finding))
        });
        let unexpected = unexpected
            .into_iter()
            .map(|finding| Line::of(None, finding));
        let gone = gone
            .into_iter()
            .map(|(item, finding)| Line::gone(item, finding));
        let digests = digest::check(folder)?.into_iter().map(Line::digest);
        let sum = |of: fn(&Tally) -> u64| report.rules.values().map(of).sum();
        Ok(Self {
            held: sum(|tally| tally.held),
            failed: sum(|tally| tally.failed),
            known: known.collect(),
            unexpected: unexpected.chain(gone).chain(digests).collect(),
            rules: report.rules.clone(),
        })
    }

    /// Whether nothing is wrong beside what is known.
    pub fn is_clean(&self) -> bool {
        self.unexpected.is_empty()
    }

    /// Every inconsistency on a line of its own, then how many checks held.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut last = None;
        let mut known: Vec<&Line> = self.known.iter().collect();
        known.sort_by_key(|line| line.kind);
        for line in known {
            if last != Some(line.kind) {
                last = Some(line.kind);
                let kind = serde_json::to_value(line.kind).unwrap_or_default();
                let _ = writeln!(text, "{}", kind.as_str().unwrap_or("new"));
            }
            let _ = writeln!(text, "  {line}");
        }
        let items: std::collections::BTreeSet<_> = self.known.iter().map(|line| &line.id).collect();
        let _ = writeln!(
            text,
            "{} checks held, {} did not, which show {} known inconsistencies",
            self.held,
            self.failed,
            items.len()
        );
        for line in &self.unexpected {
            let _ = writeln!(text, "unexpected: {line}");
        }
        text
    }
}

impl Line {
    fn of(item: Option<&Item>, finding: &Finding) -> Self {
        Self {
            id: item.map(|item| item.id.clone()),
            kind: item.map(|item| item.kind),
            rule: finding.rule.to_owned(),
            left: End::of(&finding.left),
            right: End::of(&finding.right),
        }
    }

    fn gone(item: &Item, finding: &KnownFinding) -> Self {
        let end = |side: &KnownSide| End {
            value: side.value.clone(),
            place: side.place.clone(),
            sources: Vec::new(),
        };
        Self {
            id: Some(item.id.clone()),
            kind: None,
            rule: format!(
                "{} (recorded in known_inconsistencies.json, and not found)",
                finding.rule
            ),
            left: end(&finding.left),
            right: end(&finding.right),
        }
    }

    fn digest(changed: digest::Changed) -> Self {
        let end = |value: String| End {
            value,
            place: changed.file.clone(),
            sources: Vec::new(),
        };
        Self {
            id: None,
            kind: None,
            rule: "file-is-as-imported".to_owned(),
            left: end(format!("SHA-256 {}", changed.is)),
            right: end(format!("{} in digests.json", changed.recorded)),
        }
    }
}

impl End {
    fn of(side: &Side) -> Self {
        let source = |source: &Source| format!("{} § {}", source.document, source.section);
        Self {
            value: side.value.clone(),
            place: side.place.clone(),
            sources: side.sources.iter().map(source).collect(),
        }
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(id) = &self.id {
            write!(formatter, "{id}: ")?;
        }
        write!(
            formatter,
            "{} against {}: {}",
            self.left, self.right, self.rule
        )
    }
}

impl std::fmt::Display for End {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} ({}", self.value, self.place)?;
        if !self.sources.is_empty() {
            write!(formatter, "; {}", self.sources.join(", "))?;
        }
        formatter.write_str(")")
    }
}
