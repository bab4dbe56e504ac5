//! What one build of a variant must be beside another.

use super::{Checker, Side};
use crate::published::set::Cited;

/// The variants that have profiling builds.
const PROFILED: [&str; 3] = ["embassy-rmii", "w5500-macraw", "w5500-offload"];
const HOUR: &str = "one-hour-stream";
const MATCHED: &str = "matched-30s-stream";
const SIZES: &str = "code-size";
const HISTORY: &str = "repository-history";

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    for variant in PROFILED {
        instrumented(checker, variant)?;
        figures_are_not_older_than_their_settings(checker, variant)?;
    }
    profiled_settings(checker)?;
    sizes_are_of_the_lines_beside_them(checker)?;
    equal_settings_give_equal_plateaus(checker)
}

/// Instrumentation makes a build neither faster nor smaller.
fn instrumented(checker: &mut Checker<'_>, variant: &str) -> anyhow::Result<()> {
    let (profiling, release) = (format!("{variant}/profiling"), format!("{variant}/release"));
    for column in ["rtt_p50_ms", "rtt_p99_ms"] {
        let plain = checker.figure(MATCHED, &release, column)?;
        let instrumented = checker.figure(HOUR, &profiling, column)?;
        checker.ordered("instrumentation-is-not-faster", plain, instrumented);
    }
    let plain = checker.figure(SIZES, &release, "static_ram_bytes")?;
    let instrumented = checker.figure(HOUR, &profiling, "static_ram_bytes")?;
    checker.ordered("instrumentation-is-not-smaller", plain, instrumented);
    Ok(())
}

/// A row printed with a setting was measured after the setting was made.
fn figures_are_not_older_than_their_settings(
    checker: &mut Checker<'_>,
    variant: &str,
) -> anyhow::Result<()> {
    let row = format!("control-figures/{variant}");
    let (measured, _) = checker.set.text(HISTORY, &row, "committed")?;
    let (made, _) = checker
        .set
        .text(HISTORY, "instruction-cache-and-queues", "committed")?;
    let release = format!("{variant}/release");
    let figure = checker.figure(MATCHED, &release, "rtt_p50_ms")?;
    let (cache, place) = checker.set.text("firmware-settings", &release, "icache")?;
    checker.check(
        "figures-are-not-older-than-their-settings",
        cache == "no" || measured >= made,
        Side::computed(
            format!("{} committed {measured}", figure.figure.with_unit()),
            &[figure],
        ),
        Side::said(&format!("I-cache {cache}, made {made}"), place),
    );
    Ok(())
}

/// The profiled run began after the settings that its report refers to were made.
fn profiled_settings(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let (name, place) = checker.set.text("profiled-run", "run", "result_set")?;
    let (made, _) = checker
        .set
        .text(HISTORY, "instruction-cache-and-queues", "committed")?;
    let (table, reference) = checker.set.text(
        "stated-in-words",
        "settings-of-the-profiled-run",
        "settings_in",
    )?;
    let begun = run_start(name);
    checker.check(
        "figures-are-not-older-than-their-settings",
        begun.as_str() >= made,
        Side::said(&format!("run begun {begun}"), place),
        Side::said(&format!("settings of {table}, made {made}"), reference),
    );
    Ok(())
}

/// The date and minute in the name of a result set, `...-YYYYMMDD-HHMMSS`.
pub fn run_start(name: &str) -> String {
    let mut parts = name.rsplit('-');
    let (time, date) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    let part = |text: &str, range: std::ops::Range<usize>| text.get(range).unwrap_or("").to_owned();
    format!(
        "{}-{}-{} {}:{}",
        part(date, 0..4),
        part(date, 4..6),
        part(date, 6..8),
        part(time, 0..2),
        part(time, 2..4)
    )
}

/// Bytes and lines of one row are of one state of the sources.
fn sizes_are_of_the_lines_beside_them(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let (updated, _) =
        checker
            .set
            .text(HISTORY, "checksum-offload-and-dependencies", "committed")?;
    for variant in ["embassy-rmii", "w5500-macraw"] {
        let (sized, _) =
            checker
                .set
                .text(HISTORY, &format!("release-sizes/{variant}"), "committed")?;
        let flash = checker.figure(SIZES, &format!("{variant}/release"), "flash_bytes")?;
        let lines = checker.figure(SIZES, &format!("{variant}/release"), "total_ncloc")?;
        checker.check(
            "sizes-are-not-older-than-the-dependencies",
            sized >= updated,
            Side::computed(
                format!("{} committed {sized}", flash.figure.with_unit()),
                &[flash],
            ),
            Side::computed(format!("sources updated {updated}"), &[lines]),
        );
    }
    let history = "release-sizes/w5500-macraw";
    let then = checker.figure(HISTORY, history, "earlier_bringup_ncloc")?;
    let now = checker.figure(SIZES, "w5500-macraw/release", "bringup_ncloc")?;
    checker.same("lines-are-those-of-the-sizes", then, now);
    Ok(())
}

/// The offload firmware at 400 MHz, optimised for size, with 20 MHz asked of SPI: three figures.
fn equal_settings_give_equal_plateaus(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let control = checker.figure("offload-stages", "fresh-control", "plateau_valid_per_s")?;
    let profiled = ("rate-sweep-30s", "w5500-offload/profiling", 30, [4, 20]);
    let continued = ("rate-sweep-3s", "w5500-offload/release", 3, [22, 30]);
    for (table, column, seconds, [low, high]) in [profiled, continued] {
        let mut returned = Vec::new();
        let mut inputs: Vec<Cited<'_>> = Vec::new();
        for khz in low..=high {
            let events = checker.figure(table, &format!("{khz}-khz"), column)?;
            returned.push(super::Exact::from_integer(khz * 1_000) - events.figure.value / seconds);
            inputs.push(events);
        }
        let count = i128::try_from(returned.len())?;
        let mean = returned.iter().sum::<super::Exact>() / count;
        let ends = [inputs[0], inputs[inputs.len() - 1]];
        let slack = control.figure.value / 50;
        checker.follows_within("equal-settings-saturate-alike", control, mean, &ends, slack);
    }
    Ok(())
}
