use super::*;

#[test]
fn figures_are_rounded_half_up() {
    assert_eq!(micros(Some(Nanos(1_250))), "1.3");
    assert_eq!(micros(Some(Nanos(1_249))), "1.2");
    assert_eq!(micros(None), "-");
    assert_eq!(seconds(Nanos(1_999_500_000)), "2.000 s");
    assert_eq!(load(1_000, 100), "0.800 Mbit/s");
    assert_eq!(megabits(Ratio::new(2_345u64, 2u64, "")), "0.001 Mbit/s");
    assert_eq!(megabits(Ratio::new(1u64, 0u64, "nothing")), "nothing");
}

#[test]
fn only_counters_that_count_something_are_named() {
    let clean = Counts {
        planned: 5,
        sent: 5,
        valid: 5,
        ..Counts::default()
    };
    assert_eq!(counts(&clean), "5 of 5 valid");
    let lossy = Counts {
        valid: 4,
        missing: 1,
        duplicate: 2,
        ..clean
    };
    assert_eq!(counts(&lossy), "4 of 5 valid, missing 1, duplicate 2");
}
