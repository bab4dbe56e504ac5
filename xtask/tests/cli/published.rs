//! Published figures from the command line.

use crate::{end_of, refusal, xtask};

#[test]
fn a_table_is_printed_and_the_list_names_it() {
    let list = end_of(&mut xtask(&["published"]));
    assert_eq!(list.status, 0, "{}", list.stderr);
    assert!(
        list.stdout.contains("\none-hour-stream "),
        "{}",
        list.stdout
    );
    let table = end_of(&mut xtask(&["published", "one-hour-stream"]));
    assert_eq!(table.status, 0, "{}", table.stderr);
    assert!(table.stdout.contains("0.000583"), "{}", table.stdout);
    let json = end_of(&mut xtask(&["published", "one-hour-stream", "--json"]));
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let figure = &json["rows"][2]["cells"]["loss_percent"];
    assert_eq!(figure["printed"], "0.000583");
    assert_eq!(figure["exact"], "0.00000583");
}

#[test]
fn the_committed_set_has_known_inconsistencies_alone() {
    let check = end_of(&mut xtask(&["published", "--check"]));
    assert_eq!(check.status, 0, "{}", check.stdout);
    let json = end_of(&mut xtask(&["published", "--check", "--json"]));
    assert_eq!(json.status, 0, "{}", json.stderr);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["unexpected"].as_array().unwrap().len(), 0);
    let listed = json["known"].as_array().unwrap().len() as u64;
    assert_eq!(json["failed"].as_u64(), Some(listed));
}

#[test]
fn a_table_that_is_not_there_is_refused() {
    let line = refusal(&mut xtask(&["published", "one-hour"]));
    assert_eq!(
        line,
        "no published table one-hour; `cargo xtask published` lists them"
    );
}
