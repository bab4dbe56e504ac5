//! Peripherals of the STM32H723, and the bus that leads to them.
//!
//! A register that the part has and this board does not model ends the run and is named. An access to a
//! peripheral whose clock is switched off reads 0 and writes nothing; it is counted and reported, since a
//! firmware that does so has a fault, but does not end the run: nothing says that it would on the part
//! (assumed).

pub mod clocks;
pub mod context;
pub mod dbgmcu;
pub mod dma;
pub mod dmamux;
pub mod eth;
pub mod exti;
pub mod flash;
pub mod gpio;
pub mod limits;
pub mod pwr;
pub mod rcc;
pub mod rtt;
pub mod shield;
pub mod spi;
pub mod syscfg;
pub mod tim2;

mod access_cost;
mod bus;
mod map;
mod peripherals;
mod registers;

#[cfg(test)]
mod noise;
#[cfg(test)]
mod testbed;
#[cfg(test)]
mod tests;

use crate::bus::AccessError;
use crate::chips::LinkMode;
use crate::chips::lan8742a::PhyTiming;
use crate::chips::w5500::{self, W5500};
use crate::config::NetworkDevice;
use crate::cost::CostTable;
use crate::irq::IrqLines;
use crate::memory::Memory;
use crate::net::Network;
use crate::net::host::HostConfig;
use crate::net::wire::WireConfig;
use crate::schedule::{Event, Schedule};
use crate::time::{CoreClock, Instant};
use access_cost::AccessCost;
use clocks::{Clocks, HSI_HZ};
use context::Context;
use eth::{Eth, EthCounters, StaleLine};
use limits::ClockViolation;
use map::Block;
use peripherals::Peripherals;
use rtt::RttProbe;
use shield::{INTERRUPT, Shield};

/// What the part is built with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SocConfig {
    /// What accesses to peripherals cost.
    pub cost: CostTable,
    /// The option bit that allows 550 MHz at VOS0 (CPU_FREQ_BOOST; EMB rcc/h.rs).
    pub cpu_freq_boost: bool,
    /// Where the firmware's RTT control block lies, if a debug probe shall read it.
    pub rtt_control_block: Option<u32>,
    /// The jack that the wire is plugged into.
    pub jack: NetworkDevice,
    pub phy: PhyTiming,
    pub w5500: w5500::Parameters,
    pub wire: WireConfig,
    pub host: HostConfig,
}

/// Accesses to peripherals and gated memories, as faults of the firmware may show in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccessStats {
    pub loads: u64,
    pub stores: u64,
    /// Accesses to peripherals, SRAM1 or SRAM2 whose clock was off.
    pub unclocked: u64,
    /// The address of the first of these; of a memory only if there is none of a peripheral.
    pub first_unclocked: Option<u32>,
}

/// The part without its core.
#[derive(Debug)]
pub struct Soc {
    memory: Memory,
    irq: IrqLines,
    schedule: Schedule,
    core_clock: CoreClock,
    clocks: Clocks,
    clock_epoch: u32,
    cost: CostTable,
    access_cost: AccessCost,
    /// [`Schedule::next`] when it was last made a core cycle, and that cycle.
    next_event: Instant,
    next_event_cycle: u64,
    /// The page of the last access to a peripheral, the peripheral, and where that begins.
    located: (u32, Block, u32),
    /// The last access was a load of SPI1's status, and no event came after it.
    polled: bool,
    /// What [`Bus::last_access_was_quiet`](crate::bus::Bus::last_access_was_quiet) says.
    quiet: bool,
    stats: AccessStats,
    cpu_freq_boost: bool,
    violation: Option<ClockViolation>,
    pause: bool,
    host_event: bool,
    probe: Option<RttProbe>,

    peripherals: Peripherals,
    network: Network,
}

/// Where the part's unique id lies (recalled), and the id of this one.
const UNIQUE_ID: (u32, [u8; 12]) = (0x1FF1_E800, *b"EMULATEDH723");

/// PC13, the user button: low while nobody presses it (BSP).
const BUTTON: (usize, u32) = (2, 13);

/// Events that a reset of the board calls off: all but those of the wire, the far end and the probe.
const EVENTS_OF_THE_BOARD: [Event; 13] = [
    Event::EthTx,
    Event::EthRx,
    Event::EthReset,
    Event::Mdio,
    Event::Phy,
    Event::W5500,
    Event::Spi1,
    Event::Dma,
    Event::Tim2,
    Event::Rcc,
    Event::Pwr,
    Event::Syscfg,
    Event::Pause,
];

impl Soc {
    /// The part after power-on, its flash holding what `memory` holds.
    pub fn new(config: SocConfig, mut memory: Memory) -> Self {
        memory.program(UNIQUE_ID.0, &UNIQUE_ID.1);
        let clocks = Clocks::after_reset();
        let mut schedule = Schedule::default();
        if config.rtt_control_block.is_some() {
            schedule.set(Event::Rtt, Instant::ZERO + rtt::POLL_PERIOD);
        }
        let cable = config.jack == NetworkDevice::Stm32Mac;
        let eth = Eth::new(config.phy, cable, &mut schedule);
        let cable = config.jack == NetworkDevice::W5500;
        let shield = Shield::new(W5500::new(config.w5500, cable, &mut schedule));
        let peripherals =
            Peripherals::new(config.cpu_freq_boost, &clocks, config.jack, eth, shield);
        let mut soc = Self {
            memory,
            irq: IrqLines::default(),
            schedule,
            core_clock: CoreClock::new(HSI_HZ),
            clock_epoch: 0,
            access_cost: AccessCost::new(&config.cost, &clocks),
            cost: config.cost,
            next_event: Instant::NEVER,
            next_event_cycle: u64::MAX,
            located: (0, Block::Rcc, 0),
            polled: false,
            quiet: false,
            stats: AccessStats::default(),
            cpu_freq_boost: config.cpu_freq_boost,
            violation: None,
            pause: false,
            host_event: false,
            probe: config.rtt_control_block.map(RttProbe::new),
            peripherals,
            network: Network::new(config.wire, config.host),
            clocks,
        };
        soc.drive_idle_pins(Instant::ZERO);
        soc.apply_sram_clocks();
        soc.refresh_next_event();
        soc
    }

    /// The board's reset pin goes low and high again before `cycle`: all but the core is as after
    /// power-on, while time goes on, SRAM keeps its content (RM0468 §8.3), and so does the network
    /// beyond the socket. PHY and shield hang on the same pin.
    pub fn reset(&mut self, cycle: u64) {
        let now = self.instant_at(cycle);
        for event in EVENTS_OF_THE_BOARD {
            self.schedule.cancel(event);
        }
        self.irq = IrqLines::default();
        self.violation = None;
        self.pause = false;
        self.clocks = Clocks::after_reset();
        self.core_clock.retune(cycle, HSI_HZ);
        self.access_cost = AccessCost::new(&self.cost, &self.clocks);
        self.clock_epoch += 1;
        (self.polled, self.quiet) = (false, false);
        let (peripherals, mut ctx) = self.split(now);
        peripherals.power_on_reset(&mut ctx);
        self.drive_idle_pins(now);
        self.apply_sram_clocks();
        self.refresh_next_event();
    }

    /// The cable is plugged into the board's jack or pulled, at `now`.
    pub fn set_cable(&mut self, plugged: bool, now: Instant) {
        let (peripherals, mut ctx) = self.split(now);
        peripherals.set_cable(plugged, &mut ctx);
        self.refresh_next_event();
    }

    /// What the board does to the part's pins by itself.
    fn drive_idle_pins(&mut self, now: Instant) {
        self.drive_pin(BUTTON.0, BUTTON.1, Some(false), now);
        self.drive_pin(INTERRUPT.0, INTERRUPT.1, Some(true), now);
    }

    /// The instant at which core cycle `cycle` begins.
    pub fn instant_at(&self, cycle: u64) -> Instant {
        self.core_clock.instant_at(cycle)
    }

    /// The first core cycle that begins at `instant` or later, at the present frequency.
    pub fn cycle_at(&self, instant: Instant) -> u64 {
        self.core_clock.cycle_at(instant)
    }

    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// The setting outside the part's specification that ended the run, if one did.
    pub fn violation(&self) -> Option<ClockViolation> {
        self.violation
    }

    pub fn access_stats(&self) -> AccessStats {
        let (unclocked, first) = self.memory.unclocked_accesses();
        AccessStats {
            unclocked: self.stats.unclocked + unclocked,
            first_unclocked: self.stats.first_unclocked.or(first),
            ..self.stats
        }
    }

    /// What happened to frames in the Ethernet block.
    pub fn eth_counters(&self) -> EthCounters {
        self.peripherals.eth.counters()
    }

    /// Lets the core see one line of a frame that the Ethernet block receives from now on as if its data
    /// cache still held what was there before.
    pub fn leave_stale_line(&mut self, line: StaleLine) {
        self.peripherals.eth.leave_stale_line(line);
    }

    /// The W5500 on the shield.
    pub fn w5500(&self) -> &W5500 {
        self.peripherals.shield.chip()
    }

    /// The frequency on the SCK pin of SPI1 during its last frame.
    pub fn sck_hz(&self) -> Option<u64> {
        self.peripherals.spi1.sck_hz()
    }

    /// Bytes that SPI1 clocked out and in.
    pub fn spi_bytes(&self) -> u64 {
        self.peripherals.spi1.frames()
    }

    /// What the link of the jack with the cable runs at, if it is up.
    pub fn link_mode(&self) -> Option<LinkMode> {
        let native = self.peripherals.eth.link_mode();
        native.or_else(|| self.w5500().link_mode())
    }

    /// The debug probe, if the firmware has an RTT control block.
    pub fn probe(&mut self) -> Option<&mut RttProbe> {
        self.probe.as_mut()
    }

    /// Lets the probe read at `now` what it would read at its next look.
    pub fn poll_probe(&mut self, now: Instant) {
        if let Some(probe) = &mut self.probe {
            probe.poll(now, &mut self.memory);
        }
    }

    /// The network beyond the board's socket.
    pub fn network(&mut self) -> &mut Network {
        &mut self.network
    }

    /// Puts on the wire at `now` what the host was told to send.
    pub fn flush_host(&mut self, now: Instant) {
        self.network.flush(now, &mut self.schedule);
        self.refresh_next_event();
    }

    /// Whether a datagram or a ping answer reached the host since the last call.
    pub fn take_host_event(&mut self) -> bool {
        std::mem::take(&mut self.host_event)
    }

    /// Something outside drives a pin (port A = 0) at `now`: high, low or (`None`) not any more.
    pub fn drive_pin(&mut self, port: usize, pin: u32, level: Option<bool>, now: Instant) {
        let (peripherals, mut ctx) = self.split(now);
        peripherals.drive_pin(port, pin, level, &mut ctx);
    }

    /// Applies settings of clocks, supply and wait states that a store or an event at `cycle` changed.
    fn apply_clocks(&mut self, cycle: u64) {
        self.apply_sram_clocks();
        let now = self.core_clock.instant_at(cycle);
        let settled = self.peripherals.rcc.clocks().and_then(|clocks| {
            let latency = self.peripherals.flash.latency();
            limits::check(
                &clocks,
                self.peripherals.pwr.scale(),
                self.cpu_freq_boost,
                latency,
            )?;
            Ok(clocks)
        });
        match settled {
            Ok(clocks) if clocks != self.clocks => self.switch_clocks(clocks, cycle, now),
            Ok(_) => {}
            Err(violation) => {
                self.violation.get_or_insert(violation);
                self.schedule.set(Event::Pause, now);
            }
        }
    }

    /// Gives SRAM1 and SRAM2 the clocks that RCC has for them.
    fn apply_sram_clocks(&mut self) {
        let (sram1, sram2) = self.peripherals.rcc.sram_clocks();
        if self.memory.set_sram_clocks(sram1, sram2) {
            // The core takes up its paths to memory anew.
            self.clock_epoch += 1;
        }
    }

    /// Puts `clocks` in force. What is under way at a fixed end (a frame, an MDIO transaction) keeps it.
    fn switch_clocks(&mut self, clocks: Clocks, cycle: u64, now: Instant) {
        if clocks.core_hz != self.clocks.core_hz {
            self.core_clock.retune(cycle, clocks.core_hz);
            // A limit that the core was given in cycles of the old length has to be set anew.
            self.schedule.set(Event::Pause, now);
        }
        self.access_cost = AccessCost::new(&self.cost, &clocks);
        self.clock_epoch += 1;
        self.clocks = clocks;
        let (peripherals, mut ctx) = self.split(now);
        peripherals.tim2.retune(ctx.clocks.timers1_hz, &mut ctx);
        peripherals.spi1.retune(ctx.clocks);
    }

    fn handle(&mut self, event: Event, at: Instant, cycle: u64) {
        match event {
            Event::Rtt => {
                self.poll_probe(at);
                self.schedule.set(Event::Rtt, at + rtt::POLL_PERIOD);
            }
            Event::Pause => self.pause = true,
            Event::WireToHost | Event::Host => {
                self.network.on_event(event, at, &mut self.schedule);
            }
            _ => {
                let (peripherals, mut ctx) = self.split(at);
                peripherals.on_event(event, &mut ctx);
            }
        }
        if matches!(event, Event::Rcc | Event::Pwr) {
            self.apply_clocks(cycle);
        }
    }

    fn split(&mut self, now: Instant) -> (&mut Peripherals, Context<'_>) {
        let ctx = Context {
            now,
            schedule: &mut self.schedule,
            irq: &mut self.irq,
            memory: &mut self.memory,
            clocks: &self.clocks,
            wire: &mut self.network.wire,
        };
        (&mut self.peripherals, ctx)
    }

    /// The peripheral at `address` and the offset in it: nearly always the one of the access before.
    #[inline]
    fn locate(&mut self, address: u32) -> Result<(Block, u32), AccessError> {
        let (page, block, base) = self.located;
        if address & map::PAGE_MASK == page {
            return Ok((block, address - base));
        }
        let (block, offset) = map::locate(address)?;
        self.located = (address & map::PAGE_MASK, block, address - offset);
        Ok((block, offset))
    }

    /// After an access: takes over what it changed of the schedule.
    #[inline]
    fn conclude_access(&mut self) {
        let next = self.schedule.next();
        self.quiet =
            next >= self.next_event && !self.irq.has_changed() && !self.memory.is_code_written();
        if next != self.next_event {
            self.refresh_next_event();
        }
    }

    fn note_unclocked(&mut self, address: u32) {
        self.stats.unclocked += 1;
        self.stats.first_unclocked.get_or_insert(address);
    }

    fn refresh_next_event(&mut self) {
        self.next_event = self.schedule.next();
        self.next_event_cycle = self.core_clock.cycle_at(self.next_event);
    }
}
