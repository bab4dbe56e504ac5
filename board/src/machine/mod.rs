//! The board as a whole: firmware in, virtual time on, datagrams and log out.

mod stats;

#[cfg(test)]
mod tests;

pub use stats::BoardStats;

use std::net::Ipv4Addr;
use std::ops::Range;

use crate::bus::Bus;
use crate::chips::LinkMode;
use crate::chips::w5500::W5500;
use crate::config::BoardConfig;
use crate::cpu::{Cpu, Exit, FaultRecord, Options, StopReason};
use crate::elf::Firmware;
use crate::error::{BoardError, RunError, RunErrorKind};
use crate::log::FirmwareLog;
use crate::memory::Memory;
use crate::net::external::ExternalPort;
use crate::net::host::Host;
use crate::net::pcap::CaptureError;
use crate::soc::{Soc, SocConfig};
use crate::time::Instant;

/// Symbol of the RTT control block.
const RTT_SYMBOL: &str = "_SEGGER_RTT";
/// Symbol of the exception handler that ends a run.
const HARD_FAULT_SYMBOL: &str = "HardFault";
/// Function that every Rust panic ends in.
const PANIC_FUNCTION: &str = "rust_begin_unwind";

/// Why [`Board::run_until`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The instant is reached.
    TimeReached,
    /// A datagram or a ping answer reached one of the host's sockets, or a frame the port in the host's
    /// place, just now.
    HostEvent,
}

/// An emulated NUCLEO-H723ZG with a host on the far end of its Ethernet cable.
#[derive(Debug)]
pub struct Board {
    cpu: Cpu,
    soc: Soc,
    firmware: Firmware,
    /// The code of the function that every panic ends in.
    panic_code: Range<u32>,
    log: FirmwareLog,
}

impl Board {
    /// A board that holds the firmware of an ELF file, at power-on.
    ///
    /// # Errors
    /// [`BoardError`] when the file is no firmware for this part or its log cannot be decoded.
    pub fn new(config: BoardConfig, elf: &[u8]) -> Result<Self, BoardError> {
        let firmware = Firmware::parse(elf)?;
        let log = FirmwareLog::new(elf)?;
        let mut memory = Memory::default();
        firmware.program(&mut memory);
        memory.set_cache_model(config.data_cache);

        let symbols = firmware.symbols();
        let mut soc = Soc::new(
            SocConfig {
                cost: config.cost.clone(),
                cpu_freq_boost: config.cpu_freq_boost,
                rtt_control_block: symbols.address(RTT_SYMBOL),
                jack: config.jack,
                phy: config.phy,
                w5500: config.w5500,
                wire: config.wire,
                host: config.host,
            },
            memory,
        );
        if let Some(external) = config.external {
            soc.network().plug_into_external(external);
        }
        if let Some(capture) = config.capture {
            soc.network().wire.capture_into(capture);
        }
        let options = Options {
            idle_skip: config.idle_skip,
            ..Options::default()
        };
        let mut cpu = Cpu::new(config.cost, options);
        if let Some(handler) = symbols.address(HARD_FAULT_SYMBOL) {
            cpu.watch(handler, HARD_FAULT_SYMBOL);
        }
        cpu.reset(&mut soc, Firmware::BOOT_ADDRESS);
        let panic_code = symbols.function(PANIC_FUNCTION).unwrap_or_default();
        Ok(Self {
            panic_code,
            cpu,
            soc,
            firmware,
            log,
        })
    }

    /// Runs until `instant`, or until something reaches the host.
    ///
    /// Time passes in whole instructions: [`Board::now`] can be the length of one behind `instant`.
    ///
    /// # Errors
    /// [`RunError`] when the firmware cannot go on. The board stays where that happened.
    pub fn run_until(&mut self, instant: Instant) -> Result<Stop, RunError> {
        self.soc.flush_host(self.now());
        let stop = self.run(instant)?;
        self.read_log();
        // A panic handler that loops would never end the run by itself.
        if self.panic_code.contains(&self.cpu.pc()) {
            return Err(self.run_error(RunErrorKind::Panic { message: None }, self.cpu.pc()));
        }
        Ok(stop)
    }

    fn run(&mut self, instant: Instant) -> Result<Stop, RunError> {
        loop {
            if self.soc.take_host_event() {
                return Ok(Stop::HostEvent);
            }
            let limit = self.soc.cycle_at(instant);
            if self.cpu.cycle() >= limit {
                return Ok(Stop::TimeReached);
            }
            let exit = self.cpu.run(&mut self.soc, limit);
            if let Some(violation) = self.soc.violation() {
                return Err(self.run_error(violation.into(), self.cpu.pc()));
            }
            if let Exit::Stopped(reason) = exit {
                return Err(self.stopped(reason));
            }
        }
    }

    /// Presses and releases the reset button: the firmware starts anew, with SRAM as it left it, while
    /// time and the rest of the network go on. Counters and log go on, too.
    pub fn reset(&mut self) {
        self.soc.poll_probe(self.now());
        self.read_log();
        self.soc.reset(self.cpu.cycle());
        self.cpu.reset(&mut self.soc, Firmware::BOOT_ADDRESS);
    }

    /// Plugs the cable into the board's jack, or pulls it.
    pub fn set_cable(&mut self, plugged: bool) {
        self.soc.set_cable(plugged, self.now());
    }

    /// The present virtual time.
    pub fn now(&self) -> Instant {
        self.soc.instant_at(self.cpu.cycle())
    }

    /// The computer on the far end of the cable. What it sends leaves it at [`Board::now`].
    pub fn host(&mut self) -> &mut Host {
        self.soc.network().host()
    }

    /// The port to outside the emulation, if the cable is plugged into one. What it sends leaves it at
    /// [`Board::now`].
    pub fn external(&mut self) -> Option<&mut ExternalPort> {
        self.soc.network().external()
    }

    /// The address that the far end's DHCP server gave to the board.
    pub fn lease(&mut self) -> Option<Ipv4Addr> {
        let network = self.soc.network();
        let bound = network.leases().iter().find(|lease| lease.bound);
        bound.map(|lease| lease.address)
    }

    /// What the link of the jack with the cable runs at, if it is up.
    pub fn link_mode(&self) -> Option<LinkMode> {
        self.soc.link_mode()
    }

    /// The W5500 on the shield.
    pub fn w5500(&self) -> &W5500 {
        self.soc.w5500()
    }

    /// The frequency on the SCK pin of the shield's SPI during the last byte, as clock tree and divider
    /// give it.
    pub fn sck_hz(&self) -> Option<u64> {
        self.soc.sck_hz()
    }

    /// What the firmware logged until now.
    pub fn log(&mut self) -> &mut FirmwareLog {
        &mut self.log
    }

    /// Counters since power-on.
    pub fn stats(&self) -> BoardStats {
        BoardStats::new(
            self.cpu.stats(),
            self.soc.access_stats(),
            self.soc.memory().cache_hazards(),
            self.soc.eth_counters(),
            self.soc.spi_bytes(),
            self.log.undecodable(),
        )
    }

    /// The part without its core, for those who want to look closer.
    pub fn soc(&mut self) -> &mut Soc {
        &mut self.soc
    }

    /// Ends the capture of the wire, if there is one.
    ///
    /// # Errors
    /// [`CaptureError`] when the capture is incomplete.
    pub fn finish_capture(&mut self) -> Result<(), CaptureError> {
        self.soc.network().wire.finish_capture()
    }

    fn read_log(&mut self) {
        if let Some(probe) = self.soc.probe() {
            for chunk in probe.take() {
                self.log.push(chunk);
            }
        }
    }

    fn stopped(&mut self, reason: StopReason) -> RunError {
        let (kind, pc) = match reason {
            StopReason::UnmodelledRegister {
                pc,
                address,
                block,
                offset,
            } => (
                RunErrorKind::UnmodelledRegister {
                    block,
                    offset,
                    address,
                },
                pc,
            ),
            StopReason::UnmodelledInstruction { pc, encoding } => {
                (RunErrorKind::UnmodelledInstruction { encoding }, pc)
            }
            StopReason::Undefined { pc, encoding } => {
                (RunErrorKind::UndefinedInstruction { encoding }, pc)
            }
            StopReason::LockUp { pc, cause } => {
                let cause = self.describe(&cause);
                (RunErrorKind::LockUp { cause }, pc)
            }
            StopReason::Breakpoint { pc, value } => (RunErrorKind::Breakpoint { value }, pc),
            StopReason::Watched { .. } => self.hard_fault(),
            StopReason::ResetRequested { pc } => (RunErrorKind::ResetRequested, pc),
        };
        self.run_error(kind, pc)
    }

    /// A HardFault is at the instruction that caused it, not at its handler.
    fn hard_fault(&self) -> (RunErrorKind, u32) {
        let fault = self.cpu.last_fault();
        let cause = fault.map(|fault| self.describe(&fault));
        let pc = fault.map_or(self.cpu.pc(), |fault| fault.pc);
        (RunErrorKind::HardFault { cause }, pc)
    }

    fn describe(&self, fault: &FaultRecord) -> String {
        match self.firmware.symbols().locate(fault.pc) {
            Some(place) => format!("{fault}, in {place}"),
            None => fault.to_string(),
        }
    }

    fn run_error(&mut self, kind: RunErrorKind, pc: u32) -> RunError {
        let at = self.now();
        self.soc.poll_probe(at);
        self.read_log();
        let place = self.firmware.symbols().locate(pc);
        let kind = if self.panic_code.contains(&pc) {
            let last_error = self
                .log
                .lines()
                .iter()
                .rev()
                .find(|l| l.level == Some("error"));
            RunErrorKind::Panic {
                message: last_error.map(|line| line.message.clone()),
            }
        } else {
            kind
        };
        RunError {
            kind,
            at,
            pc,
            place,
            log: self.log.lines().to_vec(),
        }
    }
}
