//! The published figures in memory, each with its place.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde::de::DeserializeOwned;

use super::figure::Figure;
use super::schema::{
    Cells, Document, RawCell, RawColumn, RawFigure, RawRow, RawTable, Source, SourcesFile,
    TableFile,
};
use super::unit::Unit;
use crate::{files, paths};

/// Files of the folder that hold no tables.
pub const OTHER_FILES: [&str; 3] = ["sources.json", "known_inconsistencies.json", "digests.json"];

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
    /// The quantity of its figures, unit included.
    pub quantity: String,
    /// What holds for every cell of the column.
    pub scope: Vec<(String, Cell)>,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    pub id: String,
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
    /// Reads the set of the checkout.
    ///
    /// # Errors
    /// A file that is damaged or of another form, a figure whose text and exact value differ, a
    /// name that is there twice, a source that `sources.json` does not list.
    pub fn load() -> anyhow::Result<Self> {
        Self::read(&folder())
    }

    /// Reads the set in `folder`; errors as of [`Published::load`].
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let sources: SourcesFile = read_json(&folder.join("sources.json"))?;
        let mut set = Self {
            documents: sources.documents,
            tables: Vec::new(),
        };
        for name in table_files(folder)? {
            let path = folder.join(&name);
            let file: TableFile = read_json(&path)?;
            for raw in file.tables {
                let table = table(&name, raw).with_context(|| path.display().to_string())?;
                set.tables.push(table);
            }
        }
        set.check_names()
            .with_context(|| folder.display().to_string())?;
        Ok(set)
    }

    fn check_names(&self) -> anyhow::Result<()> {
        let mut documents = BTreeSet::new();
        for document in &self.documents {
            ensure!(
                documents.insert(&document.id),
                "document {} is there twice",
                document.id
            );
        }
        let mut tables = BTreeSet::new();
        for table in &self.tables {
            ensure!(
                tables.insert(&table.id),
                "table {} is there twice",
                table.id
            );
            let mut rows = BTreeSet::new();
            for row in &table.rows {
                ensure!(
                    rows.insert(&row.id),
                    "{}: row {} is there twice",
                    table.id,
                    row.id
                );
                let document = &row.source.document;
                ensure!(
                    documents.contains(document),
                    "sources.json has no document {document}"
                );
            }
        }
        Ok(())
    }

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

impl Row {
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

/// The folder of the published figures in the checkout.
pub fn folder() -> std::path::PathBuf {
    paths::root().join("results/published")
}

/// The names of the files with tables in `folder`, sorted.
pub fn table_files(folder: &Path) -> anyhow::Result<Vec<String>> {
    let cannot_list = || format!("cannot list {}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot_list)? {
        let name = entry.with_context(cannot_list)?.file_name();
        let name = name.to_string_lossy().into_owned();
        if name.ends_with(".json") && !OTHER_FILES.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The contents of the file at `path`.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let text = files::read_text(path)?;
    serde_json::from_str(&text).with_context(|| format!("{} is damaged", path.display()))
}

fn table(file: &str, raw: RawTable) -> anyhow::Result<Table> {
    let id = raw.id;
    let columns = raw.columns.into_iter().map(|raw| {
        let name = raw.id.clone();
        column(raw).with_context(|| format!("{id}: column {name}"))
    });
    let columns: Vec<Column> = columns.collect::<anyhow::Result<_>>()?;
    let rows = raw.rows.into_iter().map(|raw_row| {
        let name = raw_row.row.clone();
        let row = row(raw_row, raw.source.as_ref(), &columns);
        row.with_context(|| format!("{id}/{name}"))
    });
    Ok(Table {
        rows: rows.collect::<anyhow::Result<_>>()?,
        scope: cells(raw.scope, &[]).with_context(|| format!("{id}: scope"))?,
        file: file.to_owned(),
        id,
        title: raw.title,
        date: raw.date,
        note: raw.note,
        columns,
    })
}

fn column(raw: RawColumn) -> anyhow::Result<Column> {
    Ok(Column {
        quantity: raw.quantity.unwrap_or_else(|| raw.id.clone()),
        id: raw.id,
        title: raw.title,
        scope: cells(raw.scope, &[])?,
    })
}

fn row(raw: RawRow, source: Option<&Source>, columns: &[Column]) -> anyhow::Result<Row> {
    let source = raw.source.or_else(|| source.cloned());
    if !columns.is_empty() {
        let names = raw.cells.0.iter().map(|(name, _)| name);
        ensure!(
            names.eq(columns.iter().map(|column| &column.id)),
            "its cells are not the columns of the table in their order"
        );
    }
    Ok(Row {
        id: raw.row,
        source: source.context("it has no source")?,
        scope: cells(raw.scope, &[])?,
        cells: cells(raw.cells, columns)?,
    })
}

/// The cells of `raw`, figures read in the unit of their quantity.
fn cells(raw: Cells, columns: &[Column]) -> anyhow::Result<Vec<(String, Cell)>> {
    let read = |(name, cell): (String, RawCell)| {
        let column = columns.iter().find(|column| column.id == name);
        let (unit, _) = Unit::of(column.map_or(&name, |column| &column.quantity));
        let cell = self::cell(cell, unit).with_context(|| name.clone())?;
        Ok((name, cell))
    };
    raw.0.into_iter().map(read).collect()
}

fn cell(raw: RawCell, unit: Unit) -> anyhow::Result<Cell> {
    let figure = |raw: RawFigure| Figure::read(&raw.printed, &raw.exact, unit);
    match raw {
        RawCell::Text(text) => Ok(Cell::Text(text)),
        RawCell::Absent(text) => Ok(Cell::Absent(text)),
        RawCell::Figure(raw) => figure(raw).map(Cell::Figure),
        RawCell::Figures(raw) => {
            let figures = raw.into_iter().map(figure);
            figures.collect::<anyhow::Result<_>>().map(Cell::Figures)
        }
    }
}
