//! What `measure` says about input it cannot use and firmware that cannot go on: one line, exit status
//! 2. What it does with firmware that can is a step of `cargo xtask test`.

use crate::run::{ARM, LOOP, image};
use crate::{end_of, xtask};

/// Runs `measure` with these arguments, which must be refused, and gives its one line.
#[track_caller]
fn refusal(line: &str) -> String {
    let arguments = Vec::from_iter(line.split(' '));
    crate::refusal(xtask(&["measure", "--no-install"]).args(arguments))
}

#[test]
fn an_unknown_variant_or_build_lists_the_known_ones() {
    let line = refusal("nope latency");
    let expected = "there is no variant \"nope\"; the variants are: ";
    assert!(line.starts_with(expected), "{line}");
    let line = refusal("embassy-rmii latency --build nope");
    let expected = "there is no build \"nope\"; the builds are: ";
    assert!(line.starts_with(expected), "{line}");
}

#[test]
fn an_unknown_workload_is_named_and_none_lists_the_known_ones() {
    for (line, expected) in [
        ("embassy-rmii nope", "unexpected argument 'nope'"),
        ("embassy-rmii", "functional, latency, throughput, burst"),
    ] {
        let ended = end_of(xtask(&["measure"]).args(line.split(' ')));
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{line}");
        assert!(ended.stderr.contains(expected), "{line}: {}", ended.stderr);
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    }
}

#[test]
fn figures_out_of_range_are_refused_before_anything_is_built() {
    let cases = [
        (
            "stream --payload-bytes 15",
            "the payload must have 16 to 1472 bytes, not 15",
        ),
        ("stream --rate-hz 0", "the rate must lie between 1 and "),
        (
            "latency --samples 0",
            "a latency workload needs at least one payload size",
        ),
        (
            "functional --payload-bytes 1473",
            "a payload of 1473 bytes does not fit an Ethernet frame",
        ),
        ("burst --packets 0", "a burst workload needs at least one "),
        ("sweep --rates-hz 2,1", "the rates of a sweep must rise, "),
        ("throughput --start 0", "the loads must rise "),
        ("soak --interval 0s", "the duration must make 1 to "),
        (
            "recovery --limit 1ms",
            "the time limit must be longer than the shortest gap, ",
        ),
    ];
    for (workload, expected) in cases {
        // An image that is not there would be found later.
        let line = refusal(&format!("embassy-rmii {workload} --elf /nowhere/image.elf"));
        assert!(line.starts_with(expected), "{workload}: {line}");
    }
}

#[test]
fn more_datagrams_than_memory_holds_are_refused() {
    for workload in [
        "stream --duration 1000h",
        "soak --interval 24h --duration 1000h",
    ] {
        let line = refusal(&format!("embassy-rmii {workload} --rate-hz 1000000000"));
        let expected =
            "3600000000000100 datagrams in one run would take 1350000000000038 bytes of memory";
        assert!(line.starts_with(expected), "{workload}: {line}");
    }
}

#[test]
fn firmware_that_never_answers_is_told_with_its_file() {
    let (_folder, path) = image(ARM, &[LOOP]);
    let path = path.to_str().unwrap();
    let line = refusal(&format!("embassy-rmii latency --json --elf {path}"));
    assert!(line.starts_with(&format!("{path}: failed at ")), "{line}");
    assert!(line.contains(" ms of virtual time: "), "{line}");
}
