//! Published tables as text.

use std::fmt::Write as _;

use super::schema::Source;
use super::set::{Cell, Column, Published, Row, Table};
use super::unit::Unit;
use crate::output;

/// The tables with how many figures they hold and their titles, one a line.
pub fn list(set: &Published) -> String {
    let figures = |table: &Table| -> usize {
        let cells = table.rows.iter().flat_map(|row| &row.cells);
        let figures = cells.map(|(_, cell)| match cell {
            Cell::Figure(_) => 1,
            Cell::Figures(figures) => figures.len(),
            Cell::Text(_) | Cell::Absent(_) => 0,
        });
        figures.sum()
    };
    let mut text = format!("{:<28}  {:>7}  title\n", "table", "figures");
    for table in &set.tables {
        let _ = writeln!(
            text,
            "{:<28}  {:>7}  {}",
            table.id,
            figures(table),
            table.title
        );
    }
    text
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
    let cells = |row: &Row| {
        let cells = row.cells.iter().zip(&table.columns);
        let cells = cells.map(|((name, cell), column)| {
            // Figures of a row have their unit with them, as it is not in the header.
            if column.quantity.is_none() && row.quantity.is_some() {
                with_unit(cell, Unit::of(row.quantity(table, name)).0)
            } else {
                shown(cell)
            }
        });
        cells.collect()
    };
    let rows: Vec<Vec<String>> = table.rows.iter().map(cells).collect();
    output::table(&header, &rows)
}

/// One row a paragraph, for tables whose rows have names of their own.
fn long(table: &Table) -> String {
    let mut text = String::new();
    for row in &table.rows {
        let _ = writeln!(text, "{}", row.id);
        for (name, cell) in &row.cells {
            let (unit, base) = Unit::of(name);
            let _ = writeln!(
                text,
                "    {}: {}",
                base.replace('_', " "),
                with_unit(cell, unit)
            );
        }
    }
    text
}

fn heading(column: &Column) -> String {
    let (unit, _) = Unit::of(column.quantity.as_ref().unwrap_or(&column.id));
    if unit.symbol.is_empty() {
        column.title.clone()
    } else {
        format!("{}, {}", column.title, unit.symbol)
    }
}

fn with_unit(cell: &Cell, unit: Unit) -> String {
    match cell {
        Cell::Figure(_) | Cell::Figures(_) => format!("{} {}", shown(cell), unit.symbol)
            .trim_end()
            .to_owned(),
        Cell::Text(_) | Cell::Absent(_) => shown(cell),
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
