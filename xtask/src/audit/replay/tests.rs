use std::fs;

use super::image::Board;
use super::*;
use crate::adapter::fake::{ECHO_PORT, FakeTarget, Script};
use crate::results::fixtures::write_set;
use crate::trial::Ports;

/// A scripted device in place of the emulated board.
struct ScriptedBoards(Script);

impl Boards for ScriptedBoards {
    fn boot(&self, _: &Places, trial: &Committed) -> anyhow::Result<Result<Board, String>> {
        if trial.image().1 != "release" {
            return Ok(Err("no such image".to_owned()));
        }
        Ok(Ok(Board {
            target: Box::new(FakeTarget::new(self.0.clone())),
            ports: Ports {
                echo: ECHO_PORT,
                telemetry: None,
            },
        }))
    }
}

fn replay(places: &Places, script: Script, chosen: Vec<Committed>) -> Vec<Finding> {
    let replay = Replay {
        places,
        boards: &ScriptedBoards(script),
        progress: &Progress::silent(),
        interrupt: &Interrupt::default(),
        workers: 2,
    };
    let mut report = replay.run(chosen.clone()).unwrap();
    assert_eq!(report.checked.get("trials replayed"), chosen.len() as u64);
    report.sort();
    report.findings
}

fn places(folder: &std::path::Path) -> Places {
    Places {
        set: write_set(folder),
        templates: folder.join("templates"),
        published: None,
        images: None,
        root: folder.to_owned(),
        study_command: "cargo xtask study --quick".to_owned(),
        render_command: "cargo xtask render --quick".to_owned(),
    }
}

#[test]
fn a_trial_comes_out_as_it_is_committed_or_the_place_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let places = places(folder.path());
    let files = Files::read(&places).unwrap();
    let of = |name: &str| {
        let all = trials(&files).into_iter();
        Vec::from_iter(all.filter(|trial| trial.file == name))
    };
    let chosen = [
        of("fake/release/burst.json"),
        of("fake/release/functional.json"),
    ]
    .concat();
    assert_eq!(chosen.len(), 5);
    assert_eq!(replay(&places, Script::default(), chosen.clone()), []);

    let slower = Script {
        rtt: Nanos::from_micros(777),
        ..Script::default()
    };
    let found = replay(&places, slower, of("fake/release/burst.json"));
    assert_eq!(found.len(), 4);
    assert_eq!(found[0].kind, Kind::Replay);
    let place = found[0].place.as_deref().unwrap();
    assert!(place.starts_with("/trials/0/measured/"), "{place}");

    // A digit that nothing binds is one that the device does not give.
    let path = folder.path().join("fake/release/burst.json");
    let text = fs::read_to_string(&path).unwrap();
    let changed = text.replacen("\"link_up_ns\": 5", "\"link_up_ns\": 6", 1);
    assert!(changed != text);
    fs::write(&path, changed).unwrap();
    let found = replay(&places, Script::default(), chosen);
    assert!(!found.is_empty());
    let line = found[0].to_string();
    assert!(
        line.contains("burst.json#/trials/0/measured/boot/link_up_ns: 6"),
        "{line}"
    );
    assert!(
        line.contains("--fresh --variant fake --build release"),
        "{line}"
    );
}

#[test]
fn a_trial_of_an_image_that_is_not_to_be_had_is_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let places = places(folder.path());
    let files = Files::read(&places).unwrap();
    let chosen = trials(&files).into_iter();
    let chosen = Vec::from_iter(chosen.filter(|trial| trial.file == "fake/profiling/stream.json"));
    let found = replay(&places, Script::default(), chosen);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "no such image");
}

#[test]
fn a_seed_chooses_the_same_trials_again() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::read(&places(folder.path())).unwrap();
    let all = choose(&files, Amount::All, 0);
    assert_eq!(all, trials(&files));
    let some = |seed| choose(&files, Amount::Some(5), seed);
    assert_eq!(some(1), some(1));
    assert_ne!(some(1), some(2));
    assert_eq!(some(1).len(), 5);
    assert_eq!(choose(&files, Amount::Some(999), 3).len(), all.len());
}

#[test]
fn an_amount_is_a_number_or_all() {
    assert_eq!("all".parse(), Ok(Amount::All));
    assert_eq!("3".parse(), Ok(Amount::Some(3)));
    for text in ["0", "-1", "some", ""] {
        assert!(Amount::from_str(text).is_err(), "{text}");
    }
}
