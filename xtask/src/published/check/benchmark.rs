//! The general benchmark: ratios, totals, and what it says of goodput.

use super::{Checker, Exact, Side, quotient};
use crate::published::set::Cited;

const TEXT: &str = "general-benchmark-in-text";
const NATIVE: &str = "embassy-rmii";
const MACRAW: &str = "w5500-macraw";
const OFFLOAD: &str = "w5500-offload";

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    ratios(checker)?;
    soak_totals(checker)?;
    soak_targets(checker)?;
    lowest_goodput(checker)?;
    repeated(checker)
}

/// Ratios and percentages of the text are those of the tables, at 1,472 bytes.
fn ratios(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let at = |table: &str, variant: &str, column| {
        checker
            .set
            .figure(table, &format!("{variant}/1472-B"), column)
    };
    let zero_loss = |variant| at("throughput", variant, "zero_loss_mbps");
    let peak = |variant| at("throughput", variant, "peak_goodput_mbps");
    let one = Exact::from_integer(1);
    let (none, below) = (Exact::from_integer(0), "offload-below-macraw");
    let p50 = [
        at("latency", OFFLOAD, "rtt_p50_ms")?,
        at("latency", MACRAW, "rtt_p50_ms")?,
    ];
    let p99 = [
        at("latency", OFFLOAD, "rtt_p99_ms")?,
        at("latency", MACRAW, "rtt_p99_ms")?,
    ];
    let cases = [
        (below, "rtt_p50_lower_percent", p50, one, true),
        (below, "rtt_p99_lower_percent", p99, one, true),
        (
            below,
            "zero_loss_higher_percent",
            [zero_loss(OFFLOAD)?, zero_loss(MACRAW)?],
            one,
            false,
        ),
        (
            "native-zero-loss-ratio",
            "over_offload",
            [zero_loss(NATIVE)?, zero_loss(OFFLOAD)?],
            none,
            false,
        ),
        (
            "native-zero-loss-ratio",
            "over_macraw",
            [zero_loss(NATIVE)?, zero_loss(MACRAW)?],
            none,
            false,
        ),
        (
            "native-peak-ratio",
            "over_either_w5500",
            [peak(NATIVE)?, peak(MACRAW)?],
            none,
            false,
        ),
        (
            "native-peak-ratio",
            "over_either_w5500",
            [peak(NATIVE)?, peak(OFFLOAD)?],
            none,
            false,
        ),
    ];
    for (row, column, [over, under], less, falls) in cases {
        let printed = checker.figure(TEXT, row, column)?;
        if let Some(ratio) = quotient(over.figure.value, under.figure.value) {
            let value = if falls { less - ratio } else { ratio - less };
            checker.follows(
                "ratios-are-those-of-the-tables",
                printed,
                value,
                &[over, under],
            );
        }
    }
    Ok(())
}

fn soak_totals(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let rule = "soak-totals-add-up";
    let all = |column| -> anyhow::Result<Vec<Cited<'_>>> {
        let figure = |variant| checker.set.figure("soak", variant, column);
        [NATIVE, MACRAW, OFFLOAD].map(figure).into_iter().collect()
    };
    let sum = |figures: &[Cited<'_>]| {
        figures
            .iter()
            .map(|cited| cited.figure.value)
            .sum::<Exact>()
    };
    let (sent, valid, missing) = (all("sent")?, all("valid")?, all("missing")?);
    let totals = [
        ("soak-total", "total_sent", &sent),
        ("soak-total", "total_valid", &valid),
        ("soak-losses", "total_missing", &missing),
    ];
    for (row, column, parts) in totals {
        let printed = checker.set.figure(TEXT, row, column)?;
        checker.follows(rule, printed, sum(parts), parts);
    }
    let printed = checker.figure(TEXT, "soak-losses", "aggregate_loss_percent")?;
    let share = sum(&missing) / sum(&sent);
    checker.follows(rule, printed, share, &missing);
    for (column, part) in [
        ("native_missing", 0),
        ("macraw_missing", 1),
        ("offload_missing", 2),
    ] {
        let printed = checker.figure(TEXT, "soak-losses", column)?;
        checker.same(rule, printed, missing[part]);
    }
    let printed = checker.figure(TEXT, "soak-total", "offload_sent")?;
    checker.same(rule, printed, sent[2]);
    let minutes = checker.figure(TEXT, "soak-total", "soak_minutes")?;
    let method = checker.figure("general-benchmark-method", "workloads", "soak_s")?;
    checker.same(rule, minutes, method);
    for variant in [NATIVE, MACRAW, OFFLOAD] {
        let length = checker.figure("soak", variant, "duration_s")?;
        checker.same(rule, length, method);
    }
    Ok(())
}

/// A soak is at its share of the lowest zero-loss goodput, and sends what that makes.
fn soak_targets(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let percent = checker.figure(
        "general-benchmark-method",
        "workloads",
        "soak_share_of_zero_loss_percent",
    )?;
    let share = percent.figure.value;
    for variant in [NATIVE, MACRAW, OFFLOAD] {
        let target = checker.figure("soak", variant, "target_mbps")?;
        let lowest = checker.figure("throughput", &format!("{variant}/64-B"), "zero_loss_mbps")?;
        let slack = lowest.figure.half_step() * share;
        let value = lowest.figure.value * share;
        let rule = "a-soak-is-at-its-share-of-zero-loss";
        checker.follows_within(rule, target, value, &[lowest, percent], slack);
        let sent = checker.figure("soak", variant, "sent")?;
        let mean_bits = Exact::new((64 + 256 + 512 + 1_024 + 1_472) * 8, 5);
        let bits = sent.figure.value * mean_bits / 900;
        let slack = target.figure.value / 100;
        let rule = "a-soak-sends-what-its-target-makes";
        checker.follows_within(rule, target, bits, &[sent], slack);
    }
    Ok(())
}

/// The variant said to have the lowest goodput has it at every payload.
fn lowest_goodput(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let (lowest, place) = checker
        .set
        .text("stated-in-words", "lowest-goodput", "lowest")?;
    for bytes in [64, 256, 512, 1024, 1472] {
        for column in ["peak_goodput_mbps", "zero_loss_mbps"] {
            let of = |variant: &str| {
                checker
                    .set
                    .figure("throughput", &format!("{variant}/{bytes}-B"), column)
            };
            let (claimed, other) = (of(lowest)?, of(OFFLOAD)?);
            let shown = format!(
                "{}, {lowest} {}",
                other.figure.with_unit(),
                claimed.figure.with_unit()
            );
            checker.check(
                "the-lowest-goodput-is-the-lowest",
                claimed.figure.value < other.figure.value,
                Side::said(&format!("{lowest} lowest"), place),
                Side::computed(shown, &[other, claimed]),
            );
        }
    }
    Ok(())
}

/// Figures of the text that stand in the tables too.
fn repeated(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let pairs = [
        (
            "native-peak-ratio",
            "native_peak_mbps",
            "throughput",
            "1472-B",
            "peak_goodput_mbps",
        ),
        (
            "isolated-loss",
            "clean_at_mbps",
            "throughput",
            "512-B",
            "zero_loss_mbps",
        ),
        (
            "native-p50",
            "rtt_p50_at_1_byte_ms",
            "latency",
            "1-B",
            "rtt_p50_ms",
        ),
        (
            "native-p50",
            "rtt_p50_at_1472_bytes_ms",
            "latency",
            "1472-B",
            "rtt_p50_ms",
        ),
    ];
    for (row, column, table, payload, quantity) in pairs {
        let printed = checker.figure(TEXT, row, column)?;
        let cell = checker.figure(table, &format!("{NATIVE}/{payload}"), quantity)?;
        checker.same("text-repeats-the-tables", printed, cell);
    }
    let samples = checker.figure("general-benchmark-method", "workloads", "latency_samples")?;
    for row in &checker.set.table("latency")?.rows {
        let printed = checker.figure("latency", &row.id, "samples")?;
        checker.same("text-repeats-the-tables", printed, samples);
    }
    let repetitions =
        checker.figure("general-benchmark-method", "workloads", "burst_repetitions")?;
    for row in &checker.set.table("burst")?.rows {
        let printed = checker.figure("burst", &row.id, "repetitions")?;
        checker.same("text-repeats-the-tables", printed, repetitions);
    }
    Ok(())
}
