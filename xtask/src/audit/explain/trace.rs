//! A figure or a claim with everything it follows from.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::super::evaluate::{evaluate, raw};
use super::super::figures::unit_name;
use super::super::print::decimal;
use super::super::set::{Files, Places};
use crate::render::{Printed, Rendered};
use crate::trace::{Candidate, CheckedClaim, Formula, Input};

/// A figure of a document.
#[derive(Debug, Serialize)]
pub struct ExplainedFigure {
    pub document: String,
    pub line: usize,
    pub column: usize,
    /// As it is printed, and in which unit.
    pub printed: String,
    pub unit: &'static str,
    #[serde(flatten)]
    pub side: Side,
}

/// A claim of a document.
#[derive(Debug, Serialize)]
pub struct ExplainedClaim {
    pub document: String,
    pub line: usize,
    pub words: String,
    pub relation: String,
    /// The share of the right side that the two may be apart.
    pub tolerance: Option<String>,
    pub left: Side,
    pub right: Side,
}

/// A value and where it comes from.
#[derive(Debug, Serialize)]
pub struct Side {
    /// Exactly, in the base unit.
    pub exact: String,
    pub formula: String,
    pub inputs: Vec<ExplainedInput>,
    /// What is known of each result that an input is in.
    pub results: Vec<Origin>,
    /// Where figures stand that no result holds.
    pub stated: Vec<String>,
}

/// A place in a result, and what it holds.
#[derive(Debug, Serialize)]
pub struct ExplainedInput {
    pub file: String,
    pub pointer: String,
    pub value: Value,
}

/// What a trial or an image came from.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    pub file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trial: Option<String>,
    /// ELF file, toolchain, board, harness and provenance, by name.
    pub inputs: BTreeMap<&'static str, String>,
    /// The parameters of the trial, its seed among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Value>,
}

/// Digits of a quotient for people, beside the exact one.
const ABOUT_DIGITS: usize = 6;

impl ExplainedFigure {
    pub fn of(places: &Places, files: &Files, document: &Rendered, figure: &Printed) -> Self {
        Self {
            document: places.shown(&places.set.document(&document.document)),
            line: figure.at.line,
            column: figure.at.column,
            printed: figure.at.text.clone(),
            unit: unit_name(figure.unit),
            side: Side::of(places, files, &figure.traced.formula),
        }
    }
}

impl ExplainedClaim {
    pub fn of(places: &Places, files: &Files, document: &Rendered, claim: &CheckedClaim) -> Self {
        let tolerance = claim.tolerance.map(|tolerance| {
            let share = tolerance.0;
            format!("{}/{}", share.numerator, share.denominator)
        });
        Self {
            document: places.shown(&places.set.document(&document.document)),
            line: claim.line,
            words: claim.words.clone(),
            relation: claim.relation.to_string(),
            tolerance,
            left: Side::of(places, files, &claim.left.formula),
            right: Side::of(places, files, &claim.right.formula),
        }
    }
}

impl Side {
    fn of(places: &Places, files: &Files, formula: &Formula) -> Self {
        let exact = match evaluate(&files.results, formula) {
            Ok(value) if value.denominator() == 1 => value.to_string(),
            Ok(value) => format!("{value} (about {})", decimal(value, ABOUT_DIGITS)),
            Err(reason) => format!("none: {reason}"),
        };
        let all = formula.inputs();
        let inputs = all.iter().map(|input| ExplainedInput {
            file: places.result(&input.file),
            pointer: input.pointer.clone(),
            value: raw(&files.results, input).cloned().unwrap_or_default(),
        });
        let mut results = Vec::new();
        for input in &all {
            let origin = Origin::of(places, files, input);
            if !results.contains(&origin) {
                results.push(origin);
            }
        }
        Self {
            exact,
            formula: formula.to_string(),
            inputs: inputs.collect(),
            results,
            stated: stated(formula),
        }
    }
}

/// What is told of a result, by the places where files of trials and others have it.
const ORIGINS: [(&str, [&str; 2]); 7] = [
    (
        "ELF SHA-256",
        ["/inputs/image/elf_sha256", "/image/elf_sha256"],
    ),
    ("toolchain", ["/inputs/image/toolchain", "/image/toolchain"]),
    (
        "lock file SHA-256",
        ["/inputs/image/lock_sha256", "/image/lock_sha256"],
    ),
    ("board model", ["/inputs/board/version", ""]),
    ("board fingerprint", ["/inputs/board/fingerprint", ""]),
    ("harness SHA-256", ["/inputs/harness_sha256", ""]),
    ("provenance", ["/provenance", "/provenance"]),
];

impl Origin {
    fn of(places: &Places, files: &Files, input: &Input) -> Self {
        let file = files.results.get(&input.file).and_then(Option::as_ref);
        let at = |pointer: &str| file.and_then(|file| file.pointer(pointer));
        let text = |pointers: [&str; 2]| {
            let pointers = pointers.into_iter().filter(|pointer| !pointer.is_empty());
            let found = pointers.into_iter().find_map(at);
            found.and_then(Value::as_str).map(str::to_owned)
        };
        let inputs = ORIGINS.into_iter();
        let inputs = inputs.filter_map(|(name, pointers)| Some((name, text(pointers)?)));
        let trial = trial_of(&input.pointer);
        let options = trial.as_deref().and_then(|trial| {
            let measured = at(&format!("{trial}/measured/result/options"));
            measured.or_else(|| at(&format!("{trial}/failed/options")))
        });
        Self {
            file: places.result(&input.file),
            options: options.cloned(),
            trial,
            inputs: inputs.collect(),
        }
    }
}

/// The pointer of the trial that a pointer leads into.
fn trial_of(pointer: &str) -> Option<String> {
    let rest = pointer.strip_prefix("/trials/")?;
    let index = rest.split('/').next()?;
    Some(format!("/trials/{index}"))
}

/// Every figure of a formula that no result holds, with its source, each once.
fn stated(formula: &Formula) -> Vec<String> {
    let mut sources = Vec::new();
    collect_stated(formula, &mut sources);
    sources
}

fn collect_stated(formula: &Formula, sources: &mut Vec<String>) {
    let mut below = Vec::new();
    match formula {
        Formula::Stated { .. } => {
            let source = formula.to_string();
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        Formula::Value(_) | Formula::Decimal(_) | Formula::Percentile { .. } => {}
        Formula::Sum(parts) | Formula::Product(parts) | Formula::Median(parts) => {
            below.extend(parts);
        }
        Formula::Difference(sides) | Formula::Quotient(sides) => below.extend(sides.as_ref()),
        Formula::RoundedUp(of) => below.push(of),
        Formula::Count(cases) => {
            let conditions = cases.iter().flatten();
            below.extend(conditions.flat_map(|one| [&one.left, &one.right]));
        }
        Formula::Selected { candidates, .. } => {
            for Candidate {
                value,
                rank,
                conditions,
            } in candidates
            {
                below.extend([value, rank]);
                below.extend(conditions.iter().flat_map(|one| [&one.left, &one.right]));
            }
        }
    }
    for formula in below {
        collect_stated(formula, sources);
    }
}
