//! Bytes as a script of what a master and a network do to the chip; every byte string is one.

use board::chips::w5500::{ChipContext, Parameters, RecvPastData, SendBeyondSpace, W5500};
use board::net::frame;
use board::net::wire::{Direction, Wire, WireConfig};
use board::schedule::{Event, Schedule};
use board::time::{Instant, Span};

use crate::peer::{self, Peer};

/// Plays the script `bytes` on a chip whose link is up; gives the states of the sockets (Sn_SR) at its end.
pub fn play(bytes: &[u8]) -> [u8; 8] {
    let mut script = Script(bytes);
    let mut stage = Stage::new(parameters(&mut script));
    stage.pass(Span::from_ms(5_000));
    if script.operand() & 1 != 0 {
        stage.configure();
    }
    while let Some(step) = script.byte() {
        stage.step(step, &mut script);
    }
    stage.deselect();
    let states = std::array::from_fn(|socket| stage.state(socket as u8));
    // Whatever was begun may end.
    stage.pass(Span::from_ms(60_000));
    states
}

/// The chip's parameters where they choose between behaviours.
fn parameters(script: &mut Script) -> Parameters {
    let choice = script.operand();
    let mut parameters = Parameters {
        macraw_gets_all: choice & 1 != 0,
        pointer_at_open: u16::from(choice) << 8,
        ..Parameters::default()
    };
    if choice & 2 != 0 {
        parameters.recv_past_data = RecvPastData::Clamped;
    }
    if choice & 4 != 0 {
        parameters.send_beyond_space = SendBeyondSpace::Ignored;
    }
    parameters
}

/// The rest of the script; operands beyond its end are zero.
struct Script<'a>(&'a [u8]);

impl Script<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn operand(&mut self) -> u8 {
        self.byte().unwrap_or(0)
    }
}

struct Stage {
    chip: W5500,
    wire: Wire,
    schedule: Schedule,
    now: Instant,
    peer: Peer,
}

/// Protocol modes and commands that do something.
const MODES: [u8; 6] = [0x01, 0x02, 0x04, 0x84, 0x82, 0x0F];
const COMMANDS: [u8; 9] = [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x21, 0x22, 0x40];

impl Stage {
    fn new(parameters: Parameters) -> Self {
        let mut schedule = Schedule::default();
        Self {
            chip: W5500::new(parameters, true, &mut schedule),
            wire: Wire::new(WireConfig::default()),
            schedule,
            now: Instant::ZERO,
            peer: Peer::default(),
        }
    }

    /// Addresses by which the peer and every socket find each other.
    fn configure(&mut self) {
        let addresses: [&[u8]; 4] = [
            &peer::IP,
            &[255, 255, 255, 0],
            &peer::CHIP_MAC,
            &peer::CHIP_IP,
        ];
        self.write(0x01, 0, &addresses.concat());
        for (socket, port) in (0..8).zip(peer::CHIP_PORT..) {
            self.write(0x04, socket * 4 + 1, &port.to_be_bytes());
            let peer = [&peer::IP[..], &peer::PORT.to_be_bytes()].concat();
            self.write(0x0C, socket * 4 + 1, &peer);
        }
    }

    fn step(&mut self, step: u8, script: &mut Script) {
        match step % 10 {
            0 => self.select(),
            1 => self.deselect(),
            2 => drop(self.exchange(script.operand())),
            3 => self.pass(Span::from_us(u64::from(script.operand()) * 50)),
            4 => self.frame(script),
            5 => {
                // A register of a socket, or of the common block.
                let (socket, register) = (script.operand() % 9, script.operand() % 0x3A);
                let value = script.operand();
                let block = if socket == 8 { 0 } else { socket * 4 + 1 };
                self.write(u16::from(register), block, &[value]);
            }
            6 => {
                let (socket, mode) = (script.operand() % 8, script.operand());
                let mode = MODES[usize::from(mode) % MODES.len()];
                self.write(0, socket * 4 + 1, &[mode]);
            }
            7 => {
                let (socket, command) = (script.operand() % 8, script.operand());
                let command = COMMANDS[usize::from(command) % COMMANDS.len()];
                self.write(1, socket * 4 + 1, &[command]);
            }
            8 => {
                if let Some(frame) = self.peer.answer(&mut || script.operand()) {
                    self.deliver(&frame);
                }
            }
            _ => self.deliver(&Peer::call(&mut || script.operand())),
        }
        if step & 0x80 != 0 {
            let (chip, mut ctx) = self.chip();
            chip.stray_clock(&mut ctx);
        }
        if step & 0x7F == 0x7F {
            let (chip, mut ctx) = self.chip();
            chip.reset(&mut ctx);
        }
    }

    fn chip(&mut self) -> (&mut W5500, ChipContext<'_>) {
        let ctx = ChipContext {
            now: self.now,
            schedule: &mut self.schedule,
            wire: &mut self.wire,
        };
        (&mut self.chip, ctx)
    }

    fn select(&mut self) {
        let (chip, mut ctx) = self.chip();
        chip.select(&mut ctx);
    }

    fn deselect(&mut self) {
        let (chip, mut ctx) = self.chip();
        chip.deselect(&mut ctx);
    }

    fn exchange(&mut self, mosi: u8) -> u8 {
        self.pass(Span::from_ns(320));
        let (chip, mut ctx) = self.chip();
        chip.exchange(mosi, &mut ctx)
    }

    fn write(&mut self, address: u16, block: u8, bytes: &[u8]) {
        self.deselect();
        self.select();
        let [high, low] = address.to_be_bytes();
        for &byte in [high, low, block << 3 | 4].iter().chain(bytes) {
            self.exchange(byte);
        }
        self.deselect();
    }

    fn state(&mut self, socket: u8) -> u8 {
        self.select();
        for byte in [0, 3, (socket * 4 + 1) << 3] {
            self.exchange(byte);
        }
        let state = self.exchange(0);
        self.deselect();
        state
    }

    /// A frame from the network: to everybody, to the chip's address at reset, or to anybody.
    fn frame(&mut self, script: &mut Script) {
        let kind = script.operand();
        let length = 14 + usize::from(script.operand()) * 6;
        let mut content = vec![0; length];
        match kind % 3 {
            0 => content[..6].fill(0xFF),
            1 => content[..6].fill(0),
            _ => content[..6].fill(script.operand()),
        }
        content[12] = 0x08;
        content[13] = if kind & 0x80 == 0 { 0x00 } else { 0x06 };
        for byte in content.iter_mut().skip(14).take(48) {
            *byte = script.operand();
        }
        content.resize(length.clamp(60, 1_514), 0);
        let mut frame = content;
        frame::append_fcs(&mut frame);
        self.deliver(&frame);
    }

    fn deliver(&mut self, frame: &[u8]) {
        self.wire
            .send(Direction::ToBoard, frame, self.now, &mut self.schedule);
    }

    fn pass(&mut self, span: Span) {
        let until = self.now + span;
        while let Some((event, at)) = self.schedule.take(until) {
            self.now = at;
            if event == Event::WireToHost {
                while let Some(frame) = self.wire.receive(Direction::ToHost, at, &mut self.schedule)
                {
                    assert!(
                        frame::is_intact(&frame),
                        "a frame with a wrong check sequence"
                    );
                    self.peer.hear(&frame);
                    self.wire.recycle(frame);
                }
                continue;
            }
            let (chip, mut ctx) = self.chip();
            chip.on_event(event, &mut ctx);
        }
        self.now = until;
    }
}
