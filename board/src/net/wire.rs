//! A full-duplex 100BASE-TX link: each direction sends one frame after the other, independently.

use std::collections::VecDeque;

use crate::net::fault::{FaultCounters, FaultInjector, FaultRates, Faults};
use crate::net::pcap::{Capture, CaptureError};
use crate::schedule::{Event, Schedule};
use crate::time::{Instant, Span};

/// Time of one byte at 100 Mb/s.
pub const BYTE_TIME: Span = Span::from_ns(80);
/// Preamble and start-of-frame delimiter, in bytes (802.3).
pub const PREAMBLE_LEN: usize = 8;
/// Shortest gap between two frames, in bytes (802.3: 96 bit times).
pub const GAP_LEN: usize = 12;

/// The time of `bytes` on the wire.
pub fn serialization(bytes: usize) -> Span {
    Span::from_ps(bytes as u64 * BYTE_TIME.as_ps())
}

/// Which way a frame travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    ToBoard,
    ToHost,
}

impl Direction {
    /// The event at which a frame's last bit arrives.
    const fn arrival(self) -> Event {
        match self {
            Self::ToBoard => Event::WireToBoard,
            Self::ToHost => Event::WireToHost,
        }
    }
}

/// When one frame occupies its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmission {
    /// The first bit of the preamble leaves.
    pub start: Instant,
    /// The last bit of the check sequence has left.
    pub end: Instant,
}

/// What a link is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WireConfig {
    /// Time a bit travels: cable and both PHYs. Zero unless set: a metre of cable is 5 ns.
    pub propagation: Span,
    pub faults: Faults,
}

/// The link. Frames carry their check sequence and travel as given: senders pad.
#[derive(Debug)]
pub struct Wire {
    to_board: Lane,
    to_host: Lane,
    carrier: bool,
    lost_without_carrier: u64,
    spare: Vec<Vec<u8>>,
    capture: Option<Capture>,
}

/// One direction.
#[derive(Debug)]
struct Lane {
    free_at: Instant,
    propagation: Span,
    /// Ordered by arrival.
    in_flight: VecDeque<InFlight>,
    faults: FaultInjector,
    sent: u64,
}

#[derive(Debug)]
struct InFlight {
    arrives: Instant,
    frame: Vec<u8>,
}

impl Lane {
    fn new(propagation: Span, rates: FaultRates, seed: u64) -> Self {
        Self {
            free_at: Instant::ZERO,
            propagation,
            in_flight: VecDeque::new(),
            faults: FaultInjector::new(rates, seed),
            sent: 0,
        }
    }

    /// Takes the lane for a frame of `len` bytes that is ready at `ready`.
    fn occupy(&mut self, len: usize, ready: Instant) -> Transmission {
        let start = self.free_at.max(ready);
        let end = start + serialization(PREAMBLE_LEN + len);
        self.free_at = end + serialization(GAP_LEN);
        Transmission { start, end }
    }

    fn launch(&mut self, frame: Vec<u8>, arrives: Instant) {
        let behind = self.in_flight.partition_point(|f| f.arrives <= arrives);
        self.in_flight.insert(behind, InFlight { arrives, frame });
    }

    fn next_arrival(&self) -> Instant {
        self.in_flight.front().map_or(Instant::NEVER, |f| f.arrives)
    }
}

impl Wire {
    /// A link whose carrier is down until [`Wire::set_carrier`].
    pub fn new(config: WireConfig) -> Self {
        let faults = config.faults;
        Self {
            to_board: Lane::new(config.propagation, faults.to_board, faults.seed),
            to_host: Lane::new(config.propagation, faults.to_host, !faults.seed),
            carrier: false,
            lost_without_carrier: 0,
            spare: Vec::new(),
            capture: None,
        }
    }

    /// Records every frame that arrives at either end from now on.
    pub fn capture_into(&mut self, capture: Capture) {
        self.capture = Some(capture);
    }

    /// Ends the capture: writes what is buffered and gives the first error of the whole capture.
    pub fn finish_capture(&mut self) -> Result<(), CaptureError> {
        self.capture.take().map_or(Ok(()), Capture::finish)
    }

    /// The board's PHY tells whether it has a link; frames sent without one are lost.
    pub fn set_carrier(&mut self, up: bool) {
        self.carrier = up;
    }

    pub fn carrier(&self) -> bool {
        self.carrier
    }

    /// Frames sent while there was no link.
    pub fn lost_without_carrier(&self) -> u64 {
        self.lost_without_carrier
    }

    /// Frames that began their way in `direction`, lost ones included, copies not.
    pub fn sent(&self, direction: Direction) -> u64 {
        self.lane(direction).sent
    }

    /// Faults put on frames in `direction`.
    pub fn fault_counters(&self, direction: Direction) -> FaultCounters {
        self.lane(direction).faults.counters()
    }

    /// Frames in `direction` that wait for the wire or are on it.
    pub fn queued(&self, direction: Direction) -> usize {
        self.lane(direction).in_flight.len()
    }

    /// Sends a frame (with check sequence) that is ready at `ready`, as soon as the frames before it
    /// have left; its arrival becomes an event.
    pub fn send(
        &mut self,
        direction: Direction,
        frame: &[u8],
        ready: Instant,
        schedule: &mut Schedule,
    ) -> Transmission {
        let carrier = self.carrier;
        let lane = self.lane_mut(direction);
        let transmission = lane.occupy(frame.len(), ready);
        lane.sent += 1;
        if !carrier {
            self.lost_without_carrier += 1;
            return transmission;
        }
        let verdict = lane.faults.judge(frame.len());
        if verdict.drop {
            return transmission;
        }
        let latency = lane.propagation + verdict.delay;
        let arrives = transmission.end + latency;
        let mut travelling = self.copy(frame);
        if let Some(bit) = verdict.corrupt_bit {
            travelling[bit / 8] ^= 1 << (bit % 8);
        }
        if verdict.duplicate {
            let again = self.copy(&travelling);
            let lane = self.lane_mut(direction);
            let end = lane.occupy(frame.len(), ready).end;
            lane.launch(again, end + latency);
        }
        let lane = self.lane_mut(direction);
        lane.launch(travelling, arrives);
        schedule.set(direction.arrival(), lane.next_arrival());
        transmission
    }

    /// Takes the next frame whose last bit has arrived at `now`; call until `None`, then give each
    /// frame back through [`Wire::recycle`].
    pub fn receive(
        &mut self,
        direction: Direction,
        now: Instant,
        schedule: &mut Schedule,
    ) -> Option<Vec<u8>> {
        let lane = self.lane_mut(direction);
        let arrives = lane.next_arrival();
        if arrives > now {
            schedule.set(direction.arrival(), arrives);
            return None;
        }
        let frame = lane.in_flight.pop_front()?.frame;
        if let Some(capture) = &mut self.capture {
            capture.record(direction, arrives, &frame);
        }
        Some(frame)
    }

    /// Gives the buffer of a received frame back for reuse.
    pub fn recycle(&mut self, mut frame: Vec<u8>) {
        frame.clear();
        self.spare.push(frame);
    }

    fn copy(&mut self, frame: &[u8]) -> Vec<u8> {
        let mut buffer = self.spare.pop().unwrap_or_default();
        buffer.extend_from_slice(frame);
        buffer
    }

    fn lane(&self, direction: Direction) -> &Lane {
        match direction {
            Direction::ToBoard => &self.to_board,
            Direction::ToHost => &self.to_host,
        }
    }

    fn lane_mut(&mut self, direction: Direction) -> &mut Lane {
        match direction {
            Direction::ToBoard => &mut self.to_board,
            Direction::ToHost => &mut self.to_host,
        }
    }
}

#[cfg(test)]
mod tests;
