//! Counts the lines of one source file, a Rust file's unit tests apart.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, bail};
use serde::Serialize;
use syn::spanned::Spanned;
use syn::{Attribute, Item};
use tokei::{Config, LanguageType};

use super::{c, tokens};
use crate::files;

/// The lines of a file, those of its unit tests apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileCount {
    /// Lines with at least one token, or inside one; doc comments have none.
    pub code: u64,
    /// What tokei takes for lines of code, which misreads some ordinary Rust and C.
    pub tokei_code: u64,
    /// Lines of items that only a test build has; not among the others.
    pub test_lines: u64,
}

/// Whether the file at `path` is one that [`count_file`] counts.
pub fn is_source(path: &Path) -> bool {
    language(path).is_some()
}

fn language(path: &Path) -> Option<LanguageType> {
    match path.extension()?.to_str()? {
        "rs" => Some(LanguageType::Rust),
        "c" => Some(LanguageType::C),
        "h" => Some(LanguageType::CHeader),
        _ => None,
    }
}

/// Counts the lines of the source file at `path`.
///
/// # Errors
///
/// When it cannot be read, or is of another language or not valid in its own.
pub fn count_file(path: &Path) -> anyhow::Result<FileCount> {
    let text = files::read_text(path)?;
    let count = match language(path) {
        Some(LanguageType::Rust) => count(&text),
        Some(language) => c::count(&text, language),
        None => bail!("{} is neither Rust nor C", path.display()),
    };
    count.with_context(|| format!("cannot count the lines of {}", path.display()))
}

fn count(text: &str) -> anyhow::Result<FileCount> {
    let file = syn::parse_file(text)?;
    let mut test_lines = BTreeSet::new();
    find_test_items(&file.items, &mut test_lines);
    let code = tokens::lines_with_code(text)?;
    let kept = text.lines().zip(1..);
    let kept = kept.filter(|(_, number)| !test_lines.contains(number));
    let kept: String = kept.map(|(line, _)| format!("{line}\n")).collect();
    let tokei = LanguageType::Rust.parse_from_str(kept, &Config::default());
    Ok(FileCount {
        code: code.difference(&test_lines).count() as u64,
        tokei_code: tokei.code as u64,
        test_lines: test_lines.len() as u64,
    })
}

/// The lines of every item under `#[cfg(test)]`.
fn find_test_items(items: &[Item], found: &mut BTreeSet<usize>) {
    for item in items {
        if attributes(item).iter().any(is_cfg_test) {
            let span = item.span();
            found.extend(span.start().line..=span.end().line);
        } else if let Item::Mod(module) = item
            && let Some((_, items)) = &module.content
        {
            find_test_items(items, found);
        }
    }
}

fn is_cfg_test(attribute: &Attribute) -> bool {
    let inside = attribute.parse_args::<syn::Path>();
    attribute.path().is_ident("cfg") && inside.is_ok_and(|path| path.is_ident("test"))
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn expect(text: &str, code: u64, test_lines: u64) {
        let count = count(text).unwrap();
        assert_eq!((count.code, count.test_lines), (code, test_lines), "{text}");
    }

    #[test]
    fn comments_and_blanks_are_no_code() {
        expect("//! Module.\n\nuse a::b; // trailing\n", 1, 0);
        expect("/* block\n   comment */\nfn f() {\n\n    g();\n}\n", 3, 0);
        expect(
            "/// Doc.\n///\n/// ```\n/// let a = 1;\n/// ```\nfn f() {}\n",
            1,
            0,
        );
        expect("/** Doc\n * of two lines. */\nfn f() {}\n", 1, 0);
        expect("#[doc = \"written out\"]\nfn f() {}\n", 2, 0);
    }

    #[test]
    fn nested_block_comments_are_comments() {
        expect(
            "/* outer /* inner */ still outer\nlet hidden = 9;\n*/\npub fn live() {}\n",
            1,
            0,
        );
    }

    #[test]
    fn lines_of_a_string_are_code() {
        expect("pub const P: &str = \"\n// inside\n\";\n", 3, 0);
        let raw = "pub const P: &str = r##\"\n// inside text\n/* inside \"text\" too\n\"# still inside\n\"##;\n// outside\npub fn f() {}\n";
        expect(raw, 6, 0);
    }

    #[test]
    fn what_tokei_misreads_is_counted_right_and_its_reading_kept() {
        let quote = "pub fn f() {\nlet dq = '\"';\n// note one\n\n// note two\ng(dq);\n}\n";
        let quote = count(quote).unwrap();
        assert_eq!((quote.code, quote.tokei_code), (4, 7));
        let doc = "use a::b;\npub const S: &str = \"x\";\npub const T: &str = \"y\";\n\n/// doc\npub fn c() {}\n";
        let doc = count(doc).unwrap();
        assert_eq!((doc.code, doc.tokei_code), (4, 3));
    }

    #[test]
    fn line_ends_and_a_byte_order_mark_change_nothing() {
        for text in [
            "\u{feff}// a\nfn f() {}\n",
            "// a\r\nfn f() {}\r\n",
            "// a\nfn f() {}",
        ] {
            expect(text, 1, 0);
        }
    }

    #[test]
    fn unit_tests_are_counted_apart_wherever_they_are() {
        let module = "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    // note\n    fn t() {}\n}\n";
        expect(module, 1, 5);
        expect(
            "mod m {\n    #[cfg(test)]\n    use a::b;\n    fn f() {}\n}\n",
            3,
            2,
        );
        expect("#[cfg(feature = \"test\")]\nfn f() {}\n", 2, 0);
    }

    #[test]
    fn a_file_that_is_no_rust_is_refused() {
        assert!(count("fn {").is_err());
    }

    proptest! {
        #[test]
        fn the_count_of_a_concatenation_is_the_sum(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "fn f() {}\n",
                    "// note\n",
                    "\n",
                    "/* a\n   b */\n",
                    "const Q: char = '\"';\n",
                    "/// Doc.\nfn g() {\n}\n",
                    "const S: &str = \"\n//\n\";\n",
                    "#[cfg(test)]\nmod t {\n}\n",
                ]),
                0..20,
            )
        ) {
            let whole = count(&parts.concat()).unwrap();
            let sum = |field: fn(&FileCount) -> u64| -> u64 {
                parts.iter().map(|part| field(&count(part).unwrap())).sum()
            };
            prop_assert_eq!(whole.code, sum(|count| count.code));
            prop_assert_eq!(whole.test_lines, sum(|count| count.test_lines));
        }

        #[test]
        fn arbitrary_text_never_panics(text in ".*") {
            let _ = count(&text);
        }
    }
}
