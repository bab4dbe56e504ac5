//! Faults of a set: what lies where, whether it is what was recorded, and whether files agree.

use serde_json::json;

use super::*;

const STREAM: &str = "fake/release/stream.json";

/// A finding of this kind alone.
fn only(fixture: &Fixture, kind: Kind, message: &str) {
    let findings = fixture.audit().findings;
    assert!(!findings.is_empty(), "{message}");
    for finding in findings {
        assert_eq!(finding.kind, kind, "{finding}");
        assert!(finding.to_string().contains(message), "{finding}");
    }
}

#[test]
fn a_changed_digit_is_told_by_the_digest_whatever_it_means() {
    let fixture = Fixture::new();
    let path = fixture.path(STREAM);
    let text = fs::read_to_string(&path).unwrap();
    // Nothing binds the seed.
    fs::write(&path, text.replacen("\"seed\": 0", "\"seed\": 1", 1)).unwrap();
    only(
        &fixture,
        Kind::Digest,
        "set/fake/release/stream.json: its SHA-256 is",
    );
}

#[test]
fn templates_and_documents_are_held_against_their_digests() {
    let fixture = Fixture::new();
    let template = fixture.places.templates.join("W5500.md.j2");
    fs::write(&template, "# Another figure\n").unwrap();
    fixture.expect_some(Kind::Digest, "templates/W5500.md.j2: its SHA-256 is");
    fixture.expect_some(
        Kind::Document,
        "set/W5500.md:1: it is \"# A document\", and results and templates give",
    );

    let fixture = Fixture::new();
    let template = fixture.places.templates.join("part.md.j2");
    fs::write(&template, "").unwrap();
    only(
        &fixture,
        Kind::Digest,
        "templates/part.md.j2: no digest of it is recorded",
    );
    fixture.record();
    assert_eq!(fixture.findings(), [""; 0]);
    fs::remove_file(&template).unwrap();
    only(
        &fixture,
        Kind::Digest,
        "templates/part.md.j2: it is not there, and recorded in",
    );
}

#[test]
fn files_that_came_went_or_lie_elsewhere_are_found() {
    let fixture = Fixture::new();
    fs::write(fixture.path("fake/release/notes.json"), "{}").unwrap();
    only(
        &fixture,
        Kind::Place,
        "set/fake/release/notes.json: no result lies here",
    );

    let fixture = Fixture::new();
    fs::remove_file(fixture.path("fake/release/burst.json")).unwrap();
    only(
        &fixture,
        Kind::Digest,
        "set/fake/release/burst.json: it is not there, and recorded",
    );

    let fixture = Fixture::new();
    fs::remove_file(fixture.path(digests::DIGESTS)).unwrap();
    fixture.expect_some(
        Kind::Digest,
        "set/digests.json: there is no list of digests",
    );

    let fixture = Fixture::new();
    fs::remove_file(fixture.places.set.document("W5500.md")).unwrap();
    fixture.expect(Kind::Document, "set/W5500.md", "there is no such document");
}

#[test]
fn a_result_of_another_place_is_found() {
    let fixture = Fixture::new();
    for (pointer, value, message) in [
        ("/set", "full", "it is full, and lies in the place of quick"),
        ("/variant/id", "fake-spi", "lies in the place of fake"),
        ("/build/name", "debug", "lies in the place of release"),
        ("/workload", "sweep", "lies in the place of stream"),
    ] {
        fixture.plant(Fault {
            file: STREAM,
            change: &set(pointer, json!(value)),
            kind: Kind::Place,
            message,
        });
    }
}

#[test]
fn results_that_describe_one_thing_in_two_ways_are_found() {
    let fixture = Fixture::new();
    for (pointer, value, message) in [
        (
            "/inputs/board/version",
            json!("2"),
            "the emulated board is another than in",
        ),
        (
            "/inputs/harness_sha256",
            json!("00"),
            "the harness is another than in",
        ),
        (
            "/inputs/image/elf_sha256",
            json!("00"),
            "the image is another than in",
        ),
        (
            "/inputs/image/lock_sha256",
            json!("00"),
            "the image is another than in",
        ),
        (
            "/variant/title",
            json!("Another"),
            "the variant is another than in",
        ),
        ("/build/core_hz", json!(1), "the build is another than in"),
    ] {
        fixture.plant(Fault {
            file: STREAM,
            change: &set(pointer, value),
            kind: Kind::Disagreement,
            message,
        });
    }
}

#[test]
fn what_is_not_of_the_schema_is_found() {
    let fixture = Fixture::new();
    let result = "/trials/0/measured/result";
    for (change, message) in [
        (set("/schema", json!(1)), "this program reads schema"),
        (
            set(&format!("{result}/rtt_unknown"), json!(-1)),
            "-1 is negative",
        ),
        (
            set(&format!("{result}/rtt_unknown"), json!(0.5)),
            "no whole number",
        ),
        (set(&format!("{result}/counts"), json!({})), "missing field"),
        (
            set("/trials/0", json!({"measured": 1, "failed": 1})),
            "expected",
        ),
        (set("/inputs/image", json!({"x": 1})), "unknown field"),
    ] {
        fixture.plant(Fault {
            file: STREAM,
            change: &change,
            kind: Kind::Schema,
            message,
        });
    }
    let path = fixture.path(STREAM);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("{", "{\"schema\": 3,", 1)).unwrap();
    fixture.expect_some(Kind::Schema, "the key \"schema\" is there twice");
    fs::write(&path, "").unwrap();
    fixture.expect_some(Kind::Schema, "stream.json:1:0: EOF while parsing");
}

#[test]
fn trials_that_do_not_go_together_are_found() {
    let fixture = Fixture::new();
    let copy = |json: &mut Value| {
        let first = json["trials"][0].clone();
        json["trials"][1] = first;
    };
    let drop = |json: &mut Value| {
        json["trials"].as_array_mut().unwrap().pop();
    };
    let swap = |json: &mut Value| json["trials"].as_array_mut().unwrap().swap(0, 1);
    let options = "/trials/1/measured/result/options";
    let cases: [(Change, &str); 5] = [
        (&copy, "no two trials have the same options"),
        (&drop, "trials = planned_trials"),
        (&swap, "rates rise"),
        // R12: a row of another run.
        (
            &set(&format!("{options}/drain_ns"), json!(1)),
            "trials differ in rate_hz and seed alone",
        ),
        (
            &set(
                "/trials/1",
                json!({"failed": {"options": {}, "at_ns": 1, "message": ""}}),
            ),
            "",
        ),
    ];
    for (change, message) in cases {
        fixture.plant(Fault {
            file: "fake/release/sweep.json",
            change,
            kind: Kind::Identity,
            message,
        });
    }
}

#[test]
fn a_board_that_was_never_ready_is_found() {
    let fixture = Fixture::new();
    for (field, value, message) in [
        ("lease_ns", json!(0), "link_up_ns < lease_ns"),
        ("first_echo_ns", json!(0), "lease_ns < first_echo_ns"),
        (
            "link_mode/speed_mbit_per_s",
            json!(10),
            "speed = 100 Mbit/s",
        ),
        ("link_mode/full_duplex", json!(false), "full duplex"),
    ] {
        fixture.plant(Fault {
            file: STREAM,
            change: &set(&format!("/trials/0/measured/boot/{field}"), value),
            kind: Kind::Identity,
            message,
        });
    }
}

#[test]
fn sizes_and_lines_that_cannot_be_are_found() {
    let fixture = Fixture::new();
    let of_size = "fake/release/size.json";
    let of_lines = "fake/release/ncloc.json";
    for (file, pointer, value, message) in [
        (
            of_size,
            "/sections/vector_table_bytes",
            json!(717),
            "a vector has 4 bytes",
        ),
        (of_size, "/sections/text_bytes", json!(0), "1 <= text_bytes"),
        (
            of_size,
            "/sections/text_bytes",
            json!(1 << 20),
            "flash <= 1 MiB",
        ),
        (
            of_size,
            "/sections/bss_bytes",
            json!(1 << 20),
            "static RAM <= 564 KiB",
        ),
        (
            of_lines,
            "/files/1/path",
            json!("bring-up/src/link.rs"),
            "one entry a path and role",
        ),
        (of_lines, "/files", json!([]), "1 <= files"),
    ] {
        fixture.plant(Fault {
            file,
            change: &set(pointer, value),
            kind: Kind::Identity,
            message,
        });
    }
}
