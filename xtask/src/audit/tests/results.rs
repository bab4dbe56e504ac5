//! Faults of result files, each recorded in the digests as if a study had made it.

use serde_json::json;

use super::*;

const RELEASE: &str = "fake/release";
const PROFILING: &str = "fake/profiling";
const RESULT: &str = "/trials/0/measured/result";

#[test]
fn nothing_is_wrong_with_the_fixture() {
    let fixture = Fixture::new();
    assert_eq!(fixture.findings(), [""; 0]);
    let checked = fixture.audit().checked;
    assert!(checked.get("trials read") > 30);
    assert!(checked.get("identities held against results") > 3_000);
}

/// Plants every fault of a table: the workload's file, a place in its first result, what is put there,
/// and what is said of it.
fn plant_all(folder: &str, faults: &[(&str, &str, Value, &str)]) {
    let fixture = Fixture::new();
    for (name, pointer, value, message) in faults {
        let file = &format!("{folder}/{name}.json");
        fixture.plant(Fault {
            file,
            change: &set(&format!("{RESULT}{pointer}"), value.clone()),
            kind: Kind::Identity,
            message,
        });
    }
}

#[test]
fn counters_that_do_not_add_up_are_found() {
    plant_all(
        RELEASE,
        &[
            (
                "stream",
                "/counts/planned",
                json!(2_001),
                "planned = sent + send_errors",
            ),
            (
                "stream",
                "/counts/send_errors",
                json!(1),
                "planned = sent + send_errors",
            ),
            (
                "stream",
                "/counts/valid",
                json!(1_999),
                "sent = valid + missing",
            ),
            (
                "stream",
                "/warm_up/missing",
                json!(1),
                "sent = valid + missing",
            ),
            ("stream", "/counts/late", json!(2_001), "late <= valid"),
            (
                "stream",
                "/counts/late",
                json!(1),
                "late <= RTTs above the threshold",
            ),
            (
                "stream",
                "/counts/reordered",
                json!(2_000),
                "reordered < valid",
            ),
            (
                "stream",
                "/counts/truncated",
                json!(1),
                "truncated <= corrupt",
            ),
            ("stream", "/counts/damaged", json!(1), "damaged <= missing"),
            (
                "stream",
                "/counts/corrupt",
                json!(1),
                "first_corruption is there",
            ),
        ],
    );
}

#[test]
fn streams_that_contradict_their_options_or_themselves_are_found() {
    plant_all(
        RELEASE,
        &[
            (
                "stream",
                "/options/rate_hz",
                json!(1_001),
                "planned = rate * duration",
            ),
            (
                "stream",
                "/options/duration_ns",
                json!(1_000_000_000),
                "planned = rate * duration",
            ),
            (
                "stream",
                "/options/warm_up_packets",
                json!(99),
                "warm_up.planned",
            ),
            (
                "stream",
                "/options/background_hz",
                json!(1),
                "background: rate * duration",
            ),
            (
                "stream",
                "/options/late_threshold_ns",
                json!(1),
                "RTTs above the threshold <= late",
            ),
            (
                "stream",
                "/rtt_unknown",
                json!(1),
                "valid = count(rtt) + rtt_unknown",
            ),
            (
                "stream",
                "/rtt_over_time/0/count",
                json!(1),
                "sum of counts = count(rtt)",
            ),
            (
                "stream",
                "/rtt_over_time/0/min_ns",
                json!(1),
                "are in buckets of rtt",
            ),
            (
                "stream",
                "/rtt_over_time/0/p50_ns",
                json!(1),
                "min_ns <= p50_ns",
            ),
            (
                "stream",
                "/pacing_error/count",
                json!(1),
                "datagrams tried = count(pacing error)",
            ),
            (
                "stream",
                "/first_send_ns",
                json!(null),
                "first and last send are there",
            ),
            (
                "stream",
                "/first_send_ns",
                json!(1),
                "first send <= pacing error",
            ),
            (
                "stream",
                "/last_send_ns",
                json!(1_998_999_999),
                "when the last was due",
            ),
            (
                "stream",
                "/last_send_ns",
                json!(1_999_000_001),
                "last send <= when it was due",
            ),
            ("stream", "/largest_burst", json!(0), "1 <= largest_burst"),
            (
                "stream",
                "/largest_burst",
                json!(2_001),
                "largest_burst <= datagrams tried",
            ),
            (
                "stream",
                "/tail/unanswered",
                json!(1),
                "unanswered <= missing - damaged",
            ),
            (
                "stream",
                "/tail/last_reply_ns",
                json!(null),
                "last_reply_ns is there",
            ),
            (
                "stream",
                "/missing_by_interval",
                json!({"0": 1}),
                "missing = sum of intervals",
            ),
            (
                "stream",
                "/first_missing",
                json!(0),
                "first and last missing are there",
            ),
            (
                "sweep",
                "/first_missing",
                json!(0),
                "the interval of first_missing",
            ),
        ],
    );
}

#[test]
fn histograms_that_contradict_themselves_are_found() {
    let fixture = Fixture::new();
    for (pointer, value, message) in [
        (
            "/rtt/significant_digits",
            json!(2),
            "a histogram of 2 significant digits",
        ),
        ("/rtt/count", json!(1_999), "its buckets hold 2000"),
        ("/rtt/min_ns", json!(1), "is not in the first bucket"),
        ("/rtt/max_ns", json!(1), "is not in the last bucket"),
        ("/rtt/sum_ns", json!(1), "cannot come from its buckets"),
        ("/rtt/buckets", json!([]), "its buckets hold 0"),
        (
            "/rtt/buckets",
            json!([[2_049, 2_000]]),
            "no bucket begins at 2049",
        ),
    ] {
        fixture.plant(Fault {
            file: "fake/release/stream.json",
            change: &set(&format!("{RESULT}{pointer}"), value),
            kind: Kind::Histogram,
            message,
        });
    }
}

#[test]
fn telemetry_that_contradicts_itself_or_the_image_is_found() {
    plant_all(
        PROFILING,
        &[
            (
                "stream",
                "/telemetry/at_end/busy_cycles",
                json!(800_000_001),
                "busy_cycles <=",
            ),
            (
                "stream",
                "/telemetry/at_end/stack_high_water_bytes",
                json!(110_513),
                "<= stack_cap",
            ),
            (
                "stream",
                "/telemetry/at_end/stack_high_water_bytes",
                json!(0),
                "never falls",
            ),
            (
                "stream",
                "/telemetry/at_end/static_ram_bytes",
                json!(1),
                "= that of size.json",
            ),
            (
                "stream",
                "/telemetry/at_end/core_hz",
                json!(400_000_001),
                "core_hz at reset =",
            ),
            (
                "stream",
                "/telemetry/at_end/window_cycles",
                json!(799_999_999),
                "<= window_cycles",
            ),
            (
                "stream",
                "/telemetry/at_end/echoed_datagrams",
                json!(1),
                "valid <= echoed",
            ),
            (
                "stream",
                "/telemetry/requests",
                json!(1),
                "readings <= requests",
            ),
        ],
    );
}

#[test]
fn bursts_that_contradict_themselves_are_found() {
    plant_all(
        RELEASE,
        &[
            (
                "burst",
                "/options/repeats",
                json!(6),
                "planned = packets * repeats",
            ),
            (
                "burst",
                "/answered",
                json!([0, 4]),
                "repeats = sum(answered)",
            ),
            (
                "burst",
                "/answered",
                json!([0, 5, 0]),
                "a place for 0 to packets replies",
            ),
            (
                "burst",
                "/answered",
                json!([1, 4]),
                "valid = replies of all bursts",
            ),
            (
                "burst",
                "/whole_bursts",
                json!(4),
                "whole_bursts = last of answered",
            ),
            ("burst", "/answered_min", json!(0), "answered_min = fewest"),
            ("burst", "/answered_max", json!(0), "answered_max = most"),
            (
                "burst",
                "/last_send_ns",
                json!(null),
                "last_send_ns is there",
            ),
            (
                "burst",
                "/absorb_time/count",
                json!(4),
                "whole_bursts = count(absorb_time)",
            ),
            (
                "burst",
                "/rtt_over_time/0/p50_ns",
                json!(1),
                "min_ns <= p50_ns",
            ),
        ],
    );
}

#[test]
fn gates_and_traffic_that_contradict_themselves_are_found() {
    plant_all(
        "fake-spi/release",
        &[
            (
                "functional",
                "/options/rounds",
                json!(19),
                "planned = rounds",
            ),
            (
                "functional",
                "/sizes/1/intact",
                json!(19),
                "planned = intact + unanswered",
            ),
            (
                "functional",
                "/sizes/1/retries",
                json!(1),
                "planned + retries = sent",
            ),
            (
                "functional",
                "/sizes/1/payload_bytes",
                json!(2),
                "in the order of the options",
            ),
            (
                "functional",
                "/sizes/1/corrupt",
                json!(1),
                "first_corruption is there",
            ),
            ("functional", "/sizes", json!([]), "one entry a payload"),
            (
                "traffic",
                "/options/packets",
                json!(99),
                "planned = packets",
            ),
            (
                "traffic",
                "/entries/0/bytes",
                json!(99_999_999),
                "time on the wire <= window_ns",
            ),
            (
                "traffic",
                "/sck_hz",
                json!(null),
                "no bytes without a clock",
            ),
            (
                "traffic",
                "/entries/1/register",
                json!("RX_RSR"),
                "one row a place and direction",
            ),
        ],
    );
}

#[test]
fn searches_that_contradict_themselves_are_found() {
    plant_all(
        RELEASE,
        &[
            (
                "latency",
                "/sizes/0/counts/valid",
                json!(49),
                "sent = valid + missing",
            ),
            (
                "latency",
                "/sizes/0/payload_bytes",
                json!(65),
                "in the order of the options",
            ),
            (
                "latency",
                "/options/samples",
                json!(49),
                "planned <= samples",
            ),
            (
                "latency",
                "/options/samples",
                json!(51),
                "a size is given up after",
            ),
            (
                "throughput",
                "/sizes/0/trials/0/stream/options/rate_hz",
                json!(490),
                "rate * duration",
            ),
            (
                "throughput",
                "/sizes/0/trials/0/stream/options/payload_bytes",
                json!(1),
                "is that of its size",
            ),
            (
                "throughput",
                "/options/verify_ns",
                json!(1),
                "as long as its purpose asks",
            ),
            (
                "throughput",
                "/options/ceiling_bits_per_s",
                json!(1),
                "at most the ceiling",
            ),
            (
                "throughput",
                "/sizes/0/trials/0/purpose",
                json!("verify"),
                "rtt is kept of trials",
            ),
            (
                "soak",
                "/sizes/0/valid",
                json!(0),
                "the whole = sum(sizes.valid)",
            ),
            (
                "soak",
                "/intervals/0/late",
                json!(1),
                "the whole = sum(intervals.late)",
            ),
            (
                "soak",
                "/options/interval_ns",
                json!(1),
                "one entry an interval",
            ),
            ("soak", "/pacing/tries", json!(1), "tries = planned"),
            (
                "recovery",
                "/options/limit_ns",
                json!(1),
                "planned = rate * (before + limit)",
            ),
            (
                "recovery",
                "/outage/gaps",
                json!(9_999),
                "gaps * gap_min_ns",
            ),
            ("recovery", "/outage/lost", json!(99_999), "lost <= missing"),
            (
                "recovery",
                "/outage/address_after",
                json!(null),
                "address_after is there",
            ),
            (
                "recovery",
                "/disturbed/at_ns",
                json!(0),
                "before_ns <= at_ns",
            ),
        ],
    );
}
