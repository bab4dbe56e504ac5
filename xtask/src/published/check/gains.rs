//! Gains and averages that the text derives from stages and trials.

use super::{Checker, Exact, quotient};
use crate::published::set::Cited;

const NATIVE: &str = "native-rmii-derived";
const TRIALS: &str = "native-rmii-trials";

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    gains(checker)?;
    averages(checker)
}

/// Gains that the text derives are those of the stages.
fn gains(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let rule = "gains-are-those-of-the-stages";
    let macraw = |stage, column| checker.set.figure("macraw-stages", stage, column);
    let offload = |stage, column| checker.set.figure("offload-stages", stage, column);
    let (max, plateau) = ("zero_error_max_khz", "plateau_valid_per_s");
    let one = Exact::from_integer(1);
    let ratios = [
        (
            "macraw-derived",
            "gains",
            "zero_error_ratio",
            macraw("retained", max)?,
            macraw("release-control", max)?,
            Exact::from_integer(0),
        ),
        (
            "macraw-derived",
            "gains",
            "plateau_ratio",
            macraw("retained", plateau)?,
            macraw("release-control", plateau)?,
            Exact::from_integer(0),
        ),
        (
            "offload-derived",
            "plateau-gain",
            "plateau_gain_over_control_percent",
            offload("dcache", plateau)?,
            offload("fresh-control", plateau)?,
            one,
        ),
        (
            "offload-derived",
            "dcache",
            "plateau_gain_percent",
            offload("dcache", plateau)?,
            offload("dedicated-spi-clock", plateau)?,
            one,
        ),
    ];
    for (table, row, column, after, before, less) in ratios {
        let printed = checker.figure(table, row, column)?;
        if let Some(ratio) = quotient(after.figure.value, before.figure.value) {
            checker.follows(rule, printed, ratio - less, &[after, before]);
        }
    }
    let repeated = [
        (
            "macraw-derived",
            "before-and-after",
            "zero_error_before_khz",
            macraw("release-control", max)?,
        ),
        (
            "macraw-derived",
            "before-and-after",
            "zero_error_after_khz",
            macraw("retained", max)?,
        ),
        (
            "macraw-derived",
            "before-and-after",
            "plateau_before_valid_per_s",
            macraw("release-control", plateau)?,
        ),
        (
            "macraw-derived",
            "before-and-after",
            "plateau_after_valid_per_s",
            macraw("retained", plateau)?,
        ),
        (
            "offload-derived",
            "before-and-after",
            "zero_error_before_khz",
            offload("fresh-control", max)?,
        ),
        (
            "offload-derived",
            "before-and-after",
            "zero_error_after_khz",
            offload("dcache", max)?,
        ),
        (
            "offload-derived",
            "before-and-after",
            "plateau_before_valid_per_s",
            offload("fresh-control", plateau)?,
        ),
        (
            "offload-derived",
            "before-and-after",
            "plateau_after_valid_per_s",
            offload("dcache", plateau)?,
        ),
        (
            "offload-derived",
            "dedicated-spi-clock",
            "zero_error_before_khz",
            offload("cached-peer", max)?,
        ),
        (
            "offload-derived",
            "dedicated-spi-clock",
            "zero_error_after_khz",
            offload("dedicated-spi-clock", max)?,
        ),
        (
            "offload-derived",
            "dcache",
            "zero_error_before_khz",
            offload("dedicated-spi-clock", max)?,
        ),
        (
            "offload-derived",
            "dcache",
            "zero_error_after_khz",
            offload("dcache", max)?,
        ),
    ];
    for (table, row, column, stage) in repeated {
        let printed = checker.figure(table, row, column)?;
        checker.same(rule, printed, stage);
    }
    Ok(())
}

/// The averages of three trials, and what they say of delivery.
fn averages(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let rule = "averages-are-those-of-the-trials";
    let trials = |stage: &str, end: &str| -> anyhow::Result<Vec<Cited<'_>>> {
        let row =
            |trial| format!("embassy-rmii/performance/{stage}/15-khz/30-s/trial-{trial}{end}");
        (1..=3)
            .map(|trial| checker.set.figure(TRIALS, &row(trial), "missing"))
            .collect()
    };
    let mean = |missing: &[Cited<'_>]| {
        missing
            .iter()
            .map(|cited| cited.figure.value)
            .sum::<Exact>()
            / 3
    };
    let (partial, full) = (
        trials("rx-checksum", "")?,
        trials("full-checksum", "/in-stream-report")?,
    );
    let printed = |row, column| checker.set.figure(NATIVE, row, column);
    let sent = checker.figure(
        TRIALS,
        "embassy-rmii/performance/rx-checksum/15-khz/30-s/trial-1",
        "sent",
    )?;
    let partial_average = printed("rx-checksum-average", "average_missing")?;
    let full_average = printed("full-checksum-average", "average_missing")?;
    let reduction = printed(
        "full-checksum-average",
        "reduction_from_rx_checksum_percent",
    )?;
    let delivered = [
        printed("full-checksum-average", "average_delivery_percent")?,
        printed(
            "full-checksum-average-in-trade-study",
            "average_delivery_percent",
        )?,
    ];
    let half = Exact::new(1, 2);
    checker.follows_within(rule, partial_average, mean(&partial), &partial, half);
    checker.follows(rule, full_average, mean(&full), &full);
    let one = Exact::from_integer(1);
    let averages = [partial_average, full_average];
    let share = full_average.figure.value / partial_average.figure.value;
    checker.follows(rule, reduction, one - share, &averages);
    let share = one - mean(&full) / sent.figure.value;
    for delivered in delivered {
        checker.follows(rule, delivered, share, &full);
    }
    let range = "rx-checksum-earlier-range";
    for (column, stage) in [
        ("compared_with_missing_min", "before-full-checksum"),
        ("compared_with_missing_max", "icache"),
    ] {
        let printed = checker.figure(NATIVE, range, column)?;
        let row = format!("embassy-rmii/performance/{stage}/15-khz/30-s");
        let [sent, valid] =
            ["sent", "valid"].map(|column| checker.set.figure(TRIALS, &row, column));
        let (sent, valid) = (sent?, valid?);
        let lost = sent.figure.value - valid.figure.value;
        checker.follows("range-is-that-of-the-trials", printed, lost, &[sent, valid]);
    }
    Ok(())
}
