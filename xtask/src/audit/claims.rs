//! Every claim of a document, judged once more.

use super::documents::Checker;
use super::evaluate::{evaluate, holds, rational};
use super::report::{Finding, Kind, Report};
use crate::trace::{CheckedClaim, Traced};

/// Checks the claims of one document.
pub fn check(checker: &Checker, claims: &[CheckedClaim]) -> Report {
    let findings = claims.iter().filter_map(|claim| {
        let problem = problem(checker, claim)?;
        let message = format!("{:?} {problem}", claim.words);
        Some(checker.finding(Kind::Claim, claim.line.to_string(), message))
    });
    let findings: Vec<Finding> = findings.collect();
    Checker::report("claims judged", claims.len(), findings)
}

/// What is wrong with a claim, if anything.
fn problem(checker: &Checker, claim: &CheckedClaim) -> Option<String> {
    let sides = [&claim.left, &claim.right].map(|side| evaluated(checker, side));
    let (left, right) = match sides {
        [Ok(left), Ok(right)] => (left, right),
        [Err(reason), _] | [_, Err(reason)] => return Some(format!("does not follow: {reason}")),
    };
    let tolerance = claim.tolerance.map(|tolerance| rational(tolerance.0));
    let tolerance = match tolerance.transpose() {
        Ok(tolerance) => tolerance,
        Err(reason) => return Some(reason),
    };
    match holds(left, claim.relation, right, tolerance) {
        Some(true) => {}
        Some(false) => {
            let within = tolerance.map(|share| format!(" within {share}"));
            return Some(format!(
                "does not hold: {left} {} {right}{} ({} against {})",
                claim.relation,
                within.unwrap_or_default(),
                claim.left.formula,
                claim.right.formula
            ));
        }
        None => return Some("compares numbers of more than 127 bits".to_owned()),
    }
    let stands = checker.committed.line(claim.line).contains(&claim.words);
    (!stands).then(|| "does not stand there".to_owned())
}

fn evaluated(checker: &Checker, side: &Traced) -> Result<super::rational::Rational, String> {
    let value = evaluate(&checker.files.results, &side.formula)?;
    if rational(side.value) != Ok(value) {
        return Err(format!(
            "{}/{} was compared, and {} gives {value}",
            side.value.numerator, side.value.denominator, side.formula
        ));
    }
    Ok(value)
}
