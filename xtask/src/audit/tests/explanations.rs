//! What is told of a figure, a claim and a line.

use super::*;
use crate::audit::explain::Explanation;

/// The explanation of a text, as people see it.
fn explained(fixture: &Fixture, text: &str) -> String {
    Explanation::of(&fixture.places, text).unwrap().text(text)
}

#[test]
fn a_figure_is_traced_to_file_pointer_formula_and_inputs() {
    let fixture = Fixture::new();
    let text = explained(&fixture, "300.0 us");
    for expected in [
        "set/TRADE_STUDY.md:2:20: 300.0 us\n",
        "  exact    300000\n",
        "  formula  percentile(rtt, 99/100)\n",
        "  input    set/fake/release/stream.json#/trials/0/measured/result/rtt: a histogram\n",
        "  result   set/fake/release/stream.json#/trials/0\n",
        "           provenance: emulated\n",
        "           toolchain: rustc 1.0.0, core from its sources, GNU ld\n",
        "\"rate_hz\":1000,\"seed\":0,",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    // Alone, with its commas and without, and as a part of its line.
    for asked in ["2,000", "2000", "`fake` | 2,000 |"] {
        let text = explained(&fixture, asked);
        assert!(
            text.contains("set/TRADE_STUDY.md:2:12: 2,000\n"),
            "{asked}: {text}"
        );
        assert!(
            text.contains("result/counts/sent: 2000\n"),
            "{asked}: {text}"
        );
    }
}

#[test]
fn a_claim_is_explained_by_both_sides() {
    let fixture = Fixture::new();
    let text = explained(&fixture, "a thousand were sent");
    let claim = "claim \"More than a thousand\": left > right\n";
    assert!(text.contains(claim), "{text}");
    assert!(text.contains("result/counts/sent: 2000\n"), "{text}");
    assert!(
        text.contains("  stated   1000 [the claim itself]\n"),
        "{text}"
    );
    let json = Explanation::of(&fixture.places, "More than a thousand").unwrap();
    let json: Value = serde_json::from_str(&json.json().unwrap()).unwrap();
    assert_eq!(json["claims"][0]["left"]["exact"], "2000");
}

#[test]
fn what_is_nowhere_is_answered_by_what_is_nearest() {
    let fixture = Fixture::new();
    let explanation = Explanation::of(&fixture.places, "2,001 datagrams").unwrap();
    assert!(explanation.is_empty());
    let text = explanation.text("2,001 datagrams");
    assert!(
        text.starts_with("no figure, claim or line with figures reads like"),
        "{text}"
    );
    assert!(
        text.contains("nearest are 2,000 (TRADE_STUDY.md:2), "),
        "{text}"
    );
    for asked in ["", "no number"] {
        let text = explained(&fixture, asked);
        assert!(text.ends_with(&format!("reads like {asked:?}\n")), "{text}");
    }
}

#[test]
fn a_published_figure_is_explained_by_its_source() {
    let mut fixture = Fixture::new();
    fixture.places.published = Some(crate::published::load::folder());
    let text = explained(&fixture, "54.06 %");
    assert!(text.contains("published: 54.06 %\n"), "{text}");
    assert!(
        text.contains("one-hour-stream/w5500-macraw/profiling/executor_cpu_percent"),
        "{text}"
    );
    assert!(
        text.contains("  source   Profiled one-hour UDP stream benchmark, section"),
        "{text}"
    );
}
