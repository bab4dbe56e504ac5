//! Inconsistencies of the published set that are known, so that a new one stands out.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::ensure;
use serde::{Deserialize, Serialize};

use super::check::{Finding, Report, Side};
use super::load::read_json;
use super::schema::Schema;

/// How two published things can disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// One quantity with two values.
    TwoValues,
    /// A derived figure that its inputs do not give.
    DerivedDoesNotFollow,
    /// A label or unit that does not fit the figure.
    Label,
    /// One word, counted in two ways.
    Definition,
    /// Figures of different firmware side by side.
    MixedBuilds,
    /// A statement that the tables contradict.
    ClaimAgainstTable,
    /// A fraction that is further off than it looks.
    LooseRounding,
    /// Data that need care, without an error in arithmetic.
    Anomaly,
    /// A figure that was promised and is not there.
    MissingData,
}

/// `known_inconsistencies.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFile {
    #[serde(rename = "schema")]
    _schema: Schema,
    pub items: Vec<Item>,
}

/// One inconsistency, with every check that shows it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    pub id: String,
    pub kind: Kind,
    /// What it means for a reader of the figures.
    pub note: String,
    pub findings: Vec<KnownFinding>,
}

/// A check that does not hold, with both values and both places.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFinding {
    pub rule: String,
    pub left: KnownSide,
    pub right: KnownSide,
}

/// One side of a [`KnownFinding`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownSide {
    pub value: String,
    pub place: String,
}

/// The findings of a report by what is known of them.
pub struct Sorted<'a> {
    /// By item, in the order of the file.
    pub known: Vec<(&'a Item, Vec<&'a Finding>)>,
    /// No item records these.
    pub unexpected: Vec<&'a Finding>,
    /// Recorded, and not found.
    pub gone: Vec<(&'a Item, &'a KnownFinding)>,
}

impl KnownFile {
    /// Reads the file in `folder`.
    ///
    /// # Errors
    /// It is damaged, or names an item or a finding twice.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join("known_inconsistencies.json");
        let file: Self = read_json(&path)?;
        let (mut ids, mut findings) = (BTreeSet::new(), BTreeSet::new());
        for item in &file.items {
            let path = path.display();
            ensure!(ids.insert(&item.id), "{path}: {} is there twice", item.id);
            for finding in &item.findings {
                ensure!(
                    findings.insert(finding),
                    "{path}: {}: a finding is there twice",
                    item.id
                );
            }
        }
        Ok(file)
    }

    /// Sorts the findings of `report`.
    pub fn sort<'a>(&'a self, report: &'a Report) -> Sorted<'a> {
        let found = |known: &&KnownFinding| report.findings.iter().any(|other| known.is(other));
        let mut sorted = Sorted {
            known: Vec::new(),
            unexpected: Vec::new(),
            gone: Vec::new(),
        };
        for item in &self.items {
            let is_of_item =
                |finding: &&Finding| item.findings.iter().any(|known| known.is(finding));
            sorted
                .known
                .push((item, report.findings.iter().filter(is_of_item).collect()));
            let gone = item.findings.iter().filter(|known| !found(known));
            sorted.gone.extend(gone.map(|known| (item, known)));
        }
        let known = |finding: &&Finding| {
            let findings = self.items.iter().flat_map(|item| &item.findings);
            findings.into_iter().any(|known| known.is(finding))
        };
        sorted.unexpected = report
            .findings
            .iter()
            .filter(|finding| !known(finding))
            .collect();
        sorted
    }
}

impl KnownFinding {
    fn is(&self, finding: &Finding) -> bool {
        let same =
            |known: &KnownSide, side: &Side| known.value == side.value && known.place == side.place;
        self.rule == finding.rule
            && same(&self.left, &finding.left)
            && same(&self.right, &finding.right)
    }
}
