//! Marks the lines of a Rust text with the tokens and comments that rustc's own lexer finds.

use ra_ap_rustc_lexer::{FrontmatterAllowed, LiteralKind, TokenKind, strip_shebang, tokenize};

use super::Uncountable;
use super::line::{Found, Lines};
use super::unit_tests;

/// Marks what is on the lines of `text`, its unit tests apart.
///
/// The text need not be a valid program: its tokens are what counts.
///
/// # Errors
///
/// When a comment or a literal has no end, or the text's unit tests cannot be told from the rest.
pub fn mark(text: &str, lines: &mut Lines) -> Result<(), Uncountable> {
    let mut offset = strip_shebang(text).unwrap_or(0);
    lines.mark(0..offset, Found::Comment);
    let body = &text[offset..];
    let mut tests = unit_tests::ranges(body)?.into_iter();
    let (body_start, mut test) = (offset, tests.next());
    for token in tokenize(body, FrontmatterAllowed::No) {
        let range = offset..offset + token.len as usize;
        offset = range.end;
        if let Some(what) = without_end(token.kind) {
            let line = lines.number_at(range.start);
            return Err(Uncountable::NoEnd { what, line });
        }
        let start = range.start - body_start;
        while test.as_ref().is_some_and(|test| test.end <= start) {
            test = tests.next();
        }
        let found = match token.kind {
            _ if test.as_ref().is_some_and(|test| test.start <= start) => Found::Test,
            TokenKind::Whitespace => continue,
            TokenKind::LineComment { .. } | TokenKind::BlockComment { .. } => Found::Comment,
            _ => Found::Code,
        };
        lines.mark(range, found);
    }
    Ok(())
}

/// What the token is, when it goes on to the end of the text and should not. An unpaired quote of a
/// character ends with its line.
fn without_end(kind: TokenKind) -> Option<&'static str> {
    use LiteralKind as Kind;
    match kind {
        TokenKind::BlockComment {
            terminated: false, ..
        } => Some("comment"),
        TokenKind::Literal { kind, .. } => match kind {
            Kind::Str { terminated: false }
            | Kind::ByteStr { terminated: false }
            | Kind::CStr { terminated: false } => Some("string"),
            Kind::RawStr { n_hashes: None }
            | Kind::RawByteStr { n_hashes: None }
            | Kind::RawCStr { n_hashes: None } => Some("raw string"),
            _ => None,
        },
        _ => None,
    }
}
