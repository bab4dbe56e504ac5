//! The datagram format: every byte of a reply is checked.

use bench::datagram::{Classification, DatagramFormat};
use proptest::prelude::*;

fn encoded(format: &DatagramFormat, sequence: u64) -> Vec<u8> {
    let mut payload = vec![0; format.payload_bytes()];
    format.encode(sequence, &mut payload);
    payload
}

#[test]
fn the_header_has_the_bytes_of_the_format() {
    let payload = encoded(&DatagramFormat::new(1, 100), 0x0102_0304_0506_0708);
    assert_eq!(payload[..4], [0x31, 0x48, 0x43, 0x45]);
    assert_eq!(payload[8..16], [8, 7, 6, 5, 4, 3, 2, 1]);
}

/// The bytes are part of what a seed means in a stored trial, so they must never change. These
/// were computed apart, from the definition of SplitMix64.
#[test]
fn the_bytes_of_a_seed_never_change() {
    let payload = encoded(&DatagramFormat::new(1, 27), 2);
    assert_eq!(payload[4..8], [29, 22, 146, 86]);
    assert_eq!(
        payload[16..],
        [137, 182, 251, 49, 181, 52, 235, 135, 214, 244, 64]
    );
}

#[test]
fn a_damaged_span_is_located() {
    let format = DatagramFormat::new(1, 100);
    let mut payload = encoded(&format, 7);
    payload[30] ^= 1;
    payload[40] ^= 1;
    let Classification::Corrupt(corruption) = format.classify(&payload) else {
        panic!("not corrupt")
    };
    assert_eq!(
        (
            corruption.offset,
            corruption.length,
            corruption.differing_bytes
        ),
        (30, 11, 2)
    );
    assert_eq!(
        (corruption.sequence, corruption.received_bytes),
        (Some(7), 100)
    );
}

#[test]
fn a_cut_or_lengthened_payload_is_located_at_its_end() {
    let format = DatagramFormat::new(1, 100);
    let whole = encoded(&format, 7);
    for length in 0..100 {
        let Classification::Corrupt(cut) = format.classify(&whole[..length]) else {
            panic!("{length}")
        };
        assert_eq!(
            (cut.offset, cut.length),
            (length as u64, 100 - length as u64)
        );
        assert!(cut.is_truncated());
        assert_eq!(cut.sequence, (length >= 16).then_some(7));
    }
    let Classification::Corrupt(long) = format.classify(&[whole, vec![1, 2]].concat()) else {
        panic!()
    };
    assert_eq!(
        (long.offset, long.length, long.differing_bytes),
        (100, 2, 2)
    );
    assert!(!long.is_truncated());
}

#[test]
fn right_filler_beyond_the_end_is_too_much() {
    let format = DatagramFormat::new(1, 100);
    let longer = encoded(&DatagramFormat::new(1, 108), 7);
    assert_eq!(longer[..100], encoded(&format, 7));
    assert!(matches!(format.classify(&longer), Classification::Corrupt(long) if long.length == 8));
}

proptest! {
    #[test]
    fn what_was_sent_is_good(seed: u64, sequence: u64, length in 16..=1472usize) {
        let format = DatagramFormat::new(seed, length);
        prop_assert_eq!(format.classify(&encoded(&format, sequence)), Classification::Good { sequence });
    }

    #[test]
    fn no_single_wrong_byte_passes(
        seed: u64, sequence: u64, length in 24..200usize, place: prop::sample::Index, flip in 1..=255u8,
    ) {
        let format = DatagramFormat::new(seed, length);
        let mut payload = encoded(&format, sequence);
        let place = place.index(length);
        payload[place] ^= flip;
        match (place, format.classify(&payload)) {
            (0..8, verdict) => prop_assert_eq!(verdict, Classification::Foreign),
            // A wrong sequence number shows as wrong filler.
            (8..16, Classification::Corrupt(corruption)) => prop_assert!(corruption.offset >= 16),
            (_, Classification::Corrupt(corruption)) => {
                prop_assert_eq!((corruption.offset, corruption.length), (place as u64, 1));
            }
            (_, verdict) => prop_assert!(false, "{:?}", verdict),
        }
    }

    #[test]
    fn any_bytes_get_a_verdict(
        mut bytes in proptest::collection::vec(any::<u8>(), 0..1600),
        with_header: bool,
    ) {
        let format = DatagramFormat::new(3, 100);
        let header = encoded(&format, 0);
        if with_header && bytes.len() >= 8 {
            bytes[..8].copy_from_slice(&header[..8]);
        }
        let ours = bytes.iter().zip(&header[..8]).all(|(byte, expected)| byte == expected);
        prop_assert_eq!(format.classify(&bytes) == Classification::Foreign, !ours);
    }
}
