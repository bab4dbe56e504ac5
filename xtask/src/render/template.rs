//! Templates: strict about names, and errors that say where.

use std::ops::Range;

use anyhow::anyhow;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, UndefinedBehavior, context};
use serde::Serialize;

use super::filters;

/// Renders the template `source`, called `name` in errors, with `study` as its data.
///
/// # Errors
/// One line with the template, the line in it, what is wrong, and the expression it is wrong with.
pub fn render(name: &str, source: &str, study: &impl Serialize) -> anyhow::Result<String> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut syntax = SyntaxConfig::builder();
    syntax.keep_trailing_newline(true);
    syntax.trim_blocks(true).lstrip_blocks(true);
    environment.set_syntax(syntax.build()?);
    filters::install(&mut environment);
    let rendered = environment.add_template(name, source).and_then(|()| {
        environment
            .get_template(name)?
            .render(context! { study => Serde(study) })
    });
    rendered.map_err(|error| anyhow!(one_line(name, source, &error)))
}

/// The error with its place and the expression it is about.
fn one_line(name: &str, source: &str, error: &Error) -> String {
    let line = error.line().unwrap_or(1);
    let what = match error.detail() {
        Some(detail) => detail.to_owned(),
        None => error.kind().to_string(),
    };
    let tag = error.range().and_then(|range| tag_around(source, range));
    let tag = tag.map(|tag| format!(" in `{tag}`")).unwrap_or_default();
    format!("{name}:{line}: {what}{tag}")
}

/// The whole `{{ }}` or `{% %}` around a place in the template, on one line.
fn tag_around(source: &str, place: Range<usize>) -> Option<String> {
    let (before, after) = (source.get(..place.start)?, source.get(place.end..)?);
    let starts = ["{{", "{%"].map(|mark| before.rfind(mark));
    let ends = ["}}", "%}"].map(|mark| after.find(mark));
    let start = starts.into_iter().flatten().max()?;
    let end = place.end + ends.into_iter().flatten().min()? + 2;
    let tag = source.get(start..end)?.split_whitespace();
    Some(tag.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Study {
        sent: u64,
        rtt_ns: u64,
        none: Option<u64>,
        loss: Quotient,
        hash: &'static str,
    }

    #[derive(Serialize)]
    struct Quotient {
        numerator: u128,
        denominator: u128,
    }

    fn render_text(source: &str) -> anyhow::Result<String> {
        let study = Study {
            sent: 3_600_000,
            rtt_ns: 303_149,
            none: None,
            loss: Quotient {
                numerator: 19,
                denominator: 3_600_000,
            },
            hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        };
        render("study.md.j2", source, &study)
    }

    fn refusal(source: &str) -> String {
        render_text(source).unwrap_err().to_string()
    }

    #[test]
    fn figures_come_out_in_the_unit_of_their_filter() {
        let cases = [
            ("{{ study.sent | count }}", "3,600,000"),
            ("{{ study.rtt_ns | ns_as_us(1) }}", "303.1"),
            ("{{ study.rtt_ns | ns_as_ms(3) }}", "0.303"),
            ("{{ study.loss | percent(6) }}", "0.000528"),
            ("{{ study.loss | percent(2) }}", "<0.01"),
            ("{{ study.none | ns_as_us(1) }}", "not measured"),
            ("{{ study.hash | short_hash }}", "ba7816bf8f01"),
        ];
        for (source, text) in cases {
            assert_eq!(render_text(source).unwrap(), text, "{source}");
        }
    }

    #[test]
    fn a_number_without_a_filter_is_refused() {
        assert_eq!(
            refusal("fine\n{{ study.sent }}"),
            "study.md.j2:2: a number is printed without a filter that names its unit in `{{ study.sent }}`"
        );
        assert_eq!(
            refusal("{{ study.none }}"),
            "study.md.j2:1: an absent value is printed without a filter in `{{ study.none }}`"
        );
    }

    #[test]
    fn an_undefined_name_is_named_with_its_line() {
        assert_eq!(
            refusal("\n\n{{ study.valid | count }}\n"),
            "study.md.j2:3: undefined value in `{{ study.valid | count }}`"
        );
        assert_eq!(
            refusal("{{ studdy.sent | count }}\n"),
            "study.md.j2:1: `studdy` is undefined in `{{ studdy.sent | count }}`"
        );
        assert_eq!(
            refusal("{% for row in study.rows %}{% endfor %}\n"),
            "study.md.j2:1: `study.rows` is undefined in `{% for row in study.rows %}`"
        );
        assert_eq!(
            refusal("{% if study.rows %}{% endif %}\n"),
            "study.md.j2:1: `study.rows` is undefined in `{% if study.rows %}`"
        );
    }

    #[test]
    fn what_is_no_figure_is_refused() {
        assert!(refusal("{{ study.hash | count }}").contains("is no figure"));
        assert!(refusal("{{ study.sent | counts }}").contains("counts"));
        assert!(refusal("{{ study.sent | count").starts_with("study.md.j2:1: "));
    }
}
