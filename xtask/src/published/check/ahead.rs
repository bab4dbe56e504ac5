//! The article's statement that offload is ahead of MACRAW on every measure.

use super::{Checker, Side};

const TEXT: &str = "article-statements";

/// Whether less of a measure is better.
const LESS: bool = true;

/// Measures on which the article puts offload ahead of MACRAW: table, build, column, better.
const MEASURES: [(&str, &str, &str, bool); 12] = [
    ("code-size", "release", "bringup_ncloc", LESS),
    ("code-size", "release", "server_ncloc", LESS),
    ("code-size", "release", "total_ncloc", LESS),
    ("code-size", "release", "flash_bytes", LESS),
    ("code-size", "release", "static_ram_bytes", LESS),
    ("one-hour-stream", "profiling", "missing", LESS),
    ("one-hour-stream", "profiling", "rtt_p50_ms", LESS),
    ("one-hour-stream", "profiling", "rtt_p99_ms", LESS),
    ("one-hour-stream", "profiling", "rtt_max_ms", LESS),
    ("one-hour-stream", "profiling", "executor_cpu_percent", LESS),
    (
        "one-hour-stream",
        "profiling",
        "stack_high_water_bytes",
        LESS,
    ),
    ("one-hour-stream", "profiling", "static_ram_bytes", LESS),
];

/// The same of the general benchmark, at every payload: table, column, better.
const MEASURES_BY_ROW: [(&str, &str, bool); 5] = [
    ("latency", "rtt_p50_ms", LESS),
    ("latency", "rtt_p99_ms", LESS),
    ("throughput", "zero_loss_mbps", !LESS),
    ("throughput", "peak_goodput_mbps", !LESS),
    ("burst", "complete_bursts_percent", !LESS),
];

/// The variant said to be ahead is not behind on any measure.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let (ahead, place) = checker.set.text(
        TEXT,
        "offload-ahead-on-every-measure",
        "better_on_every_measure",
    )?;
    let (behind, _) = checker
        .set
        .text(TEXT, "offload-ahead-on-every-measure", "than")?;
    let mut measures = Vec::new();
    for (table, build, column, less) in MEASURES {
        let of = |variant| {
            checker
                .set
                .figure(table, &format!("{variant}/{build}"), column)
        };
        measures.push((of(ahead)?, of(behind)?, less));
    }
    for (table, column, less) in MEASURES_BY_ROW {
        for row in &checker.set.table(table)?.rows {
            if let Some(rest) = row.id.strip_prefix(ahead) {
                let other = format!("{behind}{rest}");
                let of = |row| checker.set.figure(table, row, column);
                measures.push((of(&row.id)?, of(&other)?, less));
            }
        }
    }
    for (first, second, less) in measures {
        let (best, worst) = if less {
            (first, second)
        } else {
            (second, first)
        };
        checker.check(
            "ahead-on-every-measure",
            best.figure.value <= worst.figure.value,
            Side::said(&format!("{ahead} ahead"), place),
            Side::computed(
                format!(
                    "{}, {behind} {}",
                    first.figure.with_unit(),
                    second.figure.with_unit()
                ),
                &[first, second],
            ),
        );
    }
    let empty = |variant| {
        let row = format!("{variant}/in-w5500-notes");
        checker
            .set
            .text("zero-byte-payload", &row, "zero_byte_echoed")
    };
    let ((first, at), (second, _)) = (empty(ahead)?, empty(behind)?);
    checker.check(
        "ahead-on-every-measure",
        first == "yes" || second == "no",
        Side::said(&format!("{ahead} ahead"), place),
        Side::said(
            &format!("empty datagram echoed: {first}, {behind} {second}"),
            at,
        ),
    );
    Ok(())
}
