//! Published tables as text.

use std::fmt::Write as _;

use super::schema::Source;
use super::set::{Cell, Column, Published, Row, Table};
use super::unit::Unit;
use crate::output;

/// The tables with their titles, one a line.
pub fn list(set: &Published) -> String {
    let row = |table: &Table| {
        let figures = table.rows.iter().flat_map(|row| &row.cells);
        let figures = figures.map(|(_, cell)| match cell {
            Cell::Figure(_) => 1,
            Cell::Figures(figures) => figures.len(),
            Cell::Text(_) | Cell::Absent(_) => 0,
        });
        format!(
            "{:<32}  {:>4}  {}\n",
            table.id,
            figures.sum::<usize>(),
            table.title
        )
    };
    let rows: String = set.tables.iter().map(row).collect();
    format!("{:<32}  {:>4}  {}\n{rows}", "table", "figures", "title").replace("figures  ", "figs  ")
}

/// A table with its title, its header, its rows and where they are from.
pub fn table(set: &Published, table: &Table) -> String {
    let mut text = table.title.clone();
    if let Some(date) = &table.date {
        let _ = write!(text, " ({date})");
    }
    text += "\n\n";
    text += &if table.columns.is_empty() {
        long(table)
    } else {
        wide(table)
    };
    if let Some(note) = &table.note {
        let _ = write!(text, "\n{note}\n");
    }
    let mut sources: Vec<&Source> = Vec::new();
    for row in &table.rows {
        if !sources.contains(&&row.source) {
            sources.push(&row.source);
        }
    }
    text += "\n";
    for source in sources {
        let _ = writeln!(text, "Source: {}", place(set, source));
    }
    text
}

/// A place in a document with the document's title.
pub fn place(set: &Published, source: &Source) -> String {
    let document = set
        .documents
        .iter()
        .find(|other| other.id == source.document);
    let title = document.map_or(source.document.as_str(), |document| &document.title);
    format!("{title}, section \"{}\"", source.section)
}

/// One line a row, under a header.
fn wide(table: &Table) -> String {
    let header: Vec<String> = table.columns.iter().map(heading).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let cells = |row: &Row| row.cells.iter().map(|(_, cell)| shown(cell)).collect();
    let rows: Vec<Vec<String>> = table.rows.iter().map(cells).collect();
    output::table(&header, &rows)
}

/// One line a cell, for tables whose rows have names of their own.
fn long(table: &Table) -> String {
    let lines = table.rows.iter().flat_map(|row| {
        row.cells.iter().map(|(name, cell)| {
            let (unit, base) = Unit::of(name);
            let figure = match cell {
                Cell::Figure(_) | Cell::Figures(_) => format!("{} {}", shown(cell), unit.symbol),
                Cell::Text(_) | Cell::Absent(_) => shown(cell),
            };
            vec![row.id.clone(), base.replace('_', " "), figure]
        })
    });
    output::table(&["row", "quantity", "figure"], &lines.collect::<Vec<_>>())
}

fn heading(column: &Column) -> String {
    let (unit, _) = Unit::of(&column.quantity);
    if unit.symbol.is_empty() {
        column.title.clone()
    } else {
        format!("{}, {}", column.title, unit.symbol)
    }
}

/// The cell exactly as printed.
pub fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) | Cell::Absent(text) => text.clone(),
        Cell::Figure(figure) => figure.printed.clone(),
        Cell::Figures(figures) => {
            let printed: Vec<&str> = figures
                .iter()
                .map(|figure| figure.printed.as_str())
                .collect();
            printed.join("; ")
        }
    }
}
