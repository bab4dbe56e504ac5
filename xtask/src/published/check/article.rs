//! The article: fractions, and statements about its own and the reports' tables.

use super::{Checker, Exact, Side, quotient};
use crate::published::figure::plain;
use crate::published::set::Cited;

const TEXT: &str = "article-statements";
const OFFLOAD: &str = "w5500-offload";
const MACRAW: &str = "w5500-macraw";
const NATIVE: &str = "embassy-rmii";

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    fractions(checker)?;
    better_above(checker)?;
    ram_of_one_build(checker)?;
    hour(checker)?;
    sweep_table(checker)?;
    headroom(checker)
}

/// A simple fraction is within a fortieth of the quotient it stands for.
fn fractions(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let cases = [
        (
            "offload-over-macraw-release-ram",
            "code-size",
            "release",
            "static_ram_bytes",
        ),
        (
            "offload-over-macraw-release-flash",
            "code-size",
            "release",
            "flash_bytes",
        ),
        (
            "offload-over-macraw-p99",
            "one-hour-stream",
            "profiling",
            "rtt_p99_ms",
        ),
        (
            "offload-over-macraw-stack-high-water",
            "one-hour-stream",
            "profiling",
            "stack_high_water_bytes",
        ),
    ];
    for (row, table, build, column) in cases {
        let numerator = checker.figure(TEXT, row, "numerator")?;
        let denominator = checker.figure(TEXT, row, "denominator")?;
        let offload = checker.figure(table, &format!("{OFFLOAD}/{build}"), column)?;
        let macraw = checker.figure(table, &format!("{MACRAW}/{build}"), column)?;
        let told = numerator.figure.value / denominator.figure.value;
        let is = offload.figure.value / macraw.figure.value;
        let off = if told > is { told - is } else { is - told };
        let shown = format!(
            "{} of {}",
            numerator.figure.printed, denominator.figure.printed
        );
        checker.check(
            "fractions-are-close",
            off * 40 <= is,
            Side::computed(shown, &[numerator, denominator]),
            Side::computed(plain(is, 4), &[offload, macraw]),
        );
    }
    Ok(())
}

/// Above the rate named, the variant called better is clean to a higher rate, in every sweep.
fn better_above(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let limit = checker.figure(TEXT, "above-3-khz", "better_above_khz")?;
    let (better, _) = checker.set.text(TEXT, "above-3-khz", "better")?;
    let (than, _) = checker.set.text(TEXT, "above-3-khz", "than")?;
    for build in ["release", "performance"] {
        let of = |variant| {
            let row = format!("{variant}/{build}");
            checker
                .set
                .figure("reliability-knee-3s", &row, "zero_error_max_khz")
        };
        let (first, second) = (of(better)?, of(than)?);
        let shown = format!(
            "{}, {than} {}",
            first.figure.with_unit(),
            second.figure.with_unit()
        );
        checker.check(
            "better-above-the-rate-named",
            first.figure.value > second.figure.value,
            Side::computed(
                format!("{better} better above {}", limit.figure.with_unit()),
                &[limit],
            ),
            Side::computed(shown, &[first, second]),
        );
    }
    Ok(())
}

/// The argument on RAM uses the figures of the builds that the article tabulates.
fn ram_of_one_build(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let argued = |variant: &str| {
        checker.set.figure(
            TEXT,
            &format!("closing-argument/{variant}"),
            "static_ram_bytes",
        )
    };
    let tabled = |variant: &str| {
        checker.set.figure(
            "article-code-size",
            &format!("{variant}/release"),
            "static_ram_bytes",
        )
    };
    let argued = [argued(NATIVE)?, argued(OFFLOAD)?];
    let tabled = [tabled(NATIVE)?, tabled(OFFLOAD)?];
    let ratio = |[over, under]: [Cited<'_>; 2]| {
        quotient(over.figure.value, under.figure.value).unwrap_or_else(|| Exact::from_integer(0))
    };
    let (first, second) = (ratio(argued), ratio(tabled));
    let off = if first > second {
        first - second
    } else {
        second - first
    };
    checker.check(
        "argument-and-table-are-of-one-build",
        off * 10 <= second,
        Side::computed(format!("{} times", plain(first, 2)), &argued),
        Side::computed(format!("{} times", plain(second, 2)), &tabled),
    );
    Ok(())
}

/// As many builds were measured for an hour as the article says, over as many datagrams.
fn hour(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let printed = checker.figure(TEXT, "builds-measured-for-an-hour", "builds")?;
    let mut measured = Vec::new();
    for row in &checker.set.table("one-hour-stream")?.rows {
        measured.extend(checker.set.figure("one-hour-stream", &row.id, "valid"));
    }
    let count = Exact::from_integer(i128::try_from(measured.len())?);
    checker.follows("as-many-builds-as-told", printed, count, &measured);
    let millions = checker.figure(TEXT, "datagrams-sent", "sent_millions")?;
    for sent in measured.iter().map(|cited| cited.place.row) {
        let sent = checker.figure("one-hour-stream", sent, "sent")?;
        checker.same("text-repeats-the-tables", millions, sent);
    }
    Ok(())
}

/// The variants that the text finds in the article's sweep table are there.
fn sweep_table(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let (told, place) = checker
        .set
        .text(TEXT, "c-row-in-sweep-table", "in_sweep_table")?;
    let table = checker.set.table("article-rate-sweep-30s")?;
    let columns = table
        .columns
        .iter()
        .skip(1)
        .map(|column| column.id.as_str());
    let columns: Vec<&str> = columns.collect();
    checker.check(
        "what-the-table-is-said-to-hold-is-there",
        columns.iter().any(|column| column.starts_with(told)),
        Side::said(told, place),
        Side::said(&columns.join(", "), table.rows[0].place(table, "rate_khz")),
    );
    Ok(())
}

/// The headroom of the internal MAC is what it returns at 7 kHz over what offload returns.
fn headroom(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let printed = checker.figure(TEXT, "native-headroom", "headroom_ratio")?;
    let native = checker.figure("rate-sweep-30s", "7-khz", "embassy-rmii/profiling")?;
    let offload = checker.figure("rate-sweep-30s", "7-khz", "w5500-offload/profiling")?;
    let returned = |events: Cited<'_>| Exact::from_integer(7_000) - events.figure.value / 30;
    if let Some(ratio) = quotient(returned(native), returned(offload)) {
        let slack = Exact::new(1, 10);
        checker.follows_within(
            "headroom-is-that-of-the-sweep",
            printed,
            ratio,
            &[native, offload],
            slack,
        );
    }
    Ok(())
}
