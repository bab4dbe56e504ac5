//! Stages of optimising each variant: boundaries, plateaus, gains and averages.

use super::{Checker, Exact, Side, quotient};
use crate::published::set::Cited;

/// The stages of the W5500 with its own sockets.
const OFFLOAD_STAGES: [&str; 6] = [
    "fresh-control",
    "spi-clock-only",
    "performance-clock-compiler",
    "cached-peer",
    "dedicated-spi-clock",
    "dcache",
];
const NATIVE: &str = "native-rmii-derived";
const TRIALS: &str = "native-rmii-trials";

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    for (table, stages) in [
        ("macraw-stages", &["release-control", "retained"][..]),
        ("offload-stages", &OFFLOAD_STAGES[..]),
    ] {
        for stage in stages {
            boundary(checker, table, stage)?;
            named_as_measured(checker, table, stage)?;
        }
    }
    plateaus(checker)?;
    gains(checker)?;
    averages(checker)?;
    missing_in_trials(checker)?;
    faster_spi(checker)
}

/// A stage is clean up to the whole kHz below its plateau.
fn boundary(checker: &mut Checker<'_>, table: &str, stage: &str) -> anyhow::Result<()> {
    let clean = checker.figure(table, stage, "zero_error_max_khz")?;
    let plateau = checker.figure(table, stage, "plateau_valid_per_s")?;
    let floor = (plateau.figure.value / 1_000).floor() * 1_000;
    checker.follows(
        "a-stage-is-clean-up-to-its-plateau",
        clean,
        floor,
        &[plateau],
    );
    Ok(())
}

/// A column of effective SPI clocks holds no requested one.
fn named_as_measured(checker: &mut Checker<'_>, table: &str, stage: &str) -> anyhow::Result<()> {
    let (kind, place) = checker.set.text(table, stage, "spi_clock_is")?;
    let clock = checker.figure(table, stage, "spi_mhz")?;
    checker.check(
        "effective-clocks-are-effective",
        kind == "effective",
        Side::said(kind, place),
        Side::computed(
            format!("{} under effective SPI", clock.figure.with_unit()),
            &[clock],
        ),
    );
    Ok(())
}

/// Plateaus are what comes back at the rates above them, within a thousandth.
fn plateaus(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let cases = [
        (
            "offload-stages",
            "fresh-control",
            "w5500-offload/release",
            8,
            20,
        ),
        (
            "offload-stages",
            "dcache",
            "w5500-offload/performance",
            16,
            30,
        ),
        (
            "macraw-stages",
            "retained",
            "w5500-macraw/performance",
            11,
            30,
        ),
    ];
    for (table, stage, column, low, high) in cases {
        let printed = checker.figure(table, stage, "plateau_valid_per_s")?;
        let mut returned = Exact::from_integer(0);
        let mut inputs = Vec::new();
        for khz in low..=high {
            let events = checker.figure("rate-sweep-3s", &format!("{khz}-khz"), column)?;
            returned += Exact::from_integer(khz * 1_000) - events.figure.value / 3;
            inputs.push(events);
        }
        let mean = returned / (high - low + 1);
        let ends = [inputs[0], inputs[inputs.len() - 1]];
        let slack = mean / 1_000;
        checker.follows_within("a-plateau-is-what-comes-back", printed, mean, &ends, slack);
    }
    let printed = checker.figure("macraw-stages", "release-control", "plateau_valid_per_s")?;
    let valid = checker.figure("reliability-knee-3s", "w5500-macraw/release", "valid")?;
    let returned = valid.figure.value / 3;
    let slack = returned / 1_000;
    checker.follows_within(
        "a-plateau-is-what-comes-back",
        printed,
        returned,
        &[valid],
        slack,
    );
    Ok(())
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

/// Errors of a stage at 20 kHz are what its trial lost; ranges end below the losses that the text names.
fn missing_in_trials(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    for stage in ["clock-parity", "icache"] {
        let row = format!("embassy-rmii/performance/{stage}/20-khz/3-s");
        let errors = checker.figure("native-rmii-stages", stage, "error_events")?;
        let sent = checker.figure(TRIALS, &row, "sent")?;
        let valid = checker.figure(TRIALS, &row, "valid")?;
        let lost = sent.figure.value - valid.figure.value;
        checker.follows(
            "errors-are-what-the-trial-lost",
            errors,
            lost,
            &[sent, valid],
        );
    }
    let ends = [
        ("clock-parity", 13, "missing_min"),
        ("icache", 12, "missing"),
        ("rx-checksum", 11, "missing"),
    ];
    for (stage, khz, column) in ends {
        let row = format!("embassy-rmii/performance/{stage}/{khz}-khz/3-s");
        let clean = checker.figure("native-rmii-stages", stage, "zero_error_max_khz")?;
        let lost = checker.figure(TRIALS, &row, column)?;
        let last = Exact::from_integer((khz - 1) * 1_000);
        checker.follows("a-range-ends-below-its-first-failure", clean, last, &[lost]);
    }
    Ok(())
}

/// Raising the SPI clock alone does not make p99 worse, and gains nearly what the clock gains.
fn faster_spi(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let stage = |stage, column| checker.set.figure("offload-stages", stage, column);
    let p99 = [
        stage("spi-clock-only", "rtt_p99_ms")?,
        stage("fresh-control", "rtt_p99_ms")?,
    ];
    let plateau = "plateau_valid_per_s";
    let plateaus = [
        stage("spi-clock-only", plateau)?,
        stage("fresh-control", plateau)?,
    ];
    let clocks = [
        stage("spi-clock-only", "spi_mhz")?,
        stage("fresh-control", "spi_mhz")?,
    ];
    checker.ordered("a-faster-spi-clock-is-not-slower", p99[0], p99[1]);
    let gain = |[after, before]: [Cited<'_>; 2]| after.figure.value / before.figure.value;
    let times = |ratio: Exact| format!("{} times", crate::published::figure::plain(ratio, 2));
    checker.check(
        "a-faster-spi-clock-raises-the-plateau",
        (gain(plateaus) - 1) * 2 >= gain(clocks) - 1,
        Side::computed(times(gain(plateaus)), &plateaus),
        Side::computed(times(gain(clocks)), &clocks),
    );
    Ok(())
}
