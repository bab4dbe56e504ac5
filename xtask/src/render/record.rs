//! What a template printed, and where in the document it stands.
//!
//! While a template runs, what it prints through a filter is put between marks that no text has; when it
//! is done, the marks are taken out again and tell line and column.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};

use crate::trace::{CheckedClaim, Relation, Tolerance, Traced};

/// Before what is marked, followed by its kind and number.
const BEGIN: char = '\u{E000}';
/// Between kind and number and the text itself.
const TEXT: char = '\u{E001}';
/// After the text.
const END: char = '\u{E002}';

/// A document, and everything in it that came through a filter.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// The name of the document.
    pub document: String,
    /// The whole text.
    pub text: String,
    /// Its figures, in their order.
    pub figures: Vec<Printed>,
    /// Its claims, in their order; each was found true.
    pub claims: Vec<CheckedClaim>,
    /// Texts that are no figures though they may have digits: names, versions, messages of results.
    pub names: Vec<Span>,
}

/// A figure in a document.
#[derive(Clone, Debug)]
pub struct Printed {
    /// Where it stands.
    pub at: Span,
    /// The unit it is shown in.
    pub unit: Unit,
    /// How many digits stand after the point.
    pub digits: u32,
    /// What it is.
    pub traced: Traced,
}

/// A stretch of one line of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What stands there.
    pub text: String,
}

/// The units that figures are shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The base unit: a count, bytes, cycles, a quotient.
    One,
    /// Hundredths.
    Percent,
    /// Microseconds, of nanoseconds.
    Microseconds,
    /// Milliseconds, of nanoseconds.
    Milliseconds,
    /// Seconds, of nanoseconds.
    Seconds,
    /// Kilohertz, of hertz.
    Kilohertz,
    /// Megahertz, of hertz.
    Megahertz,
    /// Mbit/s, of bit/s.
    MegabitsPerSecond,
}

impl Unit {
    /// What the base unit is multiplied with, and divided by.
    pub const fn scale(self) -> (u128, u128) {
        match self {
            Self::One => (1, 1),
            Self::Percent => (100, 1),
            Self::Microseconds | Self::Kilohertz => (1, 1_000),
            Self::Milliseconds | Self::Megahertz | Self::MegabitsPerSecond => (1, 1_000_000),
            Self::Seconds => (1, 1_000_000_000),
        }
    }
}

/// What a template has printed so far.
#[derive(Clone, Default)]
pub struct Recorder {
    entries: Arc<Mutex<Vec<Entry>>>,
}

#[derive(Clone)]
enum Entry {
    Figure {
        unit: Unit,
        digits: u32,
        traced: Traced,
    },
    Claim {
        left: Traced,
        relation: Relation,
        right: Traced,
        tolerance: Option<Tolerance>,
    },
    Name,
}

impl Recorder {
    /// `text`, marked as a figure.
    pub fn figure(&self, text: &str, unit: Unit, digits: u32, traced: &Traced) -> String {
        self.mark(
            Entry::Figure {
                unit,
                digits,
                traced: traced.clone(),
            },
            text,
        )
    }

    /// `words`, marked as a claim that holds.
    pub fn claim(
        &self,
        words: &str,
        (left, relation, right): (&Traced, Relation, &Traced),
        tolerance: Option<Tolerance>,
    ) -> String {
        self.mark(
            Entry::Claim {
                left: left.clone(),
                relation,
                right: right.clone(),
                tolerance,
            },
            words,
        )
    }

    /// `text`, marked as a name; as it is when something in it is marked already.
    pub fn name(&self, text: &str) -> String {
        if text.contains(BEGIN) {
            return text.to_owned();
        }
        self.mark(Entry::Name, text)
    }

    fn mark(&self, entry: Entry, text: &str) -> String {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(entry);
        format!("{BEGIN}{}{TEXT}{text}{END}", entries.len() - 1)
    }

    /// The document without marks, and what they told.
    ///
    /// # Errors
    /// Marks that do not pair: a text of a result has one.
    pub fn place(&self, document: &str, marked: &str) -> anyhow::Result<Rendered> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rendered = Rendered {
            document: document.to_owned(),
            text: String::with_capacity(marked.len()),
            figures: Vec::new(),
            claims: Vec::new(),
            names: Vec::new(),
        };
        let (mut line, mut column) = (1, 1);
        let mut open = Vec::new();
        let mut rest = marked.chars();
        while let Some(next) = rest.next() {
            match next {
                BEGIN => {
                    let number: String = rest.by_ref().take_while(|&next| next != TEXT).collect();
                    open.push((number, line, column, rendered.text.len()));
                }
                END => {
                    let (number, line, column, from) =
                        open.pop().context("a mark ends that did not begin")?;
                    let index: usize = number.parse().context("a mark has no number")?;
                    let entry = entries.get(index).context("a mark has another's number")?;
                    let at = Span {
                        line,
                        column,
                        text: rendered.text[from..].to_owned(),
                    };
                    rendered.add(entry.clone(), at);
                }
                TEXT => bail!("a mark has a text and did not begin"),
                next => {
                    rendered.text.push(next);
                    (line, column) = match next {
                        '\n' => (line + 1, 1),
                        _ => (line, column + 1),
                    };
                }
            }
        }
        anyhow::ensure!(open.is_empty(), "a mark did not end");
        Ok(rendered)
    }
}

impl Rendered {
    fn add(&mut self, entry: Entry, at: Span) {
        match entry {
            Entry::Figure {
                unit,
                digits,
                traced,
            } => self.figures.push(Printed {
                at,
                unit,
                digits,
                traced,
            }),
            Entry::Claim {
                left,
                relation,
                right,
                tolerance,
            } => self.claims.push(CheckedClaim {
                line: at.line,
                words: at.text,
                left,
                relation,
                right,
                tolerance,
            }),
            Entry::Name => self.names.push(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_marked_is_found_at_its_line_and_column() {
        let recorder = Recorder::default();
        let seven = Traced::stated(7_u64, "here");
        let figure = recorder.figure("7.0", Unit::One, 1, &seven);
        let claim = recorder.claim("most", (&seven, Relation::Equal, &seven), None);
        let name = recorder.name("x86");
        let marked = format!("é {figure} of\n{claim}, {name}{figure}\n");
        let rendered = recorder.place("D.md", &marked).unwrap();
        assert_eq!(rendered.text, "é 7.0 of\nmost, x867.0\n");
        let places = rendered
            .figures
            .iter()
            .map(|figure| (figure.at.line, figure.at.column, figure.at.text.as_str()));
        assert_eq!(places.collect::<Vec<_>>(), [(1, 3, "7.0"), (2, 10, "7.0")]);
        assert_eq!(
            (rendered.claims[0].line, &*rendered.claims[0].words),
            (2, "most")
        );
        assert_eq!((rendered.names[0].line, rendered.names[0].column), (2, 7));
    }

    #[test]
    fn a_name_around_a_figure_leaves_the_figure() {
        let recorder = Recorder::default();
        let figure = recorder.figure("7", Unit::One, 0, &Traced::stated(7_u64, "here"));
        let text = recorder.name(&format!("{figure} of them"));
        let rendered = recorder.place("D.md", &text).unwrap();
        assert_eq!((rendered.figures.len(), rendered.names.len()), (1, 0));
    }

    #[test]
    fn marks_of_a_result_are_refused() {
        let recorder = Recorder::default();
        for text in [
            "\u{E000}",
            "\u{E001}",
            "\u{E002}",
            "\u{E000}9\u{E001}x\u{E002}",
        ] {
            assert!(recorder.place("D.md", text).is_err(), "{text:?}");
        }
    }
}
