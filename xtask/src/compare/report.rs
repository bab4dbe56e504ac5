//! Differences as a table, as Markdown, and as JSON.

use bench::Ratio;
use serde_json::{Value as Json, json};

use super::difference::{Difference, change_percent};
use super::facts::Value;
use crate::output;
use crate::render::decimal;
use crate::results::json;

/// Everything that two sets do not have in common.
pub struct Report {
    pub before: String,
    pub after: String,
    pub differences: Vec<Difference>,
}

impl Report {
    /// How many differences cross a threshold.
    pub fn crossed(&self) -> usize {
        let crossed = self.differences.iter();
        crossed.filter(|one| one.crosses.is_some()).count()
    }

    fn headline(&self) -> String {
        format!(
            "{} -> {}: {} differences, {} cross a threshold",
            self.before,
            self.after,
            self.differences.len(),
            self.crossed()
        )
    }

    /// A table for a terminal.
    pub fn text(&self) -> String {
        let mut text = self.headline() + "\n";
        if !self.differences.is_empty() {
            let header = ["figure", "before", "after", "change", "crosses"];
            text += &output::table(&header, &Vec::from_iter(self.rows()));
        }
        text
    }

    /// A table for a comment, with what crosses a threshold in bold.
    pub fn markdown(&self) -> String {
        let mut text = format!("**{}**\n", escaped(&self.headline()));
        if self.differences.is_empty() {
            return text;
        }
        text += "\n| figure | before | after | change | crosses |\n|---|---:|---:|---:|---|\n";
        for (row, one) in self.rows().zip(&self.differences) {
            let mut cells = Vec::from_iter(row.iter().map(|cell| escaped(cell)));
            if one.crosses.is_some() {
                cells[0] = format!("**{}**", cells[0]);
            }
            text += &format!("| {} |\n", cells.join(" | "));
        }
        text
    }

    /// Exact figures in base units.
    pub fn json(&self) -> anyhow::Result<String> {
        let differences = self.differences.iter().map(|one| {
            json!({
                "subject": one.subject,
                "measure": one.measure,
                "before": one.before.as_ref().map(exact),
                "after": one.after.as_ref().map(exact),
                "crosses": one.crosses,
            })
        });
        let value = json!({
            "before": self.before,
            "after": self.after,
            "crossed": self.crossed(),
            "differences": Vec::from_iter(differences),
        });
        Ok(json::to_text(&value)?)
    }

    fn rows(&self) -> impl Iterator<Item = Vec<String>> + '_ {
        self.differences.iter().map(|one| {
            let figure = format!("{} {}", one.subject, one.measure);
            let shown = |value: &Option<Value>| value.as_ref().map_or("missing".to_owned(), show);
            vec![
                figure.trim().to_owned(),
                shown(&one.before),
                shown(&one.after),
                change(one),
                one.crosses.clone().unwrap_or_default(),
            ]
        })
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('|', "\\|")
        .replace('*', "\\*")
}

fn exact(value: &Value) -> Json {
    match value {
        Value::Text(text) => json!(text),
        Value::Figure(ratio, unit) => {
            let number = |part: u128| match u64::try_from(part) {
                Ok(part) => json!(part),
                Err(_) => json!(part.to_string()),
            };
            let (numerator, denominator) = (number(ratio.numerator), number(ratio.denominator));
            json!({ "numerator": numerator, "denominator": denominator, "unit": unit })
        }
    }
}

fn show(value: &Value) -> String {
    match value {
        Value::Text(text) => shortened(text).to_owned(),
        Value::Figure(ratio, unit) => {
            let digits = if ratio.denominator == 1 { 0 } else { 4 };
            let unit = match *unit {
                "" | "1" => String::new(),
                unit => format!(" {unit}"),
            };
            decimal(*ratio, digits) + &unit
        }
    }
}

/// The first digits of a SHA-256; any other text as it is.
fn shortened(text: &str) -> &str {
    let is_digest = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_digest { &text[..12] } else { text }
}

/// The change in percent of what a figure was.
fn change(one: &Difference) -> String {
    let (Some(Value::Figure(before, _)), Some(Value::Figure(after, _))) = (&one.before, &one.after)
    else {
        return String::new();
    };
    match change_percent(*before, *after) {
        None => "no ratio, baseline 0".to_owned(),
        Some((fell, percent)) => signed(fell, percent),
    }
}

fn signed(fell: bool, percent: Ratio) -> String {
    let sign = if fell { '-' } else { '+' };
    format!("{sign}{} %", decimal(percent, 2))
}
