//! The WIZnet Ethernet shield on the board's headers: the W5500 on SPI1, its chip select and its
//! interrupt (wiring: WDOC W5500_Ethernet_Shield.md, ZDTS arduino header).

use crate::chips::w5500::{ChipContext, W5500};
use crate::soc::context::Context;
use crate::soc::gpio::Gpio;
use crate::time::Instant;

/// INTn on D2, which the shield pulls up.
pub const INTERRUPT: (usize, u32) = (6, 14);
/// Chip select on D10, low while selected.
const SELECT: (usize, u32) = (3, 14);
/// SCK, MISO and MOSI on D13, D12 and D11.
const BUS: [(usize, u32); 3] = [(0, 5), (0, 6), (1, 5)];
/// The alternate function that is SPI1 on all three (PAC).
const SPI1: u32 = 5;
/// What MISO reads while a pin of the bus is not switched to SPI1. Assumed low.
const UNROUTED_MISO: u8 = 0x00;

/// The shield.
#[derive(Debug)]
pub struct Shield {
    chip: W5500,
    selected: bool,
    routed: bool,
    /// What INTn was last seen to be.
    interrupt: bool,
}

impl Shield {
    pub fn new(chip: W5500) -> Self {
        Self {
            chip,
            selected: false,
            routed: false,
            interrupt: false,
        }
    }

    pub fn chip(&self) -> &W5500 {
        &self.chip
    }

    /// The board's reset pin, which is RSTn, went low and high again.
    pub fn reset(&mut self, ctx: &mut Context) {
        self.chip.reset(&mut chip_context(ctx.now, ctx));
        (self.selected, self.routed, self.interrupt) = (false, false, false);
    }

    /// The cable of the shield's jack is plugged in or pulled.
    pub fn set_cable(&mut self, plugged: bool, ctx: &mut Context) {
        self.chip
            .set_cable(plugged, &mut chip_context(ctx.now, ctx));
    }

    /// Whether `port` has a pin of the shield that the part drives.
    pub const fn is_driven_by(port: usize) -> bool {
        matches!(port, 0 | 1 | 3)
    }

    /// Follows what the part's pins do.
    pub fn follow_pins(&mut self, gpio: &Gpio, ctx: &mut Context) {
        let on_bus = |(port, pin)| gpio.alternate(port, pin) == Some(SPI1);
        self.routed = BUS.into_iter().all(on_bus);
        let selected = gpio.drives(SELECT.0, SELECT.1) == Some(false);
        if selected != self.selected {
            self.selected = selected;
            let mut ctx = chip_context(ctx.now, ctx);
            if selected {
                self.chip.select(&mut ctx);
            } else {
                self.chip.deselect(&mut ctx);
            }
        }
    }

    /// Clocks one byte out and in; `at` is the instant of its last edge.
    #[inline]
    pub fn exchange(&mut self, mosi: u8, at: Instant, ctx: &mut Context) -> u8 {
        if !self.routed {
            return UNROUTED_MISO;
        }
        self.chip.exchange(mosi, &mut chip_context(at, ctx))
    }

    /// SPI1 let go of its pins: SCK floats and the chip takes that for an edge.
    pub fn float(&mut self, ctx: &mut Context) {
        if self.routed && self.selected {
            self.chip.stray_clock(&mut chip_context(ctx.now, ctx));
        }
    }

    /// Hands an event on to the chip.
    pub fn on_event(&mut self, event: crate::schedule::Event, ctx: &mut Context) {
        self.chip.on_event(event, &mut chip_context(ctx.now, ctx));
    }

    /// The level of INTn, if it is another than at the last call.
    #[inline]
    pub fn interrupt_change(&mut self) -> Option<bool> {
        let asserted = self.chip.interrupt_asserted();
        (std::mem::replace(&mut self.interrupt, asserted) != asserted).then_some(!asserted)
    }
}

fn chip_context<'a>(now: Instant, ctx: &'a mut Context) -> ChipContext<'a> {
    ChipContext {
        now,
        schedule: ctx.schedule,
        wire: ctx.wire,
    }
}
