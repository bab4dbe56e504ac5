use super::*;
use crate::render::Unit;
use crate::trace::{Place, Relation, Traced};

#[derive(Serialize)]
struct Study {
    sent: Traced,
    rtt_ns: Traced,
    none: Option<Traced>,
    loss: Option<Traced>,
    loss_in: Loss,
    zero: Traced,
    untraced: u64,
    hash: &'static str,
    sizes: Vec<Loss>,
}

#[derive(Serialize)]
struct Loss {
    missing: Traced,
    share: Option<Traced>,
}

fn study() -> Study {
    let place = Place::of_file("variant", "build", "stream");
    let sent = place.figure("counts/sent", 3_600_000_u64);
    let missing = place.figure("counts/missing", 19_u64);
    Study {
        rtt_ns: place.figure("rtt/min_ns", 303_149_u64),
        none: None,
        loss: missing.over(&sent),
        loss_in: Loss {
            missing: missing.clone(),
            share: None,
        },
        zero: place.figure("counts/late", 0_u64),
        untraced: 7,
        hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        sizes: [&missing, &sent]
            .map(|figure| Loss {
                missing: figure.clone(),
                share: None,
            })
            .into(),
        sent,
    }
}

fn render_all(source: &str) -> anyhow::Result<Rendered> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("study.md.j2"), source).unwrap();
    fs::write(folder.path().join("part.md.j2"), PART).unwrap();
    let rendered = render(folder.path(), ("study.md", "study.md.j2"), &study());
    let place = format!("{}/", folder.path().display());
    rendered.map_err(|error| anyhow!(error.to_string().replace(&place, "")))
}

fn render_text(source: &str) -> anyhow::Result<String> {
    render_all(source).map(|rendered| rendered.text)
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
        "part.md.j2:1: part is no figure: nothing says which result it comes from in `{{ sent | count }}`"
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
        ("{{ study.sent | over(study.zero, 3) }}", "no quotient"),
    ];
    for (source, text) in cases {
        assert_eq!(render_text(source).unwrap(), text, "{source}");
    }
}

#[test]
fn figures_are_compared_exactly_and_the_word_is_recorded() {
    let cases = [
        ("study.rtt_ns, study.sent", "fewer", Relation::Less),
        ("study.sent, study.loss", "more", Relation::Greater),
        ("study.loss, study.loss", "as many", Relation::Equal),
    ];
    for (sides, text, relation) in cases {
        let source = format!("{{{{ compared({sides}, 'fewer', 'as many', 'more') }}}}");
        let rendered = render_all(&source).unwrap();
        assert_eq!(rendered.text, text);
        assert_eq!(rendered.claims[0].relation, relation);
    }
    assert!(refusal("{{ compared(study.sent, study.hash, '', '', '') }}").contains("neither"));
}

#[test]
fn a_claim_prints_its_words_when_it_is_true() {
    let cases = [
        "'a twelfth', study.rtt_ns, 'about', study.sent",
        "'few', study.loss_in.missing, '<', study.sent",
        "'enough', study.sent, '>=', 3600000",
        "'under a ten-thousandth', study.loss, '<', '1/10000'",
        "'all', sum(study.sizes, 'missing'), '==', 3600019",
    ];
    for (index, arguments) in cases.into_iter().enumerate() {
        let tolerance = if index == 0 { ", tolerance='92 %'" } else { "" };
        let rendered = render_all(&format!("{{{{ claim({arguments}{tolerance}) }}}}")).unwrap();
        let claim = &rendered.claims[0];
        assert_eq!(rendered.text, claim.words);
        assert_eq!(claim.tolerance.is_some(), index == 0);
    }
}

#[test]
fn a_false_claim_stops_rendering_and_prints_both_sides() {
    assert_eq!(
        refusal("one\n{{ claim('most', study.loss_in.missing, '>', study.sent) }}"),
        "study.md.j2:2: the claim \"most\" is false: 19 (counts.missing) is not > 3600000 (counts.sent) in \
         `{{ claim('most', study.loss_in.missing, '>', study.sent) }}`"
    );
    let cases = [
        ("'x', 100, 'about', 111, tolerance='9.9 %'", "is false: 100"),
        ("'x', study.loss, '==', '19/3600001'", "is false: 0.000005"),
        ("'x', 1, 'about', 1", "and no other, has a tolerance"),
        (
            "'x', 1, '<', 2, tolerance='1 %'",
            "and no other, has a tolerance",
        ),
        ("'x', 1, 'about', 1, tolerance='1'", "1 is no tolerance"),
        ("'x', 1, '~', 1", "~ is no relation"),
        ("'x', '1/0', '<', 1", "1/0 is neither a figure nor a number"),
        (
            "'x', study.none, '<', 1",
            "None is neither a figure nor a number",
        ),
        ("'x', 1, '<', 2, slack='1 %'", "slack"),
    ];
    for (arguments, reason) in cases {
        let refusal = refusal(&format!("{{{{ claim({arguments}) }}}}"));
        assert!(refusal.contains(reason), "{arguments}: {refusal}");
    }
    assert!(render_text("{{ claim('x', 100, 'about', 111, tolerance='10 %') }}").is_ok());
}

#[test]
fn each_figure_is_found_where_it_was_printed_with_what_it_follows_from() {
    let rendered =
        render_all("{{ study.hash | short_hash }}: of\n {{ study.sent | count }}, {{ study.loss | percent(2) }} %")
            .unwrap();
    let [sent, loss] = rendered.figures.as_slice() else {
        panic!("two figures");
    };
    assert_eq!(
        (sent.at.line, sent.at.column, &*sent.at.text),
        (2, 2, "3,600,000")
    );
    assert_eq!((sent.unit, sent.digits), (Unit::One, 0));
    assert_eq!(
        (loss.unit, loss.digits, &*loss.at.text),
        (Unit::Percent, 2, "<0.01")
    );
    assert_eq!(
        loss.traced.formula.to_string(),
        "counts.missing / counts.sent"
    );
    let inputs = loss.traced.formula.inputs();
    let inputs = inputs.into_iter().map(ToString::to_string);
    let file = "variant/build/stream.json#/counts";
    assert_eq!(
        inputs.collect::<Vec<_>>(),
        [format!("{file}/missing"), format!("{file}/sent")]
    );
    assert_eq!(rendered.names[0].text, "ba7816bf8f01");
}

#[test]
fn a_figure_without_a_trace_is_refused() {
    for source in [
        "{{ study.untraced | count }}",
        "{{ 5 | count }}",
        "{{ study.sizes | length | count }}",
    ] {
        assert!(
            refusal(source).contains("nothing says which result it comes from"),
            "{source}"
        );
    }
}

#[test]
fn a_digit_of_the_template_itself_is_refused_with_its_line() {
    assert_eq!(
        refusal("fine\n{# a\ncomment #}\nabout 12 of them"),
        "study.md.j2:4: the digits of `12` come from no result: print a figure, or call `name` when it is none"
    );
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("study.md.j2"),
        "one\n{% include 'other.j2' %}",
    )
    .unwrap();
    fs::write(folder.path().join("other.j2"), "one\ntwo\n3").unwrap();
    let refusal = render(folder.path(), ("study.md", "study.md.j2"), &study());
    let refusal = refusal.map(drop).unwrap_err().to_string();
    assert!(
        refusal.contains("other.j2:3: the digits of `3`"),
        "{refusal}"
    );
    let stated = "{{ stated(64, 'a standard, §2.1') | count }} {{ name('§2.1') }}";
    assert_eq!(render_text(stated).unwrap(), "64 §2.1");
}

#[test]
fn a_path_ends_at_what_was_not_measured_and_nowhere_else() {
    let cases = [
        ("{{ at(study, 'loss_in.missing') | count }}", "19"),
        ("{{ at(study, 'none.share') is none }}", "True"),
    ];
    for (source, text) in cases {
        assert_eq!(render_text(source).unwrap(), text, "{source}");
    }
    let refusal = refusal("{{ at(study, 'loss_in.shares') | count }}");
    assert!(
        refusal.contains("there is no shares on the way along loss_in.shares"),
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
