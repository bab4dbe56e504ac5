//! Faults of documents: figures that their inputs do not give, claims that do not hold, digits of nobody.
//!
//! A document is put together by hand here, so that what the renderer would never print can be printed.

use bench::Ratio;
use serde_json::json;

use super::*;
use crate::audit::documents;
use crate::audit::set::Files;
use crate::render::{Printed, Rendered, Span, Unit};
use crate::trace::{
    Candidate, CheckedClaim, Condition, Formula, Input, Relation, Rule, Tolerance, Traced,
};

const FILE: &str = "v/b/stream.json";

/// A result with counters and a histogram of 1 to 100.
fn result() -> Value {
    let buckets = Vec::from_iter((1..=100).map(|value| [value, 1]));
    json!({
        "busy": 5_406, "window": 10_000, "zero": 0, "none": null, "buffer": 128_000, "dtcm": 131_072,
        "rtt": {"significant_digits": 3, "count": 100, "min_ns": 1, "max_ns": 100, "sum_ns": 5_050,
            "buckets": buckets},
        "steps": [{"rate": 1, "errors": 0}, {"rate": 2, "errors": 4}, {"rate": 3, "errors": 0}],
    })
}

fn input(pointer: &str) -> Input {
    Input {
        file: FILE.to_owned(),
        pointer: pointer.to_owned(),
    }
}

fn value(pointer: &str) -> Formula {
    Formula::Value(input(pointer))
}

fn ratio(numerator: u128, denominator: u128) -> Ratio {
    Ratio {
        numerator,
        denominator,
    }
}

fn percentile(numerator: u128) -> Formula {
    Formula::Percentile {
        histogram: input("/rtt"),
        share: ratio(numerator, 100),
    }
}

/// A figure that stands in a line of its own.
fn figure(text: &str, unit: Unit, digits: u32, value: Ratio, formula: Formula) -> Printed {
    Printed {
        at: Span {
            line: 1,
            column: 1,
            text: text.to_owned(),
        },
        unit,
        digits,
        traced: Traced { value, formula },
    }
}

/// What the audit says of a committed document for which this was rendered.
fn findings(committed: &str, rendered: Rendered) -> Vec<String> {
    let places = Places {
        set: ResultSet::in_folder(SetName::Quick, Path::new("/set")),
        templates: PathBuf::from("/templates"),
        published: None,
        images: None,
        root: PathBuf::from("/set"),
        study_command: "cargo xtask study --quick".to_owned(),
        render_command: "cargo xtask render --quick".to_owned(),
    };
    let mut files = Files::default();
    files.results.insert(FILE.to_owned(), Some(result()));
    let committed = committed.to_owned();
    files.documents.insert(rendered.document.clone(), committed);
    let report = documents::check(&places, &files, &[rendered]);
    report.findings.iter().map(Finding::to_string).collect()
}

fn document(text: &str) -> Rendered {
    Rendered {
        document: "D.md".to_owned(),
        text: text.to_owned(),
        figures: Vec::new(),
        claims: Vec::new(),
        names: Vec::new(),
    }
}

/// What the audit says of a document with one figure.
fn of_figure(figure: Printed) -> String {
    let text = figure.at.text.clone();
    let rendered = Rendered {
        figures: vec![figure],
        ..document(&text)
    };
    findings(&text, rendered).join("\n")
}

#[test]
fn a_figure_that_follows_is_no_finding() {
    let share = value("/busy").over(value("/window"));
    for (text, unit, digits, is, formula) in [
        ("54.06", Unit::Percent, 2, ratio(5_406, 10_000), share),
        ("99", Unit::One, 0, ratio(99, 1), percentile(99)),
        ("7", Unit::One, 0, ratio(7, 1), percentile(7)),
        ("0.00", Unit::Microseconds, 2, ratio(0, 1), value("/zero")),
    ] {
        assert_eq!(of_figure(figure(text, unit, digits, is, formula)), "");
    }
    // R10: 128,000 bytes of 131,072 are 97.66 %.
    let share = value("/buffer").over(value("/dtcm"));
    let is = ratio(128_000, 131_072);
    assert_eq!(of_figure(figure("97.66", Unit::Percent, 2, is, share)), "");
}

#[test]
fn a_figure_that_does_not_follow_is_found() {
    let cases = [
        // R5: another column.
        (
            figure("97", Unit::One, 0, ratio(97, 1), percentile(90)),
            "97/1, and percentile(rtt, 90/100) gives 90",
        ),
        // R1: nearest rank, one too high.
        (
            figure("100", Unit::One, 0, ratio(100, 1), percentile(99)),
            "gives 99",
        ),
        (
            figure("8", Unit::One, 0, ratio(8, 1), percentile(7)),
            "gives 7",
        ),
        // R4: a mean of two percentiles in the place of one of them.
        (
            figure("70", Unit::One, 0, ratio(70, 1), percentile(99)),
            "70/1, and percentile(rtt, 99/100) gives 99",
        ),
        // R6: zero is a value, and nothing is divided by it.
        (
            figure("5,406", Unit::One, 0, ratio(5_406, 1), value("/zero")),
            "gives 0",
        ),
        (
            figure(
                "1",
                Unit::One,
                0,
                ratio(1, 1),
                value("/busy").over(value("/zero")),
            ),
            "it divides by zero",
        ),
        // R8: a tie that went down.
        (
            figure(
                "0.2",
                Unit::One,
                1,
                ratio(1, 4),
                Formula::stated(1_u64, "a").over(Formula::stated(4_u64, "b")),
            ),
            "0.2 is printed, and 1/4 is 0.3",
        ),
        // R10: another unit.
        (
            figure(
                "128",
                Unit::Milliseconds,
                0,
                ratio(128_000, 1),
                value("/buffer"),
            ),
            "is printed, and 128000 is <1",
        ),
        // R11: a hole.
        (
            figure("5", Unit::One, 0, ratio(5, 1), value("/sent")),
            "there is no v/b/stream.json#/sent",
        ),
        (
            figure("5", Unit::One, 0, ratio(5, 1), value("/none")),
            "is null, and no whole number",
        ),
        (
            figure("5", Unit::One, 0, ratio(5, 1), value("/rtt")),
            "and no whole number",
        ),
        (
            figure("54.06", Unit::One, 2, ratio(5_406, 1), value("/busy")),
            "is 5,406.00",
        ),
    ];
    for (figure, message) in cases {
        let found = of_figure(figure);
        assert!(found.contains(message), "{message}: {found}");
    }
    let elsewhere = Formula::Value(Input {
        file: "v/b/other.json".to_owned(),
        pointer: String::new(),
    });
    let found = of_figure(figure("5", Unit::One, 0, ratio(5, 1), elsewhere));
    assert!(
        found.contains("there is no result v/b/other.json"),
        "{found}"
    );
    let empty = Formula::Selected {
        rule: Rule::Last,
        candidates: Vec::new(),
    };
    let found = of_figure(figure("5", Unit::One, 0, ratio(5, 1), empty));
    assert!(found.contains("no candidate is selected"), "{found}");
}

/// The rates of a sweep: clean at 1 and 3, with errors at 2.
fn steps() -> Vec<Candidate> {
    let none = || Formula::stated(0_u64, "none");
    let step = |index: usize| {
        let at = |name: &str| value(&format!("/steps/{index}/{name}"));
        Candidate {
            value: at("rate"),
            rank: at("errors"),
            conditions: vec![Condition::new(at("errors"), Relation::Equal, none())],
        }
    };
    (0..3).map(step).collect()
}

#[test]
fn formulas_over_cases_are_worked_out() {
    let of = |rule, candidates| Formula::Selected { rule, candidates };
    let unconditional = |mut candidate: Candidate| {
        candidate.conditions.clear();
        candidate
    };
    let all = Vec::from_iter(steps().into_iter().map(unconditional));
    let cases = steps().into_iter().map(|step| step.conditions).collect();
    let difference = value("/window").minus(value("/busy"));
    for (expected, formula) in [
        (1, of(Rule::LastOfUnbroken, steps())),
        (3, of(Rule::Last, steps())),
        (1, of(Rule::Largest, steps())),
        (2, of(Rule::Largest, all)),
        (2, Formula::Count(cases)),
        (4_594, difference.clone()),
        (
            1,
            Formula::RoundedUp(Box::new(value("/busy").over(value("/window")))),
        ),
        (
            1,
            Formula::RoundedUp(Box::new(value("/busy").over(value("/busy")))),
        ),
        (15_406, Formula::Sum(vec![value("/busy"), value("/window")])),
        (54_060_000, value("/busy").times(value("/window"))),
        (0, Formula::Sum(Vec::new())),
    ] {
        let text = crate::render::decimal(ratio(expected, 1), 0);
        let shown = formula.to_string();
        let found = of_figure(figure(&text, Unit::One, 0, ratio(expected, 1), formula));
        assert_eq!(found, "", "{shown}");
    }
}

#[test]
fn a_document_that_was_changed_is_found_at_its_line() {
    let rendered = || {
        let share = value("/busy").over(value("/window"));
        let figure = figure("54.06", Unit::Percent, 2, ratio(5_406, 10_000), share);
        Rendered {
            figures: vec![figure],
            ..document("54.06 % of it\nend\n")
        }
    };
    assert_eq!(findings("54.06 % of it\nend\n", rendered()), [""; 0]);
    let found = findings("54.07 % of it\nend\n", rendered()).join("\n");
    assert!(found.contains("D.md:1: it is \"54.07 % of it\""), "{found}");
    assert!(
        found.contains("D.md:1:1: it is \"54.07\", and busy / window gives 54.06"),
        "{found}"
    );
    let found = findings("54.06 % of it\nends\n", rendered()).join("\n");
    assert!(found.contains("D.md:2: it is \"ends\""), "{found}");
    let found = findings("54.06 % of it\nend", rendered()).join("\n");
    assert!(found.contains("differs in its line ends"), "{found}");
}

fn claim(left: Traced, relation: Relation, right: Traced) -> CheckedClaim {
    CheckedClaim {
        line: 1,
        words: "fewest".to_owned(),
        left,
        relation,
        right,
        tolerance: None,
    }
}

fn of_claim(claim: CheckedClaim) -> String {
    let rendered = Rendered {
        claims: vec![claim],
        ..document("fewest lines")
    };
    findings("fewest lines", rendered).join("\n")
}

#[test]
fn a_claim_is_judged_by_both_sides() {
    let busy = || Traced::whole(5_406_u64, value("/busy"));
    let window = || Traced::whole(10_000_u64, value("/window"));
    for (left, relation, right, holds) in [
        (busy(), Relation::Less, window(), true),
        (busy(), Relation::AtMost, busy(), true),
        (busy(), Relation::NotEqual, window(), true),
        (window(), Relation::Greater, busy(), true),
        (window(), Relation::AtLeast, window(), true),
        (busy(), Relation::Equal, busy(), true),
        (busy(), Relation::Greater, window(), false),
        (busy(), Relation::Less, busy(), false),
        (busy(), Relation::NotEqual, busy(), false),
        (busy(), Relation::Equal, window(), false),
        (window(), Relation::AtMost, busy(), false),
        (busy(), Relation::AtLeast, window(), false),
    ] {
        let found = of_claim(claim(left, relation, right));
        assert_eq!(found.is_empty(), holds, "{relation}: {found}");
        assert!(
            holds || found.contains("D.md:1: \"fewest\" does not hold:"),
            "{found}"
        );
    }
    let about = |percent: u128| CheckedClaim {
        tolerance: Some(Tolerance(ratio(percent, 100))),
        ..claim(busy(), Relation::About, window())
    };
    assert_eq!(of_claim(about(46)), "");
    let found = of_claim(about(45));
    assert!(found.contains("5406 about 10000 within 9/20"), "{found}");
}

#[test]
fn a_claim_of_other_values_or_other_words_is_found() {
    let busy = || Traced::whole(5_406_u64, value("/busy"));
    let wrong = Traced::whole(5_405_u64, value("/busy"));
    let found = of_claim(claim(wrong, Relation::Less, busy()));
    assert!(
        found.contains("5405/1 was compared, and busy gives 5406"),
        "{found}"
    );
    let hole = Traced::whole(1_u64, value("/sent"));
    let found = of_claim(claim(hole, Relation::Less, busy()));
    assert!(
        found.contains("there is no v/b/stream.json#/sent"),
        "{found}"
    );
    let elsewhere = CheckedClaim {
        words: "most".to_owned(),
        ..claim(busy(), Relation::Equal, busy())
    };
    let found = of_claim(elsewhere);
    assert!(found.contains("\"most\" does not stand there"), "{found}");
}

#[test]
fn a_digit_of_nobody_is_found() {
    let name = |text: &str, column| Span {
        line: 1,
        column,
        text: text.to_owned(),
    };
    let rendered = |text: &str, names: Vec<Span>| Rendered {
        names,
        ..document(text)
    };
    let text = "`12`, p99, RFC 791 and [9th](9)";
    let found = findings(
        text,
        rendered(text, vec![name("RFC 791", 12), name("9th", 25)]),
    );
    assert_eq!(found, [""; 0]);
    let found = findings(text, rendered(text, vec![name("RFC 791", 12)]));
    assert_eq!(found.len(), 1);
    assert!(
        found[0].contains("D.md:1: \"9th\" has a digit that belongs to no figure"),
        "{found:?}"
    );
    let named = "1.0.9 and 5,406";
    let names = vec![name("1.0.9", 1), name("5,406", 11)];
    let found = findings(named, rendered(named, names));
    let expected = "D.md:1:11: \"5,406\" is called a name, and is a number";
    assert!(
        found.len() == 1 && found[0].starts_with(expected),
        "{found:?}"
    );
    let claimed = Rendered {
        claims: vec![CheckedClaim {
            words: "2.1x".to_owned(),
            ..claim(
                Traced::whole(1_u64, Formula::stated(1_u64, "a")),
                Relation::Equal,
                Traced::whole(1_u64, Formula::stated(1_u64, "b")),
            )
        }],
        ..document("it is 2.1x faster")
    };
    assert_eq!(findings("it is 2.1x faster", claimed), [""; 0]);
}
