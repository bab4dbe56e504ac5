use proptest::prelude::*;

use super::*;
use crate::elf::fixture::Fixture;

/// Two messages, and a byte as the firmware's time stamp.
fn log() -> FirmwareLog {
    let elf = Fixture::default()
        .defmt("defmt_info", "lease {=u8}", 1)
        .defmt("defmt_warn", "late", 2)
        .defmt("defmt_timestamp", "t{=u8}", 3)
        .build();
    FirmwareLog::new(&elf).expect("a defmt table")
}

/// rzCOBS of a frame of less than 7 bytes: its non-zero bytes, then a map of its zeros with ones behind
/// its end, then the separator.
fn rzcobs(frame: &[u8]) -> Vec<u8> {
    assert!(frame.len() < 7);
    let zeros = frame.iter().enumerate().filter(|(_, byte)| **byte == 0);
    let map = zeros.fold(0x7F << frame.len() & 0x7F, |map, (at, _)| map | 1 << at);
    let mut encoded: Vec<u8> = frame.iter().copied().filter(|byte| *byte != 0).collect();
    encoded.extend([map, 0]);
    encoded
}

fn chunk(ns: u64, bytes: &[u8]) -> Chunk {
    Chunk {
        at: Instant::from_ns(ns),
        bytes: bytes.to_vec(),
    }
}

#[test]
fn bytes_of_a_probe_of_ones_own_are_decoded_too() {
    let mut log = log();
    log.received(Instant::from_ns(5), &rzcobs(&[1, 0, 7, 50]));
    assert_eq!(log.lines()[0].at, Instant::from_ns(5));
    assert_eq!(log.lines()[0].message, "lease 50");
}

#[test]
fn frames_are_decoded_across_chunks() {
    let mut log = log();
    let frame = rzcobs(&[1, 0, 7, 50]);
    let (head, tail) = frame.split_at(2);
    log.push(chunk(10, &[0]));
    log.push(chunk(10, head));
    assert!(log.lines().is_empty());
    log.push(chunk(20, &[tail, &rzcobs(&[2, 0, 8])].concat()));
    assert_eq!(
        log.lines(),
        [
            LogLine {
                at: Instant::from_ns(20),
                timestamp: Some("t7".into()),
                level: Some("info"),
                message: "lease 50".into(),
            },
            LogLine {
                at: Instant::from_ns(20),
                timestamp: Some("t8".into()),
                level: Some("warn"),
                message: "late".into(),
            },
        ]
    );
    assert_eq!(log.lines()[0].to_string(), "t7 INFO  lease 50");
    assert_eq!(log.undecodable(), 0);
}

#[test]
fn what_is_no_frame_is_counted_and_what_follows_is_read() {
    let mut log = log();
    // No message has number 9, and a map for six bytes stands behind one.
    let unknown = rzcobs(&[9, 0, 7]);
    let short = [5, 0x01, 0];
    log.push(chunk(
        0,
        &[&unknown[..], &short, &rzcobs(&[2, 0, 8])].concat(),
    ));
    assert_eq!(log.undecodable(), (unknown.len() + short.len()) as u64);
    assert_eq!(log.take_lines().len(), 1);
    assert!(log.lines().is_empty());
}

#[test]
fn without_defmt_data_nothing_can_be_decoded() {
    let mut log = FirmwareLog::new(&Fixture::default().build()).unwrap();
    log.push(chunk(0, b"plain text\n"));
    assert_eq!(log.undecodable(), 11);
}

proptest! {
    #[test]
    fn noise_never_panics(noise in prop::collection::vec(any::<u8>(), 0..64)) {
        let mut log = log();
        log.push(chunk(0, &noise));
        log.push(chunk(1, &[0]));
        let read = rzcobs(&[2, 0, 8]);
        let before = log.lines().len();
        log.push(chunk(2, &read));
        prop_assert_eq!(log.lines().len(), before + 1);
    }
}
