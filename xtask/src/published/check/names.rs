//! Rows are called after what they hold, and tables are whole.

use super::{Checker, Exact, Side};
use crate::published::set::{Cell, Cited};

/// Cells that the name of a row repeats: the cell, and what stands before and after it in the name.
const IN_NAMES: [(&str, &str, &str); 6] = [
    ("rate_khz", "", "-khz"),
    ("duration_s", "", "-s"),
    ("payload_bytes", "", "-B"),
    ("burst_packets", "", "-packets"),
    ("trial", "trial-", ""),
    ("sweep", "sweep-", ""),
];

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    row_names(checker);
    steps(checker)?;
    sweeps_begin_at_their_first_rate(checker)?;
    builds_differ_in_clocks_alone(checker)?;
    error_kinds(checker)
}

/// A row called after its rate, duration, payload, burst or trial holds that one.
fn row_names(checker: &mut Checker<'_>) {
    for table in &checker.set.tables {
        for row in &table.rows {
            for (name, cell) in &row.cells {
                let (Some((_, before, after)), Cell::Figure(figure)) =
                    (IN_NAMES.iter().find(|(cell, _, _)| cell == name), cell)
                else {
                    continue;
                };
                let part = |part: &str| {
                    let number = part.strip_prefix(before)?.strip_suffix(after)?;
                    number.parse::<i128>().ok().map(Exact::from_integer)
                };
                let Some(told) = row.id.split(['/', '#']).find_map(part) else {
                    continue;
                };
                let place = row.place(table, name);
                checker.check(
                    "a-row-is-called-after-its-cells",
                    told * figure.unit.factor() == figure.value,
                    Side::printed(Cited { figure, place }),
                    Side::said(&row.id, place),
                );
            }
        }
    }
}

/// Stages are numbered from one on.
fn steps(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    for id in ["native-rmii-stages", "macraw-stages", "offload-stages"] {
        for (number, row) in (1..).zip(&checker.set.table(id)?.rows) {
            let step = checker.figure(id, &row.id, "step")?;
            checker.follows("steps-count-up", step, Exact::from_integer(number), &[step]);
        }
    }
    Ok(())
}

/// A zero-error range begins at the first rate of its sweep.
fn sweeps_begin_at_their_first_rate(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let first = checker.figure("stream-runs", "short-sweep-3s", "rate_min_khz")?;
    let begins = checker
        .facts
        .iter()
        .filter(|fact| fact.quantity == "zero_error_min" && fact.subject.get("sweep").is_none());
    let begins: Vec<Cited<'_>> = begins.filter_map(|fact| fact.figure()).collect();
    for begin in begins {
        checker.same("ranges-begin-at-the-first-rate", begin, first);
    }
    Ok(())
}

/// Builds of a variant differ in clocks, compiler and caches; the Embassy variants share the sizes of
/// their queues and buffers; all share the link.
fn builds_differ_in_clocks_alone(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let id = "firmware-settings";
    let clocks = ["mcu_clock_mhz", "ahb_clock_mhz", "spi_mhz"];
    let embassy = |variant: &str| ["embassy-rmii", "w5500-macraw"].contains(&variant);
    let rows = &checker.set.table(id)?.rows;
    for (index, row) in rows.iter().enumerate() {
        for other in &rows[index + 1..] {
            let variants = [&row.id, &other.id].map(|id| id.split('/').next().unwrap_or(id));
            let [first, second] = variants;
            for (name, cell) in &row.cells {
                let shared = name.starts_with("link_m");
                let both_embassy = embassy(first) && embassy(second);
                let compared = shared || first == second || both_embassy;
                let is_figure = matches!(cell, Cell::Figure(_));
                if !compared || !is_figure || clocks.contains(&name.as_str()) {
                    continue;
                }
                let left = checker.figure(id, &row.id, name)?;
                if let Ok(right) = checker.figure(id, &other.id, name) {
                    checker.same("builds-differ-in-clocks-alone", left, right);
                }
            }
        }
    }
    Ok(())
}

/// The rows that the report calls free of errors, all but one, print none of any kind.
fn error_kinds(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let zero = Exact::from_integer(0);
    let tables = [
        (
            "matched-30s-stream",
            &["late", "duplicate", "reordered", "corrupt"][..],
        ),
        ("soak", &["late", "duplicate", "reordered", "corrupt"][..]),
        (
            "one-hour-other-errors",
            &[
                "late",
                "duplicate",
                "reordered",
                "corrupt",
                "foreign",
                "send_error",
            ][..],
        ),
    ];
    for (table, kinds) in tables {
        for row in &checker.set.table(table)?.rows {
            for kind in kinds {
                let printed = checker.figure(table, &row.id, kind)?;
                checker.follows("missing-is-the-only-error", printed, zero, &[printed]);
            }
        }
    }
    Ok(())
}
