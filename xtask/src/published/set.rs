//! The published figures in memory, each with its place.

use std::fmt;

use anyhow::{Context, bail};

use super::figure::Figure;
use super::schema::{Document, Source};

/// Every published figure.
#[derive(Clone, Debug)]
pub struct Published {
    pub documents: Vec<Document>,
    /// In the order of the files' names.
    pub tables: Vec<Table>,
}

/// A table as one document prints it, or figures of running text.
#[derive(Clone, Debug)]
pub struct Table {
    pub id: String,
    /// The file it is in.
    pub file: String,
    pub title: String,
    pub date: Option<String>,
    pub note: Option<String>,
    /// Empty where each row has names of its own.
    pub columns: Vec<Column>,
    /// What holds for every row.
    pub scope: Vec<(String, Cell)>,
    pub rows: Vec<Row>,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    pub id: String,
    pub title: String,
    /// The quantity of its figures, unit included, where it is not that of the row.
    pub quantity: Option<String>,
    /// What holds for every cell of the column.
    pub scope: Vec<(String, Cell)>,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    pub id: String,
    /// The quantity of its figures in columns that have none of their own.
    pub quantity: Option<String>,
    pub source: Source,
    pub scope: Vec<(String, Cell)>,
    /// By column, in the order of the table.
    pub cells: Vec<(String, Cell)>,
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    Text(String),
    Figure(Figure),
    Figures(Vec<Figure>),
    /// No figure, and what the document prints instead.
    Absent(String),
}

/// Where a cell is: in this set, and in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place<'a> {
    pub table: &'a str,
    pub row: &'a str,
    pub column: &'a str,
    pub source: &'a Source,
}

/// A figure with its place.
#[derive(Clone, Copy, Debug)]
pub struct Cited<'a> {
    pub figure: &'a Figure,
    pub place: Place<'a>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}/{}", self.table, self.row, self.column)
    }
}

impl Published {
    /// The table called `id`.
    ///
    /// # Errors
    /// There is none.
    pub fn table(&self, id: &str) -> anyhow::Result<&Table> {
        let table = self.tables.iter().find(|table| table.id == id);
        table
            .with_context(|| format!("no published table {id}; `cargo xtask published` lists them"))
    }

    /// The figure in `column` of `row` of `table`.
    ///
    /// # Errors
    /// There is no such cell, or it holds no figure.
    pub fn figure(&self, table: &str, row: &str, column: &str) -> anyhow::Result<Cited<'_>> {
        let (cell, place) = self.cell(table, row, column)?;
        match cell {
            Cell::Figure(figure) => Ok(Cited { figure, place }),
            _ => bail!("{place} holds no figure"),
        }
    }

    /// The figures in `column` of `row` of `table`; errors as of [`Published::figure`].
    pub fn figures(
        &self,
        table: &str,
        row: &str,
        column: &str,
    ) -> anyhow::Result<(&[Figure], Place<'_>)> {
        let (cell, place) = self.cell(table, row, column)?;
        match cell {
            Cell::Figures(figures) => Ok((figures, place)),
            _ => bail!("{place} holds no row of figures"),
        }
    }

    /// The text in `column` of `row` of `table`; errors as of [`Published::figure`].
    pub fn text(&self, table: &str, row: &str, column: &str) -> anyhow::Result<(&str, Place<'_>)> {
        let (cell, place) = self.cell(table, row, column)?;
        match cell {
            Cell::Text(text) => Ok((text, place)),
            _ => bail!("{place} holds no text"),
        }
    }

    fn cell(&self, table: &str, row: &str, column: &str) -> anyhow::Result<(&Cell, Place<'_>)> {
        let table = self.table(table)?;
        let found = table.rows.iter().find(|other| other.id == row);
        let found = found.with_context(|| format!("{} has no row {row}", table.id))?;
        let place_of = |(name, _): &&(String, Cell)| name == column;
        let (name, cell) = found
            .cells
            .iter()
            .find(place_of)
            .with_context(|| format!("{}/{row} has no cell {column}", table.id))?;
        Ok((cell, found.place(table, name)))
    }
}

/// The quantity of a cell called `name`: that of its column, or that of its row, or its name.
pub fn quantity<'a>(column: Option<&'a Column>, of_row: Option<&'a str>, name: &'a str) -> &'a str {
    let Some(column) = column else { return name };
    column.quantity.as_deref().or(of_row).unwrap_or(name)
}

impl Row {
    /// What the figure in the cell `name` of this row of `table` measures, unit included.
    pub fn quantity<'a>(&'a self, table: &'a Table, name: &'a str) -> &'a str {
        let column = table.columns.iter().find(|column| column.id == name);
        quantity(column, self.quantity.as_deref(), name)
    }

    /// The place of the cell `column` in this row of `table`.
    pub fn place<'a>(&'a self, table: &'a Table, column: &'a str) -> Place<'a> {
        Place {
            table: &table.id,
            row: &self.id,
            column,
            source: &self.source,
        }
    }
}
