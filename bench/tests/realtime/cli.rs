//! Arguments, exit status, and what is printed.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::peer::closed_port;
use crate::program::{Server, bench, interrupt, status, stderr, stdout};

/// A short stream to a board.
fn stream(board: impl std::fmt::Display, more: &str) -> String {
    format!(
        "stream --board {board} --duration 200ms --warm-up-packets 0 --drain 100ms \
         --late-threshold 10s {more}"
    )
}

#[test]
fn a_clean_run_ends_with_0_and_one_that_is_not_with_1() {
    // The gate, because a busy machine can make any run at a rate void.
    let server = Server::start("");
    let clean = bench(&format!(
        "functional --timeout 10s --board {}",
        server.endpoint
    ));
    assert_eq!(status(&clean), Some(0), "{}", stderr(&clean));
    let text = stdout(&clean);
    assert!(text.ends_with("outcome  clean\n"), "{text}");
    assert_eq!(stderr(&clean), "");
    assert_eq!(server.end().1.received, 100);

    let server = Server::start("--lose-ppm 1000000");
    let lossy = bench(&stream(server.endpoint, "--quiet"));
    assert_eq!(
        (status(&lossy), stdout(&lossy), stderr(&lossy)),
        (Some(1), String::new(), String::new())
    );
    assert_eq!(server.end().1.lost, 200);
}

#[test]
fn every_workload_runs_against_a_real_server() {
    let server = Server::start("");
    let board = server.endpoint;
    let runs = [
        "functional --rounds 2 --timeout 10s".to_owned(),
        "latency --samples 20 --warm-up-packets 5 --drain 0s".to_owned(),
        "burst --repeats 3 --quiet-time 20ms --settle-limit 100ms --late-threshold 10s".to_owned(),
        "sweep --rates-hz 500,1000 --duration 100ms --drain 100ms --late-threshold 10s".to_owned(),
        "soak --duration 300ms --interval 100ms --drain 100ms --late-threshold 10s".to_owned(),
        "throughput --payload-bytes 64 --start 256000 --ceiling 256000 --duration 1s --verify 1s \
         --warm-up-packets 0 --drain 50ms --late-threshold 10s"
            .to_owned(),
        "recovery --disturbance manual --before 100ms --limit 300ms --drain 100ms \
         --late-threshold 10s"
            .to_owned(),
    ];
    for run in runs {
        let output = bench(&format!("{run} --board {board} --json"));
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{run}: {}", stderr(&output)));
        let name = run.split(' ').next().unwrap();
        assert_eq!(report["workload"], name);
        let judged = [&report["clean"], &report["void"]];
        let ends_with = match judged {
            [Value::Bool(true), Value::Null] => 0,
            _ => 1,
        };
        assert_eq!(status(&output), Some(ends_with), "{run}: {judged:?}");
        match name {
            // Nobody disturbed the device, so there was nothing to recover from.
            "recovery" => assert!(report["void"].is_string()),
            // These have no rate that a busy machine could miss.
            "functional" | "burst" => assert_eq!(ends_with, 0, "{report:#}"),
            _ => assert!(!report["figures"].as_array().unwrap().is_empty()),
        }
    }
    server.end();
}

#[test]
fn a_port_on_which_nobody_listens_leaves_every_datagram_missing() {
    let output = bench(&stream(closed_port(), "--json"));
    assert_eq!(status(&output), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let counts = &report["result"]["counts"];
    assert_eq!(
        (&counts["sent"], &counts["missing"]),
        (&200.into(), &200.into())
    );
    assert_eq!(counts["send_errors"], 0);

    let board = closed_port();
    let output = bench(&stream(board, ""));
    let expected = format!("note: nothing came back; does a UDP echo server listen on {board}?\n");
    assert_eq!(stderr(&output), expected);
}

#[test]
fn a_rate_that_was_missed_is_void() {
    let server = Server::start("");
    let run = format!(
        "stream --board {} --rate-hz 1000000000 --duration 1us --warm-up-packets 0 --drain 50ms",
        server.endpoint
    );
    let output = bench(&run);
    assert_eq!(status(&output), Some(1));
    let text = stdout(&output);
    let outcome = text.lines().last().unwrap();
    assert!(outcome.starts_with("outcome    void: "), "{outcome}");
    assert!(
        outcome.ends_with("in place of 1000000000/s, less than 98 %"),
        "{outcome}"
    );
    server.end();
}

#[test]
fn a_mistake_is_told_in_one_line() {
    let mistakes = [
        (
            "--board nowhere.invalid",
            "error: --board nowhere.invalid: ",
        ),
        (
            "--board 127.0.0.1:0",
            "error: --board 127.0.0.1:0: 0 is no port; ",
        ),
        (
            "--board 127.0.0.1 --rate-hz 0",
            "error: the rate must lie between 1 and ",
        ),
        (
            "--board 127.0.0.1 --payload-bytes 15",
            "error: the payload must have 16 to 1472 bytes",
        ),
        (
            "--board 127.0.0.1 --record-interval 0s",
            "error: --record-interval must be longer than 0",
        ),
        (
            "--board 127.0.0.1 --local 192.0.2.1:9",
            "error: cannot open a UDP socket on 192.0.2.1:9: ",
        ),
        (
            "--board 127.0.0.1 --output no/such/folder/o.json",
            "error: cannot write no/such/folder/o.json: its folder does not exist",
        ),
        (
            "--board 127.0.0.1 --hdr-log /",
            "error: cannot write /: it is a folder",
        ),
    ];
    for (arguments, expected) in mistakes {
        let output = bench(&format!("stream {arguments}"));
        let told = stderr(&output);
        assert_eq!(status(&output), Some(2), "{arguments}: {told}");
        assert!(told.starts_with(expected), "{told}");
        assert_eq!(
            (told.lines().count(), stdout(&output)),
            (1, String::new()),
            "{told}"
        );
    }
    let others = [
        (
            "latency --board 127.0.0.1 --csv-packets p.csv",
            "error: a latency run cannot be recorded by packet",
        ),
        (
            "recovery --board 127.0.0.1",
            "error: over a network alone nothing can be done to the device: ",
        ),
        (
            "stream --board 127.0.0.1 --rate-hz 1000000000 --duration 1000h",
            "error: 3600000000000100 datagrams in one run would take 1350000000000038 bytes of memory",
        ),
        (
            "soak --board 127.0.0.1 --rate-hz 1000000000 --interval 24h --duration 1000h",
            "error: 3600000000000100 datagrams in one run would take ",
        ),
        (
            "recovery --board 127.0.0.1 --disturbance manual --before 1000h --rate-hz 1000000",
            "error: 3600030000100 datagrams in one run would take ",
        ),
        (
            "sweep --board 127.0.0.1 --rates-hz 1,1000000 --duration 1000h",
            "error: 3600000000100 datagrams in one run would take ",
        ),
        (
            "throughput --board 127.0.0.1 --payload-bytes 125 --ceiling 1000000000 --verify 1000h",
            "error: 3600000000100 datagrams in one run would take ",
        ),
        (
            "serve --lose-ppm 600000 --delay-ppm 600000",
            "error: the faults add up to 1200000 of a million",
        ),
    ];
    for (line, expected) in others {
        let output = bench(line);
        assert_eq!(status(&output), Some(2));
        assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1);
    }
}

#[test]
fn the_longest_run_is_begun_and_one_datagram_more_is_refused() {
    // A folder that is missing is found after the memory was asked for.
    let longest = 2_863_311_530_u64;
    let run = |datagrams: u64| {
        let warm_up = datagrams - 100_000;
        bench(&format!(
            "stream --board 127.0.0.1 --rate-hz 100000 --duration 1s --warm-up-packets {warm_up} \
             --output no/such/folder/o.json"
        ))
    };
    let begun = stderr(&run(longest));
    assert!(begun.starts_with("error: cannot write no/such/"), "{begun}");
    let refused = stderr(&run(longest + 1));
    let expected = "error: 2863311531 datagrams in one run would take 1073741825 bytes of memory";
    assert!(refused.starts_with(expected), "{refused}");
}

#[test]
fn arguments_that_cannot_be_read_end_with_2() {
    for line in [
        "",
        "stream",
        "stream --board 127.0.0.1 --duration 5",
        "dream",
    ] {
        let output = bench(line);
        assert_eq!(status(&output), Some(2), "{line}");
        assert!(!stderr(&output).contains("panicked"), "{line}");
    }
    let output = bench("stream --board 127.0.0.1 --duration 5");
    let hint = "write a whole number and a unit: h, min, s, ms, us or ns, such as 250ms";
    assert!(stderr(&output).contains(hint), "{}", stderr(&output));
}

#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    let server = Server::start("");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let child = Command::new(env!("CARGO_BIN_EXE_bench"))
        .args(["stream", "--board", &server.endpoint.to_string()])
        .args(["--output", &path("o.json"), "--csv-packets", &path("p.csv")])
        .args([
            "--csv-intervals",
            &path("i.csv"),
            "--hdr-log",
            &path("h.hlog"),
        ])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The files are begun after the handler of Ctrl-C and before the run.
    let begun = || folder.path().read_dir().unwrap().count() == 4;
    while !begun() {
        thread::sleep(Duration::from_millis(5));
    }
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(status(&output), Some(130));
    assert_eq!(stderr(&output), "interrupted: nothing was written\n");
    assert_eq!(stdout(&output), "");
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    server.end();
}

#[test]
fn the_json_report_has_this_shape() {
    let server = Server::start("");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("o.json");
    let more = format!("--json --output {}", file.display());
    let output = bench(&stream(server.endpoint, &more));
    server.end();
    assert_eq!(std::fs::read(&file).unwrap(), output.stdout);
    let mut report: Value = serde_json::from_slice(&output.stdout).unwrap();
    // A busy machine can make any run at a rate void.
    report["void"] = Value::Null;
    let shape = serde_json::to_string_pretty(&shape(&report)).unwrap();
    insta::assert_snapshot!("report", shape);
}

/// The same value with the kind of each figure in its place, and one entry for those keyed by a
/// number.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(entries) => {
            let numbered =
                |key: &str| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
            let name = |key: &String| match numbered(key) {
                true => "<number>".to_owned(),
                false => key.clone(),
            };
            entries
                .iter()
                .map(|(key, value)| (name(key), shape(value)))
                .collect()
        }
        Value::Array(values) => values.iter().take(1).map(shape).collect(),
        Value::Number(_) => "a number".into(),
        Value::String(_) => "a text".into(),
        Value::Bool(_) => "true or false".into(),
        Value::Null => Value::Null,
    }
}
