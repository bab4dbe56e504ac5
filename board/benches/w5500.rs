//! Time of an SPI byte at the W5500, in the traffic of echoed MACRAW frames:
//! `cargo bench -p board --bench w5500`.

use std::time::Instant as WallClock;

use board::chips::w5500::{ChipContext, Parameters, W5500};
use board::net::wire::{Direction, Wire, WireConfig};
use board::schedule::{Event, Schedule};
use board::time::Instant;

const ROUNDS: u32 = 30_000;
/// Sockets 0's blocks, for reading.
const REGISTERS: u8 = 1 << 3;
const TX: u8 = 2 << 3;
const RX: u8 = 3 << 3;
const WRITE: u8 = 1 << 2;
const BYTE_NS: u64 = 320;
const UP_NS: u64 = 2_000_000_000;

struct Bench {
    chip: W5500,
    schedule: Schedule,
    wire: Wire,
    now_ns: u64,
    bytes: u64,
}

impl Bench {
    fn call<R>(&mut self, act: impl FnOnce(&mut W5500, &mut ChipContext) -> R) -> R {
        let mut ctx = ChipContext {
            now: Instant::from_ns(self.now_ns),
            schedule: &mut self.schedule,
            wire: &mut self.wire,
        };
        act(&mut self.chip, &mut ctx)
    }

    fn run_events(&mut self) {
        while let Some((event, at)) = self.schedule.take(Instant::from_ns(self.now_ns)) {
            if event == Event::WireToHost {
                while let Some(frame) = self.wire.receive(Direction::ToHost, at, &mut self.schedule)
                {
                    self.wire.recycle(frame);
                }
            } else {
                self.call(|chip, ctx| chip.on_event(event, ctx));
            }
        }
    }

    /// One transaction; the last byte read.
    fn transaction(&mut self, block: u8, address: u16, data: &[u8]) -> u8 {
        let [high, low] = address.to_be_bytes();
        let mut now_ns = self.now_ns;
        self.bytes += 3 + data.len() as u64;
        let last = self.call(|chip, ctx| {
            chip.select(ctx);
            let mut last = 0;
            for byte in [high, low, block].iter().chain(data) {
                now_ns += BYTE_NS;
                ctx.now = Instant::from_ns(now_ns);
                last = chip.exchange(*byte, ctx);
            }
            chip.deselect(ctx);
            last
        });
        self.now_ns = now_ns;
        self.run_events();
        last
    }

    /// What WIZ does for one echoed frame whose pointers both stand at `at`.
    fn echo(&mut self, at: u16, frame: &[u8]) {
        let end = at.wrapping_add(frame.len() as u16);
        self.transaction(REGISTERS, 0x26, &[0; 2]);
        self.transaction(REGISTERS, 0x26, &[0; 2]);
        self.transaction(REGISTERS | WRITE, 0x02, &[4]);
        self.transaction(REGISTERS, 0x28, &[0; 2]);
        self.transaction(RX, at, &[0; 2]);
        self.transaction(RX, at.wrapping_add(2), frame);
        self.transaction(REGISTERS | WRITE, 0x28, &end.wrapping_add(2).to_be_bytes());
        self.transaction(REGISTERS | WRITE, 0x01, &[0x40]);
        self.transaction(REGISTERS, 0x20, &[0; 2]);
        self.transaction(REGISTERS, 0x24, &[0; 2]);
        self.transaction(TX | WRITE, at, frame);
        self.transaction(REGISTERS | WRITE, 0x24, &end.to_be_bytes());
        self.transaction(REGISTERS | WRITE, 0x01, &[0x20]);
    }
}

fn main() {
    let mut schedule = Schedule::default();
    let chip = W5500::new(Parameters::default(), true, &mut schedule);
    let mut bench = Bench {
        chip,
        schedule,
        wire: Wire::new(WireConfig::default()),
        now_ns: UP_NS,
        bytes: 0,
    };
    bench.run_events();
    bench.transaction(REGISTERS | WRITE, 0x1E, &[16, 16]);
    bench.transaction(REGISTERS | WRITE, 0x00, &[0x04]);
    bench.transaction(REGISTERS | WRITE, 0x01, &[0x01]);
    for len in [142_usize, 1_514] {
        let frame = vec![0x5A; len];
        let (bytes, started) = (bench.bytes, WallClock::now());
        let mut at = 0_u16;
        for _ in 0..ROUNDS {
            bench.echo(at, &frame);
            at = at.wrapping_add(len as u16);
        }
        let bytes = bench.bytes - bytes;
        let ns = started.elapsed().as_nanos() as f64 / bytes as f64;
        println!("{len} bytes a frame: {bytes} SPI bytes, {ns:.2} ns each");
    }
    println!("{} frames sent", bench.chip.counters().frames_sent);
}
