//! Bursts of the general benchmark: how many the text says come back whole.

use super::{Checker, Exact, Side};

const TEXT: &str = "general-benchmark-in-text";
const NATIVE: &str = "embassy-rmii";
const MACRAW: &str = "w5500-macraw";
/// The lengths of bursts, in datagrams.
const BURSTS: [i128; 7] = [1, 4, 8, 16, 32, 64, 128];

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    native_bursts(checker)?;
    complete_bursts(checker)
}

/// The internal MAC keeps as many datagrams of a burst as the text says, and loses the rest.
fn native_bursts(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let small = checker.figure(TEXT, "native-burst-depth", "packets_of_64_bytes")?;
    let large = checker.figure(TEXT, "native-burst-depth", "large_packets")?;
    for (bytes, depth) in [(64, small), (512, large), (1472, large)] {
        for burst in BURSTS {
            let row = format!("{NATIVE}/{bytes}-B/{burst}-packets");
            let missing = checker.figure("burst", &row, "missing_datagrams")?;
            let repetitions = checker.figure("burst", &row, "repetitions")?;
            let over = Exact::from_integer(burst) - depth.figure.value;
            let lost = over.max(Exact::from_integer(0)) * repetitions.figure.value;
            let inputs = [depth, repetitions];
            checker.follows(
                "a-burst-loses-what-is-over-its-depth",
                missing,
                lost,
                &inputs,
            );
        }
    }
    Ok(())
}

/// Bursts that MACRAW returns whole are those that the text names.
fn complete_bursts(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let interpretation = "macraw-complete-bursts-in-interpretation";
    for (bytes, rows) in [
        (64, &[interpretation, "macraw-complete-bursts"][..]),
        (512, &[interpretation, "macraw-complete-bursts"][..]),
        (1472, &[interpretation][..]),
    ] {
        for row in rows {
            let printed = checker.figure(TEXT, row, &format!("payload_bytes_{bytes}_max_burst"))?;
            for burst in BURSTS {
                let row = format!("{MACRAW}/{bytes}-B/{burst}-packets");
                let complete = checker.figure("burst", &row, "complete_bursts_percent")?;
                let whole = complete.figure.value == Exact::from_integer(1);
                let told = Exact::from_integer(burst) <= printed.figure.value;
                checker.check(
                    "whole-bursts-are-those-told",
                    whole == told,
                    Side::printed(printed),
                    Side::printed(complete),
                );
            }
        }
    }
    let share = checker.figure(
        TEXT,
        interpretation,
        "payload_bytes_64_percent_at_64_and_128",
    )?;
    for burst in [64, 128] {
        let row = format!("{MACRAW}/64-B/{burst}-packets");
        let complete = checker.figure("burst", &row, "complete_bursts_percent")?;
        let value = complete.figure.value * 100;
        checker.follows("whole-bursts-are-those-told", share, value, &[complete]);
    }
    Ok(())
}
