//! Stages of optimising each variant: boundaries and plateaus.

use super::{Checker, Exact, Side};
use crate::published::figure::in_unit;
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
const TRIALS: &str = "native-rmii-trials";

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    for (table, stages) in [
        ("macraw-stages", &["release-control", "retained"][..]),
        ("offload-stages", &OFFLOAD_STAGES[..]),
    ] {
        for stage in stages {
            boundary(checker, table, stage)?;
            fits_the_spi_clock(checker, table, stage)?;
            named_as_measured(checker, table, stage)?;
        }
    }
    plateaus(checker)?;
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

/// What comes back crossed SPI twice, with its payload at least.
fn fits_the_spi_clock(checker: &mut Checker<'_>, table: &str, stage: &str) -> anyhow::Result<()> {
    let plateau = checker.figure(table, stage, "plateau_valid_per_s")?;
    let clock = checker.figure(table, stage, "spi_mhz")?;
    let payload = checker.figure("stream-runs", "short-sweep-3s", "datagram_bytes")?;
    let bits = plateau.figure.value * payload.figure.value * 8 * 2;
    checker.check(
        "what-comes-back-fits-the-spi-clock",
        bits <= clock.figure.value,
        Side::computed(in_unit(bits, clock.figure.unit, 1), &[plateau, payload]),
        Side::printed(clock),
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
