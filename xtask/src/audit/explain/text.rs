//! An explanation for people.

use std::fmt::Write as _;

use super::Explanation;
use super::published::PublishedFigure;
use super::trace::{ExplainedClaim, ExplainedFigure, Origin, Side};

/// How many inputs of a figure are listed; a rate of a sweep follows from hundreds.
const INPUTS: usize = 20;

/// The explanation of what was asked for.
pub fn of(explanation: &Explanation, asked: &str) -> String {
    let parts = explanation.figures.iter().map(figure);
    let parts = parts.chain(explanation.claims.iter().map(claim));
    let parts = parts.chain(explanation.published.iter().map(published));
    let parts = Vec::from_iter(parts);
    if parts.is_empty() {
        return none(explanation, asked);
    }
    parts.join("\n")
}

fn none(explanation: &Explanation, asked: &str) -> String {
    let nearest = match &explanation.nearest[..] {
        [] => String::new(),
        nearest => format!("; nearest are {}", nearest.join(", ")),
    };
    format!("no figure, claim or line with figures reads like {asked:?}{nearest}\n")
}

fn figure(figure: &ExplainedFigure) -> String {
    let ExplainedFigure {
        document,
        line,
        column,
        printed,
        unit,
        side: of,
    } = figure;
    let shown = format!("{printed} {unit}");
    let mut text = format!("{document}:{line}:{column}: {}\n", shown.trim_end());
    side(&mut text, of);
    text
}

fn claim(claim: &ExplainedClaim) -> String {
    let ExplainedClaim {
        document,
        line,
        words,
        relation,
        tolerance,
        left,
        right,
    } = claim;
    let within = tolerance.as_ref().map(|share| format!(" within {share}"));
    let within = within.unwrap_or_default();
    let mut text = format!("{document}:{line}: claim {words:?}: left {relation} right{within}\n");
    for (name, of) in [("left", left), ("right", right)] {
        let _ = writeln!(text, "  {name}");
        side(&mut text, of);
    }
    text
}

fn side(text: &mut String, side: &Side) {
    let Side {
        exact,
        formula,
        inputs,
        results,
        stated,
    } = side;
    let _ = writeln!(text, "  exact    {exact}");
    let _ = writeln!(text, "  formula  {formula}");
    for input in inputs.iter().take(INPUTS) {
        let value = match input.value.as_object() {
            Some(_) => "a histogram".to_owned(),
            None => input.value.to_string(),
        };
        let _ = writeln!(text, "  input    {}#{}: {value}", input.file, input.pointer);
    }
    if let Some(more) = inputs.len().checked_sub(INPUTS).filter(|more| *more > 0) {
        let _ = writeln!(text, "  input    and {more} more, which --json lists");
    }
    for source in stated {
        let _ = writeln!(text, "  stated   {source}");
    }
    for origin in results.iter().take(INPUTS) {
        result(text, origin);
    }
}

fn result(text: &mut String, origin: &Origin) {
    let trial = origin.trial.as_ref().map(|trial| format!("#{trial}"));
    let _ = writeln!(
        text,
        "  result   {}{}",
        origin.file,
        trial.unwrap_or_default()
    );
    for (name, value) in &origin.inputs {
        let _ = writeln!(text, "           {name}: {value}");
    }
    if let Some(options) = &origin.options {
        let _ = writeln!(text, "           options: {options}");
    }
}

fn published(figure: &PublishedFigure) -> String {
    let PublishedFigure {
        printed,
        exact,
        base_unit,
        quantity,
        cell,
        file,
        source,
    } = figure;
    let exact = format!("{exact} {base_unit}");
    format!(
        "published: {printed}\n  exact    {}\n  quantity {quantity}\n  cell     {cell} in {file}\n  source   {source}\n",
        exact.trim_end()
    )
}
