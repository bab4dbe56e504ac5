//! The committed set: read, printed and checked.

use std::collections::BTreeSet;

use serde_json::Value;

use super::audit::Audit;
use super::check;
use super::load::{folder, read_json, table_files};
use super::set::{Cell, Published};
use super::text;
use super::unit::Exact;

/// What a reader found in the documents before any check was written.
const FOUND_BY_READING: &str = include_str!("found_by_reading.txt");

/// The texts that a cell of a file prints, read without the types of this module.
fn printed(cell: &Value) -> Vec<&str> {
    match cell {
        Value::String(text) => vec![text],
        Value::Array(figures) => figures.iter().flat_map(printed).collect(),
        Value::Object(cell) => {
            let text = cell.get("printed").or_else(|| cell.get("absent"));
            vec![text.and_then(Value::as_str).unwrap()]
        }
        _ => panic!("{cell} is no cell"),
    }
}

/// The names of the cells of a row in the order of its file, which [`Value`] does not keep.
fn names(set: &Published, table: &str, row: &str) -> Vec<String> {
    let table = set.table(table).unwrap();
    let row = table.rows.iter().find(|other| other.id == row).unwrap();
    row.cells.iter().map(|(name, _)| name.clone()).collect()
}

/// Asserts that `line` has `texts` in their order, with nothing but spaces and units between.
fn assert_prints(line: &str, texts: &[&str], place: &str) {
    let mut rest = line;
    for text in texts {
        let found = rest
            .find(text)
            .unwrap_or_else(|| panic!("{place}: no {text:?} in {line:?}"));
        let between = &rest[..found];
        assert!(
            !between.contains(|c: char| c.is_ascii_digit()),
            "{place}: {between:?} in {line:?}"
        );
        rest = &rest[found + text.len()..];
    }
    assert!(
        !rest.contains(|c: char| c.is_ascii_digit()),
        "{place}: {rest:?} in {line:?}"
    );
}

#[test]
fn every_cell_is_printed_as_its_file_has_it() {
    let set = Published::load().unwrap();
    let mut cells = 0;
    for name in table_files(&folder()).unwrap() {
        let file: Value = read_json(&folder().join(name)).unwrap();
        for table in file["tables"].as_array().unwrap() {
            let id = table["id"].as_str().unwrap();
            let printed_table = text::table(&set, set.table(id).unwrap());
            let header_lines = if table.get("columns").is_some() { 3 } else { 2 };
            let mut lines = printed_table.lines().skip(header_lines);
            for row in table["rows"].as_array().unwrap() {
                let row_id = row["row"].as_str().unwrap();
                let place = format!("{id}/{row_id}");
                if let Some(columns) = table.get("columns").and_then(Value::as_array) {
                    let cell = |column: &Value| &row["cells"][column["id"].as_str().unwrap()];
                    let texts = columns.iter().flat_map(|column| printed(cell(column)));
                    let texts: Vec<&str> = texts.collect();
                    assert_prints(lines.next().unwrap(), &texts, &place);
                    cells += texts.len();
                } else {
                    assert_eq!(lines.next(), Some(row_id));
                    for name in &names(&set, id, row_id) {
                        let (_, figures) = lines.next().unwrap().split_once(": ").unwrap();
                        let texts = printed(&row["cells"][name]);
                        assert_prints(figures, &texts, &format!("{place}/{name}"));
                        cells += texts.len();
                    }
                }
            }
        }
    }
    assert!(cells > 3_000, "{cells}");
}

#[test]
fn tables_look_like_this() {
    let set = Published::load().unwrap();
    for name in table_files(&folder()).unwrap() {
        let tables = set.tables.iter().filter(|table| table.file == name);
        let printed: Vec<String> = tables.map(|table| text::table(&set, table)).collect();
        insta::assert_snapshot!(name.trim_end_matches(".json"), printed.join("\n----\n\n"));
    }
}

#[test]
fn the_list_of_tables_looks_like_this() {
    insta::assert_snapshot!(text::list(&Published::load().unwrap()));
}

#[test]
fn the_checks_come_to_this() {
    let audit = Audit::of(&folder()).unwrap();
    assert!(audit.is_clean(), "{}", audit.text());
    assert_eq!(audit.failed, audit.known.len() as u64);
    insta::assert_snapshot!(audit.text());
}

#[test]
fn what_was_found_by_reading_is_found_by_checking() {
    let audit = Audit::of(&folder()).unwrap();
    let listed = FOUND_BY_READING
        .lines()
        .filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for line in listed {
        let mut parts = line.split(" | ");
        let (id, kind) = (parts.next().unwrap(), parts.next().unwrap());
        let lines = audit
            .known
            .iter()
            .filter(|line| line.id.as_deref() == Some(id));
        let mut places: BTreeSet<&str> = BTreeSet::new();
        for line in lines {
            assert_eq!(serde_json::to_value(line.kind).unwrap(), kind, "{id}");
            let sources = line.left.sources.iter().chain(&line.right.sources);
            places.extend(sources.map(String::as_str));
        }
        let listed: Vec<&str> = parts.collect();
        assert!(
            listed.iter().any(|place| places.contains(place)),
            "{id}: {places:?} is none of {listed:?}"
        );
        count += 1;
    }
    assert_eq!(count, 53);
}

#[test]
fn a_figure_is_read_with_its_value_unit_and_source() {
    let set = Published::load().unwrap();
    let row = "w5500-macraw/profiling";
    let cited = set.figure("one-hour-stream", row, "rtt_p50_ms").unwrap();
    assert_eq!(cited.figure.printed, "0.674");
    assert_eq!(cited.figure.unit.symbol, "ms");
    assert_eq!(cited.figure.value, Exact::from_integer(674_000));
    assert_eq!(cited.place.source.document, "profiled-report");
    assert_eq!(cited.place.source.section, "Executive summary");
    let refused = [
        ("nothing", row, "rtt_p50_ms", "no published table nothing"),
        (
            "one-hour-stream",
            "nothing",
            "rtt_p50_ms",
            "has no row nothing",
        ),
        ("one-hour-stream", row, "nothing", "has no cell nothing"),
        ("one-hour-stream", row, "build", "holds no figure"),
        (
            "one-hour-stream",
            "c-lwip-rmii/release",
            "valid",
            "holds no figure",
        ),
    ];
    for (table, row, column, reason) in refused {
        let error = set.figure(table, row, column).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

/// Rules that no known inconsistency and few slips break: each is broken here, by one value in base
/// units.
#[test]
fn rules_that_always_held_can_fail() {
    let cases = [
        (
            "offload-stages",
            "dcache",
            "plateau_valid_per_s",
            16_421,
            "a-plateau-is-what-comes-back",
        ),
        (
            "soak",
            "embassy-rmii",
            "sent",
            396_113,
            "a-soak-sends-what-its-target-makes",
        ),
        (
            "emnet-memory",
            "arm7",
            "tcp_window_segments",
            80,
            "a-window-fits-the-large-buffers",
        ),
        (
            "emnet-memory",
            "arm7",
            "alloc_size_bytes",
            3_248,
            "buffers-fit-their-memory",
        ),
        (
            "profiled-run",
            "run",
            "elapsed_s",
            13_131_000_000_000,
            "hours-minutes-and-seconds-add-up",
        ),
        (
            "hour-program",
            "one-hour",
            "intervals",
            61,
            "intervals-make-the-hour",
        ),
        (
            "mongoose-websocket",
            "introduction/long",
            "messages_per_s",
            5_000,
            "longer-messages-carry-more",
        ),
        (
            "one-hour-stream",
            "w5500-offload/profiling",
            "loss_percent",
            1,
            "losses-are-within-their-bound",
        ),
        (
            "one-hour-loss-by-interval",
            "w5500-offload/profiling",
            "largest_interval_missing",
            5,
            "no-interval-loses-more-than-the-hour",
        ),
        (
            "native-rmii-trials",
            "c-lwip-rmii/release/15-khz/30-s/in-stream-report",
            "rtt_p50_ms",
            100,
            "p50-does-not-fall-with-the-rate",
        ),
    ];
    let set = Published::load().unwrap();
    let before = check::run(&set).unwrap();
    for (table, row, column, value, rule) in cases {
        let mut changed = set.clone();
        let table = changed
            .tables
            .iter_mut()
            .find(|other| other.id == table)
            .unwrap();
        let row = table.rows.iter_mut().find(|other| other.id == row).unwrap();
        let cell = row
            .cells
            .iter_mut()
            .find(|(name, _)| name == column)
            .unwrap();
        let Cell::Figure(figure) = &mut cell.1 else {
            panic!("{column} holds no figure");
        };
        figure.value = Exact::from_integer(value);
        let after = check::run(&changed).unwrap();
        assert!(
            after.rules[rule].failed > before.rules[rule].failed,
            "{rule}"
        );
    }
}
