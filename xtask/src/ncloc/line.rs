//! The lines of a text and what is on each of them.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// What a line is. Every line is one of these, so that their counts add up to the lines of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// A token begins, ends or goes on here: lines inside a string literal are code, blank ones too.
    Code,
    /// A comment and no token; documentation is comment.
    Comment,
    /// White space at most, inside a comment too.
    Blank,
    /// Of an item that only a test build has, whatever is on it.
    Test,
}

impl Class {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Code, Self::Comment, Self::Blank, Self::Test];
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Code => "code",
            Self::Comment => "comment",
            Self::Blank => "blank",
            Self::Test => "test",
        })
    }
}

/// What a lexer found somewhere in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A token.
    Code,
    /// A comment.
    Comment,
    /// A backslash that joins two lines between tokens: code, unless the line has a comment.
    Splice,
    /// An item for test builds.
    Test,
}

/// A text's lines, on which a lexer marks what it finds.
#[derive(Debug)]
pub struct Lines<'a> {
    text: &'a [u8],
    /// The offset at which each line begins.
    starts: Vec<usize>,
    marks: Vec<Marks>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    code: bool,
    comment: bool,
    splice: bool,
    test: bool,
}

impl<'a> Lines<'a> {
    /// The lines of `text`, blank until something is found on them.
    pub fn new(text: &'a [u8]) -> Self {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = ends.map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(starts);
        let starts: Vec<usize> = starts.filter(|start| *start < text.len()).collect();
        let marks = vec![Marks::default(); starts.len()];
        Self {
            text,
            starts,
            marks,
        }
    }

    /// The line, from 1, that holds the byte at this offset.
    pub fn number_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// Marks the lines that have a byte of the range; for a comment, one that is no white space.
    pub fn mark(&mut self, range: Range<usize>, found: Found) {
        let first = self.number_at(range.start).saturating_sub(1);
        for line in first..self.starts.len() {
            let start = self.starts[line].max(range.start);
            if start >= range.end {
                break;
            }
            let end = self.starts.get(line + 1).copied().unwrap_or(range.end);
            let bytes = &self.text[start..end.min(range.end)];
            let marks = &mut self.marks[line];
            match found {
                Found::Code => marks.code = true,
                Found::Comment => marks.comment |= !bytes.trim_ascii().is_empty(),
                Found::Splice => marks.splice = true,
                Found::Test => marks.test = true,
            }
        }
    }

    /// What each line is.
    pub fn classes(&self) -> Vec<Class> {
        self.marks.iter().map(|marks| marks.class()).collect()
    }
}

impl Marks {
    fn class(self) -> Class {
        match self {
            Self { code: true, .. } => Class::Code,
            Self { test: true, .. } => Class::Test,
            Self { comment: true, .. } => Class::Comment,
            Self { splice: true, .. } => Class::Code,
            _ => Class::Blank,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_as_many_lines_with_a_last_line_end_as_without() {
        for (text, lines) in [("", 0), ("\n", 1), ("a", 1), ("a\n", 1), ("a\r\nb", 2)] {
            assert_eq!(
                Lines::new(text.as_bytes()).classes().len(),
                lines,
                "{text:?}"
            );
        }
    }

    #[test]
    fn blank_lines_are_code_in_a_token_and_blank_in_a_comment() {
        let text = b"x\n\nx\n";
        let mut lines = Lines::new(text);
        lines.mark(0..4, Found::Comment);
        assert_eq!(
            lines.classes(),
            [Class::Comment, Class::Blank, Class::Comment]
        );
        lines.mark(0..4, Found::Code);
        assert_eq!(lines.classes(), [Class::Code; 3]);
    }

    #[test]
    fn a_range_that_ends_with_its_line_leaves_the_next_one_alone() {
        let mut lines = Lines::new(b"a\nb\nc\n");
        lines.mark(2..4, Found::Code);
        assert_eq!(lines.classes(), [Class::Blank, Class::Code, Class::Blank]);
        assert_eq!([0, 1, 2, 5].map(|at| lines.number_at(at)), [1, 1, 2, 3]);
    }

    #[test]
    fn code_for_the_image_outweighs_a_test_and_a_test_its_comments() {
        let mut lines = Lines::new(b"a\nb\n");
        lines.mark(0..4, Found::Test);
        lines.mark(0..1, Found::Code);
        lines.mark(2..3, Found::Comment);
        assert_eq!(lines.classes(), [Class::Code, Class::Test]);
    }
}
