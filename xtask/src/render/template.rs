//! Templates: strict about names, and errors that say where.

use std::error::Error as _;
use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use anyhow::anyhow;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, UndefinedBehavior, context};
use serde::Serialize;

use super::filters;

/// Renders the template `name` in `folder`, with `study` as its data. It may include and import
/// other files of the folder by their path in it.
///
/// # Errors
/// One line with the template, the line in it, what is wrong, and the expression it is wrong with.
pub fn render(folder: &Path, name: &str, study: &impl Serialize) -> anyhow::Result<String> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut syntax = SyntaxConfig::builder();
    syntax.keep_trailing_newline(true);
    syntax.trim_blocks(true).lstrip_blocks(true);
    environment.set_syntax(syntax.build()?);
    filters::install(&mut environment);
    let templates = folder.to_owned();
    environment.set_loader(move |name| read(&templates, name));
    let template = environment.get_template(name);
    let rendered =
        template.and_then(|template| template.render(context! { study => Serde(study) }));
    rendered.map_err(|error| anyhow!(one_line(folder, name, innermost(&error))))
}

/// The source of the template `name`; `None` when there is no such file.
fn read(folder: &Path, name: &str) -> Result<Option<String>, Error> {
    match fs::read_to_string(folder.join(name)) {
        Ok(source) => Ok(Some(source)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::new(
            minijinja::ErrorKind::InvalidOperation,
            format!("cannot read it: {error}"),
        )),
    }
}

/// Of an error in an included template, the one that says where in that template it is.
fn innermost(error: &Error) -> &Error {
    match error.source().and_then(|source| source.downcast_ref()) {
        Some(source) => innermost(source),
        None => error,
    }
}

/// The error of rendering `name` with its place and the expression it is about.
fn one_line(folder: &Path, name: &str, error: &Error) -> String {
    let path = folder.join(error.name().unwrap_or(name));
    let line = error.line().unwrap_or(1);
    let what = match error.detail() {
        Some(detail) => detail.to_owned(),
        None => error.kind().to_string(),
    };
    let source = fs::read_to_string(&path).unwrap_or_default();
    let tag = error.range().and_then(|range| tag_around(&source, range));
    let tag = tag.map(|tag| format!(" in `{tag}`")).unwrap_or_default();
    format!("{}:{line}: {what}{tag}", path.display())
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
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("study.md.j2"), source).unwrap();
        fs::write(folder.path().join("part.md.j2"), PART).unwrap();
        let rendered = render(folder.path(), "study.md.j2", &study);
        let place = format!("{}/", folder.path().display());
        rendered.map_err(|error| anyhow!(error.to_string().replace(&place, "")))
    }

    fn refusal(source: &str) -> String {
        render_text(source).unwrap_err().to_string()
    }

    const PART: &str = "{% macro of(sent) %}of {{ sent | count }}{% endmacro %}\n\
                        {% if study.none is none %}part{% else %}{{ study.colour }}{% endif %}\n";

    #[test]
    fn a_template_includes_and_imports_others() {
        let cases = [
            ("{% include 'part.md.j2' %}", "part"),
            (
                "{% from 'part.md.j2' import of %}{{ of(study.sent) }}",
                "of 3,600,000",
            ),
        ];
        for (source, text) in cases {
            assert_eq!(render_text(source).unwrap(), text, "{source}");
        }
    }

    #[test]
    fn an_error_in_another_template_names_that_one() {
        assert_eq!(
            refusal("one\n{% from 'part.md.j2' import of %}{{ of('part') }}\n"),
            "part.md.j2:1: part is no figure: neither a whole number nor a quotient of two in `{{ sent | count }}`"
        );
        assert_eq!(
            refusal("one\n{% set study = {'none': 1} %}{% include 'part.md.j2' %}\n"),
            "part.md.j2:2: `study.colour` is undefined in `{{ study.colour }}`"
        );
        assert_eq!(
            refusal("one\n{% include 'absent.md.j2' %}\n"),
            "study.md.j2:2: tried to include non-existing template 'absent.md.j2' in `{% include 'absent.md.j2' %}`"
        );
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
            ("{{ study.sent | bits_per_s_as_mbit_per_s(3) }}", "3.600"),
            ("{{ study.rtt_ns | over(study.sent, 3) }}", "0.084"),
            ("{{ study.rtt_ns | over(study.loss, 0) }}", "57,438,757,895"),
            ("{{ study.none | over(study.sent, 3) }}", "not measured"),
            ("{{ study.sent | over(0, 3) }}", "no quotient"),
        ];
        for (source, text) in cases {
            assert_eq!(render_text(source).unwrap(), text, "{source}");
        }
    }

    #[test]
    fn figures_are_compared_exactly() {
        let cases = [
            ("{{ order(study.rtt_ns, study.sent) }}", "less"),
            ("{{ order(study.sent, study.loss) }}", "greater"),
            ("{{ order(study.loss, study.loss) }}", "equal"),
            ("{{ order(study.loss, study.none) is none }}", "True"),
        ];
        for (source, text) in cases {
            assert_eq!(render_text(source).unwrap(), text, "{source}");
        }
        assert!(refusal("{{ order(study.sent, study.hash) }}").contains("is no figure"));
    }

    #[test]
    fn a_path_ends_at_what_was_not_measured_and_nowhere_else() {
        let cases = [
            ("{{ at(study, 'loss.numerator') | count }}", "19"),
            ("{{ at(study, 'none.share') is none }}", "True"),
        ];
        for (source, text) in cases {
            assert_eq!(render_text(source).unwrap(), text, "{source}");
        }
        let refusal = refusal("{{ at(study, 'loss.share') | count }}");
        assert!(
            refusal.contains("there is no share on the way along loss.share"),
            "{refusal}"
        );
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
