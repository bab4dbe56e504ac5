//! The lines of a C text that have a token on them.
//!
//! Phases 2 and 3 of translation (C11 §5.1.1.2) as far as they matter for lines: a backslash joins a
//! line with the next, then comments are told from everything else.

use anyhow::bail;
use tokei::{Config, LanguageType};

use super::count::FileCount;

/// Counts the lines of a C source or header file.
///
/// # Errors
///
/// When a comment or a literal has no end.
pub fn count(text: &str, language: LanguageType) -> anyhow::Result<FileCount> {
    let tokei = language.parse_from_str(text, &Config::default());
    Ok(FileCount {
        code: lines_with_code(text)?,
        tokei_code: tokei.code as u64,
        test_lines: 0,
    })
}

/// What the scanner is in the middle of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Code,
    LineComment,
    BlockComment,
    /// A string or character literal with the quote that ends it.
    Literal(char),
}

fn lines_with_code(text: &str) -> anyhow::Result<u64> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.replace("\r\n", "\n");
    let mut characters = text.chars().peekable();
    let mut inside = Inside::Code;
    let mut has_code = false;
    let mut lines = 0;
    while let Some(character) = characters.next() {
        if character == '\\' && characters.peek() == Some(&'\n') {
            // The line goes on, but the lines of the file are what is counted.
            has_code |= inside == Inside::Code || matches!(inside, Inside::Literal(_));
            lines += u64::from(std::mem::take(&mut has_code));
            characters.next();
            continue;
        }
        let next = characters.peek().copied();
        match (inside, character) {
            (_, '\n') => {
                match inside {
                    Inside::Literal(_) => bail!("a literal goes over the end of its line"),
                    Inside::LineComment => inside = Inside::Code,
                    Inside::Code | Inside::BlockComment => {}
                }
                lines += u64::from(std::mem::take(&mut has_code));
            }
            (Inside::Code, '/') if next == Some('/') => inside = Inside::LineComment,
            (Inside::Code, '/') if next == Some('*') => {
                characters.next();
                inside = Inside::BlockComment;
            }
            (Inside::Code, '"' | '\'') => {
                has_code = true;
                inside = Inside::Literal(character);
            }
            (Inside::Code, _) => has_code |= !character.is_whitespace(),
            (Inside::BlockComment, '*') if next == Some('/') => {
                characters.next();
                inside = Inside::Code;
            }
            (Inside::LineComment | Inside::BlockComment, _) => {}
            (Inside::Literal(quote), _) => {
                has_code = true;
                if character == '\\' {
                    characters.next();
                } else if character == quote {
                    inside = Inside::Code;
                }
            }
        }
    }
    match inside {
        Inside::BlockComment => bail!("a comment has no end"),
        Inside::Literal(_) => bail!("a literal has no end"),
        Inside::Code | Inside::LineComment => Ok(lines + u64::from(has_code)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn expect(text: &str, code: u64) {
        assert_eq!(lines_with_code(text).unwrap(), code, "{text}");
    }

    #[test]
    fn comments_and_blanks_are_no_code() {
        expect("// a\n\nint a; // trailing\n", 1);
        expect("/* one\n   two */\nint a;\n\nint b; /* c */\n", 2);
        expect("/* a */ int b;\n/* c\n d */ int e;\n", 2);
        expect("int a; /* begins\n ends */\n", 1);
    }

    #[test]
    fn directives_are_code_even_where_they_switch_code_off() {
        expect("#if 0\nint a;\n#endif\n", 3);
    }

    #[test]
    fn a_star_that_writes_is_no_comment() {
        expect("void f(int *p, int n) {\n*p = 5;\n*p *= n;\n}\n", 4);
        expect("int a = b / c;\nint d = e /f;\n", 2);
    }

    #[test]
    fn quotes_and_comment_marks_in_literals_are_text() {
        expect("char dq = '\"';\n// note\n\nint a;\n", 2);
        expect("char *s = \"/* no comment\";\nint b;\n// c\n", 2);
        expect("char *s = \"\\\"//\";\nchar q = '\\'';\n", 2);
    }

    #[test]
    fn a_backslash_goes_on_with_comment_code_and_literal() {
        expect("int a; // tail comment \\\nint swallowed = 1;\nint b;\n", 2);
        expect("// whole line \\\nalso comment;\nint b;\n", 1);
        expect("#define A \\\n    1\n", 2);
        expect("char *s = \"a\\\nb\";\n", 2);
    }

    #[test]
    fn what_tokei_misreads_is_counted_right_and_its_reading_kept() {
        let text = "int a; // tail comment \\\nint swallowed = 1;\nint b;\n";
        let count = count(text, LanguageType::C).unwrap();
        assert_eq!((count.code, count.tokei_code), (2, 3));
    }

    #[test]
    fn line_ends_and_a_byte_order_mark_change_nothing() {
        expect("\u{feff}// first\nint a;\n", 1);
        expect("int a;\r\n// b\r\n\r\nint c;\r\n", 2);
        expect("int a;\nint b;", 2);
    }

    #[test]
    fn what_has_no_end_is_refused() {
        for text in ["/* a", "char *s = \"a;\n", "char c = 'a"] {
            assert!(lines_with_code(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_count_of_a_concatenation_is_the_sum(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "int f(void);\n",
                    "// note\n",
                    "\n",
                    "/* a\n   b */\n",
                    "char q = '\"';\n",
                    "char *s = \"/*\";\n",
                    "#define A \\\n  1\n",
                ]),
                0..20,
            )
        ) {
            let sum: u64 = parts.iter().map(|part| lines_with_code(part).unwrap()).sum();
            prop_assert_eq!(lines_with_code(&parts.concat()).unwrap(), sum);
        }

        #[test]
        fn arbitrary_text_never_panics(text in ".*") {
            let _ = count(&text, LanguageType::C);
        }
    }
}
