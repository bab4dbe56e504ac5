//! What the reports state in words of the main study, and three of the systems beside it.

use super::{Checker, Exact, Side, quotient};
use crate::published::figure::plain;
use crate::published::set::Cell;

/// The PLL of the W7500 multiplies a quarter of its 8 MHz oscillator twice.
const W7500_STEP_HZ: i128 = 4_000_000;

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    latency_gains(checker)?;
    highest_latency(checker)?;
    w7500(checker)?;
    mongoose(checker)?;
    w55rp20(checker)
}

/// A substantial gain is a tenth of p50 and of p99, without a worse maximum or more loss.
fn latency_gains(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    for variant in ["w5500-macraw", "w5500-offload"] {
        let row = format!("substantial-latency-gain/{variant}");
        let (_, place) = checker.set.text("stated-in-words", &row, "faster")?;
        for (column, share) in [
            ("rtt_p50_ms", 90),
            ("rtt_p99_ms", 90),
            ("rtt_max_ms", 100),
            ("missing", 100),
        ] {
            let of = |build| {
                checker
                    .set
                    .figure("matched-30s-stream", &format!("{variant}/{build}"), column)
            };
            let (after, before) = (of("performance")?, of("release")?);
            let shown = format!(
                "{} after {}",
                after.figure.with_unit(),
                before.figure.with_unit()
            );
            checker.check(
                "a-substantial-gain-is-one",
                after.figure.value * 100 <= before.figure.value * share,
                Side::said("substantial latency gain", place),
                Side::computed(shown, &[after, before]),
            );
        }
    }
    Ok(())
}

fn highest_latency(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let (highest, place) = checker
        .set
        .text("stated-in-words", "highest-latency", "highest")?;
    for column in ["rtt_p50_ms", "rtt_p99_ms", "rtt_max_ms"] {
        for other in ["embassy-rmii", "w5500-offload"] {
            let of = |variant: &str| {
                checker
                    .set
                    .figure("one-hour-stream", &format!("{variant}/profiling"), column)
            };
            let (claimed, other_figure) = (of(highest)?, of(other)?);
            let shown = format!(
                "{}, {other} {}",
                claimed.figure.with_unit(),
                other_figure.figure.with_unit()
            );
            checker.check(
                "the-highest-latency-is-the-highest",
                claimed.figure.value >= other_figure.figure.value,
                Side::said(&format!("{highest} highest"), place),
                Side::computed(shown, &[claimed, other_figure]),
            );
        }
    }
    Ok(())
}

/// Bus clocks follow from the PLL register, and the announced throughput is there.
fn w7500(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let table = checker.set.table("w7500-bus-clocks")?;
    for row in &table.rows {
        let clock = checker.figure("w7500-bus-clocks", &row.id, "bus_clock_mhz")?;
        let digits = row.id.strip_prefix("0x").unwrap_or_default();
        let register = u32::from_str_radix(digits, 16)?;
        let value = Exact::from_integer(i128::from(register >> 16) * W7500_STEP_HZ);
        checker.follows("bus-clock-follows-from-the-pll", clock, value, &[clock]);
    }
    for row in &table.rows {
        let of = |column| checker.set.text("w7500-bus-clocks", &row.id, column);
        let ((marked, place), (active, other)) = (of("default")?, of("active_in_listing")?);
        checker.check(
            "the-listing-runs-at-the-default",
            marked == active,
            Side::said(&format!("default: {marked}"), place),
            Side::said(&format!("active: {active}"), other),
        );
    }
    let table = checker.set.table("w7500-throughput")?;
    for row in &table.rows {
        for (name, cell) in &row.cells {
            if let Cell::Absent(text) = cell {
                let place = row.place(table, name);
                let (left, right) = (Side::said("announced", place), Side::said(text, place));
                checker.check("what-is-announced-is-there", false, left, right);
            }
        }
    }
    Ok(())
}

fn mongoose(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let table = "mongoose-websocket";
    let of = |row, column| checker.set.figure(table, row, column);
    let (count, limit) = (of("curl", "messages")?, of("curl", "curl_limit_s")?);
    let rate = of("curl", "messages_per_s")?;
    if let Some(value) = quotient(count.figure.value * 1_000_000_000, limit.figure.value) {
        let slack = value / 20;
        checker.follows_within(
            "messages-over-time-are-the-rate",
            rate,
            value,
            &[count, limit],
            slack,
        );
    }
    let told = of("questions/short", "message_bytes")?;
    let printed = checker.figure("mongoose-listing", "printed-message", "printed_max_bytes")?;
    checker.same("the-listing-prints-the-message-told", told, printed);
    let long = of("introduction/long", "messages_per_s")?;
    let times = of("introduction/long", "size_ratio_to_short")?;
    let short = of("introduction", "messages_per_s")?;
    let bytes = long.figure.value * times.figure.value;
    checker.check(
        "longer-messages-carry-more",
        bytes > short.figure.value,
        Side::computed(
            format!("{} short messages' worth a second", plain(bytes, 0)),
            &[long, times],
        ),
        Side::printed(short),
    );
    Ok(())
}

fn w55rp20(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let of = |row, column| checker.set.figure("w55rp20-rates", row, column);
    let earlier = of("rp2040-w5500-iperf", "tcp_mbps")?;
    let loopback = of("w55rp20-loopback-2-kb", "tcp_mbps")?;
    let (_, place) = checker
        .set
        .text("stated-in-words", "similar-loopback-rate", "similar")?;
    let share = loopback.figure.value / earlier.figure.value;
    checker.check(
        "similar-rates-are-within-a-fifth",
        share * 5 >= Exact::from_integer(4),
        Side::said("similar", place),
        Side::computed(
            format!(
                "{} after {}, {} of it",
                loopback.figure.with_unit(),
                earlier.figure.with_unit(),
                plain(share, 2)
            ),
            &[loopback, earlier],
        ),
    );
    let (claimed, reached) = (
        of("claimed-gain", "claimed_ratio")?,
        of("w55rp20-iperf", "tcp_mbps")?,
    );
    if let Some(ratio) = quotient(reached.figure.value, earlier.figure.value) {
        let slack = Exact::from_integer(0);
        checker.follows_within(
            "gain-is-that-of-the-rates",
            claimed,
            ratio,
            &[reached, earlier],
            slack,
        );
    }
    Ok(())
}
