//! Digits of a document that belong to no figure.
//!
//! A digit may stand in a figure, in a claim, in what went through the filter of names, in a word that
//! begins with a letter, in code, in a heading, in a comment or in the target of a link. There is no
//! other digit in a document that follows from results alone.

use super::documents::Checker;
use super::report::{Kind, Report};
use crate::render::{Rendered, Span};

/// Checks the digits of one document.
pub fn check(checker: &Checker, rendered: &Rendered) -> Report {
    let mut prose = Prose::default();
    let mut findings = Vec::new();
    let mut digits = 0;
    for (number, line) in checker.committed.numbered() {
        let characters = Vec::from_iter(line.chars());
        let mut free = prose.of_line(&characters);
        cover(&mut free, &characters, number, rendered);
        digits += characters.iter().filter(|one| one.is_numeric()).count();
        if let Some(word) = first_orphan(&characters, &free) {
            let message = format!("{word:?} has a digit that belongs to no figure");
            findings.push(checker.finding(Kind::Orphan, number.to_string(), message));
        }
    }
    let nameless = |name: &&Span| is_number(&name.text) && !is_version(checker, &name.text);
    for name in rendered.names.iter().filter(nameless) {
        let message = format!("{:?} is called a name, and is a number", name.text);
        let place = format!("{}:{}", name.line, name.column);
        findings.push(checker.finding(Kind::Orphan, place, message));
    }
    Checker::report("digits of documents attributed", digits, findings)
}

/// Whether a name is a number like that of a figure, but one without a trace.
fn is_number(name: &str) -> bool {
    let of_figures = |one: char| one.is_numeric() || one == ',' || one == '.';
    name.contains(char::is_numeric) && name.chars().all(of_figures) && name.matches('.').count() < 2
}

/// Whether a name is the version of the board model, which is a text.
fn is_version(checker: &Checker, name: &str) -> bool {
    let mut results = checker.files.results.values().flatten();
    results.any(|result| {
        let version = result.pointer("/inputs/board/version");
        version.and_then(serde_json::Value::as_str) == Some(name)
    })
}

/// Takes what was printed through filters away from what is free.
fn cover(free: &mut [bool], characters: &[char], number: usize, rendered: &Rendered) {
    let figures = rendered.figures.iter().map(|figure| &figure.at);
    for Span { line, column, text } in figures.chain(&rendered.names) {
        // A name can go over several lines, each of which is covered from its start.
        for (offset, part) in text.split('\n').enumerate() {
            if line + offset == number {
                let start = if offset == 0 { column - 1 } else { 0 };
                take(free, start, part.chars().count());
            }
        }
    }
    for claim in rendered.claims.iter().filter(|claim| claim.line == number) {
        let words = Vec::from_iter(claim.words.chars());
        let places = characters.windows(words.len().max(1));
        let starts = places.enumerate().filter(|(_, place)| *place == words);
        for start in Vec::from_iter(starts.map(|(start, _)| start)) {
            take(free, start, words.len());
        }
    }
}

fn take(free: &mut [bool], start: usize, length: usize) {
    let end = (start + length).min(free.len());
    if let Some(taken) = free.get_mut(start.min(end)..end) {
        taken.fill(false);
    }
}

/// The first word of the line that has a free digit and does not begin with a letter.
fn first_orphan(characters: &[char], free: &[bool]) -> Option<String> {
    let mut start = 0;
    while start < characters.len() {
        if !joins(characters[start]) {
            start += 1;
            continue;
        }
        let length = characters[start..].iter().take_while(|one| joins(**one));
        let end = start + length.count();
        let word = &characters[start..end];
        let begins = word.iter().position(|one| !".,-/+_".contains(*one));
        let is_name = begins.is_some_and(|at| word[at].is_alphabetic());
        let has_free_digit = (start..end).any(|at| free[at] && characters[at].is_numeric());
        if has_free_digit && !is_name {
            return Some(word.iter().collect());
        }
        start = end;
    }
    None
}

/// Whether a character is inside words rather than between them.
fn joins(character: char) -> bool {
    character.is_alphanumeric() || ".,-_/+§%".contains(character)
}

/// Which parts of a document are prose.
#[derive(Default)]
struct Prose {
    in_fence: bool,
    in_comment: bool,
}

impl Prose {
    /// Of each character of the next line, whether it is prose.
    fn of_line(&mut self, line: &[char]) -> Vec<bool> {
        let starts = |mark: &str| {
            let text = line.iter().skip_while(|one| one.is_whitespace());
            text.take(mark.len()).copied().eq(mark.chars())
        };
        if starts("```") {
            self.in_fence = !self.in_fence;
            return vec![false; line.len()];
        }
        if self.in_fence || line.first() == Some(&'#') {
            return vec![false; line.len()];
        }
        let mut prose = vec![true; line.len()];
        self.leave_out_comments(line, &mut prose);
        leave_out_between(line, &mut prose, &['`'], '`');
        leave_out_between(line, &mut prose, &[']', '('], ')');
        prose
    }

    fn leave_out_comments(&mut self, line: &[char], prose: &mut [bool]) {
        for at in 0..line.len() {
            if line[at..].starts_with(&['<', '!', '-', '-']) {
                self.in_comment = true;
            }
            prose[at] &= !self.in_comment;
            if line[..=at].ends_with(&['-', '-', '>']) {
                self.in_comment = false;
            }
        }
    }
}

/// Takes away what stands from each `open` to the next `close`; an `open` without one takes nothing.
fn leave_out_between(line: &[char], prose: &mut [bool], open: &[char], close: char) {
    let mut at = 0;
    while at < line.len() {
        let begins = prose[at] && line[at..].starts_with(open);
        let inside = at + open.len();
        let length = line.get(inside..).filter(|_| begins);
        let length = length.and_then(|rest| rest.iter().position(|one| *one == close));
        match length {
            Some(length) => {
                prose[at..=inside + length].fill(false);
                at = inside + length + 1;
            }
            None => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orphans(text: &str) -> Vec<String> {
        let mut prose = Prose::default();
        let lines = text.lines().map(|line| Vec::from_iter(line.chars()));
        let orphan = |line: Vec<char>| first_orphan(&line, &prose.of_line(&line));
        lines.filter_map(orphan).collect()
    }

    #[test]
    fn names_code_headings_links_and_comments_have_digits() {
        for text in [
            "p99 of W5500 on PA5, x86-64\n",
            "`12 + 3` and `4`\n",
            "## 12 months\n",
            "[text](a/12.md#34) after\n",
            "<!-- 12\n34 --> after\n",
            "```\n12\n```\n",
        ] {
            assert_eq!(orphans(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn any_other_digit_is_an_orphan() {
        for (text, word) in [
            ("two 12 three", "12"),
            ("100-byte datagrams", "100-byte"),
            ("-12 dB", "-12"),
            ("```\n1\n```\n`2` 3", "3"),
            ("<!-- 1 --> 2", "2"),
            ("[1](2)", "1"),
            ("an `open 4", "4"),
            ("§2", "§2"),
        ] {
            assert_eq!(orphans(text), [word], "{text}");
        }
    }
}
