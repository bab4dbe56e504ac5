//! One changed digit anywhere is found, and its file named.

use super::super::mutate;
use super::*;

#[test]
fn every_changed_digit_is_found() {
    let fixture = Fixture::new();
    // A set of few files, each of which is read once a mutation.
    for folder in ["fake/profiling", "fake-spi"] {
        fs::remove_dir_all(fixture.path(folder)).unwrap();
    }
    for file in [
        "sweep",
        "large-sweep",
        "throughput",
        "soak",
        "recovery",
        "latency",
    ] {
        fs::remove_file(fixture.path(&format!("fake/release/{file}.json"))).unwrap();
    }
    fixture.record();
    let mutations = mutate::run(&fixture.places, 200, 723, &|_| ()).unwrap();
    assert_eq!(mutations.made, 200);
    assert_eq!(mutations.missed, [""; 0]);
}

#[test]
fn a_set_with_a_fault_is_not_mutated() {
    let fixture = Fixture::new();
    fs::remove_file(fixture.path("fake/release/size.json")).unwrap();
    let error = mutate::run(&fixture.places, 1, 0, &|_| ()).unwrap_err();
    assert!(
        error.to_string().contains("nothing is wrong with"),
        "{error}"
    );
}
