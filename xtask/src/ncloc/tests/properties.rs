//! What holds of the counts of any text.

use std::path::Path;

use proptest::prelude::*;

use super::super::count::{FileCount, classes, count};
use super::super::language::Language;
use super::super::line::Class;
use super::fixtures;

/// Whole pieces of a file: each ends its own comments, literals and brackets, and its last line.
const RUST: [&str; 12] = [
    "fn f() {}\n",
    "// note\n",
    "\n",
    "/* a\n\n   b */\n",
    "const Q: char = '\"';\n",
    "/// Doc.\nfn g() {\n}\n",
    "const S: &str = \"\n//\n\n\";\n",
    "const R: &str = r#\"\n\"/*\n\"#;\n",
    "#[cfg(test)]\nmod t {\n}\n",
    "/* /* */ */ use a::b; // c\n",
    "struct A<'a>(&'a str);\n",
    "   \t\n",
];

const C: [&str; 13] = [
    "int f(void);\n",
    "// note\n",
    "// note \\\n goes on\n",
    "\n",
    "/* a\n\n   b */\n",
    "char q = '\"';\n",
    "char *s = \"/*\";\n",
    "#define A \\\n  1\n",
    "#include <a//b.h>\n",
    "#error don't\n",
    "char *r = R\"x(\n//\n)x\";\n",
    "char *s = \"a\\\n\\\nb\";\n",
    " /* a */ \\\n\n",
];

fn pieces() -> impl Strategy<Value = (Language, Vec<&'static str>)> {
    let of = |language, pieces: &'static [&'static str]| {
        let pieces = prop::collection::vec(prop::sample::select(pieces), 0..20);
        pieces.prop_map(move |pieces| (language, pieces))
    };
    prop_oneof![of(Language::Rust, &RUST), of(Language::C, &C)]
}

fn counted(text: &[u8], language: Language) -> FileCount {
    count(text, language).unwrap()
}

fn reference(count: &FileCount) -> [u64; 6] {
    [
        count.lines,
        count.code,
        count.comment,
        count.blank,
        count.test_lines,
        count.published,
    ]
}

fn with_crlf(text: &[u8]) -> Vec<u8> {
    let lines = text.split(|byte| *byte == b'\n');
    lines.collect::<Vec<_>>().join(&b"\r\n"[..])
}

/// The same text with other line ends, with a byte order mark, and without its last line end, unless
/// that is all its last line has.
fn spellings(text: &[u8]) -> [Vec<u8>; 4] {
    let unended = text.strip_suffix(b"\n").unwrap_or(text);
    let unended = if unended.is_empty() || unended.ends_with(b"\n") {
        text
    } else {
        unended
    };
    let marked = |text: &[u8]| [b"\xef\xbb\xbf", text].concat();
    let all = marked(&with_crlf(unended));
    [with_crlf(text), marked(text), unended.to_vec(), all]
}

#[test]
fn the_spelling_of_a_fixture_changes_nothing() {
    for (name, text) in fixtures::all() {
        let language = Language::of(Path::new(name)).unwrap();
        let expected = counted(&text, language);
        for spelling in spellings(&text) {
            let spelling = counted(&spelling, language);
            assert_eq!(reference(&spelling), reference(&expected), "{name}");
        }
    }
}

#[test]
fn fixtures_one_after_another_add_up() {
    // Two must come first, one speaks of its whole file, and one has brackets without a partner.
    const ALONE: [&str; 4] = [
        "shebang.rs",
        "inner_attribute_first.rs",
        "only_for_tests.rs",
        "no_valid_rust.rs",
    ];
    for extension in ["rs", "c"] {
        let fixtures = fixtures::all().into_iter();
        let fixtures = fixtures.filter(|(name, _)| {
            Path::new(name)
                .extension()
                .is_some_and(|found| found == extension)
                && !ALONE.contains(name)
        });
        let texts: Vec<Vec<u8>> = fixtures.map(|(_, text)| text).collect();
        let language = Language::of(Path::new("a").with_extension(extension).as_path()).unwrap();
        for pair in texts.windows(2) {
            let [first, second] = [&pair[0], &pair[1]].map(|text| counted(text, language));
            let both = counted(&pair.concat(), language);
            // A raw string leaves the published study's rule in a comment, so that its count is left out.
            for at in 0..5 {
                let sum = reference(&first)[at] + reference(&second)[at];
                assert_eq!(reference(&both)[at], sum);
            }
        }
    }
}

proptest! {
    #[test]
    fn pieces_one_after_another_add_up((language, pieces) in pieces()) {
        let parts = pieces.iter().map(|piece| reference(&counted(piece.as_bytes(), language)));
        let sum = parts.fold([0; 6], |sum, part| std::array::from_fn(|at| sum[at] + part[at]));
        let whole = counted(pieces.concat().as_bytes(), language);
        prop_assert_eq!(reference(&whole), sum);
    }

    #[test]
    fn the_spelling_of_pieces_changes_nothing((language, pieces) in pieces()) {
        let text = pieces.concat();
        let expected = reference(&counted(text.as_bytes(), language));
        for spelling in spellings(text.as_bytes()) {
            prop_assert_eq!(reference(&counted(&spelling, language)), expected);
        }
    }

    #[test]
    fn any_bytes_give_lines_that_add_up_or_an_error(bytes in bytes()) {
        for language in Language::ALL {
            let Ok(count) = count(&bytes, language) else {
                continue;
            };
            let newlines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
            let unended = u64::from(!bytes.ends_with(b"\n") && !count_is_empty(&bytes));
            prop_assert_eq!(count.lines, newlines + unended);
            prop_assert_eq!(count.code + count.comment + count.blank + count.test_lines, count.lines);
        }
    }

    #[test]
    fn a_line_of_white_space_is_blank_outside_literals_and_any_other_is_not(bytes in bytes()) {
        for language in Language::ALL {
            let Ok(classes) = classes(&bytes, language) else {
                continue;
            };
            let lines = bytes.split(|byte| *byte == b'\n');
            for (line, class) in lines.zip(classes) {
                let is_blank = line.iter().all(|byte| b" \t\r\x0b\x0c".contains(byte));
                prop_assert!(!is_blank || class != Class::Comment);
                prop_assert!(!line.is_ascii() || is_blank || class != Class::Blank);
            }
        }
    }
}

/// Whether nothing is left without a byte order mark.
fn count_is_empty(bytes: &[u8]) -> bool {
    bytes.is_empty() || bytes == b"\xef\xbb\xbf"
}

/// Bytes that make tokens, comments and literals often, and any bytes at times.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::sample::select(vec![
        "\"",
        "'",
        "//",
        "/*",
        "*/",
        "\\",
        "\n",
        "\r\n",
        " ",
        "#",
        "r#\"",
        "R\"(",
        ")\"",
        "a",
        "1",
        "#include <",
        "#[cfg(test)]",
        "mod t {",
        "}",
        "@",
        "\u{feff}",
        "é",
        "#!",
        "b'",
    ]);
    let words = words.prop_map(|word: &str| word.as_bytes().to_vec());
    let any = prop::collection::vec(any::<u8>(), 0..4);
    let parts = prop::collection::vec(prop_oneof![9 => words, 1 => any], 0..40);
    parts.prop_map(|parts| parts.concat())
}
