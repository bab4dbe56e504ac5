//! The files by packet and by interval against the result of the same run and the server's log.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use serde_json::Value;

use crate::program::{Server, bench};

/// Packets of the recorded stream.
const PACKETS: u64 = 2_000;

/// The rows of a file of comma-separated values, by the names of the columns.
fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let names = Vec::from_iter(lines.next().unwrap());
    let rows = lines.map(|cells| names.iter().cloned().zip(cells).collect());
    rows.collect()
}

fn sum(rows: &[BTreeMap<String, String>], column: &str) -> u64 {
    rows.iter()
        .map(|row| row[column].parse::<u64>().unwrap())
        .sum()
}

/// How many RTTs an interval log holds.
fn recorded_in_log(log: &str) -> u64 {
    let mut deserializer = Deserializer::new();
    let entries = IntervalLogIterator::new(log.as_bytes());
    let mut recorded = 0;
    for entry in entries {
        if let LogEntry::Interval(interval) = entry.unwrap() {
            let bytes = base64(interval.encoded_histogram());
            let histogram: hdrhistogram::Histogram<u64> =
                deserializer.deserialize(&mut bytes.as_slice()).unwrap();
            assert!(interval.tag().unwrap().as_str() == "stream-0");
            recorded += histogram.len();
        }
    }
    recorded
}

/// Decodes base64 (RFC 4648 §4).
fn base64(text: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter(|&byte| byte != b'=');
    let digits = digits.map(|byte| alphabet.iter().position(|&letter| letter == byte).unwrap());
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for digit in digits {
        bits = bits << 6 | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

#[test]
fn recorded_files_hold_what_the_result_holds() {
    let log = tempfile::tempdir().unwrap();
    let log = log.path().join("served.csv");
    let server = Server::start(&format!(
        "--seed 3 --lose-ppm 50000 --corrupt-ppm 50000 --duplicate-ppm 50000 --log {}",
        log.display()
    ));
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let [output, packets, intervals, hdr_log] = ["o.json", "p.csv", "i.csv", "h.hlog"].map(path);
    let line = format!(
        "stream --board {} --rate-hz 2000 --duration 1s --warm-up-packets 10 --drain 300ms \
         --late-threshold 10s --record-interval 250ms --quiet --output {} --csv-packets {} \
         --csv-intervals {} --hdr-log {}",
        server.endpoint,
        output.display(),
        packets.display(),
        intervals.display(),
        hdr_log.display()
    );
    bench(&line);
    let (_, served) = server.end();

    let report: Value = serde_json::from_slice(&fs::read(output).unwrap()).unwrap();
    let count = |name: &str| report["result"]["counts"][name].as_u64().unwrap();
    let packets = rows(&packets);
    let in_state = |state: &str| packets.iter().filter(|row| row["state"] == state).count() as u64;
    assert_eq!(packets.len() as u64, PACKETS);
    assert_eq!(in_state("valid"), count("valid"));
    assert_eq!(in_state("damaged"), count("damaged"));
    assert_eq!(in_state("missing"), count("missing") - count("damaged"));
    assert_eq!(sum(&packets, "copies"), count("valid") + count("duplicate"));
    assert_eq!(sum(&packets, "corrupt"), count("corrupt"));
    let sequences = packets
        .iter()
        .map(|row| row["sequence"].parse::<u64>().unwrap());
    assert!(sequences.eq(10..10 + PACKETS));
    let max_rtt = packets
        .iter()
        .filter_map(|row| row["rtt_ns"].parse::<u64>().ok())
        .max();
    assert_eq!(max_rtt, report["result"]["rtt"]["max_ns"].as_u64());

    let intervals = rows(&intervals);
    for name in [
        "sent",
        "send_errors",
        "valid",
        "missing",
        "damaged",
        "duplicate",
        "corrupt",
    ] {
        assert_eq!(sum(&intervals, name), count(name), "{name}");
    }
    assert!(intervals.len() >= 4);
    assert_eq!(
        recorded_in_log(&fs::read_to_string(hdr_log).unwrap()),
        count("valid")
    );

    let served_rows = rows(&log);
    let fate = |word: &str| served_rows.iter().filter(|row| row["fate"] == word).count() as u64;
    assert_eq!(served_rows.len() as u64, served.received);
    assert_eq!(fate("lost"), served.lost);
    assert_eq!(fate("corrupted"), served.corrupted);
    assert_eq!(fate("duplicated"), served.duplicated);
    assert!(served.lost > 0 && served.corrupted > 0 && served.duplicated > 0);
}

#[test]
fn an_interval_in_which_nothing_was_sent_has_counts_of_zero_and_no_rtt() {
    let server = Server::start("");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("i.csv");
    bench(&format!(
        "stream --board {} --rate-hz 2 --duration 1s --warm-up-packets 0 --drain 100ms \
         --record-interval 100ms --quiet --csv-intervals {}",
        server.endpoint,
        path.display()
    ));
    server.end();
    let rows = rows(&path);
    assert!(rows.len() >= 5, "{rows:?}");
    for row in &rows[1..4] {
        assert_eq!((row["sent"].as_str(), row["valid"].as_str()), ("0", "0"));
        assert_eq!(
            (row["rtt_min_ns"].as_str(), row["rtt_p50_ns"].as_str()),
            ("", "")
        );
    }
    assert_eq!(sum(&rows, "sent"), 2);
}
