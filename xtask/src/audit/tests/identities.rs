//! Faults that take more than one changed value, or break an identity that others hide.

use serde_json::json;

use super::*;

const RESULT: &str = "/trials/0/measured/result";

/// Sets several values of the first result of a workload of build `release`, and requires the message.
fn plant(fixture: &Fixture, name: &str, values: &[(&str, Value)], message: &str) {
    let variant = if name == "traffic" {
        "fake-spi"
    } else {
        "fake"
    };
    let change = |json: &mut Value| {
        for (pointer, value) in values {
            set(&format!("{RESULT}{pointer}"), value.clone())(json);
        }
    };
    fixture.plant(Fault {
        file: &format!("{variant}/release/{name}.json"),
        change: &change,
        kind: Kind::Identity,
        message,
    });
}

#[test]
fn rtts_that_do_not_go_together_are_found() {
    let fixture = Fixture::new();
    let slice = |number: &str, median: u64| json!({number: {"count": 2_000, "min_ns": 300_000, "p50_ns": median, "max_ns": 300_000}});
    for (pointer, value, message) in [
        (
            "/rtt_over_time",
            slice("0", 300_001),
            "p50_ns = median of rtt",
        ),
        ("/rtt_over_time", slice("20", 300_000), "slice < 20"),
        ("/rtt_over_time/0/count", json!(0), "1 <= count"),
        (
            "/rtt_over_time/0/p50_ns",
            json!(299_900),
            "p50_ns is the end of a bucket",
        ),
        ("/rtt/min_ns", json!(299_999), "min = min(rtt)"),
        ("/rtt/max_ns", json!(300_001), "max = max(rtt)"),
        (
            "/rtt_from_schedule/count",
            json!(1),
            "valid = count(rtt_from_schedule)",
        ),
        (
            "/rtt_from_schedule/sum_ns",
            json!(599_999_999),
            "sum(rtt) <= sum(rtt_from_schedule)",
        ),
        (
            "/rtt_from_schedule/sum_ns",
            json!(600_000_001),
            "sum(rtt_from_schedule) <= sum(rtt) +",
        ),
        (
            "/rtt_from_schedule/sum_ns",
            json!(600_000_001),
            "sum(rtt_from_schedule) = sum(rtt) +",
        ),
    ] {
        plant(&fixture, "stream", &[(pointer, value)], message);
    }
    let longer = [("/rtt/max_ns", json!(300_001))];
    plant(&fixture, "burst", &longer, "max(rtt) <= max(absorb_time)");
    let sum = [("/absorb_time/sum_ns", json!(1_500_001))];
    plant(&fixture, "burst", &sum, "sum(rtt) = sum(absorb_time)");
}

#[test]
fn losses_that_do_not_go_together_are_found() {
    let fixture = Fixture::new();
    let missing = |number: u64, first: u64, last: u64| {
        [
            ("/counts/missing", json!(number)),
            ("/first_missing", json!(first)),
            ("/last_missing", json!(last)),
        ]
    };
    for (values, message) in [
        (
            missing(3, 5, 6),
            "missing <= last_missing - first_missing + 1",
        ),
        (
            missing(1, 5, 6),
            "first_missing = last_missing when one is missing",
        ),
        (missing(2, 5, 9_999), "last_missing < planned"),
    ] {
        plant(&fixture, "stream", &values, message);
    }
    for (pointer, value, message) in [
        ("/counts/damaged", json!(1), "damaged <= corrupt"),
        (
            "/counts/valid",
            json!(0),
            "unanswered = sent without a reply",
        ),
        (
            "/missing_by_interval",
            json!({"0": 0}),
            "1 <= missing of an interval",
        ),
        (
            "/first_send_ns",
            json!(1_999_000_001),
            "first send <= last send",
        ),
    ] {
        plant(&fixture, "stream", &[(pointer, value)], message);
    }
}

#[test]
fn other_workloads_that_contradict_themselves_are_found() {
    let fixture = Fixture::new();
    for (name, pointer, value, message) in [
        ("functional", "/sizes/1/intact", json!(21), "intact <= sent"),
        (
            "functional",
            "/sizes/1/sent",
            json!(999),
            "tries <= planned * attempts",
        ),
        (
            "recovery",
            "/options/limit_ns",
            json!(1),
            "planned <= rate * (before + limit)",
        ),
        ("recovery", "/outage/gaps", json!(0), "1 <= gaps"),
        (
            "soak",
            "/intervals/0/rtt_p50_ns",
            json!(999_999_999),
            "p50 <= p99",
        ),
        (
            "soak",
            "/intervals/0/rtt_p99_ns",
            json!(999_999_999),
            "p99 <= max",
        ),
        (
            "soak",
            "/intervals/0/rtt_p50_ns",
            json!(299_900),
            "percentiles are ends of buckets",
        ),
        (
            "throughput",
            "/options/stream/drain_ns",
            json!(1),
            "drain_ns is that of the search",
        ),
        (
            "throughput",
            "/sizes/0/trials/0/stream/largest_burst",
            json!(9_999),
            "<= sent",
        ),
        (
            "throughput",
            "/sizes/0/trials/0/stream/last_send_ns",
            json!(0),
            "the last was due",
        ),
        (
            "throughput",
            "/sizes/0/trials/0/stream/last_send_ns",
            json!(null),
            "last_send_ns is",
        ),
    ] {
        plant(&fixture, name, &[(pointer, value)], message);
    }
    let silent = [
        ("/entries/0/bytes", json!(0)),
        ("/entries/0/transactions", json!(0)),
    ];
    plant(&fixture, "traffic", &silent, "1 <= bytes + transactions");
    let of_search = |json: &mut Value| {
        let trials = json.pointer_mut(&format!("{RESULT}/sizes/0/trials"));
        let trials = trials.unwrap().as_array_mut().unwrap();
        let confirmed = trials.last_mut().unwrap();
        *confirmed.pointer_mut("/stream/rtt/count").unwrap() = json!(99_999);
    };
    fixture.plant(Fault {
        file: "fake/release/throughput.json",
        change: &of_search,
        kind: Kind::Identity,
        message: "valid = count(rtt)",
    });
}
