//! The shift register between the two FIFOs, and the DMA that fills and empties them.

use super::Peers;
use super::fifo::{CAPACITY, Fifo};
use super::registers::{Comm, sr};
use super::timing::Timing;
use crate::soc::context::Context;
use crate::soc::dma::{Dma, Request};
use crate::time::{Instant, Span};

/// What a receiving master sends. The pin's level is undocumented, and no chip here listens then.
const RECEIVER_MOSI: u8 = 0x00;

/// A frame under way.
#[derive(Clone, Copy, Debug)]
struct Shift {
    mosi: u8,
    /// The last edge of SCK.
    ends: Instant,
}

/// The part of the block behind its registers.
#[derive(Debug)]
pub struct Engine {
    /// `None` while the kernel has no clock: then nothing moves.
    pub timing: Option<Timing>,
    pub frames: u64,
    pub sck_hz: Option<u64>,
    /// CFG1.RXDMAEN and TXDMAEN.
    pub serve_rx: bool,
    pub serve_tx: bool,
    enabled: bool,
    started: bool,
    comm: Comm,
    /// Frames that RXP and TXP stand for.
    packet: usize,
    tx: Fifo,
    rx: Fifo,
    shift: Option<Shift>,
    /// TSIZE, or zero for an endless transfer; of it, frames not yet clocked and not yet written.
    size: u32,
    to_clock: u32,
    to_write: u32,
    /// The last frame was seen to end.
    idle_at: Instant,
    /// When EOT is set.
    eot_at: Instant,
    flags: u32,
}

impl Engine {
    pub fn new(timing: Option<Timing>) -> Self {
        Self {
            timing,
            frames: 0,
            sck_hz: None,
            serve_rx: false,
            serve_tx: false,
            enabled: false,
            started: false,
            comm: Comm::FullDuplex,
            packet: 1,
            tx: Fifo::default(),
            rx: Fifo::default(),
            shift: None,
            size: 0,
            to_clock: 0,
            to_write: 0,
            idle_at: Instant::ZERO,
            eot_at: Instant::NEVER,
            flags: 0,
        }
    }

    pub fn enable(&mut self, comm: Comm, packet: usize, size: u32) {
        self.enabled = true;
        self.comm = comm;
        self.packet = packet;
        self.size = size;
        self.to_clock = size;
        self.to_write = size;
    }

    /// SPE cleared: the frame under way is lost, and FIFOs and flags are cleared. That OVR is, drivers
    /// depend on (EMB); that the others are too is assumed.
    pub fn disable(&mut self) {
        self.enabled = false;
        self.started = false;
        self.shift = None;
        self.tx.clear();
        self.rx.clear();
        self.size = 0;
        self.to_clock = 0;
        self.to_write = 0;
        self.idle_at = Instant::ZERO;
        self.eot_at = Instant::NEVER;
        self.flags = 0;
    }

    pub fn mode_fault(&mut self) {
        self.flags |= sr::MODF;
    }

    /// CSTART. `None` if that would never end: a receiver without a size.
    pub fn start(&mut self, now: Instant) -> Option<()> {
        if self.comm == Comm::Receiver && self.size == 0 {
            return None;
        }
        self.started = self.size == 0 || self.to_clock > 0;
        if let Some(timing) = self.timing {
            self.begin_frame(now + timing.start);
        }
        Some(())
    }

    /// A store of `bytes` bytes to TXDR; what has no room or exceeds the size is lost.
    pub fn send(&mut self, value: u32, bytes: u32, now: Instant) {
        if !self.enabled {
            return;
        }
        for byte in value.to_le_bytes().into_iter().take(bytes as usize) {
            self.enqueue(byte, now);
        }
        if self.shift.is_none() {
            self.begin_frame(now);
        }
    }

    fn enqueue(&mut self, byte: u8, now: Instant) {
        let start = self.timing.map_or(Span::ZERO, |timing| timing.start);
        let within = self.size == 0 || self.to_write > 0;
        if within && self.tx.push(byte, now + start) && self.size > 0 {
            self.to_write -= 1;
            if self.to_write == 0 {
                self.flags |= sr::TXTF;
            }
        }
    }

    /// A load of `bytes` bytes from RXDR. What is not there reads zero (assumed).
    pub fn receive(&mut self, bytes: u32, now: Instant) -> u32 {
        (0..bytes).fold(0, |value, n| {
            let byte = self.rx.pop_seen(now).unwrap_or(0);
            value | u32::from(byte) << (8 * n)
        })
    }

    /// IFCR.
    pub fn clear_flags(&mut self, bits: u32) {
        let bits = bits & sr::CLEARABLE;
        self.flags &= !bits;
        if bits & sr::EOT != 0 {
            self.eot_at = Instant::NEVER;
        }
    }

    #[inline]
    pub fn is_due(&self, now: Instant) -> bool {
        self.shift.is_some_and(|shift| shift.ends <= now) || self.serve_rx && !self.rx.is_empty()
    }

    /// Clocks the frames that end up to `now`, DMA moving what it can beside them.
    pub fn advance(&mut self, now: Instant, peers: &mut Peers, ctx: &mut Context) {
        while let Some(Shift { mosi, ends }) = self.shift
            && ends <= now
        {
            let miso = peers.shield.exchange(mosi, ends, ctx);
            self.shift = None;
            self.finish_frame(miso, ends, peers, ctx);
            self.begin_frame(ends);
            if self.serve_tx {
                self.fill(ends, peers, ctx);
            }
        }
        if self.serve_rx {
            self.drain(now, peers, ctx);
        }
    }

    fn finish_frame(&mut self, miso: u8, ends: Instant, peers: &mut Peers, ctx: &mut Context) {
        let seen = ends + self.timing.map_or(Span::ZERO, |timing| timing.seen);
        self.frames += 1;
        self.idle_at = seen;
        if self.comm != Comm::Transmitter {
            if self.serve_rx {
                self.drain(ends, peers, ctx);
            }
            // Nothing is received any more until the overrun is cleared (recalled).
            if self.flags & sr::OVR != 0 || !self.rx.push(miso, seen) {
                self.flags |= sr::OVR;
            }
        }
        if self.size > 0 {
            self.to_clock -= 1;
            if self.to_clock == 0 {
                self.started = false;
                self.eot_at = seen;
            }
        }
    }

    /// Begins the next frame at `at`, or when its byte has come through, if there is one.
    fn begin_frame(&mut self, at: Instant) {
        let Some(timing) = self.timing else { return };
        if !self.started {
            return;
        }
        let (mosi, start) = match self.comm {
            Comm::Receiver => (RECEIVER_MOSI, at),
            _ => match self.tx.pop() {
                Some((byte, ready)) => (byte, at.max(ready)),
                None => return,
            },
        };
        self.sck_hz = Some(timing.sck_hz);
        self.shift = Some(Shift {
            mosi,
            ends: start + timing.frame,
        });
    }

    /// DMA's service of both FIFOs as they are at `now`, outside [`Engine::advance`].
    pub fn serve_dma(&mut self, now: Instant, peers: &mut Peers, ctx: &mut Context) {
        if !self.enabled {
            return;
        }
        if self.serve_tx {
            self.fill(now, peers, ctx);
            if self.shift.is_none() {
                self.begin_frame(now);
                self.fill(now, peers, ctx);
            }
        }
        if self.serve_rx {
            self.drain(now, peers, ctx);
        }
    }

    fn fill(&mut self, now: Instant, peers: &mut Peers, ctx: &mut Context) {
        while self.has_room() {
            let Some(byte) = peers.dma.give(ctx.memory) else {
                return;
            };
            self.enqueue(byte, now);
        }
    }

    fn drain(&mut self, now: Instant, peers: &mut Peers, ctx: &mut Context) {
        while peers.dma.serves(Request::Spi1Rx)
            && let Some(byte) = self.rx.pop_seen(now)
        {
            peers.dma.take(byte, ctx.memory);
        }
    }

    /// When DMA moves the byte that sets its next flag, as long as nobody interferes.
    pub fn next_dma_flag(&self, dma: &Dma) -> Instant {
        let (Some(shift), Some(timing)) = (self.shift, self.timing) else {
            return self.next_drained_flag(dma);
        };
        let after = |frames: u64| {
            let more = frames.saturating_sub(1) * timing.frame.as_ps();
            shift.ends + Span::from_ps(more)
        };
        let sent = self
            .serve_tx
            .then(|| dma.until_flag(Request::Spi1Tx))
            .flatten()
            // One byte goes into the full FIFO with each that leaves it.
            .filter(|_| self.size == 0 || self.to_write > 0)
            .map_or(Instant::NEVER, after);
        let received = self
            .serve_rx
            .then(|| dma.until_flag(Request::Spi1Rx))
            .flatten()
            .map(|bytes| bytes.saturating_sub(self.rx.len() as u64))
            .filter(|frames| *frames <= self.supply(dma))
            .map_or(Instant::NEVER, |frames| match frames {
                0 => self.idle_at,
                _ => after(frames) + timing.seen,
            });
        sent.min(received)
    }

    /// The last bytes are in the FIFO and about to be seen.
    fn next_drained_flag(&self, dma: &Dma) -> Instant {
        if self.serve_rx && dma.serves(Request::Spi1Rx) && !self.rx.is_empty() {
            self.idle_at
        } else {
            Instant::NEVER
        }
    }

    /// Frames that will be clocked without software's help.
    fn supply(&self, dma: &Dma) -> u64 {
        let limit = if self.size > 0 {
            u64::from(self.to_clock)
        } else {
            u64::MAX
        };
        if self.comm == Comm::Receiver {
            return limit;
        }
        let by_dma = if self.serve_tx {
            dma.left(Request::Spi1Tx)
        } else {
            0
        };
        ((1 + self.tx.len() + by_dma) as u64).min(limit)
    }

    /// When the status changes next, as long as nobody interferes; after `now`.
    pub fn next_change(&self, now: Instant) -> Instant {
        let ends = self.shift.map_or(Instant::NEVER, |shift| shift.ends);
        let idle = [self.idle_at, self.eot_at]
            .into_iter()
            .filter(|at| *at > now);
        idle.fold(ends.min(self.rx.next_seen(now)), Instant::min)
    }
}

/// What the registers show of it.
impl Engine {
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    pub fn is_started(&self) -> bool {
        self.started
    }

    pub fn is_endless(&self) -> bool {
        self.size == 0
    }

    pub fn packet(&self) -> usize {
        self.packet
    }

    pub fn frames_left(&self) -> u32 {
        self.to_clock
    }

    pub fn received(&self, now: Instant) -> usize {
        self.rx.seen(now)
    }

    /// Whether a packet more fits into the transmit FIFO and into the size.
    pub fn has_room(&self) -> bool {
        let room = self.tx.free() >= self.packet.min(CAPACITY);
        room && (self.size == 0 || self.to_write > 0)
    }

    /// Event flags at `now`.
    pub fn flags(&self, now: Instant) -> u32 {
        let eot = if self.eot_at <= now { sr::EOT } else { 0 };
        self.flags | eot
    }

    /// TXC: with a size, that it is reached; without, that nothing is left to send.
    pub fn is_transmission_complete(&self, now: Instant) -> bool {
        if self.size > 0 && self.started {
            return false;
        }
        self.shift.is_none() && self.tx.is_empty() && self.idle_at <= now
    }
}
