//! A source file with the class of each line.

use std::path::Path;

use anyhow::Context;

use super::count::{classes, without_byte_order_mark};
use super::language::Language;
use super::line::Class;
use crate::files;

/// The lines of the file at `path`, each behind its number and class, and how many there are of each.
///
/// # Errors
///
/// When it cannot be read or counted, or its name tells no language.
pub fn of_file(path: &Path) -> anyhow::Result<String> {
    let language = Language::of(path).with_context(|| {
        let known = Language::NAMES.join(", ");
        format!(
            "no lines are counted in {}; its name should end in one of {known}",
            path.display()
        )
    })?;
    let text = files::read(path)?;
    let classes = classes(&text, language)
        .with_context(|| format!("cannot count the lines of {}", path.display()))?;
    Ok(format(without_byte_order_mark(&text), &classes))
}

fn format(text: &[u8], classes: &[Class]) -> String {
    let lines = text.split(|byte| *byte == b'\n');
    let mut listing = String::new();
    for (number, (line, class)) in (1..).zip(lines.zip(classes)) {
        let line = String::from_utf8_lossy(line);
        let line = format!("{number:>5}  {class:<7}  {line}");
        listing += line.trim_end();
        listing += "\n";
    }
    let counts = Class::ALL.map(|class| {
        let lines = classes.iter().filter(|found| **found == class).count();
        format!("{class} {lines}")
    });
    listing + &format!("{}, lines {}\n", counts.join(", "), classes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_its_number_and_class() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.rs");
        let text = "\u{feff}// é\r\n\r\nfn f() {}\r\n#[cfg(test)]\r\nmod t {}";
        files::write(&path, text.as_bytes()).unwrap();
        insta::assert_snapshot!(of_file(&path).unwrap(), @r"
            1  comment  // é
            2  blank
            3  code     fn f() {}
            4  test     #[cfg(test)]
            5  test     mod t {}
        code 1, comment 1, blank 1, test 2, lines 5
        ");
    }

    #[test]
    fn what_cannot_be_counted_is_named() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text, reason) in [
            ("a.txt", "", "no lines are counted in"),
            (
                "a.c",
                "int a;\n/* b\n",
                "the comment that begins on line 2 has no end",
            ),
            (
                "a.rs",
                "fn f() {}\n\"\n",
                "the string that begins on line 2 has no end",
            ),
            (
                "b.rs",
                "#[cfg(test)]\nmod {",
                "because line 2 is not valid Rust",
            ),
        ] {
            let path = folder.path().join(name);
            files::write(&path, text.as_bytes()).unwrap();
            let error = format!("{:#}", of_file(&path).unwrap_err());
            assert!(error.contains(reason) && error.contains(name), "{error}");
        }
        let path = folder.path().join("c.rs");
        files::write(&path, b"fn f() {}\n// \xff\n").unwrap();
        let error = format!("{:#}", of_file(&path).unwrap_err());
        assert!(error.ends_with("c.rs: line 2 is not UTF-8"), "{error}");
    }
}
