//! Counts the lines of a source text, each by what is on it.

use serde::Serialize;

use super::cross_check::{self, Reading};
use super::language::Language;
use super::line::{Class, Lines};
use super::uncountable::Uncountable;
use super::{c, published, rust};

/// The lines of a file: `code`, `comment`, `blank` and `test_lines` add up to `lines`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileCount {
    /// All of them.
    pub lines: u64,
    /// Those with a token on them, or inside one.
    pub code: u64,
    /// Those with a comment and no token; documentation is comment.
    pub comment: u64,
    /// Those with white space at most, outside tokens.
    pub blank: u64,
    /// Those of items that only a test build has, which are none of the above.
    pub test_lines: u64,
    /// What the published study's script would count.
    pub published: u64,
    /// What tokei takes the lines for that are of no unit test.
    pub tokei: Reading,
}

/// The classes of a text's lines, in order.
///
/// A byte order mark, the kind of line ends and a missing last line end change nothing.
///
/// # Errors
///
/// When a comment or literal has no end, or Rust is not UTF-8 or hides its unit tests.
pub fn classes(text: &[u8], language: Language) -> Result<Vec<Class>, Uncountable> {
    let text = without_byte_order_mark(text);
    let mut lines = Lines::new(text);
    match language {
        Language::Rust => {
            let utf8 = std::str::from_utf8(text).map_err(|error| Uncountable::NotUtf8 {
                line: lines.number_at(error.valid_up_to()),
            })?;
            rust::mark(utf8, &mut lines)?;
        }
        Language::C => c::mark(text, c::Dialect::C, &mut lines)?,
        Language::Assembly { preprocessed } => {
            c::mark(text, c::Dialect::Assembly { preprocessed }, &mut lines)?;
        }
        Language::LinkerScript => c::mark(text, c::Dialect::LinkerScript, &mut lines)?,
    }
    Ok(lines.classes())
}

/// Counts the lines of a text.
///
/// # Errors
///
/// As [`classes`].
pub fn count(text: &[u8], language: Language) -> Result<FileCount, Uncountable> {
    let classes = classes(text, language)?;
    let text = without_byte_order_mark(text);
    let of = |class| classes.iter().filter(|found| **found == class).count() as u64;
    Ok(FileCount {
        lines: classes.len() as u64,
        code: of(Class::Code),
        comment: of(Class::Comment),
        blank: of(Class::Blank),
        test_lines: of(Class::Test),
        published: published::count(text, language),
        tokei: cross_check::read(text, &classes, language),
    })
}

impl FileCount {
    /// The reference count in the form of tokei's.
    pub fn reading(&self) -> Reading {
        let [code, comment, blank] =
            [self.code, self.comment, self.blank].map(|lines| lines as i64);
        Reading {
            code,
            comment,
            blank,
        }
    }
}

/// The text without the mark that some editors put before it.
pub fn without_byte_order_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}
