//! Settings: SPI clocks that can be, definitions, sweeps and hours as described, registers.

use super::{Checker, Exact, Side};
use crate::published::fact::Value;
use crate::published::set::Cited;

/// Greatest power of two that the SPI of the STM32H723 divides its kernel clock by (RM0468, SPI_CFG1.MBR).
const GREATEST_SPI_DIVIDER: u32 = 8;
/// Bits of the Cortex-M7 CCR that enable the caches (ARMv7-M, Configuration and Control Register).
const CCR_DCACHE: u32 = 1 << 16;
const CCR_ICACHE: u32 = 1 << 17;
/// The bit of MACCR that has the MAC check checksums (RM0468, ETH_MACCR.IPC).
const MACCR_IPC: u32 = 1 << 27;

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    spi_clocks(checker)?;
    kernel_clocks(checker)?;
    one_spi_clock(checker)?;
    definitions(checker)?;
    continuous_hour(checker)?;
    registers(checker)
}

/// Every SPI clock printed for a 400 MHz build is the kernel clock over a power of two.
fn spi_clocks(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let kernel = checker.figure("spi-kernel-clocks", "release", "kernel_mhz")?;
    let slow = ["release", "profiling", "benchmark"];
    let of_release = |build: Option<&str>| build.is_none_or(|build| slow.contains(&build));
    let labels: Vec<Cited<'_>> = checker
        .facts
        .iter()
        .filter(|fact| ["spi", "spi_label"].contains(&fact.quantity))
        .filter(|fact| of_release(fact.subject.get("build")))
        .filter_map(|fact| match fact.value {
            Value::Figure(cited) => Some(cited),
            Value::Text(_) => None,
        })
        .collect();
    for label in labels {
        let reached = |power: u32| kernel.figure.value / 2_i128.pow(power);
        let holds = (1..=GREATEST_SPI_DIVIDER).any(|power| reached(power) == label.figure.value);
        let shown = "100, 50, 25 or 12.5 MHz of a 200 MHz kernel clock".to_owned();
        let right = Side::computed(shown, &[kernel]);
        checker.check(
            "spi-clocks-can-be-reached",
            holds,
            Side::printed(label),
            right,
        );
    }
    Ok(())
}

/// The kernel clocks follow from the clock tree, and the reached clocks from them.
fn kernel_clocks(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let table = "spi-kernel-clocks";
    let part = |column| checker.set.figure(table, "release", column);
    let (hsi, divider) = (part("hsi_mhz")?, part("pll_divider")?);
    let (multiplier, output) = (part("pll_multiplier")?, part("pll_output_divider")?);
    let value =
        hsi.figure.value / divider.figure.value * multiplier.figure.value / output.figure.value;
    let kernel = part("kernel_mhz")?;
    checker.follows(
        "kernel-clock-follows-from-the-pll",
        kernel,
        value,
        &[hsi, divider, multiplier],
    );
    for row in [
        "performance-first",
        "performance-larger-divider",
        "performance",
    ] {
        let kernel = checker.figure(table, row, "kernel_mhz")?;
        let reached = checker.figure(table, row, "spi_reached_mhz")?;
        checker.follows(
            "reached-clock-is-half-the-kernel",
            reached,
            kernel.figure.value / 2,
            &[kernel],
        );
    }
    Ok(())
}

/// The plan's one SPI clock for all runs is the one of the release builds.
fn one_spi_clock(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let plan = checker.figure("benchmark-plan", "every-w5500-run", "spi_label_mhz")?;
    for row in ["w5500-macraw/release", "w5500-offload/release"] {
        let release = checker.figure("firmware-settings", row, "spi_mhz")?;
        checker.same("one-spi-clock-for-every-run", plan, release);
    }
    Ok(())
}

/// The two sweeps call a rate reliable by one rule, and count errors alike.
fn definitions(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let rules = ["every_planned_packet_sent", "every_packet_returned"];
    let both = |table: &str, column: &str| -> anyhow::Result<_> {
        Ok([
            checker.set.text(table, "30-s-sweep", column)?,
            checker.set.text(table, "3-s-sweep", column)?,
        ])
    };
    let mut pairs = vec![both("error-event-kinds", "kinds")?];
    for column in rules {
        pairs.push(both("reliability-rules", column)?);
    }
    for [(long, long_place), (short, short_place)] in pairs {
        checker.check(
            "one-definition-for-both-sweeps",
            long == short,
            Side::said(long, long_place),
            Side::said(short, short_place),
        );
    }
    for column in ["offered_min_percent", "late_threshold_ms"] {
        let long = checker.figure("reliability-rules", "30-s-sweep", column)?;
        let short = checker.figure("reliability-rules", "3-s-sweep", column)?;
        checker.same("one-definition-for-both-sweeps", long, short);
    }
    Ok(())
}

/// An hour called continuous has no gaps.
fn continuous_hour(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let (gaps, place) =
        checker
            .set
            .text("article-statements", "continuous-hour", "gaps_in_the_hour")?;
    let drain = checker.figure("hour-program", "one-hour", "drain_after_each_s")?;
    let intervals = checker.figure("hour-program", "one-hour", "intervals")?;
    let interval = checker.figure("hour-program", "one-hour", "interval_s")?;
    let reported = checker.figure(
        "one-hour-loss-by-interval",
        "w5500-offload/profiling",
        "interval_s",
    )?;
    let shown = format!(
        "{} intervals, {} after each",
        intervals.figure.printed,
        drain.figure.with_unit()
    );
    checker.check(
        "a-continuous-hour-has-no-gaps",
        gaps != "none" || drain.figure.value == Exact::from_integer(0),
        Side::said(&format!("gaps: {gaps}"), place),
        Side::computed(shown, &[drain, reported]),
    );
    let hour = checker.figure("stream-runs", "one-hour/in-profiled-report", "length_s")?;
    let value = intervals.figure.value * interval.figure.value;
    checker.follows(
        "intervals-make-the-hour",
        hour,
        value,
        &[intervals, interval],
    );
    checker.same("intervals-make-the-hour", interval, reported);
    Ok(())
}

/// The bits of the registers are what the text says of them.
fn registers(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let both = CCR_ICACHE | CCR_DCACHE;
    let expected = [
        ("embassy-rmii/CCR", "register_before", both, 0),
        ("embassy-rmii/CCR", "register_after", both, CCR_ICACHE),
        ("w5500-macraw/CCR", "register_value", both, both),
        ("w5500-offload/CCR", "register_value", both, both),
        ("embassy-rmii/MACCR", "register_value", MACCR_IPC, MACCR_IPC),
    ];
    for (row, column, mask, bits) in expected {
        let (text, place) = checker.set.text("registers", row, column)?;
        let digits = text.strip_prefix("0x").unwrap_or_default();
        let value = u32::from_str_radix(digits, 16).ok();
        checker.check(
            "register-bits-are-as-told",
            value.is_some_and(|value| value & mask == bits),
            Side::said(text, place),
            Side::said(&format!("bits {bits:#010x} of {mask:#010x}"), place),
        );
    }
    Ok(())
}
