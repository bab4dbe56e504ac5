//! What the reports state in words of the main study, and the four systems beside it.

use super::{Checker, Exact, Side, quotient};
use crate::published::figure::{in_unit, plain};
use crate::published::set::{Cell, Cited};

/// What 100BASE-TX leaves to TCP payload: 1,460 of the 1,538 byte times of a full frame (IEEE 802.3).
const TCP_BYTES_PER_S: (i128, i128) = (12_500_000 * 1_460, 1_538);
/// The PLL of the W7500 multiplies a quarter of its 8 MHz oscillator twice.
const W7500_STEP_HZ: i128 = 4_000_000;

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    latency_gains(checker)?;
    highest_latency(checker)?;
    w7500(checker)?;
    mongoose(checker)?;
    w55rp20(checker)?;
    emnet(checker)
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

fn emnet(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    for row in [
        "arm7/socket",
        "arm7/zero-copy",
        "cortex-m3/socket",
        "cortex-m3/zero-copy",
    ] {
        for column in ["send_mib_per_s", "receive_mib_per_s"] {
            let rate = checker.figure("emnet-throughput", row, column)?;
            let ceiling = Exact::new(TCP_BYTES_PER_S.0, TCP_BYTES_PER_S.1);
            let shown = format!(
                "{} at most on 100 Mbit/s",
                in_unit(ceiling, rate.figure.unit, 2)
            );
            let right = Side::computed(shown, &[rate]);
            let holds = rate.figure.value - rate.figure.half_step() <= ceiling;
            checker.check("tcp-fits-its-ethernet", holds, Side::printed(rate), right);
        }
    }
    let (_, place) = checker.set.text(
        "stated-in-words",
        "response-scales-with-clock",
        "scales_with",
    )?;
    let of = |table: &str, platform: &str, rest: &str, column| {
        checker
            .set
            .figure(table, &format!("{platform}{rest}"), column)
    };
    let responses = [
        ("emnet-ping-response", "", "ping_response_us"),
        ("emnet-tcp-response", "/socket", "tcp_response_us"),
        ("emnet-tcp-response", "/zero-copy", "tcp_response_us"),
    ];
    for (table, rest, column) in responses {
        let (slow, fast) = ("emPower-K66", "emPower-Zynq");
        let times = [
            of(table, slow, rest, column)?,
            of(table, fast, rest, column)?,
        ];
        let clocks = [
            of(table, fast, rest, "cpu_mhz")?,
            of(table, slow, rest, "cpu_mhz")?,
        ];
        let ratio = |[over, under]: [Cited<'_>; 2]| over.figure.value / under.figure.value;
        let (gain, clock) = (ratio(times), ratio(clocks));
        let off = if gain > clock {
            gain - clock
        } else {
            clock - gain
        };
        let shown = format!(
            "{} times, the clock {} times",
            plain(gain, 2),
            plain(clock, 2)
        );
        checker.check(
            "response-scales-with-the-clock",
            off * 10 <= clock,
            Side::said("scales with the clock", place),
            Side::computed(shown, &times),
        );
    }
    Ok(())
}
