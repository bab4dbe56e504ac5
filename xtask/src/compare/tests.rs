//! Planted differences, one by one, and what becomes of a comparison.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use bench::{LatencyHistogram, Nanos, Ratio};
use clap::Parser;

use super::difference::{Difference, change_percent, differences};
use super::facts::{Fact, Kind, Value, of_set};
use super::limits::LimitArgs;
use super::report::Report;
use super::side::Side;
use crate::cli::{Cli, Outcome};
use crate::results::fixtures::{write_set, write_spi_variant, write_whole_set};
use crate::results::{
    BuildResults, Measured, Measurement, ResultSet, SetName, StudyResults, Trial, TrialFile,
};

#[derive(clap::Parser)]
struct Limits {
    #[command(flatten)]
    limits: LimitArgs,
}

fn limits(arguments: &[&str]) -> LimitArgs {
    Limits::parse_from(["limits"].iter().chain(arguments)).limits
}

/// The variant on SPI: `release`, `profiling`, `dma`.
fn study() -> StudyResults {
    STUDY.clone()
}

static STUDY: LazyLock<StudyResults> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let set = ResultSet::in_folder(SetName::Quick, folder.path());
    write_spi_variant(&set);
    StudyResults::read(&set).unwrap()
});

fn first<M: Measurement>(file: &mut Option<TrialFile<M>>) -> &mut Measured<M> {
    match &mut file.as_mut().unwrap().trials[0] {
        Trial::Measured(measured) => measured,
        Trial::Failed(failed) => panic!("{}", failed.message),
    }
}

/// What a change of one build makes, as measure, change and threshold.
fn planted(build: usize, plant: impl Fn(&mut BuildResults)) -> Vec<(String, Option<String>)> {
    let before = study();
    let mut after = before.clone();
    plant(&mut after.variants[0].builds[build]);
    let found = differences(&of_set(&before), &of_set(&after), &limits(&[]));
    found
        .into_iter()
        .map(|one| (one.measure, one.crosses))
        .collect()
}

fn crossing(measure: &str, limit: &str) -> (String, Option<String>) {
    (measure.to_owned(), Some(limit.to_owned()))
}

fn free(measure: &str) -> (String, Option<String>) {
    (measure.to_owned(), None)
}

#[test]
fn a_set_is_no_other_than_itself() {
    assert_eq!(planted(0, |_| {}), []);
}

#[test]
fn a_section_that_grows_is_told_and_flash_crosses_above_its_threshold() {
    // 48,226 B of flash: one percent is 482.26 B.
    let grow = |bytes| {
        planted(0, move |build| {
            build.size.as_mut().unwrap().sections.text_bytes += bytes;
        })
    };
    assert_eq!(grow(482), [free("flash"), free("text")]);
    assert_eq!(grow(483), [crossing("flash", "+1 %"), free("text")]);
    let moved = planted(0, |build| {
        let sections = &mut build.size.as_mut().unwrap().sections;
        sections.text_bytes -= 100;
        sections.rodata_bytes += 100;
    });
    assert_eq!(moved, [free("text"), free("rodata")]);
    let ram = planted(0, |build| {
        build.size.as_mut().unwrap().sections.bss_bytes += 216
    });
    assert_eq!(ram, [crossing("static RAM", "+1 %"), free("bss")]);
}

#[test]
fn lines_are_judged_by_their_sum() {
    let more = planted(0, |build| {
        build.lines.as_mut().unwrap().files[0].code_lines += 15
    });
    assert_eq!(more, [crossing("lines", "+5 %"), free("lines of entry")]);
}

#[test]
fn rtt_crosses_by_percentile() {
    let slower = |ns| {
        planted(0, move |build| {
            let mut rtt = LatencyHistogram::new();
            rtt.record(Nanos(ns));
            first(&mut build.stream).result.rtt = rtt;
        })
    };
    let names = ["p50", "p99", "p99.9", "max"].map(|name| format!("stream 1 kHz RTT {name}"));
    assert_eq!(slower(459_000), names.clone().map(|name| free(&name)));
    assert_eq!(slower(459_001), names.map(|name| crossing(&name, "+2 %")));
}

#[test]
fn a_lower_clean_rate_crosses() {
    let lossy = planted(0, |build| {
        let sweep = build.sweep.as_mut().unwrap();
        let Trial::Measured(last) = &mut sweep.trials[2] else {
            panic!("it is measured")
        };
        last.result.counts.missing += 1;
    });
    assert_eq!(lossy, [crossing("sweep clean up to", "-1 %")]);
    let none = planted(0, |build| {
        first(&mut build.large_sweep).result.counts.late = 1
    });
    assert_eq!(none, [crossing("large-sweep clean up to", "-1 %")]);
}

#[test]
fn cpu_and_stack_cross() {
    let busier = planted(1, |build| {
        let telemetry = first(&mut build.stream).result.telemetry.as_mut().unwrap();
        let telemetry = telemetry.at_end.as_mut().unwrap();
        telemetry.busy_cycles += telemetry.busy_cycles / 49;
        telemetry.stack_high_water_bytes += 510;
    });
    let measure = |what: &str| crossing(&format!("stream 1 kHz {what}"), "+2 %");
    let expected = ["CPU share", "busy cycles a datagram", "stack"].map(measure);
    assert_eq!(busier, expected);
}

#[test]
fn a_burst_that_is_no_longer_whole_and_a_new_error_event_cross() {
    let fewer = planted(0, |build| first(&mut build.burst).result.whole_bursts -= 1);
    assert_eq!(fewer, [crossing("burst 1 x 64 B whole", "any")]);
    let more = planted(0, |build| first(&mut build.burst).result.whole_bursts += 1);
    assert_eq!(more, [free("burst 1 x 64 B whole")]);
    let lost = planted(0, |build| first(&mut build.soak).result.counts.missing = 1);
    assert_eq!(lost, [crossing("soak error events", "any")]);
}

#[test]
fn an_outage_and_a_device_that_does_not_come_back_cross() {
    let longer = planted(0, |build| {
        let outage = first(&mut build.recovery).result.outage.as_mut().unwrap();
        outage.first_good_ns = outage.first_good_ns.map(|at| at + Nanos::from_millis(40));
    });
    assert_eq!(longer, [crossing("recovery reset outage", "+5 %")]);
    let gone = planted(0, |build| {
        let outage = first(&mut build.recovery).result.outage.as_mut().unwrap();
        outage.first_good_ns = None;
    });
    let expected = [
        crossing("recovery reset outage", "missing"),
        crossing("recovery reset back in time", "any"),
    ];
    assert_eq!(gone, expected);
}

#[test]
fn what_figures_follow_from_is_told_and_crosses_nothing() {
    let toolchain = planted(0, |build| build.image.toolchain.push('x'));
    assert_eq!(toolchain, [free("toolchain")]);
    let slower = planted(0, |build| {
        let board = &mut build.functional.as_mut().unwrap().inputs.board;
        *board
            .parameters
            .get_mut("core")
            .unwrap()
            .get_mut("load")
            .unwrap() = 2;
    });
    assert_eq!(slower, [free("core load")]);
}

#[test]
fn a_figure_that_is_gone_crosses_and_a_new_one_does_not() {
    let gone = |build: &mut BuildResults| build.size = None;
    let found = planted(0, gone);
    assert_eq!(found.len(), 9);
    assert!(
        found
            .iter()
            .all(|(_, crosses)| crosses.as_deref() == Some("missing"))
    );
    let after = study();
    let mut before = after.clone();
    gone(&mut before.variants[0].builds[0]);
    let found = differences(&of_set(&before), &of_set(&after), &limits(&[]));
    assert_eq!(found.len(), 9);
    assert!(
        found
            .iter()
            .all(|one| one.before.is_none() && one.crosses.is_none())
    );
}

#[test]
fn a_new_failure_crosses_and_one_that_is_gone_does_not() {
    let read = |write: fn(&Path) -> ResultSet| {
        let folder = tempfile::tempdir().unwrap();
        StudyResults::read(&write(folder.path())).unwrap()
    };
    let [whole, broken] = [read(write_whole_set), read(write_set)].map(|set| of_set(&set));
    let failure = "stream 1 kHz failed";
    let found = differences(&whole, &broken, &limits(&[]));
    let new = found.iter().find(|one| one.measure == failure).unwrap();
    assert_eq!(new.crosses.as_deref(), Some("a new failure"));
    assert!(matches!(&new.after, Some(Value::Text(text)) if text.contains("HardFault")));
    let others = found.iter().filter(|one| one.measure != failure);
    assert!(
        others
            .clone()
            .all(|one| one.crosses.as_deref() == Some("missing"))
    );
    assert!(
        others
            .clone()
            .any(|one| one.measure == "stream 1 kHz RTT p50")
    );
    let found = differences(&broken, &whole, &limits(&[]));
    assert!(found.iter().all(|one| one.crosses.is_none()));
    assert!(
        found
            .iter()
            .any(|one| one.measure == failure && one.after.is_none())
    );
}

fn figure(kind: Kind, numerator: u64, denominator: u64) -> Fact {
    let value = Ratio {
        numerator: numerator.into(),
        denominator: denominator.into(),
    };
    Fact {
        subject: "v b".to_owned(),
        measure: "it".to_owned(),
        kind,
        value: Value::Figure(value, "B"),
    }
}

fn of_figures(
    kind: Kind,
    before: (u64, u64),
    after: (u64, u64),
    flags: &[&str],
) -> Vec<Difference> {
    let [before, after] = [before, after].map(|(above, below)| [figure(kind, above, below)]);
    differences(&before, &after, &limits(flags))
}

/// R6 of the cases this project collects: zero is a value.
#[test]
fn of_a_zero_baseline_there_is_no_ratio_and_any_growth_crosses() {
    let ratio = |numerator: u64| Ratio {
        numerator: numerator.into(),
        denominator: 1,
    };
    let (fell, all) = change_percent(ratio(3_069_448), ratio(0)).unwrap();
    assert_eq!((fell, all.scaled(1)), (true, 100));
    assert_eq!(change_percent(ratio(0), ratio(100)), None);
    let found = of_figures(Kind::Rtt, (0, 1), (100, 1), &["--rtt", "1000"]);
    assert_eq!(found[0].crosses.as_deref(), Some("+1000 %"));
    let fell = of_figures(Kind::Rtt, (3_069_448, 1), (0, 1), &[]);
    assert_eq!((fell.len(), &fell[0].crosses), (1, &None));
    let risen = of_figures(Kind::Rate, (0, 1), (100, 1), &[]);
    assert_eq!(risen[0].crosses, None);
    let report = |differences| Report {
        before: "a".to_owned(),
        after: "b".to_owned(),
        differences,
    };
    assert!(report(found).text().contains("no ratio, baseline 0"));
    assert!(report(fell).text().contains("-100.00 %"));
}

#[test]
fn thresholds_are_exact_and_flags_move_them() {
    let crosses = |before, after, flags: &[&str]| {
        let found = of_figures(Kind::Flash, before, after, flags);
        found[0].crosses.clone()
    };
    assert_eq!(crosses((1_000, 3), (1_010, 3), &[]), None);
    assert_eq!(
        crosses((1_000, 3), (1_011, 3), &[]).as_deref(),
        Some("+1 %")
    );
    let exactly = ["--flash", "0.125"];
    assert_eq!(crosses((8_000, 1), (8_010, 1), &exactly), None);
    assert_eq!(
        crosses((8_000, 1), (8_011, 1), &exactly).as_deref(),
        Some("+0.125 %")
    );
    assert_eq!(
        crosses((8_000, 1), (8_001, 1), &["--flash", "0"]).as_deref(),
        Some("any")
    );
    for wrong in ["-1", "a", "1.2345", ""] {
        assert!(
            Limits::try_parse_from(["limits", "--flash", wrong]).is_err(),
            "{wrong}"
        );
    }
}

#[test]
fn a_report_has_three_forms() {
    let before = study();
    let mut after = before.clone();
    let build = &mut after.variants[0].builds[0];
    build.size.as_mut().unwrap().sections.text_bytes += 1_000;
    build.latency = None;
    let report = Report {
        before: "main".to_owned(),
        after: "results/a|b".to_owned(),
        differences: differences(&of_set(&before), &of_set(&after), &limits(&[])),
    };
    assert_eq!(report.crossed(), 11);
    let [text, markdown] = [report.text(), report.markdown()];
    insta::assert_snapshot!(format!("{text}\n{markdown}\n{}", report.json().unwrap()));
}

/// The outcome of the program on these arguments.
fn run(arguments: &[&str]) -> anyhow::Result<Outcome> {
    Cli::parse_from(["xtask", "compare"].iter().chain(arguments)).run()
}

#[test]
fn the_exit_status_is_that_of_the_worst_difference() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [whole, broken] = [&folders[0], &folders[1]].map(|folder| folder.path().to_str().unwrap());
    write_whole_set(Path::new(whole));
    write_set(Path::new(broken));
    assert_eq!(run(&[whole, whole, "--json"]).unwrap(), Outcome::Done);
    assert_eq!(
        run(&[whole, broken, "--markdown"]).unwrap(),
        Outcome::CheckFailed
    );
    assert_eq!(run(&[broken, whole]).unwrap(), Outcome::Done);
    let unknown = run(&["no-such-revision-or-folder", whole]).unwrap_err();
    let unknown = format!("{unknown:#}");
    assert!(
        unknown.contains("`no-such-revision-or-folder` is neither a folder nor a git revision")
    );
    assert_eq!(unknown.lines().count(), 1);
    let empty = tempfile::tempdir().unwrap();
    let empty = run(&[whole, empty.path().to_str().unwrap()]).unwrap_err();
    assert!(empty.to_string().ends_with("has no results"));
}

#[test]
fn revisions_are_read_beside_the_work_tree_and_older_schemas_are_named() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    let git = |arguments: &[&str]| {
        let identity = [
            "-c",
            "user.name=n",
            "-c",
            "user.email=e",
            "-c",
            "commit.gpgsign=false",
        ];
        let mut git = Command::new("git");
        git.arg("-C").arg(root).args(identity).args(arguments);
        assert!(git.output().unwrap().status.success(), "{arguments:?}");
    };
    git(&["init", "--quiet"]);
    let results = root.join("results/emulated");
    write_spi_variant(&ResultSet::in_folder(SetName::Quick, &results));
    fs::write(root.join("results/emulated/digests.json"), "{}").unwrap();
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "first"]);
    let facts = |name: &str| Side::read(root, name).map(|side| of_names(&side.facts));
    let first = facts("HEAD").unwrap();
    assert_eq!(first, of_names(&of_set(&study())));
    let size = results.join("fake-spi/dma/size.json");
    let text = fs::read_to_string(&size).unwrap();
    fs::write(&size, text.replace("\"schema\": 3", "\"schema\": 2")).unwrap();
    // The work tree is another now; the commit is not.
    assert_eq!(facts("HEAD").unwrap(), first);
    for build in ["dma", "profiling", "release"] {
        let folder = results.join("fake-spi").join(build);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, text.replace("\"schema\": 3", "\"schema\": 2")).unwrap();
        }
    }
    git(&["commit", "--quiet", "-am", "older"]);
    let error = facts("HEAD").unwrap_err().to_string();
    assert_eq!(
        error,
        "`HEAD` has results of schema 2, this program compares those of schema 3"
    );
    assert_eq!(facts("HEAD~1").unwrap(), first);
    git(&["rm", "--quiet", "-r", "results"]);
    git(&["commit", "--quiet", "-m", "none", "--allow-empty"]);
    let error = format!("{:#}", facts("HEAD").unwrap_err());
    assert_eq!(error, "cannot read `HEAD`: it has no results/emulated");
    // A name that git would take for an option is none.
    assert!(facts("--help").is_err());
}

fn of_names(facts: &[Fact]) -> Vec<(String, String, Value)> {
    let named = facts.iter().map(|fact| {
        let (subject, measure) = fact.name();
        (subject, measure, fact.value.clone())
    });
    named.collect()
}
