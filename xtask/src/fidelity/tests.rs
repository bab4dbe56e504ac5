//! The declared comparisons against the published set, and the arithmetic of errors.

use bench::Ratio;

use super::cite::{Citations, knee, peak};
use super::comparisons::{Burst, Compared, Kind, Knee, Role, SWEEPS};
use super::states::{self, State};
use super::summary::{self, Summary};
use crate::metadata::Study;
use crate::published::set::Published;
use crate::trace::{Formula, Traced};

const STATE: State = states::C_RELEASE;

fn figure(numerator: u128, denominator: u128) -> Traced {
    Traced {
        value: Ratio {
            numerator,
            denominator,
        },
        formula: Formula::stated(0_u64, "a test"),
    }
}

fn compared(role: Role, published: u128, emulated: u128) -> Compared {
    Compared {
        kind: Kind::Rtt,
        role,
        state: STATE,
        at: None,
        published: figure(published, 1),
        emulated: figure(emulated, 1),
    }
}

fn ratio(figure: &Traced) -> (u128, u128) {
    (figure.value.numerator, figure.value.denominator)
}

#[test]
fn every_state_is_one_that_the_firmware_has() {
    let study = Study::load().unwrap();
    for state in states::all() {
        let (variant, build) = state.of(&study).unwrap();
        assert_eq!(
            (variant.id.as_str(), build.name.as_str()),
            (state.variant, state.name)
        );
    }
}

#[test]
fn errors_are_shares_of_what_was_published_in_either_direction() {
    assert_eq!(ratio(&compared(Role::Fitted, 200, 210).error()), (1, 20));
    assert_eq!(ratio(&compared(Role::Fitted, 200, 190).error()), (1, 20));
    assert_eq!(ratio(&compared(Role::Fitted, 200, 200).error()).0, 0);
    assert!(compared(Role::Fitted, 200, 210).is_above());
    assert!(!compared(Role::Fitted, 200, 190).is_above());
}

#[test]
fn a_summary_is_of_its_role_alone_and_its_median_that_of_the_middle() {
    let figures = [
        compared(Role::Fitted, 100, 150),
        compared(Role::Predicted, 100, 101),
        compared(Role::Predicted, 100, 120),
        compared(Role::Predicted, 100, 97),
        compared(Role::Predicted, 100, 79),
    ];
    let summary = Summary::of_role(&figures, Role::Predicted).unwrap();
    assert_eq!(ratio(&summary.count), (4, 1));
    // 1, 3, 20 and 21 percent: the mean of the middle two; a fifth itself is within.
    assert_eq!(ratio(&summary.median_error), (23, 200));
    assert_eq!(ratio(&summary.within_aim), (3, 1));
    assert_eq!((ratio(&summary.worst_error), summary.worst), ((21, 100), 4));
    assert!(Summary::of_predicted(&figures, Kind::Cycles).is_none());
}

#[test]
fn a_knee_is_right_within_one_step_and_a_burst_when_both_end_alike() {
    let knees = [(6, 6), (6, 7), (7, 5)].map(|(published, emulated)| Knee {
        state: STATE,
        published: figure(published * 1_000, 1),
        emulated: figure(emulated * 1_000, 1),
    });
    let score = summary::knees(&knees);
    assert_eq!((ratio(&score.count), ratio(&score.right)), ((3, 1), (2, 1)));
    // Absorbed from 99 in a hundred on.
    let bursts = [
        ((1, 1), (99, 100)),
        ((99, 100), (98, 100)),
        ((0, 1), (5, 10)),
    ];
    let bursts = bursts.map(|(published, emulated)| Burst {
        state: STATE,
        packets: figure(4, 1),
        payload_bytes: figure(64, 1),
        published: figure(published.0, published.1),
        emulated: figure(emulated.0, emulated.1),
    });
    let score = summary::bursts(&bursts);
    assert_eq!((ratio(&score.count), ratio(&score.right)), ((3, 1), (2, 1)));
}

#[test]
fn knees_and_peaks_of_published_sweeps_follow_from_their_events() {
    let published = Published::load().unwrap();
    let citations = Citations(&published);
    let of = |number: usize| {
        let (sweep, state) = SWEEPS[number];
        let steps = citations.sweep(sweep).unwrap();
        let knee = knee(&steps).unwrap();
        (state, knee.value.numerator, peak(&steps).unwrap())
    };
    let (state, knee, most) = of(0);
    assert_eq!((state, knee), (states::HOURS[0], 6_000));
    // 13,326 of 210,000 in 30 s at 7 kHz.
    assert_eq!(ratio(&most), (32_779, 5));
    assert_eq!(of(2).1, 3_000);
    assert_eq!(of(1).1, 1_000);
}
