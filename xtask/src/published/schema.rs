//! The form of the files in `results/published`.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The version of the form.
const SCHEMA: u32 = 1;

/// Stands for [`SCHEMA`]; a file of another version is refused.
#[derive(Debug)]
pub struct Schema;

/// `sources.json`: the documents that figures were read from.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourcesFile {
    #[serde(rename = "schema")]
    _schema: Schema,
    pub documents: Vec<Document>,
}

/// A document that figures were read from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    pub id: String,
    pub title: String,
    pub author: Option<String>,
    pub address: Option<String>,
    /// As the document or its commit gives it, year first.
    pub date: Option<String>,
}

/// A file of tables on one subject.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableFile {
    #[serde(rename = "schema")]
    _schema: Schema,
    pub tables: Vec<RawTable>,
}

/// A table, or a list of figures that one document gives in its running text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawTable {
    pub id: String,
    pub title: String,
    /// Where every row is from, unless the row says otherwise.
    pub source: Option<Source>,
    pub date: Option<String>,
    /// What holds for every row without being printed in it.
    #[serde(default)]
    pub scope: Cells,
    pub note: Option<String>,
    /// The columns; absent where each row has names of its own.
    #[serde(default)]
    pub columns: Vec<RawColumn>,
    pub rows: Vec<RawRow>,
}

/// A column of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawColumn {
    pub id: String,
    /// Without the unit, which the name of the quantity ends in.
    pub title: String,
    /// The quantity, where it is neither that of the row nor the id.
    pub quantity: Option<String>,
    /// What holds for every cell of the column.
    #[serde(default)]
    pub scope: Cells,
}

/// A row of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawRow {
    /// Its name, which no other row of the table has.
    pub row: String,
    /// The quantity of its figures in columns that have none of their own.
    pub quantity: Option<String>,
    pub source: Option<Source>,
    /// What holds for every cell of the row.
    #[serde(default)]
    pub scope: Cells,
    pub cells: Cells,
}

/// A place in a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The id of a document in `sources.json`.
    pub document: String,
    pub section: String,
}

/// Named cells, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells(pub Vec<(String, RawCell)>);

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawCell {
    Text(String),
    Figure(RawFigure),
    Figures(Vec<RawFigure>),
    /// No figure, and what the document prints instead.
    Absent(String),
}

/// A figure as printed, and the same in base units.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawFigure {
    pub printed: String,
    pub exact: String,
}

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            SCHEMA => Ok(Self),
            other => Err(D::Error::custom(format!(
                "schema {other}; this program reads schema {SCHEMA}"
            ))),
        }
    }
}

impl<'de> Deserialize<'de> for Cells {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(CellsVisitor)
    }
}

struct CellsVisitor;

impl<'de> Visitor<'de> for CellsVisitor {
    type Value = Cells;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("cells by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Cells, A::Error> {
        let mut cells: Vec<(String, RawCell)> = Vec::new();
        while let Some((name, cell)) = map.next_entry::<String, RawCell>()? {
            if cells.iter().any(|(other, _)| *other == name) {
                return Err(A::Error::custom(format!("{name} is there twice")));
            }
            cells.push((name, cell));
        }
        Ok(Cells(cells))
    }
}

impl<'de> Deserialize<'de> for RawCell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor)
    }
}

struct CellVisitor;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FigureOrAbsent {
    printed: Option<String>,
    exact: Option<String>,
    absent: Option<String>,
}

impl<'de> Visitor<'de> for CellVisitor {
    type Value = RawCell;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text, a figure (`printed` and `exact`), figures, or `absent`")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<RawCell, E> {
        Ok(RawCell::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<RawCell, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(seq)).map(RawCell::Figures)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawCell, A::Error> {
        match FigureOrAbsent::deserialize(MapAccessDeserializer::new(map))? {
            FigureOrAbsent {
                printed: Some(printed),
                exact: Some(exact),
                absent: None,
            } => Ok(RawCell::Figure(RawFigure { printed, exact })),
            FigureOrAbsent {
                printed: None,
                exact: None,
                absent: Some(absent),
            } => Ok(RawCell::Absent(absent)),
            _ => Err(A::Error::custom(
                "a cell has `printed` and `exact`, or `absent` alone",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn refusal(text: &str) -> String {
        serde_json::from_str::<TableFile>(text)
            .unwrap_err()
            .to_string()
    }

    fn file(cell: &str) -> String {
        format!(
            r#"{{"schema": 1, "tables": [{{"id": "t", "title": "T", "rows": [{{"row": "r", "cells": {{{cell}}}}}]}}]}}"#
        )
    }

    #[test]
    fn each_kind_of_cell_is_read() {
        let text = file(
            r#""a": "text", "b": {"printed": "1", "exact": "1"}, "c": [{"printed": "2", "exact": "2"}], "d": {"absent": "N/A"}"#,
        );
        let read: TableFile = serde_json::from_str(&text).unwrap();
        let cells = &read.tables[0].rows[0].cells.0;
        assert_eq!(cells.len(), 4);
        assert_eq!(cells[3].1, RawCell::Absent("N/A".into()));
    }

    #[test]
    fn what_is_not_of_this_form_is_refused() {
        let cases = [
            (file(r#""a": "1", "a": "2""#), "a is there twice"),
            (file(r#""a": {"printed": "1"}"#), "`printed` and `exact`"),
            (
                file(r#""a": {"printed": "1", "printed": "1", "exact": "1"}"#),
                "duplicate field `printed`",
            ),
            (file(r#""a": {"exakt": "1"}"#), "unknown field `exakt`"),
            (file(r#""a": 1"#), "invalid type: integer"),
            (file(r#""a": NaN"#), "expected value"),
            (file(r#""a": null"#), "invalid type: null"),
            (r#"{"schema": 2, "tables": []}"#.into(), "schema 2"),
            (r#"{"schema": 1}"#.into(), "missing field `tables`"),
            (
                r#"{"schema": 1, "schema": 1, "tables": []}"#.into(),
                "duplicate field `schema`",
            ),
            (
                r#"{"schema": 1, "tables": [], "about": ""}"#.into(),
                "unknown field `about`",
            ),
        ];
        for (text, reason) in cases {
            let refusal = refusal(&text);
            assert!(refusal.contains(reason), "{refusal}");
        }
    }

    proptest! {
        #[test]
        fn a_damaged_file_is_read_or_refused(at in 0_usize..400, text in ".{0,3}") {
            let good = file(r#""a": "text", "b": {"printed": "1", "exact": "1"}, "c": {"absent": "N/A"}"#);
            let mut at = at % good.len();
            while !good.is_char_boundary(at) {
                at -= 1;
            }
            let damaged = format!("{}{text}{}", &good[..at], &good[at + 1..]);
            if let Ok(read) = serde_json::from_str::<TableFile>(&damaged) {
                prop_assert!(read.tables.len() <= 1);
            }
        }
    }
}
