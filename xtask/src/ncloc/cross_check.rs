//! What tokei takes the lines of a file for, beside the reference count.
//!
//! tokei gives counts of a whole text. What it takes a line for is the difference between its counts
//! of the text up to this line and up to the one before; these differences add up to its counts.

use std::fmt;
use std::ops::Sub;

use serde::Serialize;
use tokei::Config;

use super::count::{classes, without_byte_order_mark};
use super::language::Language;
use super::line::Class;
use super::uncountable::Uncountable;

/// tokei's counts of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reading {
    /// Lines of code.
    pub code: i64,
    /// Lines of comment, with all lines of documentation.
    pub comment: i64,
    /// Blank lines.
    pub blank: i64,
}

/// A line that tokei takes for something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Its number, from 1.
    pub line: usize,
    /// What it is by the reference count.
    pub class: Class,
    /// What this line adds to tokei's counts; more than one line, or less than none, where tokei
    /// takes earlier lines for something else because of this one.
    pub tokei: Reading,
}

/// tokei's counts of the lines that are of no unit test.
pub fn read(text: &[u8], classes: &[Class], language: Language) -> Reading {
    let kept: Vec<u8> = kept(text, classes)
        .flat_map(|(_, line)| line)
        .copied()
        .collect();
    read_all(&kept, language)
}

/// The lines that tokei takes for something else.
///
/// # Errors
///
/// As [`classes`].
pub fn differences(text: &[u8], language: Language) -> Result<Vec<Difference>, Uncountable> {
    let classes = classes(text, language)?;
    let text = without_byte_order_mark(text);
    let mut so_far = Vec::new();
    let mut before = Reading::default();
    let mut found = Vec::new();
    for (number, line) in kept(text, &classes) {
        so_far.extend_from_slice(line);
        let now = read_all(&so_far, language);
        let (class, tokei) = (classes[number - 1], now - before);
        if tokei != Reading::of(class) {
            let line = number;
            found.push(Difference { line, class, tokei });
        }
        before = now;
    }
    Ok(found)
}

/// The lines of no unit test, with their numbers and line ends.
fn kept<'a>(text: &'a [u8], classes: &'a [Class]) -> impl Iterator<Item = (usize, &'a [u8])> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let lines = (1..).zip(lines);
    lines.filter(|(number, _)| classes.get(number - 1) != Some(&Class::Test))
}

fn read_all(text: &[u8], language: Language) -> Reading {
    let stats = language
        .for_tokei()
        .parse_from_slice(text, &Config::default());
    let [lines, code, blank] = [stats.summarise().lines(), stats.code, stats.blanks];
    Reading {
        code: code as i64,
        // Markdown in documentation is counted as a language of its own.
        comment: (lines - code - blank) as i64,
        blank: blank as i64,
    }
}

impl Reading {
    /// What a line was taken for, if it was taken for one thing and changed nothing else.
    pub fn class(self) -> Option<Class> {
        let classes = [Class::Code, Class::Comment, Class::Blank];
        classes.into_iter().find(|class| self == Self::of(*class))
    }

    /// The reading of a single line of that class.
    fn of(class: Class) -> Self {
        Self {
            code: i64::from(class == Class::Code),
            comment: i64::from(class == Class::Comment),
            blank: i64::from(class == Class::Blank),
        }
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} / {} / {}",
            self.code, self.comment, self.blank
        )
    }
}

impl Sub for Reading {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            code: self.code - other.code,
            comment: self.comment - other.comment,
            blank: self.blank - other.blank,
        }
    }
}
