//! The files a compiler read, in make's format: as cargo and GCC write them.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

/// The files after the colon of the one rule; a space in a path is written `\ `, and a backslash at
/// the end of a line continues it.
pub fn parse(text: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut words = words(text).into_iter();
    let target = words.next().context("an empty dependency file")?;
    ensure!(
        target.ends_with(':'),
        "a dependency file that does not start with its target"
    );
    Ok(words.map(PathBuf::from).collect())
}

/// A rule by which `target` depends on `files`.
pub fn format<'a>(target: &Path, files: impl IntoIterator<Item = &'a Path>) -> String {
    let escaped = |path: &Path| path.to_string_lossy().replace(' ', "\\ ");
    let files = files.into_iter();
    let words = files.map(|file| format!(" {}", escaped(file)));
    format!("{}:{}\n", escaped(target), words.collect::<String>())
}

fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, words.last_mut()) {
            ('\\', Some(word)) if characters.peek() == Some(&' ') => {
                word.extend(characters.next());
            }
            ('\\', _) if characters.peek() == Some(&'\n') => words.push(String::new()),
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

    proptest! {
        #[test]
        fn any_path_survives(paths in prop::collection::vec("[a-z \\\\/]{0,5}[a-z]", 0..5)) {
            let expected: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            let text = format(Path::new("/a b/elf"), expected.iter().map(PathBuf::as_path));
            prop_assert_eq!(parse(&text).unwrap(), expected);
        }

        #[test]
        fn arbitrary_text_never_panics(text in ".*") {
            let _ = parse(&text);
        }
    }
}
