//! Every trial of a plan in virtual time, and what ends a campaign early.

use std::fs;
use std::path::Path;

use bench::Nanos;

use super::{FLASH_KIB, MESSAGES, PLANNED, image, run_campaign, set};
use crate::hardware::campaign::Tally;
use crate::hardware::failure::{Failure, FailureKind};
use crate::hardware::fake::{Call, FakeClock, FakeProbe, Script, Turn};
use crate::hardware::fake_network::FakeNetwork;
use crate::hardware::fixture::{Firmware, frame};
use crate::hardware::probe::Fault;
use crate::hardware::record::Image;
use crate::hardware::{exit_status, summary};
use crate::interrupt::Interrupt;
use crate::render;
use crate::results::LinkMode;
use crate::results::hardware::{HardwareBuild, HardwareTrial};

const ECHO_PORT: u16 = 7;

/// A board that has its link after 2.2 s and its lease after 2.5 s.
fn script() -> Script {
    Script {
        log: vec![
            (Nanos::from_millis(2_200), frame(1)),
            (Nanos::from_millis(2_500), frame(2)),
        ],
        ..Script::default()
    }
}

/// A campaign with its parts, to be changed before it is run.
struct Setting {
    clock: FakeClock,
    script: Script,
    network: FakeNetwork,
    image: Image,
    interrupt: Interrupt,
}

impl Setting {
    fn new() -> Self {
        let clock = FakeClock::default();
        Self {
            script: script(),
            network: FakeNetwork::new(&clock),
            image: image(&Firmware::logging(&MESSAGES), ECHO_PORT),
            interrupt: Interrupt::default(),
            clock,
        }
    }

    fn run(self, folder: &Path) -> (anyhow::Result<Tally>, Vec<Call>) {
        let probe = FakeProbe::new(self.script, &self.clock);
        let calls = probe.calls();
        let tally = run_campaign(
            folder,
            probe,
            &self.clock,
            self.network,
            &self.image,
            None,
            &self.interrupt,
        );
        (tally, calls.take())
    }
}

fn count(calls: &[Call], of: Call) -> usize {
    calls.iter().filter(|call| **call == of).count()
}

fn kind(error: &anyhow::Error) -> FailureKind {
    error.downcast_ref::<Failure>().unwrap().kind
}

fn results(folder: &Path) -> HardwareBuild {
    HardwareBuild::read(&set(folder), "fake", "release").unwrap()
}

#[test]
fn the_image_is_written_once_and_each_trial_has_a_board_fresh_from_reset() {
    let folder = tempfile::tempdir().unwrap();
    let (tally, calls) = Setting::new().run(folder.path());
    let expected = Tally {
        measured: PLANNED,
        ..Tally::default()
    };
    assert_eq!(tally.unwrap(), expected);
    assert_eq!(
        (count(&calls, Call::Flash), count(&calls, Call::Reset)),
        (1, PLANNED + 1)
    );
    assert_eq!(count(&calls, Call::Attach), count(&calls, Call::Detach));
    let found = results(folder.path());
    // The one more is that of the recovery; what no program can do to a board is not planned for one.
    let recovery = found.recovery.unwrap();
    let [HardwareTrial { result, void, .. }] = recovery.trials.as_slice() else {
        panic!("one trial")
    };
    let outage = result.outage.unwrap();
    assert_eq!((recovery.planned_trials, void), (1, &None));
    assert_eq!((outage.lost, result.missing_outside()), (250, 0));
    let stream = found.stream.unwrap();
    let [
        HardwareTrial {
            boot, result, void, ..
        },
    ] = stream.trials.as_slice()
    else {
        panic!("one trial")
    };
    assert_eq!(
        (result.counts.sent, result.counts.valid, void),
        (100, 100, &None)
    );
    // H5: the measurement began when link, lease and an echo were there, and says how long they took.
    assert_eq!(boot.link_up_ns, Some(Nanos::from_millis(2_200)));
    assert_eq!(boot.lease_ns, Some(Nanos::from_millis(2_500)));
    assert_eq!(boot.first_echo_ns, Nanos::from_micros(2_500_250));
    assert_eq!(found.sweep.unwrap().trials.len(), 2);
}

#[test]
fn what_is_done_is_not_done_again_and_the_board_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    Setting::new().run(folder.path()).0.unwrap();
    let (tally, calls) = Setting::new().run(folder.path());
    let expected = Tally {
        reused: PLANNED,
        ..Tally::default()
    };
    assert_eq!((tally.unwrap(), calls), (expected, vec![Call::List]));
    let changes: [fn(&mut Image); 3] = [
        |image| image.inputs.image.elf_sha256.push('0'),
        |image| image.inputs.harness_sha256.push('0'),
        |image| image.inputs.bench.probe.serial = None,
    ];
    for change in changes {
        let mut setting = Setting::new();
        change(&mut setting.image);
        assert_eq!(setting.run(folder.path()).0.unwrap().measured, PLANNED);
    }
}

#[test]
fn a_probe_that_sticks_after_some_trials_leaves_those_and_nothing_half_done() {
    let folder = tempfile::tempdir().unwrap();
    let attaches = (Call::Attach, Turn::Takes(Nanos::from_secs(1)));
    let sticks = (
        Call::Attach,
        Turn::Fails(Fault::Failed("USB said no".to_owned())),
    );
    let mut setting = Setting::new();
    setting.script.turns = vec![attaches.clone(), attaches.clone(), attaches, sticks];
    let error = setting.run(folder.path()).0.unwrap_err();
    assert_eq!(kind(&error), FailureKind::ProbeStuck);
    assert_eq!(exit_status(&error), Some(13));
    let message = format!("{error:#}");
    assert!(
        message.starts_with("fake release sweep 500 Hz: debug probe stuck"),
        "{message}"
    );
    let found = results(folder.path());
    assert!(found.functional.is_some() && found.stream.is_some());
    assert!(found.sweep.is_none() && found.burst.is_none());
    let (tally, _) = Setting::new().run(folder.path());
    assert_eq!(tally.unwrap().reused, 2);
}

#[test]
fn no_measurement_is_made_with_a_flash_that_failed() {
    let folder = tempfile::tempdir().unwrap();
    let mut setting = Setting::new();
    let fails = Turn::Fails(Fault::Failed("USB said no".to_owned()));
    setting.script.turns = vec![(Call::Flash, fails)];
    let (tally, calls) = setting.run(folder.path());
    let error = tally.unwrap_err();
    assert_eq!(
        (kind(&error), exit_status(&error)),
        (FailureKind::FlashFailed, Some(16))
    );
    assert_eq!(count(&calls, Call::Reset), 0);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_first_echo_is_waited_for_and_has_a_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let mut setting = Setting::new();
    // Within the deadline of the first trial.
    setting.network.answers_from = Nanos::from_secs(12);
    setting.run(folder.path()).0.unwrap();
    let functional = results(folder.path()).functional.unwrap();
    let first_echo = functional.trials[0].boot.first_echo_ns;
    assert!((Nanos::from_secs(12)..Nanos::from_secs(13)).contains(&first_echo));
    assert!(functional.trials[0].result.passed());

    let folder = tempfile::tempdir().unwrap();
    let mut setting = Setting::new();
    setting.network.answers_from = Nanos(u64::MAX);
    let clock = setting.clock.clone();
    let error = setting.run(folder.path()).0.unwrap_err();
    assert_eq!(
        (kind(&error), exit_status(&error)),
        (FailureKind::NoEcho, Some(21))
    );
    assert!(error.to_string().starts_with("fake release functional"));
    assert!(format!("{error:#}").contains("192.168.7.2:7 did not answer within 20 s"));
    let waited = crate::hardware::clock::Clock::now(&clock);
    assert!(waited >= Nanos::from_millis(22_500) && waited < Nanos::from_secs(34));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_slow_or_half_duplex_link_of_the_host_is_refused() {
    for (speed_mbit_per_s, full_duplex) in [(10, true), (100, false)] {
        let folder = tempfile::tempdir().unwrap();
        let mut setting = Setting::new();
        setting.network.link_mode = Some(LinkMode {
            speed_mbit_per_s,
            full_duplex,
        });
        let error = setting.run(folder.path()).0.unwrap_err();
        assert_eq!(
            (kind(&error), exit_status(&error)),
            (FailureKind::NoLink, Some(19))
        );
        assert!(format!("{error:#}").contains("fake0 of this host runs at"));
    }
}

#[test]
fn a_host_that_cannot_keep_the_rate_makes_a_trial_void_and_it_is_tried_again_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut setting = Setting::new();
    setting.network.send_takes = Nanos::from_millis(1);
    let tally = setting.run(folder.path()).0.unwrap();
    assert_eq!((tally.measured, tally.void), (PLANNED, 1));
    let sweep = results(folder.path()).sweep.unwrap();
    let void: Vec<_> = sweep
        .trials
        .iter()
        .map(|trial| trial.void.is_some())
        .collect();
    assert_eq!(void, [false, true]);
    let tally = Setting::new().run(folder.path()).0.unwrap();
    assert_eq!(
        (tally.measured, tally.void, tally.reused),
        (1, 0, PLANNED - 1)
    );
}

#[test]
fn a_request_to_stop_keeps_what_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let setting = Setting::new();
    setting.interrupt.request();
    let (tally, calls) = setting.run(folder.path());
    let expected = Tally {
        interrupted: true,
        ..Tally::default()
    };
    assert_eq!((tally.unwrap(), calls), (expected, vec![Call::List]));
}

#[test]
fn a_chip_with_less_flash_than_the_table_says_is_no_board_of_the_study() {
    let study = crate::metadata::Study::load().unwrap();
    assert_eq!(
        crate::hardware::prepare::flash_kib(&study).unwrap(),
        FLASH_KIB
    );
}

#[test]
fn the_document_shows_every_trial() {
    let folder = tempfile::tempdir().unwrap();
    let mut setting = Setting::new();
    setting.network.send_takes = Nanos::from_millis(1);
    setting.run(folder.path()).0.unwrap();
    let set = set(folder.path());
    summary::write(&set, &render::templates()).unwrap();
    let document = fs::read_to_string(set.document(summary::DOCUMENT)).unwrap();
    insta::assert_snapshot!(document);
}
