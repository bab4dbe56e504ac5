//! Source files that say on their first line what is to be counted in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::super::count::{count, without_byte_order_mark};
use super::super::language::Language;

macro_rules! fixtures {
    ($($name:ident: $file:literal,)*) => {
        const LISTED: &[&str] = &[$($file),*];

        $(
            #[test]
            fn $name() {
                check($file);
            }
        )*
    };
}

fixtures! {
    rust_comments_nest: "nested_comment.rs",
    rust_quote_as_character: "double_quote_character.rs",
    rust_quote_as_byte: "double_quote_byte.rs",
    rust_code_before_documentation: "code_before_documentation.rs",
    rust_raw_string: "raw_string.rs",
    rust_string_over_lines: "string_over_lines.rs",
    rust_documentation: "documentation.rs",
    rust_lifetimes_and_quotes: "lifetimes_and_quotes.rs",
    rust_unit_tests: "unit_tests.rs",
    rust_file_only_for_tests: "only_for_tests.rs",
    rust_that_is_not_valid: "no_valid_rust.rs",
    rust_shebang: "shebang.rs",
    rust_inner_attribute_first: "inner_attribute_first.rs",
    c_quote_as_character: "double_quote_character.c",
    c_splice_in_trailing_comment: "splice_in_trailing_comment.c",
    c_splice_in_whole_line_comment: "splice_in_whole_line_comment.c",
    c_splice_in_code: "splice_in_code.c",
    c_pointer_write: "pointer_write.c",
    c_comments_do_not_nest: "comments_do_not_nest.c",
    c_disabled_code: "disabled_code.c",
    c_header_names: "header_names.c",
    c_raw_string: "raw_string.c",
    c_numbers: "numbers.c",
    c_division: "division.c",
    c_in_latin_1: "latin_1.c",
    c_block_comment_and_code: "block_comment_and_code.h",
    assembly: "vectors.s",
    assembly_with_preprocessor: "startup.S",
    linker_script: "memory.ld",
}

#[test]
fn every_fixture_is_checked() {
    let entries = folder().read_dir().unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let listed = LISTED.iter().map(ToString::to_string);
    assert_eq!(names.collect::<BTreeSet<_>>(), listed.collect());
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ncloc/tests/fixtures")
}

/// Every fixture's name and bytes.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    let read = |name: &&'static str| (*name, std::fs::read(folder().join(name)).unwrap());
    LISTED.iter().map(read).collect()
}

fn check(name: &str) {
    let text = std::fs::read(folder().join(name)).unwrap();
    let expected = expectation(&text);
    let count = count(&text, Language::of(Path::new(name)).unwrap()).unwrap();
    let counted = [
        ("lines", count.lines),
        ("code", count.code),
        ("comment", count.comment),
        ("blank", count.blank),
        ("test", count.test_lines),
        ("published", count.published),
        ("tokei", count.tokei.code as u64),
    ];
    for (key, counted) in counted {
        let expected = expected.get(key).copied();
        let expected = expected.or((key == "test").then_some(0));
        assert_eq!(Some(counted), expected, "{key} of {name}: {count:?}");
    }
}

/// The pairs of a word and a number on the first line.
fn expectation(text: &[u8]) -> BTreeMap<String, u64> {
    let text = String::from_utf8_lossy(without_byte_order_mark(text));
    let first = text.lines().next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().collect();
    let pairs = words.windows(2);
    let pairs = pairs.filter_map(|pair| Some((pair[0].to_string(), pair[1].parse().ok()?)));
    pairs.collect()
}
