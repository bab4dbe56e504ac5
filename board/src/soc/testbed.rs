//! A core's stand-in for tests: it makes accesses and lets time pass.

use crate::bus::{AccessError, Bus, Loaded, Width};
use crate::memory::Memory;
use crate::soc::{Soc, SocConfig};
use crate::time::{Instant, Span};

pub const RCC: u32 = 0x5802_4400;
pub const PWR: u32 = 0x5802_4800;
pub const FLASH_ACR: u32 = 0x5200_2000;

pub struct Testbed {
    pub soc: Soc,
    pub cycle: u64,
}

impl Default for Testbed {
    fn default() -> Self {
        Self::new(SocConfig::default())
    }
}

impl Testbed {
    pub fn new(config: SocConfig) -> Self {
        Self {
            soc: Soc::new(config, Memory::default()),
            cycle: 0,
        }
    }

    pub fn now(&self) -> Instant {
        self.soc.instant_at(self.cycle)
    }

    pub fn try_load(&mut self, address: u32) -> Result<Loaded, AccessError> {
        self.soc.load(address, Width::Word, self.cycle)
    }

    pub fn load(&mut self, address: u32) -> u32 {
        self.try_load(address).expect("a modelled register").value
    }

    pub fn store(&mut self, address: u32, value: u32) {
        self.soc
            .store(address, Width::Word, value, self.cycle)
            .expect("a modelled register");
    }

    pub fn modify(&mut self, address: u32, clear: u32, set: u32) {
        let value = self.load(address);
        self.store(address, (value & !clear) | set);
    }

    /// Lets time pass event by event until `bits` of a register are set; fails after a virtual second.
    pub fn wait_for(&mut self, address: u32, bits: u32) {
        let end = self.now() + Span::from_ms(1_000);
        while self.load(address) & bits != bits {
            assert!(self.now() < end, "{bits:#x} of {address:#010x} never came");
            self.step();
        }
    }

    /// Whether nothing will happen but that the Ethernet link comes up.
    pub fn is_at_rest(&self) -> bool {
        let link_up = Instant::ZERO + SocConfig::default().phy.autonegotiation;
        self.soc.next_event_cycle() == self.soc.cycle_at(link_up)
    }

    /// Goes to the next event and runs it.
    pub fn step(&mut self) {
        self.cycle = self.soc.next_event_cycle();
        assert_ne!(self.cycle, u64::MAX, "nothing will ever happen");
        self.soc.run_events(self.cycle);
    }

    /// Lets time pass until `instant`, running what happens on the way.
    pub fn run_to(&mut self, instant: Instant) {
        while self.soc.next_event_cycle() <= self.soc.cycle_at(instant) {
            self.step();
        }
        self.cycle = self.soc.cycle_at(instant);
    }

    /// Whether interrupt line `line` is high.
    pub fn line(&mut self, line: usize) -> bool {
        self.soc.irq_lines().word(line / 32) >> (line % 32) & 1 != 0
    }
}

/// A clock setting of the kind that firmwares program.
#[derive(Clone, Copy)]
pub struct ClockSetup {
    /// D3CR.VOS.
    pub vos: u32,
    pub latency: u32,
    /// PLLCKSELR.PLLSRC: 0 HSI, 2 HSE (as bypass).
    pub source: u32,
    pub prescaler: u32,
    /// PLL1RGE: 0 for 1 to 2 MHz, 1 for 2 to 4 MHz, and so on.
    pub range: u32,
    pub multiplier: u32,
    pub p_divider: u32,
}

/// The published Rust builds' 400 MHz.
pub const MHZ_400: ClockSetup = ClockSetup {
    vos: 0b11,
    latency: 2,
    source: 0,
    prescaler: 4,
    range: 3,
    multiplier: 50,
    p_divider: 2,
};

/// The published performance build's 520 MHz.
pub const MHZ_520_HSI: ClockSetup = ClockSetup {
    vos: 0b00,
    latency: 3,
    prescaler: 8,
    multiplier: 65,
    p_divider: 1,
    ..MHZ_400
};

/// The published C build's 520 MHz.
pub const MHZ_520_HSE: ClockSetup = ClockSetup {
    source: 2,
    prescaler: 4,
    range: 1,
    multiplier: 260,
    ..MHZ_520_HSI
};

/// The highest frequency of the part, with its option for it.
pub const MHZ_550: ClockSetup = ClockSetup {
    multiplier: 275,
    ..MHZ_520_HSE
};

impl Testbed {
    /// Programs clocks in the order in which HALs do: supply, oscillator, PLL1, wait states, dividers
    /// (HCLK = core/2, APBs = HCLK/2), switch.
    pub fn program(&mut self, setup: ClockSetup) {
        const READY: u32 = 1 << 13;
        self.modify(PWR + 0x0C, 1 << 2, 1 << 1);
        self.wait_for(PWR + 0x04, READY);
        self.modify(PWR + 0x18, 0b11 << 14, setup.vos << 14);
        self.wait_for(PWR + 0x18, READY);
        if setup.source == 2 {
            self.modify(RCC, 0, 1 << 18);
            self.modify(RCC, 0, 1 << 16);
            self.wait_for(RCC, 1 << 17);
        }
        self.modify(RCC + 0x28, 0x3F3, setup.prescaler << 4 | setup.source);
        self.modify(RCC + 0x2C, 0xF, setup.range << 2);
        let dividers = 0x0101_0000 | (setup.p_divider - 1) << 9 | (setup.multiplier - 1);
        self.store(RCC + 0x30, dividers);
        self.modify(RCC, 0, 1 << 24);
        self.wait_for(RCC, 1 << 25);
        self.store(FLASH_ACR, setup.latency | setup.latency << 4);
        self.store(RCC + 0x18, 0x8 | 0x4 << 4);
        self.store(RCC + 0x1C, 0x4 << 4 | 0x4 << 8);
        self.store(RCC + 0x20, 0x4 << 4);
        self.modify(RCC + 0x10, 7, 3);
    }
}
