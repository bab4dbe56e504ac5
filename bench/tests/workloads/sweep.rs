//! Sweeps: which rates are clean, and what is said when they are not in order.

use bench::stream::OptionsError;
use bench::{Nanos, StreamOptions, Sweep, SweepOptions, SweepResult};

use crate::scripted_echo::*;

fn four_rates() -> SweepOptions {
    SweepOptions {
        rates_hz: vec![1_000, 2_000, 3_000, 4_000],
        stream: StreamOptions {
            duration_ns: Nanos::from_millis(50),
            ..StreamOptions::default()
        },
    }
}

/// Runs a sweep; `loses` gets each rate in kHz and sequence number.
fn run_sweep(options: SweepOptions, loses: impl Fn(u64, u64) -> bool) -> SweepResult {
    let mut sweep = Sweep::new(options.clone(), echo_only()).unwrap();
    let mut rate = 0;
    let mut last_sequence = u64::MAX;
    let end = drive(&mut sweep, Sender::default(), |_, _, payload| {
        let sequence = sequence_of(payload);
        rate += usize::from(sequence < last_sequence && last_sequence != u64::MAX);
        last_sequence = sequence;
        let khz = options.rates_hz[rate] / 1_000;
        if loses(khz, sequence) {
            Reaction::lost()
        } else {
            faithful(payload)
        }
    });
    assert_eq!(end, options.nominal_span());
    let result = sweep.into_result();
    result.check().unwrap();
    result
}

#[test]
fn every_rate_is_a_stream_of_its_own() {
    let result = run_sweep(four_rates(), |_, _| false);
    let planned = result.steps.iter().map(|step| step.counts.planned);
    assert_eq!(Vec::from_iter(planned), [50, 100, 150, 200]);
    assert_eq!(result.total().valid, 500);
    let seeds = std::collections::BTreeSet::from_iter(result.steps.iter().map(|s| s.options.seed));
    assert_eq!(seeds.len(), 4);
    assert_eq!(result.highest_clean_rate_hz(), Some(4_000));
    assert_eq!(result.clean_up_to_rate_hz(), Some(4_000));
    assert!(result.inversions_hz().is_empty());
}

#[test]
fn a_clean_rate_above_an_unclean_one_is_an_inversion() {
    let result = run_sweep(four_rates(), |khz, sequence| {
        khz == 2 && sequence == 150 || khz == 4
    });
    assert_eq!(result.steps[1].counts.missing, 1);
    assert_eq!(result.highest_clean_rate_hz(), Some(3_000));
    assert_eq!(result.clean_up_to_rate_hz(), Some(1_000));
    assert_eq!(result.inversions_hz(), [2_000]);
}

#[test]
fn losses_of_the_warm_up_leave_a_rate_clean() {
    let result = run_sweep(four_rates(), |_, sequence| sequence < 100);
    assert_eq!(result.highest_clean_rate_hz(), Some(4_000));
    assert_eq!(result.steps[0].warm_up.missing, 100);
}

#[test]
fn nothing_clean_is_no_rate() {
    let result = run_sweep(four_rates(), |_, sequence| sequence == 120);
    assert_eq!(result.highest_clean_rate_hz(), None);
    assert_eq!(result.clean_up_to_rate_hz(), None);
    assert!(result.inversions_hz().is_empty());
}

#[test]
fn every_error_event_makes_a_rate_unclean() {
    let clean_but = |spoil: fn(&[u8]) -> Reaction| {
        let options = four_rates().step(0);
        run_stream(options, |sequence, payload| match sequence {
            120 => spoil(payload),
            _ => faithful(payload),
        })
        .is_clean()
    };
    assert!(clean_but(faithful));
    assert!(!clean_but(|_| Reaction::lost()));
    assert!(!clean_but(|_| Reaction::send_failure()));
    assert!(!clean_but(|payload| reply_after(
        Nanos::from_millis(51),
        payload
    )));
    let again = |payload: &[u8]| faithful(payload).and_reply(RTT, echo_server(), payload.to_vec());
    assert!(!clean_but(again));
}

#[test]
fn a_reply_after_its_rate_is_over_is_foreign_to_the_next() {
    let mut sweep = Sweep::new(four_rates(), echo_only()).unwrap();
    let mut first = true;
    drive(&mut sweep, Sender::default(), |_, _, payload| {
        let delay = if std::mem::take(&mut first) {
            Nanos::from_millis(2_200)
        } else {
            RTT
        };
        reply_after(delay, payload)
    });
    let result = sweep.into_result();
    result.check().unwrap();
    assert_eq!(result.steps[0].warm_up.missing, 1);
    assert_eq!(result.steps[1].warm_up.foreign, 1);
    assert_eq!(result.total().error_events(), 0);
}

#[test]
fn steps_must_match_the_rates() {
    let good = run_sweep(four_rates(), |_, _| false);
    let mut missing = good.clone();
    missing.steps.pop();
    assert_eq!(missing.check().unwrap_err().identity, "one step a rate");
    let mut swapped = good.clone();
    swapped.steps.swap(0, 1);
    assert_eq!(
        swapped.check().unwrap_err().identity,
        "steps in the order of the rates"
    );
    let mut broken = good;
    broken.steps[3].counts.valid -= 1;
    assert_eq!(
        broken.check().unwrap_err().identity,
        "sent = valid + missing"
    );
}

#[test]
fn the_default_is_the_published_sweep() {
    let options = SweepOptions::default();
    assert_eq!(options.rates_hz.first(), Some(&1_000));
    assert_eq!(options.rates_hz.last(), Some(&20_000));
    assert_eq!(options.rates_hz.len(), 20);
    assert_eq!(options.step(19).planned_packets(), 600_000);
}

#[test]
fn options_out_of_range_are_named() {
    let refused = |rates_hz| {
        Sweep::new(
            SweepOptions {
                rates_hz,
                ..four_rates()
            },
            echo_only(),
        )
        .unwrap_err()
    };
    assert_eq!(refused(vec![]), OptionsError::NoRates);
    let falling = OptionsError::RatesDoNotRise {
        previous: 2_000,
        next: 2_000,
    };
    assert_eq!(refused(vec![1_000, 2_000, 2_000]), falling);
    assert_eq!(refused(vec![0, 1]), OptionsError::Rate(0));
}
