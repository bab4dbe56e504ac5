//! `--explain`: where a figure of a document comes from.

mod matching;
mod published;
mod text;
mod trace;

use serde::Serialize;

use super::documents;
use super::set::{Files, Places};
use crate::published::set::Published;

use published::PublishedFigure;
use trace::{ExplainedClaim, ExplainedFigure};

/// Everything that a text stands for.
#[derive(Debug, Default, Serialize)]
pub struct Explanation {
    pub figures: Vec<ExplainedFigure>,
    pub claims: Vec<ExplainedClaim>,
    pub published: Vec<PublishedFigure>,
    /// The figures nearest to a number that no figure is, with their places.
    pub nearest: Vec<String>,
}

impl Explanation {
    /// Looks for `text` in the documents and the published tables: a figure, with its unit or without,
    /// a claim, or a part of a line.
    ///
    /// # Errors
    /// The documents cannot be rendered, or the published figures cannot be read.
    pub fn of(places: &Places, text: &str) -> anyhow::Result<Self> {
        let files = Files::read(places)?;
        let rendered = documents::render(places);
        let rendered = rendered.map_err(|finding| anyhow::anyhow!(finding.to_string()))?;
        let published = places
            .published
            .as_deref()
            .map(Published::read)
            .transpose()?;
        let found = matching::find(&rendered, text);
        let figures = found
            .figures
            .iter()
            .map(|(document, figure)| ExplainedFigure::of(places, &files, document, figure));
        let claims = found
            .claims
            .iter()
            .map(|(document, claim)| ExplainedClaim::of(places, &files, document, claim));
        let tables = published.as_ref();
        let of_tables = tables.map(|set| published::find(places, set, text));
        let mut explanation = Self {
            figures: figures.collect(),
            claims: claims.collect(),
            published: of_tables.unwrap_or_default(),
            nearest: Vec::new(),
        };
        if explanation.is_empty() {
            explanation.nearest = matching::nearest(&rendered, text);
        }
        Ok(explanation)
    }

    /// Whether nothing is like the text.
    pub fn is_empty(&self) -> bool {
        self.figures.is_empty() && self.claims.is_empty() && self.published.is_empty()
    }

    /// For people.
    pub fn text(&self, asked: &str) -> String {
        text::of(self, asked)
    }

    /// For programs.
    pub fn json(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
