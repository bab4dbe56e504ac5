//! The driver's loop against a chip, as released and drained.

mod chip;

use std::vec::Vec;

use embassy_futures::{block_on, poll_once};
use proptest::prelude::*;

use super::*;
use chip::{Arrival, Chip, read_frame};

/// Reads frames while the driver would be awake.
fn read_while_low(spi: &mut impl SpiDevice, interrupt: &mut impl Wait) -> Vec<u16> {
    let mut frames = Vec::new();
    while poll_once(interrupt.wait_for_low()).is_ready() {
        frames.push(block_on(read_frame(spi)));
        assert!(frames.len() < 100, "the driver never sleeps");
    }
    frames
}

fn arrivals(of: &[(usize, u16)]) -> Vec<Arrival> {
    let arrival = |&(at, bytes)| Arrival { at, bytes };
    of.iter().map(arrival).collect()
}

#[test]
fn the_driver_alone_leaves_the_second_frame_of_an_interrupt() {
    let chip = Chip::new(arrivals(&[(0, 100), (0, 200)]));
    assert_eq!(read_while_low(&mut &chip, &mut &chip), [100]);
    assert_eq!(chip.frames_in_buffer(), 1);
}

#[test]
fn draining_reads_all_frames_of_an_interrupt() {
    let chip = Chip::new(arrivals(&[(0, 100), (0, 200), (0, 300)]));
    let left = Cell::new(false);
    let (mut spi, mut interrupt) = drain(&chip, &chip, &left);
    assert_eq!(read_while_low(&mut spi, &mut interrupt), [100, 200, 300]);
    assert_eq!(chip.frames_in_buffer(), 0);
}

#[test]
fn draining_costs_no_byte_on_the_bus() {
    let alone = Chip::new(arrivals(&[(0, 144)]));
    read_while_low(&mut &alone, &mut &alone);
    // The derivation of the read's cost: 36 bytes and the frame of 142.
    assert_eq!(alone.spi_bytes(), 36 + 142);

    let drained = Chip::new(arrivals(&[(0, 144)]));
    let left = Cell::new(false);
    let (mut spi, mut interrupt) = drain(&drained, &drained, &left);
    read_while_low(&mut spi, &mut interrupt);
    assert_eq!(drained.spi_bytes(), alone.spi_bytes());
}

#[test]
fn a_read_of_the_empty_buffer_clears_the_interrupt_and_leaves_nothing() {
    let chip = Chip::new(Vec::new());
    let left = Cell::new(true);
    let (mut spi, mut interrupt) = drain(&chip, &chip, &left);
    assert_eq!(read_while_low(&mut spi, &mut interrupt), [0]);
    assert!(!left.get());
}

proptest! {
    /// Frames arrive before and within any transaction, also between the two bytes of the size.
    #[test]
    fn no_frame_waits_while_the_driver_sleeps(
        frames in prop::collection::vec((0_usize..200, 62_u16..1516), 0..10)
    ) {
        let mut sent = arrivals(&frames);
        let chip = Chip::new(sent.clone());
        let left = Cell::new(false);
        let (mut spi, mut interrupt) = drain(&chip, &chip, &left);
        let mut received = Vec::new();
        loop {
            received.extend(read_while_low(&mut spi, &mut interrupt));
            prop_assert_eq!(chip.frames_in_buffer(), 0);
            if !chip.sleep() {
                break;
            }
        }
        sent.sort_by_key(|arrival| arrival.at);
        let sent: Vec<u16> = sent.iter().map(|arrival| arrival.bytes).collect();
        prop_assert_eq!(received, sent);
    }
}
