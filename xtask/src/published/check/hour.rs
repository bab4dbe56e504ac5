//! The hour of the profiled run: how long, of what, and what it says of a datagram.

use super::builds::run_start;
use super::{Checker, Exact, Side, quotient};
use crate::published::figure::in_unit;
use crate::published::set::Cell;
use crate::published::unit::Unit;

const HOUR: &str = "one-hour-stream";
const RUN: &str = "profiled-run";
/// Seconds after each rate of the sweep in which late replies are awaited.
const DRAIN_S: i128 = 2;

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    cycles_scale(checker)?;
    relative_cycles(checker)?;
    every_row_measured(checker)?;
    one_build_a_column(checker)?;
    dates(checker)?;
    time_budget(checker)?;
    loss_bound(checker)
}

/// The cycles of a datagram at 1 kHz, times a rate that came back, fit in the clock.
fn cycles_scale(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    for (variant, khz) in [
        ("embassy-rmii", 5),
        ("w5500-macraw", 2),
        ("w5500-offload", 3),
    ] {
        let row = format!("{variant}/profiling");
        let cycles = checker.figure(HOUR, &row, "cycles_per_valid")?;
        let clock = checker.figure("profiled-run-settings", &row, "mcu_clock_mhz")?;
        let events = checker.figure("rate-sweep-30s", &format!("{khz}-khz"), &row)?;
        let missing = if variant == "w5500-macraw" {
            checker.figure("rate-sweep-30s-summary", "w5500-macraw/2-khz", "missing")?
        } else {
            events
        };
        let returned = Exact::from_integer(khz * 1_000) - missing.figure.value / 30;
        let Some(possible) = quotient(clock.figure.value, cycles.figure.value) else {
            continue;
        };
        let (per_s, _) = Unit::of("returned_per_s");
        checker.check(
            "cycles-at-1-khz-fit-the-rates-that-came-back",
            possible >= returned,
            Side::computed(
                format!("{} possible", in_unit(possible, per_s, 0)),
                &[cycles, clock],
            ),
            Side::computed(
                format!("{} returned", in_unit(returned, per_s, 0)),
                &[missing],
            ),
        );
    }
    Ok(())
}

fn relative_cycles(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let native = checker.figure(HOUR, "embassy-rmii/profiling", "cycles_per_valid")?;
    let native_cpu = checker.figure(HOUR, "embassy-rmii/profiling", "executor_cpu_percent")?;
    for variant in ["w5500-macraw", "w5500-offload"] {
        let row = format!("{variant}/profiling");
        let printed = checker.figure(
            "one-hour-cycles-relative",
            variant,
            "cycles_over_native_ratio",
        )?;
        let cycles = checker.figure(HOUR, &row, "cycles_per_valid")?;
        let cpu = checker.figure(HOUR, &row, "executor_cpu_percent")?;
        let exact = Exact::from_integer(0);
        let rounded = Exact::new(1, 1_000);
        for ([over, under], slack) in [([cycles, native], exact), ([cpu, native_cpu], rounded)] {
            if let Some(ratio) = quotient(over.figure.value, under.figure.value) {
                let rule = "relative-cycles-are-those-of-the-hour";
                checker.follows_within(rule, printed, ratio, &[over, under], slack);
            }
        }
    }
    let interval = checker.figure(
        "one-hour-loss-by-interval",
        "w5500-offload/profiling",
        "intervals_with_loss",
    )?;
    let largest = checker.figure(
        "one-hour-loss-by-interval",
        "w5500-offload/profiling",
        "largest_interval_missing",
    )?;
    let missing = checker.figure(HOUR, "w5500-offload/profiling", "missing")?;
    let value = interval.figure.value * largest.figure.value;
    checker.follows(
        "intervals-with-loss-add-up",
        missing,
        value,
        &[interval, largest],
    );
    Ok(())
}

/// A row of the hour has its figures.
fn every_row_measured(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let table = checker.set.table(HOUR)?;
    for row in &table.rows {
        let absent: Vec<&(String, Cell)> = row
            .cells
            .iter()
            .filter(|(_, cell)| matches!(cell, Cell::Absent(_)))
            .collect();
        let place = row.place(table, "valid");
        let shown = match absent.first() {
            Some((_, Cell::Absent(text))) => text.as_str(),
            _ => "measured",
        };
        checker.check(
            "a-row-has-its-figures",
            absent.is_empty(),
            Side::said(shown, place),
            Side::said(&format!("{} figures absent", absent.len()), place),
        );
    }
    Ok(())
}

/// The rows of one column are of one kind of build.
fn one_build_a_column(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let table = checker.set.table(HOUR)?;
    for row in &table.rows[1..] {
        let (first, first_place) = checker.set.text(HOUR, &table.rows[0].id, "build")?;
        let (build, place) = checker.set.text(HOUR, &row.id, "build")?;
        let ram = |build: &str, place| Side::said(&format!("static RAM of a {build} build"), place);
        checker.check(
            "a-column-is-of-one-build",
            first == build,
            ram(first, first_place),
            ram(build, place),
        );
    }
    Ok(())
}

/// The run is dated by the day it began.
fn dates(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let (name, place) = checker.set.text(RUN, "run", "result_set")?;
    let begun = run_start(name);
    let table = checker.set.table(HOUR)?;
    let dated = table.date.as_deref().unwrap_or("undated");
    let row = &table.rows[1];
    checker.check(
        "a-run-is-dated-by-its-beginning",
        begun.starts_with(dated),
        Side::said(&format!("begun {begun}"), place),
        Side::said(&format!("dated {dated}"), row.place(table, "valid")),
    );
    let elapsed = checker.figure(RUN, "run", "elapsed_s")?;
    let parts = checker.set.figures(RUN, "run", "elapsed_hms")?;
    let [hours, minutes, seconds] = [0, 1, 2].map(|index| parts.0[index].value);
    let value = (hours * 3_600 + minutes * 60 + seconds) * 1_000_000_000;
    checker.follows(
        "hours-minutes-and-seconds-add-up",
        elapsed,
        value,
        &[elapsed],
    );
    let wrap = checker.figure(RUN, "counters", "cycle_counter_wrap_s")?;
    let clock = checker.figure(
        "profiled-run-settings",
        "embassy-rmii/profiling",
        "mcu_clock_mhz",
    )?;
    let value = Exact::from_integer(1 << 32) / clock.figure.value * 1_000_000_000;
    checker.follows(
        "the-cycle-counter-wraps-at-its-clock",
        wrap,
        value,
        &[clock],
    );
    Ok(())
}

/// No loss of the hour is above the bound that its report states.
fn loss_bound(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let bound = checker.figure(
        "stream-runs",
        "one-hour/in-profiled-report",
        "loss_bound_percent",
    )?;
    for row in &checker.set.table(HOUR)?.rows[1..] {
        let loss = checker.figure(HOUR, &row.id, "loss_percent")?;
        checker.ordered("losses-are-within-their-bound", loss, bound);
    }
    Ok(())
}

/// The windows that the CPU column implies, and the sweeps, leave time to flash the images.
fn time_budget(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let elapsed = checker.figure(RUN, "run", "elapsed_s")?;
    let artifacts = checker.figure(RUN, "run", "artifacts")?;
    let mut used = Exact::from_integer(0);
    let mut inputs = vec![elapsed];
    for row in [
        "embassy-rmii/profiling",
        "w5500-macraw/profiling",
        "w5500-offload/profiling",
    ] {
        let cpu = checker.figure(HOUR, row, "executor_cpu_percent")?;
        let cycles = checker.figure(HOUR, row, "cycles_per_valid")?;
        let valid = checker.figure(HOUR, row, "valid")?;
        let clock = checker.figure("profiled-run-settings", row, "mcu_clock_mhz")?;
        let busy = cycles.figure.value * valid.figure.value;
        used += quotient(busy, clock.figure.value * cpu.figure.value)
            .unwrap_or_else(|| Exact::from_integer(0));
        used += Exact::from_integer(20 * (30 + DRAIN_S));
        inputs.push(cpu);
    }
    let left = elapsed.figure.value / 1_000_000_000 - used;
    let (seconds, _) = Unit::of("left_s");
    let shown = in_unit(left * 1_000_000_000, seconds, 1);
    checker.check(
        "streams-and-sweeps-leave-time-to-flash",
        left >= artifacts.figure.value,
        Side::computed(format!("{shown} left"), &inputs),
        Side::computed(
            format!("{} result files", artifacts.figure.printed),
            &[artifacts],
        ),
    );
    Ok(())
}
