//! The lines of a Rust text that have a token on them.

use std::collections::BTreeSet;

use anyhow::anyhow;
use proc_macro2::{Span, TokenStream, TokenTree};

/// The numbers, from 1, of the lines on which a token begins, ends or goes on.
///
/// # Errors
///
/// When the text cannot be taken apart into tokens.
pub fn lines_with_code(text: &str) -> anyhow::Result<BTreeSet<usize>> {
    let stream: TokenStream = text.parse().map_err(|error| anyhow!("{error}"))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = Found {
        lines: text.lines().collect(),
        with_code: BTreeSet::new(),
    };
    found.add_stream(stream);
    Ok(found.with_code)
}

struct Found<'a> {
    lines: Vec<&'a str>,
    with_code: BTreeSet<usize>,
}

impl Found<'_> {
    fn add_stream(&mut self, stream: TokenStream) {
        for token in stream {
            match token {
                token if self.is_doc_comment(token.span()) => {}
                TokenTree::Group(group) => {
                    self.add(group.span_open());
                    self.add_stream(group.stream());
                    self.add(group.span_close());
                }
                token => self.add(token.span()),
            }
        }
    }

    fn add(&mut self, span: Span) {
        self.with_code.extend(span.start().line..=span.end().line);
    }

    /// A doc comment comes as the tokens of a `doc` attribute that all lie on the comment.
    fn is_doc_comment(&self, span: Span) -> bool {
        let start = span.start();
        let line = self.lines.get(start.line.wrapping_sub(1)).unwrap_or(&"");
        let rest: String = line.chars().skip(start.column).take(2).collect();
        rest == "//" || rest == "/*"
    }
}
