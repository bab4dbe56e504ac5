//! What an audit checked and what it found, for people and for programs.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;

use serde::Serialize;

/// What is wrong, in kinds that a program can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A file that is not what its digest says, that no digest is recorded of, or that is not there.
    Digest,
    /// A result file that is no JSON, or not of the schema.
    Schema,
    /// A file that lies where no result does, or says that it is another's.
    Place,
    /// Result files that describe one thing in two ways.
    Disagreement,
    /// An identity of the ledger that does not hold.
    Identity,
    /// A histogram that contradicts itself.
    Histogram,
    /// A document that is not there.
    Document,
    /// A figure of a document that its inputs do not give.
    Figure,
    /// A statement of a document that does not hold.
    Claim,
    /// A digit of a document that belongs to no figure.
    Orphan,
    /// A size that the ELF file does not have.
    Size,
    /// A number of source lines that the sources do not have.
    Lines,
    /// A trial that comes out otherwise when it is run again.
    Replay,
    /// Published figures that disagree in a way that is not recorded.
    Published,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    pub kind: Kind,
    /// The file, by its path in the checkout.
    pub file: String,
    /// Where in the file: a JSON pointer, or line and column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What is wrong, with both values.
    pub message: String,
    /// The command that shows or fixes it.
    pub command: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.file)?;
        match &self.place {
            Some(pointer) if pointer.starts_with('/') => write!(formatter, "#{pointer}")?,
            Some(place) => write!(formatter, ":{place}")?,
            None => {}
        }
        write!(formatter, ": {}; see `{}`", self.message, self.command)
    }
}

/// How much of each kind was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Checked(BTreeMap<&'static str, u64>);

impl Checked {
    /// Counts `number` more things of this name.
    pub fn add(&mut self, what: &'static str, number: u64) {
        *self.0.entry(what).or_default() += number;
    }

    /// How many things of this name were checked.
    pub fn get(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }

    /// Adds what another part of the audit checked.
    pub fn merge(&mut self, other: Self) {
        for (what, number) in other.0 {
            self.add(what, number);
        }
    }
}

/// The outcome of an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    pub checked: Checked,
    /// What could not be checked here, and why: no finding.
    pub skipped: Vec<String>,
    /// Where published figures disagree in a way that is known.
    pub known: Vec<String>,
    pub findings: Vec<Finding>,
}

impl Report {
    /// Adds what another part of the audit came to.
    pub fn merge(&mut self, other: Self) {
        self.checked.merge(other.checked);
        self.skipped.extend(other.skipped);
        self.known.extend(other.known);
        self.findings.extend(other.findings);
    }

    /// Brings findings into an order that does not depend on the order of the checks.
    pub fn sort(&mut self) {
        self.findings.sort();
        self.findings.dedup();
        self.skipped.sort();
    }

    /// The report for people; what is known of published figures is listed when `verbose`.
    pub fn text(&self, verbose: bool) -> String {
        let mut text = String::new();
        for (what, number) in &self.checked.0 {
            let _ = writeln!(text, "{:>10} {what}", grouped(*number));
        }
        for line in &self.skipped {
            let _ = writeln!(text, "skipped: {line}");
        }
        match (verbose, self.known.len()) {
            (_, 0) => {}
            (true, _) => {
                for line in &self.known {
                    let _ = writeln!(text, "known: {line}");
                }
            }
            (false, number) => {
                let _ = writeln!(
                    text,
                    "published figures disagree in {number} known places; --verbose lists them"
                );
            }
        }
        for finding in &self.findings {
            let _ = writeln!(text, "{finding}");
        }
        let _ = match self.findings.len() {
            0 => writeln!(text, "nothing is wrong"),
            1 => writeln!(text, "1 finding"),
            number => writeln!(text, "{number} findings"),
        };
        text
    }

    /// The report as JSON.
    pub fn json(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// Thousands by commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups = groups.map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(place: Option<&str>) -> Finding {
        Finding {
            kind: Kind::Identity,
            file: "results/a.json".to_owned(),
            place: place.map(str::to_owned),
            message: "sent = valid + missing: 3 against 2".to_owned(),
            command: "git diff".to_owned(),
        }
    }

    #[test]
    fn a_finding_is_one_line_with_place_and_command() {
        let message = ": sent = valid + missing: 3 against 2; see `git diff`";
        for (place, start) in [
            (None, "results/a.json"),
            (Some("/trials/0"), "results/a.json#/trials/0"),
            (Some("3:14"), "results/a.json:3:14"),
        ] {
            assert_eq!(finding(place).to_string(), format!("{start}{message}"));
        }
    }

    #[test]
    fn a_report_counts_what_was_checked_and_lists_what_was_found() {
        let mut report = Report::default();
        report.checked.add("figures recomputed", 1_200);
        let mut other = Report::default();
        other.checked.add("figures recomputed", 4);
        other.known.push("a against b".to_owned());
        other.skipped.push("no ELF file".to_owned());
        report.merge(other);
        let text = report.text(false);
        assert!(text.contains("     1,204 figures recomputed\n"), "{text}");
        assert!(text.contains("skipped: no ELF file\n"), "{text}");
        assert!(text.contains("disagree in 1 known places"), "{text}");
        assert!(text.ends_with("nothing is wrong\n"), "{text}");
        assert!(report.text(true).contains("known: a against b\n"));
        report.findings = vec![finding(None), finding(Some("/a")), finding(None)];
        report.sort();
        assert!(report.text(false).ends_with("2 findings\n"));
        assert!(report.json().unwrap().contains("\"kind\": \"identity\""));
    }
}
