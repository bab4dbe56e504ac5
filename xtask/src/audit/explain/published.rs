//! Published figures that a text stands for.

use serde::Serialize;

use super::super::set::Places;
use crate::published::figure::Figure;
use crate::published::set::{Cell, Published, Row, Table};
use crate::published::text::place;

/// A published figure with its source.
#[derive(Debug, Serialize)]
pub struct PublishedFigure {
    pub printed: String,
    /// In the base unit.
    pub exact: String,
    pub base_unit: &'static str,
    /// What it measures, its unit included.
    pub quantity: String,
    /// Table, row and column.
    pub cell: String,
    pub file: String,
    /// Document and section.
    pub source: String,
}

/// Looks for figures that are printed like the text, with their units or without.
pub fn find(places: &Places, set: &Published, text: &str) -> Vec<PublishedFigure> {
    let text = text.trim();
    let mut found = Vec::new();
    for table in &set.tables {
        for row in &table.rows {
            for (column, cell) in &row.cells {
                let figures = match cell {
                    Cell::Figure(figure) => std::slice::from_ref(figure),
                    Cell::Figures(figures) => figures,
                    Cell::Text(_) | Cell::Absent(_) => &[],
                };
                let like = figures.iter().filter(|figure| is_like(figure, text));
                found.extend(like.map(|figure| of(places, set, (table, row, column), figure)));
            }
        }
    }
    found
}

fn is_like(figure: &Figure, text: &str) -> bool {
    [
        figure.printed.clone(),
        figure.with_unit(),
        figure.printed.replace(',', ""),
    ]
    .iter()
    .any(|printed| printed == text)
}

fn of(
    places: &Places,
    set: &Published,
    (table, row, column): (&Table, &Row, &str),
    figure: &Figure,
) -> PublishedFigure {
    let folder = places.published.clone().unwrap_or_default();
    PublishedFigure {
        printed: figure.with_unit(),
        exact: figure.exact.clone(),
        base_unit: figure.unit.base,
        quantity: row.quantity(table, column).to_owned(),
        cell: row.place(table, column).to_string(),
        file: places.shown(&folder.join(&table.file)),
        source: place(set, &row.source),
    }
}
