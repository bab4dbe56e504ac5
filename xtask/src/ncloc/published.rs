//! The published study's own line count: "nonblank lines excluding full-line comments".
//!
//! The rule is that of its measuring script, which reads a line at a time: in Rust a line is left out
//! when it starts with `//`; in C also when it starts with `/*`, up to the line that holds the next `*/`,
//! code beside the comment included. It knows no literals and counts unit tests.

use super::language::Language;

/// Lines of the text that the published study would have counted.
pub fn count(text: &[u8], language: Language) -> u64 {
    let mut in_comment = false;
    let is_counted = |line: &&[u8]| {
        let line = line.trim_ascii();
        let ends_comment = line.windows(2).any(|pair| pair == b"*/");
        if in_comment {
            in_comment = !ends_comment;
            return false;
        }
        if language != Language::Rust && line.starts_with(b"/*") {
            in_comment = !ends_comment;
            return false;
        }
        !line.is_empty() && !line.starts_with(b"//")
    };
    text.split(|byte| *byte == b'\n').filter(is_counted).count() as u64
}
