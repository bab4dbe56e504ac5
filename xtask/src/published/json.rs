//! Published tables and the outcome of their checks as JSON.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::audit::Audit;
use super::figure::Figure;
use super::set::{Cell, Published, Table};

/// The tables with their titles.
pub fn list(set: &Published) -> anyhow::Result<String> {
    let table =
        |table: &Table| json!({"table": table.id, "title": table.title, "file": table.file});
    pretty(&set.tables.iter().map(table).collect::<Vec<_>>())
}

/// A table, each figure as printed, with its unit and its exact value in base units.
pub fn table(table: &Table) -> anyhow::Result<String> {
    let rows = table.rows.iter().map(|row| {
        let cells = row
            .cells
            .iter()
            .map(|(name, cell)| (name.clone(), self::cell(cell)));
        json!({
            "row": row.id,
            "source": {"document": row.source.document, "section": row.source.section},
            "cells": cells.collect::<Map<_, _>>(),
        })
    });
    pretty(&json!({
        "table": table.id,
        "title": table.title,
        "date": table.date,
        "note": table.note,
        "rows": rows.collect::<Vec<_>>(),
    }))
}

/// Every inconsistency, and how often each rule held.
pub fn audit(audit: &Audit) -> anyhow::Result<String> {
    pretty(audit)
}

fn cell(cell: &Cell) -> Value {
    match cell {
        Cell::Text(text) => json!(text),
        Cell::Figure(figure) => self::figure(figure),
        Cell::Figures(figures) => figures.iter().map(self::figure).collect(),
        Cell::Absent(text) => json!({"absent": text}),
    }
}

fn figure(figure: &Figure) -> Value {
    json!({
        "printed": figure.printed,
        "unit": figure.unit.symbol,
        "exact": figure.exact,
    })
}

fn pretty(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
