//! From a list of probes to an address, and each way in which that fails.

use std::net::Ipv4Addr;

use bench::Nanos;

use super::{FLASH_KIB, MESSAGES};
use crate::hardware::clock::Clock;
use crate::hardware::failure::{Failure, FailureKind};
use crate::hardware::fake::{Call, FakeClock, FakeProbe, Script, Turn, stlink};
use crate::hardware::fixture::{self, frame};
use crate::hardware::image::FlashImage;
use crate::hardware::probe::{ChipId, Fault, Selector};
use crate::hardware::rig::{Firmware, Rig, Started, within};
use crate::interrupt::Interrupt;
use crate::progress::Progress;

const LINK_UP: u8 = 1;
const LEASE: u8 = 2;
const FALLBACK: u8 = 3;
const LINK_DOWN: u8 = 4;

const ADDRESS: Ipv4Addr = Ipv4Addr::new(192, 168, 7, 2);

fn ms(ms: u64) -> Nanos {
    Nanos::from_millis(ms)
}

/// How a bring-up ended.
struct Ended {
    started: Result<Option<Started>, Failure>,
    calls: Vec<Call>,
    now: Nanos,
}

/// What a bring-up is given besides a probe.
struct Given<'a> {
    selector: Option<&'a str>,
    retries: u32,
    address: Option<Ipv4Addr>,
    firmware: fixture::Firmware,
    interrupt: Interrupt,
}

impl Default for Given<'_> {
    fn default() -> Self {
        Self {
            selector: None,
            retries: 0,
            address: None,
            firmware: fixture::Firmware::logging(&MESSAGES),
            interrupt: Interrupt::default(),
        }
    }
}

impl Given<'_> {
    /// Chooses, programs and starts.
    fn bring_up(&self, script: Script) -> Ended {
        let clock = FakeClock::default();
        let probe = FakeProbe::new(script, &clock);
        let calls = probe.calls();
        let elf = self.firmware.elf();
        let image = FlashImage::read(&elf).unwrap();
        let firmware = Firmware {
            name: "fake release",
            elf: &elf,
            image: &image,
        };
        let selector = self.selector.map(|text| text.parse::<Selector>().unwrap());
        let progress = Progress::silent();
        let started = Rig::choose(probe, selector.as_ref(), &clock, &self.interrupt, &progress)
            .and_then(|mut rig| {
                rig.program(&firmware, FLASH_KIB, self.retries)?;
                rig.start(&firmware, FLASH_KIB, self.address)
            });
        Ended {
            started,
            calls: calls.take(),
            now: clock.now(),
        }
    }

    /// The failure it ends with.
    #[track_caller]
    fn failure(&self, script: Script) -> (FailureKind, String, Vec<Call>) {
        let ended = self.bring_up(script);
        let failure = ended.started.unwrap_err();
        (failure.kind, failure.to_string(), ended.calls)
    }
}

/// A script in which the firmware logs these messages, by number, at these milliseconds after reset.
fn logs(messages: &[(u64, u8)]) -> Script {
    let log = messages.iter().map(|&(at, number)| (ms(at), frame(number)));
    Script {
        log: log.collect(),
        ..Script::default()
    }
}

fn fails(call: Call, fault: Fault) -> (Call, Turn) {
    (call, Turn::Fails(fault))
}

fn broken() -> Fault {
    Fault::Failed("USB said no".to_owned())
}

fn with_turns(turns: Vec<(Call, Turn)>) -> Script {
    Script {
        turns,
        ..logs(&[(2_000, LINK_UP), (2_500, LEASE)])
    }
}

#[test]
fn a_board_is_programmed_and_started_and_the_debugger_is_gone() {
    let script = with_turns(vec![(Call::Flash, Turn::Takes(Nanos::from_secs(9)))]);
    let ended = Given::default().bring_up(script);
    use Call::*;
    assert_eq!(
        ended.calls,
        [
            List, Attach, Flash, Verify, Detach, // once for each image
            Attach, Reset, ReadLog, Detach, // once for each trial
        ]
    );
    assert_eq!(
        ended.started.unwrap(),
        Some(Started {
            reset_at: Nanos::from_secs(9),
            address: ADDRESS,
            link_up_ns: Some(ms(2_000)),
            lease_ns: Some(ms(2_500)),
        })
    );
    assert_eq!(ended.now, ms(9_000 + 2_500));
}

#[test]
fn a_given_address_is_not_waited_for() {
    let given = Given {
        address: Some(ADDRESS),
        firmware: fixture::Firmware::silent(),
        ..Given::default()
    };
    let ended = given.bring_up(Script::default());
    let started = ended.started.unwrap().unwrap();
    assert_eq!((started.address, started.link_up_ns), (ADDRESS, None));
    assert!(!ended.calls.contains(&Call::ReadLog));
    assert_eq!(ended.calls.last(), Some(&Call::Detach));
}

#[test]
fn without_a_probe_it_says_what_to_plug_in() {
    let none = Script {
        probes: Vec::new(),
        ..Script::default()
    };
    for selector in [None, Some("0483:374e")] {
        let given = Given {
            selector,
            ..Given::default()
        };
        let (kind, message, calls) = given.failure(none.clone());
        assert_eq!((kind, calls), (FailureKind::NoProbe, vec![Call::List]));
        assert!(message.contains("connect the USB socket of the board's ST-LINK"));
    }
    let given = Given {
        selector: Some("0483:374e:B"),
        ..Given::default()
    };
    let (kind, message, _) = given.failure(Script::default());
    assert_eq!(kind, FailureKind::NoProbe);
    assert_eq!(
        message,
        "no debug probe is 0483:374e:B; plugged in: STLINK-V3 (0483:374e:A)"
    );
}

#[test]
fn several_probes_are_listed_until_one_is_selected() {
    let two = Script {
        probes: vec![stlink("A"), stlink("B")],
        ..logs(&[(10, LINK_UP), (20, LEASE)])
    };
    for selector in [None, Some("0483:374e")] {
        let given = Given {
            selector,
            ..Given::default()
        };
        let (kind, message, calls) = given.failure(two.clone());
        assert_eq!(
            (kind, calls),
            (FailureKind::SeveralProbes, vec![Call::List])
        );
        let list = "--probe: STLINK-V3 (0483:374e:A), STLINK-V3 (0483:374e:B)";
        assert!(message.ends_with(list), "{message}");
    }
    let given = Given {
        selector: Some("0483:374e:B"),
        ..Given::default()
    };
    given.bring_up(two).started.unwrap();
}

#[test]
fn a_probe_that_may_not_be_opened_is_told_from_one_that_is_stuck() {
    let denied = with_turns(vec![fails(Call::Attach, Fault::NoPermission)]);
    let (kind, message, _) = Given::default().failure(denied);
    assert_eq!(kind, FailureKind::NoPermission);
    assert!(message.contains("udev rule"));
}

#[test]
fn a_stuck_probe_is_named_with_the_recovery_whenever_it_sticks() {
    let attach = (Call::Attach, Turn::Takes(Nanos::ZERO));
    let hangs = |call| (call, Turn::Takes(Nanos::from_secs(3_600)));
    for (turns, does) in [
        (vec![hangs(Call::List)], "list"),
        (vec![hangs(Call::Attach)], "attach"),
        (vec![fails(Call::Attach, broken())], "attach"),
        // The second attach, after the image was written.
        (vec![attach, fails(Call::Attach, broken())], "attach"),
        (vec![hangs(Call::Reset)], "reset"),
        (vec![fails(Call::ReadLog, broken())], "read the log"),
        (vec![hangs(Call::Detach)], "detach"),
    ] {
        let (kind, message, _) = Given::default().failure(with_turns(turns));
        assert_eq!(kind, FailureKind::ProbeStuck, "{message}");
        assert!(message.contains(does), "{message}");
        let advice = does == "list" || message.contains("plug it in again");
        assert!(advice, "{message}");
    }
}

#[test]
fn a_wrong_chip_is_left_as_it_is() {
    let h743 = ChipId {
        device: 0x450,
        flash_kib: 2048,
    };
    let small = ChipId {
        device: 0x483,
        flash_kib: 512,
    };
    for (chip, found) in [(h743, "0x450 with 2048 KiB"), (small, "0x483 with 512 KiB")] {
        let script = Script {
            chip,
            ..Script::default()
        };
        let (kind, message, calls) = Given::default().failure(script);
        assert_eq!(kind, FailureKind::WrongChip);
        assert!(message.contains(found), "{message}");
        assert_eq!(calls, [Call::List, Call::Attach, Call::Detach]);
    }
    let other = Fault::OtherChip("device 0x413 with 512 KiB of flash".to_owned());
    let script = with_turns(vec![fails(Call::Attach, other)]);
    let (kind, message, _) = Given::default().failure(script);
    assert_eq!(kind, FailureKind::WrongChip);
    assert!(message.contains("0x413"), "{message}");
}

#[test]
fn a_flash_that_fails_is_tried_again_as_often_as_allowed() {
    let twice = vec![
        fails(Call::Flash, broken()),
        (Call::Flash, Turn::Takes(within::FLASH + Nanos(1))),
    ];
    for (retries, kind) in [
        (0, Some(FailureKind::FlashFailed)),
        (1, Some(FailureKind::FlashFailed)),
        (2, None),
    ] {
        let given = Given {
            retries,
            ..Given::default()
        };
        let ended = given.bring_up(with_turns(twice.clone()));
        assert_eq!(ended.started.err().map(|failure| failure.kind), kind);
        let flashed = ended.calls.iter().filter(|call| **call == Call::Flash);
        assert_eq!(flashed.count() as u32, retries + 1);
        let measured = ended.calls.contains(&Call::Reset);
        assert_eq!(measured, kind.is_none());
    }
    let (_, message, _) = Given::default().failure(with_turns(twice));
    assert_eq!(
        message,
        "flash failed: fake release could not be written: USB said no"
    );
}

#[test]
fn a_flash_that_holds_something_else_is_a_failure_of_its_own() {
    let script = with_turns(vec![fails(
        Call::Verify,
        Fault::Failed("differs".to_owned()),
    )]);
    let (kind, message, calls) = Given::default().failure(script);
    assert_eq!(kind, FailureKind::VerifyFailed);
    assert_eq!(
        message,
        "verify failed: flash does not hold fake release: differs"
    );
    assert_eq!(calls[calls.len() - 2..], [Call::Verify, Call::Detach]);
}

#[test]
fn a_firmware_without_a_log_needs_an_address() {
    let given = Given {
        firmware: fixture::Firmware::silent(),
        ..Given::default()
    };
    let (kind, message, _) = given.failure(Script::default());
    assert_eq!(kind, FailureKind::NoAddress);
    assert_eq!(
        message,
        "fake release has no log that could say its address; give its address with --board"
    );
}

#[test]
fn a_log_that_says_nothing_is_told_from_one_without_link() {
    let ended = Given::default().bring_up(Script::default());
    let failure = ended.started.unwrap_err();
    assert_eq!(failure.kind, FailureKind::NoAddress);
    assert!(failure.to_string().contains("said nothing within 20 s"));
    assert_eq!(ended.now, within::LINK);
    assert_eq!(ended.calls.last(), Some(&Call::Detach));

    let garbage = Script {
        log: vec![(ms(5), vec![9, 0x7E, 0])],
        ..Script::default()
    };
    let (kind, message, _) = Given::default().failure(garbage);
    assert_eq!(kind, FailureKind::NoAddress);
    assert!(message.contains("but 3 bytes that are no log"), "{message}");

    let (kind, message, _) = Given::default().failure(logs(&[(5, LINK_DOWN)]));
    assert_eq!(kind, FailureKind::NoLink);
    assert!(message.contains("had none 20 s after reset"), "{message}");
}

#[test]
fn a_link_without_lease_has_its_own_deadline() {
    let ended = Given::default().bring_up(logs(&[(3_000, LINK_UP)]));
    assert_eq!(ended.started.unwrap_err().kind, FailureKind::NoLease);
    assert_eq!(ended.now, ms(3_000) + within::LEASE);

    let late = logs(&[(3_000, LINK_UP), (42_000, LEASE)]);
    let started = Given::default().bring_up(late).started.unwrap().unwrap();
    assert_eq!(started.lease_ns, Some(ms(42_000)));
}

#[test]
fn an_address_of_the_firmwares_own_choice_is_no_lease_but_is_named() {
    let fallback = logs(&[(2_000, LINK_UP), (32_000, FALLBACK)]);
    let (kind, message, _) = Given::default().failure(fallback);
    assert_eq!(kind, FailureKind::NoLease);
    assert!(message.contains("`--board 192.168.0.10`"), "{message}");
}

#[test]
fn a_request_to_stop_ends_the_wait_and_detaches() {
    let given = Given::default();
    given.interrupt.request();
    let ended = given.bring_up(Script::default());
    assert_eq!(ended.started, Ok(None));
    assert_eq!(ended.calls.last(), Some(&Call::Detach));
}
