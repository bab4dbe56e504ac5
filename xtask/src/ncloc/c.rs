//! Marks the lines of C, assembly and linker scripts with the tokens and comments on them.
//!
//! Phases 2 and 3 of translation (C11 §5.1.1.2) as far as they matter for lines: a backslash joins a
//! line with the next, then comments and literals are told from everything else. What is no valid C
//! has tokens too: an unpaired quote reaches to the end of its line, as in GCC's preprocessor.

mod cursor;

use super::Uncountable;
use super::line::{Found, Lines};
use cursor::Cursor;

/// What a text may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// C as GCC takes it with `-std=gnu11`, raw strings included.
    C,
    /// Assembly for Arm: `@` begins a comment too.
    Assembly {
        /// Whether a `#` at the start of a line is a directive rather than a comment.
        preprocessed: bool,
    },
    /// A linker script: block comments only, and no literals but names in double quotes.
    LinkerScript,
}

/// What a line has had so far, for the name in angle brackets after `#include`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Directive {
    /// Nothing but white space and comments.
    LineStart,
    /// A `#`.
    Hash,
    /// `#include`.
    Include,
    /// Anything else.
    Other,
}

/// Marks what is on the lines of `text`, whatever its encoding is.
///
/// # Errors
///
/// When a block comment or a raw string has no end.
pub fn mark(text: &[u8], dialect: Dialect, lines: &mut Lines) -> Result<(), Uncountable> {
    let mut cursor = Cursor::new(text);
    let mut directive = Directive::LineStart;
    loop {
        let start = cursor.at();
        if cursor.take_splice() {
            lines.mark(start..cursor.at(), Found::Splice);
            continue;
        }
        let Some(byte) = cursor.bump() else {
            return Ok(());
        };
        let no_end = |what| Uncountable::NoEnd {
            what,
            line: lines.number_at(start),
        };
        if byte == b'\n' {
            directive = Directive::LineStart;
        } else if is_space(byte) {
        } else if byte == b'/' && cursor.eat(b'*') {
            if !block_comment(&mut cursor) {
                return Err(no_end("comment"));
            }
            lines.mark(start..cursor.at(), Found::Comment);
        } else if begins_line_comment(byte, dialect, directive, &mut cursor) {
            cursor.skip_while(|next| next != b'\n');
            lines.mark(start..cursor.at(), Found::Comment);
        } else {
            directive = match token(byte, dialect, directive, &mut cursor) {
                Some(directive) => directive,
                None => return Err(no_end("raw string")),
            };
            lines.mark(start..cursor.at(), Found::Code);
        }
    }
}

fn begins_line_comment(
    byte: u8,
    dialect: Dialect,
    directive: Directive,
    cursor: &mut Cursor,
) -> bool {
    match (dialect, byte) {
        (Dialect::LinkerScript, _) => false,
        (_, b'/') => cursor.eat(b'/'),
        (Dialect::Assembly { .. }, b'@') => true,
        (Dialect::Assembly { preprocessed }, b'#') => {
            !preprocessed && directive == Directive::LineStart
        }
        _ => false,
    }
}

/// Passes over the rest of a comment; false when it has no end.
fn block_comment(cursor: &mut Cursor) -> bool {
    while let Some(byte) = cursor.bump() {
        if byte == b'*' && cursor.eat(b'/') {
            return true;
        }
    }
    false
}

/// Passes over the rest of the token that `first` begins, and says what the line has had with it;
/// none when a raw string has no end.
fn token(
    first: u8,
    dialect: Dialect,
    directive: Directive,
    cursor: &mut Cursor,
) -> Option<Directive> {
    match first {
        b'#' if directive == Directive::LineStart => return Some(Directive::Hash),
        b'<' if directive == Directive::Include => {
            cursor.skip_while(|next| next != b'>' && next != b'\n');
            cursor.eat(b'>');
        }
        b'"' => literal(b'"', cursor),
        b'\'' => match dialect {
            Dialect::C => literal(b'\'', cursor),
            Dialect::Assembly { .. } => assembly_character(cursor),
            Dialect::LinkerScript => {}
        },
        b'0'..=b'9' => number(cursor),
        b'.' if cursor.peek().is_some_and(|next| next.is_ascii_digit()) => number(cursor),
        first if is_name(first) => {
            let name = name(first, cursor);
            if directive == Directive::Hash && name == b"include" {
                return Some(Directive::Include);
            }
            let is_raw = matches!(&name[..], b"R" | b"LR" | b"uR" | b"UR" | b"u8R");
            if dialect == Dialect::C && is_raw && cursor.is_directly_at(b'"') {
                cursor.skip_raw_string()?;
            }
        }
        _ => {}
    }
    Some(Directive::Other)
}

fn name(first: u8, cursor: &mut Cursor) -> Vec<u8> {
    let mut name = vec![first];
    while let Some(byte) = cursor.peek().filter(|byte| is_name(*byte)) {
        name.push(byte);
        cursor.bump();
    }
    name
}

/// A preprocessing number (C11 §6.4.8), with the digit separators of C23.
fn number(cursor: &mut Cursor) {
    while let Some(byte) = cursor.peek() {
        match byte {
            b'\'' if cursor.peek_second().is_some_and(is_name) => {
                cursor.bump();
            }
            b'.' => {}
            byte if is_name(byte) => {}
            _ => return,
        }
        cursor.bump();
    }
}

/// A string or character literal, up to its quote or the end of the line.
fn literal(quote: u8, cursor: &mut Cursor) {
    while let Some(byte) = cursor.peek().filter(|byte| *byte != b'\n') {
        cursor.bump();
        if byte == quote {
            return;
        }
        if byte == b'\\' && cursor.peek() != Some(b'\n') {
            cursor.bump();
        }
    }
}

/// The GNU assembler takes `'x` for a character; a quote behind it is optional.
fn assembly_character(cursor: &mut Cursor) {
    if cursor.peek() == Some(b'\\') {
        cursor.bump();
    }
    if cursor.peek().is_some_and(|next| next != b'\n') {
        cursor.bump();
        cursor.eat(b'\'');
    }
}

/// Bytes of names and, after the first one, of numbers; those of other alphabets are all taken.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c')
}
