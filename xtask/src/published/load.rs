//! Reading the files of published figures.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::de::DeserializeOwned;

use super::figure::Figure;
use super::schema::{
    Cells, RawCell, RawColumn, RawFigure, RawRow, RawTable, Source, SourcesFile, TableFile,
};
use super::set::{Cell, Column, Published, Row, Table, quantity};
use super::unit::Unit;
use crate::{files, paths};

/// Files of the folder that hold no tables.
const OTHER_FILES: [&str; 3] = ["sources.json", "known_inconsistencies.json", "digests.json"];

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
}

/// The folder of the published figures in the checkout.
pub fn folder() -> PathBuf {
    paths::root().join("results/published")
}

/// The names of the files with tables in `folder`, sorted.
pub fn table_files(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = json_files(folder)?;
    names.retain(|name| !OTHER_FILES.contains(&name.as_str()));
    Ok(names)
}

/// The names of the JSON files in `folder`, sorted.
pub fn json_files(folder: &Path) -> anyhow::Result<Vec<String>> {
    let cannot_list = || format!("cannot list {}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot_list)? {
        let name = entry.with_context(cannot_list)?.file_name();
        let name = name.to_string_lossy().into_owned();
        if name.ends_with(".json") {
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
        scope: cells(raw.scope, &[], None).with_context(|| format!("{id}: scope"))?,
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
        quantity: raw.quantity,
        id: raw.id,
        title: raw.title,
        scope: cells(raw.scope, &[], None)?,
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
        scope: cells(raw.scope, &[], None)?,
        cells: cells(raw.cells, columns, raw.quantity.as_deref())?,
        quantity: raw.quantity,
    })
}

/// The cells of `raw`, figures read in the unit of their quantity.
fn cells(
    raw: Cells,
    columns: &[Column],
    of_row: Option<&str>,
) -> anyhow::Result<Vec<(String, Cell)>> {
    let read = |(name, cell): (String, RawCell)| {
        let column = columns.iter().find(|column| column.id == name);
        let (unit, _) = Unit::of(quantity(column, of_row, &name));
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
