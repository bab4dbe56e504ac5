//! Why the lines of a text cannot be counted.

use std::fmt;

/// Why the lines of a text cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uncountable {
    /// A token that begins on this line goes on to the end of the text and should not.
    NoEnd {
        /// The kind of token.
        what: &'static str,
        /// The line it begins on, from 1.
        line: usize,
    },
    /// Rust that is not UTF-8.
    NotUtf8 {
        /// The line with the first byte that is not, from 1.
        line: usize,
    },
    /// The text may contain unit tests but is not valid Rust, so that nobody knows where they end.
    HiddenTests {
        /// The line it stops being valid on, from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
}

impl fmt::Display for Uncountable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEnd { what, line } => {
                write!(
                    formatter,
                    "the {what} that begins on line {line} has no end"
                )
            }
            Self::NotUtf8 { line } => write!(formatter, "line {line} is not UTF-8"),
            Self::HiddenTests { line, reason } => write!(
                formatter,
                "its unit tests cannot be told from the rest, because line {line} is not valid Rust: {reason}"
            ),
        }
    }
}

impl std::error::Error for Uncountable {}
