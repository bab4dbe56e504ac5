//! Texts that common line counters get wrong, with what tokei makes of them.

use super::super::count::count;
use super::super::cross_check::{Reading, differences};
use super::super::language::Language;
use super::super::line::Class;

/// Code, comment and blank lines.
type Counts = [i64; 3];

fn check(language: Language, text: &str, right: Counts, tokei: Counts) {
    let count = count(text.as_bytes(), language).unwrap();
    let reference = [count.code, count.comment, count.blank].map(|lines| lines as i64);
    assert_eq!(reference, right, "{text}");
    let reading = count.tokei;
    assert_eq!(
        [reading.code, reading.comment, reading.blank],
        tokei,
        "{text}"
    );
}

#[test]
fn nested_comment() {
    let text = "/* outer /* inner */ still outer\nlet hidden = 9;\n*/\npub fn live() {}\n";
    check(Language::Rust, text, [1, 3, 0], [1, 3, 0]);
}

#[test]
fn double_quote_as_character() {
    let text = "pub fn f() {\nlet dq = '\"';\n// note one\n\n// note two\ng(dq);\n}\n";
    check(Language::Rust, text, [4, 2, 1], [7, 0, 0]);
    let text = "pub fn f() {\nlet dq = b'\"';\n// note\n\ng(dq);\n}\n";
    check(Language::Rust, text, [4, 1, 1], [6, 0, 0]);
    let text = "void f(void) {\nchar dq = '\"';\n// note\n\ng(dq);\n}\n";
    check(Language::C, text, [4, 1, 1], [6, 0, 0]);
}

const BEFORE_DOCUMENTATION: &str =
    "use a::b;\npub const S: &str = \"x\";\npub const T: &str = \"y\";\n\n/// doc\npub fn c() {}\n";

#[test]
fn code_before_documentation() {
    check(Language::Rust, BEFORE_DOCUMENTATION, [4, 1, 1], [3, 1, 0]);
}

#[test]
fn raw_string_with_hashes() {
    let text = "pub const P: &str = r##\"\n// inside text\n/* inside \"text\" too\n\"# still inside\n\"##;\n// outside\npub fn f() {}\n";
    check(Language::Rust, text, [6, 1, 0], [6, 1, 0]);
}

const SPLICED: &str = "int a; // tail comment \\\nint swallowed = 1;\nint b;\n";

#[test]
fn splice_in_line_comment() {
    check(Language::C, SPLICED, [2, 1, 0], [3, 0, 0]);
    let text = "// whole line \\\nalso comment;\nint b;\n";
    check(Language::C, text, [1, 2, 0], [2, 1, 0]);
}

#[test]
fn pointer_write_like_a_comment_line() {
    let text = "void f(int *p, int n) {\n*p = 5;\n*p *= n;\n}\n";
    check(Language::C, text, [4, 0, 0], [4, 0, 0]);
}

#[test]
fn line_ends_byte_order_mark_and_last_line() {
    let crlf = "int a;\r\n\r\n// note\r\nint b;\r\n";
    check(Language::C, crlf, [2, 1, 1], [2, 1, 1]);
    check(
        Language::C,
        "\u{feff}// first\nint a;\n",
        [1, 1, 0],
        [1, 1, 0],
    );
    check(Language::C, "int a;\nint b;", [2, 0, 0], [2, 0, 0]);
    check(Language::C, "int a;\nint b;\n", [2, 0, 0], [2, 0, 0]);
}

#[test]
fn the_lines_that_tokei_takes_for_something_else_are_named() {
    let of = |text: &str, language| differences(text.as_bytes(), language).unwrap();
    let reading = |code, comment, blank| Reading {
        code,
        comment,
        blank,
    };
    let found = of(SPLICED, Language::C);
    let found: Vec<_> = found
        .iter()
        .map(|at| (at.line, at.class, at.tokei))
        .collect();
    assert_eq!(found, [(2, Class::Comment, reading(1, 0, 0))]);

    let found = of(BEFORE_DOCUMENTATION, Language::Rust);
    let found: Vec<_> = found
        .iter()
        .map(|at| (at.line, at.class, at.tokei))
        .collect();
    assert_eq!(found, [(5, Class::Comment, reading(-1, 1, -1))]);
    assert_eq!(of("fn f() {}\n\n// note\n", Language::Rust), []);
}
