//! Reads the dependency file cargo writes beside an executable, in make's format.

use std::path::PathBuf;

use anyhow::{Context, ensure};

/// The files after the colon of the one rule; a space in a path is written `\ `.
pub fn parse(text: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut words = words(text).into_iter();
    let target = words.next().context("an empty dependency file")?;
    ensure!(
        target.ends_with(':'),
        "a dependency file that does not start with its target"
    );
    Ok(words.map(PathBuf::from).collect())
}

fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, words.last_mut()) {
            ('\\', Some(word)) if characters.peek() == Some(&' ') => {
                word.extend(characters.next());
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
    fn what_is_no_dependency_file_is_refused() {
        assert!(parse("").is_err());
        assert!(parse("one two").is_err());
    }

    proptest! {
        #[test]
        fn any_path_survives(paths in prop::collection::vec("[a-z \\\\/]{0,5}[a-z]", 0..5)) {
            let escaped: Vec<String> = paths.iter().map(|path| path.replace(' ', "\\ ")).collect();
            let expected: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            prop_assert_eq!(parse(&format!("elf: {}\n", escaped.join(" "))).unwrap(), expected);
        }

        #[test]
        fn arbitrary_text_never_panics(text in ".*") {
            let _ = parse(&text);
        }
    }
}
