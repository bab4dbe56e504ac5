//! Sums, quotients and orders among the figures of one subject.

use std::collections::BTreeMap;

use super::{Checker, Exact, Side, quotient};
use crate::published::fact::Subject;
use crate::published::figure::in_unit;
use crate::published::set::Cited;

/// The RAM that static data and the stack share: the DTCM of the STM32H723ZG (RM0468).
const DTCM_BYTES: i128 = 128 * 1024;
/// What signing adds to an image in the builds of which both sizes are printed without a conflict.
const SIGNING_BYTES: [i128; 2] = [656, 660];
/// Round-trip times from the least to the greatest.
const PERCENTILES: [&str; 6] = [
    "rtt_min",
    "rtt_p50",
    "rtt_p95",
    "rtt_p99",
    "rtt_p99_9",
    "rtt_max",
];

/// The figures of one subject by quantity, each value once.
struct Record<'a> {
    subject: Subject,
    quantities: BTreeMap<&'a str, Vec<Cited<'a>>>,
}

/// Runs the rules on every subject.
pub fn check(checker: &mut Checker<'_>) {
    for record in records(checker) {
        lines_and_bytes(checker, &record);
        counts(checker, &record);
        losses(checker, &record);
        cpu(checker, &record);
        round_trips(checker, &record);
        bursts_and_goodput(checker, &record);
    }
}

fn records<'a>(checker: &Checker<'a>) -> Vec<Record<'a>> {
    let mut records: BTreeMap<&Subject, BTreeMap<&'a str, Vec<Cited<'a>>>> = BTreeMap::new();
    for fact in &checker.facts {
        let Some(cited) = fact.figure() else { continue };
        let quantities = records.entry(&fact.subject).or_default();
        let values = quantities.entry(fact.quantity).or_default();
        if !values
            .iter()
            .any(|other| other.figure.value == cited.figure.value)
        {
            values.push(cited);
        }
    }
    let record = |(subject, quantities): (&Subject, _)| Record {
        subject: subject.clone(),
        quantities,
    };
    records.into_iter().map(record).collect()
}

impl<'a> Record<'a> {
    /// Every combination of the printed values of `names`; none when one was not printed.
    fn each<const N: usize>(&self, names: [&str; N]) -> Vec<[Cited<'a>; N]> {
        let mut combinations: Vec<Vec<Cited<'a>>> = vec![Vec::new()];
        for name in names {
            let values = self.quantities.get(name).map_or(&[][..], Vec::as_slice);
            combinations = combinations
                .iter()
                .flat_map(|before| {
                    let with = |value: &Cited<'a>| [before.as_slice(), &[*value]].concat();
                    values.iter().map(with)
                })
                .collect();
        }
        combinations
            .into_iter()
            .filter_map(|values| values.try_into().ok())
            .collect()
    }

    /// How many datagrams its rate makes in its duration.
    fn scheduled(&self) -> Option<Exact> {
        let nanoseconds = self.subject.figure("duration")?;
        Some(self.subject.figure("rate")? * nanoseconds / 1_000_000_000)
    }
}

fn lines_and_bytes(checker: &mut Checker<'_>, record: &Record<'_>) {
    for [bringup, server, total] in record.each(["bringup_ncloc", "server_ncloc", "total_ncloc"]) {
        let sum = bringup.figure.value + server.figure.value;
        checker.follows("lines-add-up", total, sum, &[bringup, server]);
    }
    for [flash, signed] in record.each(["flash", "signed_image"]) {
        let overhead = signed.figure.value - flash.figure.value;
        let holds = SIGNING_BYTES.map(Exact::from_integer).contains(&overhead);
        let exact = signed.figure.unit == flash.figure.unit;
        if exact {
            let shown = format!("{} + 656 or 660 of signing", flash.figure.with_unit());
            let right = Side::computed(shown, &[flash]);
            checker.check(
                "signing-adds-its-bytes",
                holds,
                Side::printed(signed),
                right,
            );
        }
    }
    for [ram, stack, both] in record.each(["static_ram", "stack_high_water", "static_plus_stack"]) {
        let sum = ram.figure.value + stack.figure.value;
        checker.follows("static-ram-and-stack-add-up", both, sum, &[ram, stack]);
    }
    for [mcu, ahb] in record.each(["mcu_clock", "ahb_clock"]) {
        checker.follows(
            "ahb-is-half-the-mcu-clock",
            ahb,
            mcu.figure.value / 2,
            &[mcu],
        );
    }
    for [ram, capacity] in record.each(["static_ram", "stack_capacity"]) {
        let rest = Exact::from_integer(DTCM_BYTES) - ram.figure.value;
        checker.follows("static-ram-and-stack-fill-the-dtcm", capacity, rest, &[ram]);
    }
}

fn counts(checker: &mut Checker<'_>, record: &Record<'_>) {
    for total in ["sent", "planned"] {
        for [valid, missing, total] in record.each(["valid", "missing", total]) {
            let sum = valid.figure.value + missing.figure.value;
            checker.follows("valid-and-missing-are-all", total, sum, &[valid, missing]);
        }
        for [valid, total] in record.each(["valid", total]) {
            checker.ordered("not-more-valid-than-sent", valid, total);
        }
    }
    for [valid, events, planned] in record.each(["valid", "error_events", "planned"]) {
        let sum = valid.figure.value + events.figure.value;
        checker.follows(
            "valid-and-error-events-are-all",
            planned,
            sum,
            &[valid, events],
        );
    }
    let Some(scheduled) = record.scheduled() else {
        return;
    };
    let planned = record.each(["planned"]);
    for [planned] in &planned {
        checker.follows(
            "planned-is-rate-times-duration",
            *planned,
            scheduled,
            &[*planned],
        );
    }
    for [sent] in record.each(["sent"]) {
        if planned.is_empty() {
            checker.follows("sent-is-rate-times-duration", sent, scheduled, &[sent]);
        } else {
            let holds = sent.figure.value * 100 >= scheduled * 98;
            let right = Side::computed(format!("98 % of {scheduled}"), &[sent]);
            checker.check(
                "sent-is-at-least-98-percent",
                holds,
                Side::printed(sent),
                right,
            );
        }
    }
}

fn losses(checker: &mut Checker<'_>, record: &Record<'_>) {
    for [missing, sent, loss] in record.each(["missing", "sent", "loss"]) {
        if let Some(share) = quotient(missing.figure.value, sent.figure.value) {
            checker.follows("loss-is-missing-over-sent", loss, share, &[missing, sent]);
        }
    }
    for [valid, sent, loss] in record.each(["valid", "sent", "loss"]) {
        let lost = sent.figure.value - valid.figure.value;
        if let Some(share) = quotient(lost, sent.figure.value) {
            checker.follows("loss-is-missing-over-sent", loss, share, &[valid, sent]);
        }
    }
    for [missing, late, events] in record.each(["missing", "late", "error_events"]) {
        let sum = missing.figure.value + late.figure.value;
        checker.follows(
            "error-events-are-missing-and-late",
            events,
            sum,
            &[missing, late],
        );
    }
    for [missing, events] in record.each(["missing", "error_events"]) {
        checker.ordered("missing-are-error-events", missing, events);
    }
    for [largest, missing] in record.each(["largest_interval_missing", "missing"]) {
        checker.ordered("no-interval-loses-more-than-the-hour", largest, missing);
    }
}

/// Executor CPU over the duration, and what the cycles of a datagram allow.
fn cpu(checker: &mut Checker<'_>, record: &Record<'_>) {
    let Some(nanoseconds) = record.subject.figure("duration") else {
        return;
    };
    for [cycles, valid, share] in record.each(["cycles_per_valid", "valid", "executor_cpu"]) {
        let clock = checker.facts.iter().find(|fact| {
            let same = |name| fact.subject.get(name) == record.subject.get(name);
            fact.quantity == "mcu_clock" && same("variant") && same("build")
        });
        let Some(clock) = clock.and_then(|fact| fact.figure()) else {
            continue;
        };
        let available = clock.figure.value * nanoseconds / 1_000_000_000;
        let used = cycles.figure.value * valid.figure.value;
        if let Some(busy) = quotient(used, available) {
            checker.follows(
                "cpu-is-cycles-over-clock",
                share,
                busy,
                &[cycles, valid, clock],
            );
        }
    }
}

fn round_trips(checker: &mut Checker<'_>, record: &Record<'_>) {
    let printed = |name: &&str| record.quantities.contains_key(*name);
    let names: Vec<&str> = PERCENTILES
        .iter()
        .filter(|name| printed(name))
        .copied()
        .collect();
    for pair in names.windows(2) {
        for [low, high] in record.each([pair[0], pair[1]]) {
            checker.ordered("percentiles-rise", low, high);
        }
    }
}

fn bursts_and_goodput(checker: &mut Checker<'_>, record: &Record<'_>) {
    for [zero_loss, peak] in record.each(["zero_loss", "peak_goodput"]) {
        checker.ordered("zero-loss-is-not-above-the-peak", zero_loss, peak);
        let holds = zero_loss.figure.value != peak.figure.value;
        let (left, right) = (Side::printed(zero_loss), Side::printed(peak));
        checker.check("saturation-is-above-the-zero-loss-rate", holds, left, right);
    }
    let Some(burst) = record.subject.figure("burst_packets") else {
        return;
    };
    let names = ["complete_bursts", "repetitions", "missing_datagrams"];
    for [complete, repetitions, missing] in record.each(names) {
        let broken = (Exact::from_integer(1) - complete.figure.value) * repetitions.figure.value;
        let lost = missing.figure.value;
        let holds = broken <= lost && lost <= broken * burst;
        let unit = missing.figure.unit;
        let shown = format!(
            "{} to {}",
            in_unit(broken, unit, 0),
            in_unit(broken * burst, unit, 0)
        );
        let right = Side::computed(shown, &[complete, repetitions]);
        checker.check(
            "broken-bursts-lose-datagrams",
            holds,
            Side::printed(missing),
            right,
        );
    }
}
