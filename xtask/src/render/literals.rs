//! Digits that a template has no right to: every number of a document comes from a result.
//!
//! A digit may stand in a name, which is a word that begins with a letter (`p99`, `W5500`, `PA5`), in
//! code, in a heading, in the target of a link and in an HTML comment. All other digits are figures, and
//! a figure is printed by an expression. What is a name and does not look like one goes through `name`.

use minijinja::Error;
use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

/// Functions whose texts may have any digits: what they print is recorded.
const DECLARING: [&str; 3] = ["name", "claim", "stated"];
/// Stands for a tag in the template's text.
const TAG: char = '\u{FFFC}';

/// A digit of a template that is no figure and no part of a name.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the digits of `{word}` come from no result: print a figure, or call `name` when it is none"
)]
pub struct OutOfPlace {
    /// The line of the template, from 1.
    pub line: usize,
    /// The word that has the digit.
    pub word: String,
}

/// The first digit of the template `source` that is out of place.
///
/// # Errors
/// The source is no template.
pub fn find(source: &str, syntax: SyntaxConfig) -> Result<Option<OutOfPlace>, Error> {
    let mut text = String::new();
    let mut line = 1;
    let mut tag = Tag::default();
    let mut called = None;
    for token in tokenize(source, false, syntax) {
        let (token, span) = token?;
        let before = called.take();
        if let Token::Ident(name) = token {
            called = Some(name);
        }
        let at = usize::from(span.start_line);
        match token {
            Token::TemplateData(data) => {
                // The lines of tags and comments before it, and those whose ends were trimmed.
                while line < at {
                    text.push('\n');
                    line += 1;
                }
                line += data.matches('\n').count();
                text.push_str(data);
            }
            Token::VariableStart | Token::BlockStart => {
                text.push(TAG);
                tag = Tag::default();
            }
            Token::VariableEnd | Token::BlockEnd if tag.first.is_some() && !tag.declares => {
                return Ok(tag.first);
            }
            Token::ParenOpen => {
                tag.declares |= before.is_some_and(|name| DECLARING.contains(&name))
            }
            Token::Str(text) => tag.add(at, text),
            Token::String(text) => tag.add(at, &text),
            _ => {}
        }
    }
    Ok(find_in_text(&text))
}

/// The texts of one tag.
#[derive(Default)]
struct Tag {
    declares: bool,
    first: Option<OutOfPlace>,
}

impl Tag {
    fn add(&mut self, line: usize, text: &str) {
        if let Some(word) = words(text).find(|word| is_number(word)) {
            let word = word.to_owned();
            self.first.get_or_insert(OutOfPlace { line, word });
        }
    }
}

/// The first digit out of place in what stands between the tags.
fn find_in_text(text: &str) -> Option<OutOfPlace> {
    let mut in_fence = false;
    let mut in_comment = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_fence = !in_fence;
            continue;
        }
        let is_heading = line.starts_with('#');
        if in_fence || is_heading {
            continue;
        }
        let prose = without_links(&without_code(&without_comments(line, &mut in_comment)));
        if let Some(word) = words(&prose).find(|word| is_number(word)) {
            return Some(OutOfPlace {
                line: index + 1,
                word: word.to_owned(),
            });
        }
    }
    None
}

/// The line without its HTML comments.
fn without_comments(line: &str, inside: &mut bool) -> String {
    let mut rest = line;
    let mut kept = String::new();
    loop {
        let mark = if *inside { "-->" } else { "<!--" };
        let Some((before, after)) = rest.split_once(mark) else {
            break;
        };
        if !*inside {
            kept.push_str(before);
        }
        *inside = !*inside;
        rest = after;
    }
    if !*inside {
        kept.push_str(rest);
    }
    kept
}

/// The line without its code spans.
fn without_code(line: &str) -> String {
    let parts = line.split('`').enumerate();
    let prose = parts.filter(|(index, _)| index % 2 == 0);
    prose.map(|(_, part)| part).collect::<Vec<_>>().join(" ")
}

/// The line without the targets of its links.
fn without_links(line: &str) -> String {
    let mut parts = line.split("](");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str("] ");
        kept.push_str(part.split_once(')').map_or("", |(_, after)| after));
    }
    kept
}

/// Letters and digits, and what joins them to one word.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let joins = |letter: char| letter.is_alphanumeric() || ".,-_/+§%".contains(letter);
    let words = text.split(move |letter| !joins(letter));
    words.map(|word| word.trim_matches(['.', ',', '-', '/', '+', '_']))
}

fn is_number(word: &str) -> bool {
    let begins = word.chars().next();
    begins.is_some_and(|first| !first.is_alphabetic()) && word.contains(|c: char| c.is_numeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Option<(usize, String)> {
        let found = find(source, SyntaxConfig::default()).unwrap();
        found.map(|OutOfPlace { line, word }| (line, word))
    }

    #[test]
    fn names_code_headings_links_and_comments_may_have_digits() {
        let fine = [
            "p99 of W5500 on PA5, RFC\n",
            "`12 + 3` and ```\n",
            "## 12 months\n",
            "[text](a/12.md#34) after\n",
            "<!-- 12\n34 --> after\n",
            "```\n12\n```\n",
            "{{ name('RFC 791') }} {# 12 #}{{ x | quotient(2) }}\n",
            "{% if x == 'p99 (us)' %}{% endif %}\n",
        ];
        for source in fine {
            assert_eq!(found(source), None, "{source}");
        }
    }

    #[test]
    fn any_other_digit_is_refused_with_its_line_and_word() {
        let refused = [
            ("one\ntwo 12 three\n", 2, "12"),
            ("{# a\ncomment #}\n100-byte datagrams\n", 3, "100-byte"),
            ("{{ x }}5\n", 1, "5"),
            ("2.1x\n", 1, "2.1x"),
            ("54.06 %\n", 1, "54.06"),
            ("```\n1\n```\n`2` 3\n", 4, "3"),
            ("<!-- 1 --> 2\n", 1, "2"),
            ("[1](2)\n", 1, "1"),
            ("x\n{{ 'at 12 kHz' }}\n", 2, "12"),
            ("§2\n", 1, "§2"),
            ("{{ build.name ~ '12' }}", 1, "12"),
            ("a {%- if x %}\n 7{% endif %}\n", 2, "7"),
        ];
        for (source, line, word) in refused {
            assert_eq!(found(source), Some((line, word.to_owned())), "{source}");
        }
    }
}
