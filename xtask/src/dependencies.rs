//! The files a compiler or a linker read, in make's format: as cargo, rustc and GCC write it, and as GNU
//! ld does, which escapes nothing.

use std::path::PathBuf;

use anyhow::{Context, ensure};

/// The files after the colon of the first rule; a space in a path is written `\ `, and a backslash at
/// the end of a line continues it. Other rules say of other targets what they depend on. The target's
/// spaces are escaped by cargo and GCC and not by rustc; nothing asks what it is.
pub fn parse(text: &str) -> anyhow::Result<Vec<PathBuf>> {
    ensure!(!text.trim().is_empty(), "an empty dependency file");
    let rule = text.trim_start();
    let target = rule.lines().next().unwrap_or_default();
    let colon = target
        .find(": ")
        .or(target.ends_with(':').then(|| target.len() - 1));
    let files = colon.context("a dependency file that does not start with its target")? + 1;
    let words = words_of_line(&rule[files..]).into_iter();
    Ok(words.map(PathBuf::from).collect())
}

/// The files of the first rule of GNU ld: each on a line of its own, as it is, spaces and all.
pub fn parse_linker(text: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut lines = text.lines().map(|line| match line.strip_suffix('\\') {
        Some(continued) => (continued.trim(), true),
        None => (line.trim(), false),
    });
    let (target, mut continues) = lines.next().context("an empty dependency file")?;
    ensure!(
        target.ends_with(':'),
        "a linker's dependency file that does not start with its target"
    );
    let mut files = Vec::new();
    while continues {
        let (file, goes_on) = lines
            .next()
            .context("a linker's dependency file that ends within a rule")?;
        files.push(PathBuf::from(file));
        continues = goes_on;
    }
    Ok(files)
}

/// The words up to the end of a line that is not continued.
fn words_of_line(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\n' {
            break;
        }
        match (character, words.last_mut()) {
            ('\\', Some(word)) if characters.peek() == Some(&' ') => {
                word.extend(characters.next());
            }
            ('\\', _) if characters.peek() == Some(&'\n') => {
                characters.next();
                words.push(String::new());
            }
            (space, _) if space.is_whitespace() => words.push(String::new()),
            (other, Some(word)) => word.push(other),
            (_, None) => {}
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_files_follow_the_target() {
        let files = parse("/a\\ b/target/elf: /a\\ b/src/main.rs /c/memory.x\n").unwrap();
        assert_eq!(
            files,
            [
                PathBuf::from("/a b/src/main.rs"),
                PathBuf::from("/c/memory.x")
            ]
        );
    }

    #[test]
    fn spaces_of_the_target_may_be_escaped_or_not() {
        for target in ["/a\\ b/x.d", "/a b/x.d", "c:/a b/x.d"] {
            let text = format!("{target}: src/a\\ b.rs\n\n/a b/x: z.rs\n");
            assert_eq!(parse(&text).unwrap(), [PathBuf::from("src/a b.rs")]);
            assert_eq!(
                parse(&format!("{target}:\n\nz: y\n")).unwrap(),
                [] as [PathBuf; 0]
            );
        }
    }

    #[test]
    fn what_is_no_dependency_file_is_refused() {
        assert!(parse("").is_err());
        assert!(parse("one two").is_err());
    }

    #[test]
    fn lines_are_continued_as_gcc_does() {
        let files = parse("out/a.o: src/a.c \\\n src/a.h \\\n  /my\\ lib/b.h\n").unwrap();
        let expected = ["src/a.c", "src/a.h", "/my lib/b.h"];
        assert_eq!(files, expected.map(PathBuf::from));
    }

    #[test]
    fn the_rules_that_rustc_writes_besides_are_passed_over() {
        let text = "out/a.d: a.rs b.rs\n\nout/a: a.rs b.rs\n\na.rs:\nb.rs:\n\n# env-dep:X=1\n";
        assert_eq!(parse(text).unwrap(), ["a.rs", "b.rs"].map(PathBuf::from));
    }

    #[test]
    fn a_linker_escapes_nothing() {
        let text = "/a b/elf: \\\n  /a b/x y.ld \\\n  /c.o\n\n/a b/x y.ld:\n\n/c.o:\n";
        let files = parse_linker(text).unwrap();
        assert_eq!(files, ["/a b/x y.ld", "/c.o"].map(PathBuf::from));
        assert_eq!(parse_linker("/elf:\n").unwrap(), [] as [PathBuf; 0]);
        for damaged in ["", "/elf \\\n  /c.o\n", "/elf: \\\n  /c.o \\\n"] {
            assert!(parse_linker(damaged).is_err(), "{damaged}");
        }
    }

    proptest! {
        #[test]
        fn any_linked_path_survives(paths in prop::collection::vec("/[a-z :/]{0,9}[a-z]", 0..5)) {
            let expected: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            let rule: String = paths.iter().map(|path| format!(" \\\n  {path}")).collect();
            let text = format!("/a b/elf:{rule}\n\nother:\n");
            prop_assert_eq!(parse_linker(&text).unwrap(), expected);
        }

        #[test]
        fn any_path_survives(paths in prop::collection::vec("[a-z \\\\/]{0,5}[a-z]", 0..5)) {
            let expected: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            let escaped = paths.iter().map(|path| format!(" {}", path.replace(' ', "\\ ")));
            let text = format!("/a\\ b/elf:{}\n\nother: z\n", escaped.collect::<String>());
            prop_assert_eq!(parse(&text).unwrap(), expected);
        }

        #[test]
        fn arbitrary_text_never_panics(text in ".*") {
            let _ = parse(&text);
            let _ = parse_linker(&text);
        }
    }
}
