//! All modelled peripherals, and the signals between them.

use crate::bus::{AccessError, Width};
use crate::config::NetworkDevice;
use crate::schedule::Event;
use crate::soc::clocks::Clocks;
use crate::soc::context::{Context, RegisterValue};
use crate::soc::dbgmcu::Dbgmcu;
use crate::soc::dma::Dma;
use crate::soc::dmamux::Dmamux;
use crate::soc::eth::Eth;
use crate::soc::exti::Exti;
use crate::soc::flash::Flash;
use crate::soc::gpio::{self, Gpio};
use crate::soc::map::Block;
use crate::soc::pwr::Pwr;
use crate::soc::rcc::{Gate, Rcc};
use crate::soc::shield::{INTERRUPT, Shield};
use crate::soc::spi::{self, Peers, Spi};
use crate::soc::syscfg::Syscfg;
use crate::soc::tim2::Tim2;

/// Whether a load there is a look at SPI1's status, whose next change is known.
pub fn is_status_of_spi1(block: Block, offset: u32) -> bool {
    block == Block::Spi1 && offset == spi::STATUS
}

/// The peripherals.
#[derive(Debug)]
pub struct Peripherals {
    pub rcc: Rcc,
    pub pwr: Pwr,
    pub flash: Flash,
    pub syscfg: Syscfg,
    pub gpio: Gpio,
    pub exti: Exti,
    pub dbgmcu: Dbgmcu,
    pub tim2: Tim2,
    pub eth: Eth,
    pub spi1: Spi,
    dma: Dma,
    dmamux: Dmamux,
    pub shield: Shield,
    /// The jack that the cable is in.
    jack: NetworkDevice,
    cpu_freq_boost: bool,
}

impl Peripherals {
    /// After power-on, with `clocks` in force and the cable in `jack`.
    pub fn new(
        cpu_freq_boost: bool,
        clocks: &Clocks,
        jack: NetworkDevice,
        eth: Eth,
        shield: Shield,
    ) -> Self {
        Self {
            rcc: Rcc::default(),
            pwr: Pwr::default(),
            flash: Flash::default(),
            syscfg: Syscfg::new(cpu_freq_boost),
            gpio: Gpio::default(),
            exti: Exti::default(),
            dbgmcu: Dbgmcu::default(),
            tim2: Tim2::new(clocks.timers1_hz),
            eth,
            spi1: Spi::new(clocks),
            dma: Dma::default(),
            dmamux: Dmamux::default(),
            shield,
            jack,
            cpu_freq_boost,
        }
    }

    /// The board's reset pin went low and high again; `ctx.clocks` are those after a reset. What the
    /// board counts goes on.
    pub fn power_on_reset(&mut self, ctx: &mut Context) {
        self.rcc = Rcc::default();
        self.pwr = Pwr::default();
        self.flash = Flash::default();
        self.syscfg = Syscfg::new(self.cpu_freq_boost);
        self.gpio = Gpio::default();
        self.exti = Exti::default();
        self.dbgmcu = Dbgmcu::default();
        self.tim2 = Tim2::new(ctx.clocks.timers1_hz);
        self.spi1.reset(ctx);
        self.dma = Dma::default();
        self.dmamux = Dmamux::default();
        self.eth.power_on_reset(ctx);
        self.shield.reset(ctx);
    }

    /// The cable is plugged into its jack or pulled.
    pub fn set_cable(&mut self, plugged: bool, ctx: &mut Context) {
        match self.jack {
            NetworkDevice::Stm32Mac => self.eth.set_cable(plugged, ctx),
            NetworkDevice::W5500 => self.shield.set_cable(plugged, ctx),
        }
    }

    /// Whether `block` has its clock.
    #[inline]
    pub fn is_clocked(&self, block: Block) -> bool {
        block.gate().is_none_or(|gate| self.rcc.is_enabled(gate))
    }

    pub fn load(
        &mut self,
        block: Block,
        offset: u32,
        width: Width,
        ctx: &mut Context,
    ) -> Result<RegisterValue, AccessError> {
        match block {
            Block::Tim2 => self.tim2.load(offset, width, ctx),
            Block::Gpio(port) => self.gpio.load(port.into(), offset, width, ctx),
            Block::Exti => self.exti.load(offset, width, ctx),
            Block::Rcc => self.rcc.load(offset, width, ctx),
            Block::Pwr => self.pwr.load(offset, width, ctx),
            Block::Flash => self.flash.load(offset, width, ctx),
            Block::Syscfg => self.syscfg.load(offset, width, ctx),
            Block::Dbgmcu => self.dbgmcu.load(offset, width, ctx),
            Block::Eth => self.eth.load(offset, width, ctx),
            Block::Spi1 => {
                self.advance_spi(ctx);
                let value = self.spi1.load(offset, width, ctx);
                self.arm_dma(ctx);
                value
            }
            Block::Dma(n) => {
                self.advance_spi(ctx);
                self.dma.load(n.into(), offset, width)
            }
            Block::Dmamux1 => self.dmamux.load(offset, width),
        }
    }

    pub fn store(
        &mut self,
        block: Block,
        offset: u32,
        width: Width,
        value: u32,
        ctx: &mut Context,
    ) -> Result<(), AccessError> {
        match block {
            Block::Tim2 => self.tim2.store(offset, width, value, ctx),
            Block::Gpio(port) => {
                self.advance_spi(ctx);
                let before = self.gpio.input(port.into());
                self.gpio.store(port.into(), offset, width, value, ctx)?;
                self.pass_edges(port.into(), before, ctx);
                if Shield::is_driven_by(port.into()) {
                    self.shield.follow_pins(&self.gpio, ctx);
                    self.route_reference_clock(ctx);
                }
                Ok(())
            }
            Block::Exti => self.exti.store(offset, width, value, ctx),
            Block::Rcc => {
                self.advance_spi(ctx);
                self.rcc.store(offset, width, value, ctx)?;
                self.apply_resets(ctx);
                self.syscfg.set_csi_ready(self.rcc.csi_ready(), ctx);
                Ok(())
            }
            Block::Pwr => {
                self.pwr.store(offset, width, value, ctx)?;
                self.rcc.set_backup_writable(self.pwr.backup_writable());
                Ok(())
            }
            Block::Flash => self.flash.store(offset, width, value, ctx),
            Block::Syscfg => {
                self.syscfg.store(offset, width, value, ctx)?;
                self.route_reference_clock(ctx);
                Ok(())
            }
            Block::Dbgmcu => self.dbgmcu.store(offset, width, value, ctx),
            Block::Eth => self.eth.store(offset, width, value, ctx),
            Block::Spi1 => {
                self.advance_spi(ctx);
                let mut peers = Peers {
                    shield: &mut self.shield,
                    dma: &mut self.dma,
                };
                self.spi1.store(offset, width, value, &mut peers, ctx)?;
                self.serve_dma(ctx);
                Ok(())
            }
            Block::Dma(n) => {
                self.advance_spi(ctx);
                self.dma
                    .store(n.into(), offset, width, value, &self.dmamux)?;
                self.serve_dma(ctx);
                Ok(())
            }
            Block::Dmamux1 => {
                self.advance_spi(ctx);
                self.dmamux.store(offset, width, value)?;
                self.dma.connect(&self.dmamux);
                self.serve_dma(ctx);
                Ok(())
            }
        }
    }

    pub fn on_event(&mut self, event: Event, ctx: &mut Context) {
        match event {
            Event::Rcc => {
                self.rcc.on_event(ctx);
                self.syscfg.set_csi_ready(self.rcc.csi_ready(), ctx);
            }
            Event::Pwr => self.pwr.on_event(),
            Event::Tim2 => self.tim2.on_event(ctx),
            Event::Spi1 => {
                self.advance_spi(ctx);
                self.spi1.on_event(ctx);
                self.spi1.settle(ctx);
            }
            Event::Dma => {
                self.advance_spi(ctx);
                self.dma.touch();
                self.arm_dma(ctx);
            }
            Event::W5500 => self.pass_to_shield(event, ctx),
            Event::WireToBoard if self.jack == NetworkDevice::W5500 => {
                self.pass_to_shield(event, ctx);
            }
            _ => self.eth.on_event(event, ctx),
        }
    }

    /// Something outside drives a pin: high, low or (`None`) not any more.
    pub fn drive_pin(&mut self, port: usize, pin: u32, level: Option<bool>, ctx: &mut Context) {
        let before = self.gpio.input(port);
        self.gpio.drive(port, pin, level);
        self.pass_edges(port, before, ctx);
    }

    /// Brings SPI1, and the chip behind it, up to the present instant.
    #[inline]
    fn advance_spi(&mut self, ctx: &mut Context) {
        let mut peers = Peers {
            shield: &mut self.shield,
            dma: &mut self.dma,
        };
        self.spi1.advance(&mut peers, ctx);
        self.follow_shield(ctx);
    }

    /// Lets DMA serve SPI1 after a store to one of them.
    fn serve_dma(&mut self, ctx: &mut Context) {
        if self.dma.is_moving() {
            self.dma.touch();
            let mut peers = Peers {
                shield: &mut self.shield,
                dma: &mut self.dma,
            };
            self.spi1.serve_dma(&mut peers, ctx);
        }
        self.arm_dma(ctx);
    }

    /// Shows what DMA has done, and makes what it does next an event.
    fn arm_dma(&mut self, ctx: &mut Context) {
        if !self.dma.take_changed() {
            return;
        }
        self.dma.update_lines(ctx.irq);
        let next = self.spi1.next_dma_flag(&self.dma);
        ctx.schedule.set(Event::Dma, next);
    }

    fn pass_to_shield(&mut self, event: Event, ctx: &mut Context) {
        self.advance_spi(ctx);
        self.shield.on_event(event, ctx);
        self.follow_shield(ctx);
    }

    /// INTn reaches its pin.
    #[inline]
    fn follow_shield(&mut self, ctx: &mut Context) {
        if let Some(level) = self.shield.interrupt_change() {
            let (port, pin) = INTERRUPT;
            self.drive_pin(port, pin, Some(level), ctx);
        }
    }

    /// Passes what changed on a port's pins on to EXTI, as far as SYSCFG selects this port.
    fn pass_edges(&mut self, port: usize, before: u16, ctx: &mut Context) {
        let after = self.gpio.input(port);
        let changed = before ^ after;
        for pin in (0..16).filter(|pin| changed >> pin & 1 != 0) {
            if self.syscfg.exti_port(pin) == port {
                self.exti.edge(pin, after >> pin & 1 != 0, ctx);
            }
        }
    }

    fn apply_resets(&mut self, ctx: &mut Context) {
        if self.rcc.is_held_in_reset(Gate::Tim2) {
            self.tim2.reset(ctx);
        }
        if self.rcc.is_held_in_reset(Gate::Eth) {
            self.eth.reset(ctx);
        }
        if self.rcc.is_held_in_reset(Gate::Syscfg) {
            self.syscfg = Syscfg::new(self.cpu_freq_boost);
        }
        if self.rcc.is_held_in_reset(Gate::Spi1) {
            self.spi1.reset(ctx);
        }
        for (n, gate) in [Gate::Dma1, Gate::Dma2].into_iter().enumerate() {
            if self.rcc.is_held_in_reset(gate) {
                self.dma.reset(n, &self.dmamux);
                self.arm_dma(ctx);
            }
        }
        if self.rcc.is_held_in_reset(Gate::Dmamux1) {
            self.dmamux = Dmamux::default();
        }
        for port in 0..gpio::PORTS {
            if self.rcc.is_held_in_reset(Gate::Gpio(port as u8)) {
                let before = self.gpio.input(port);
                self.gpio.reset(port);
                self.pass_edges(port, before, ctx);
            }
        }
        self.shield.follow_pins(&self.gpio, ctx);
        self.route_reference_clock(ctx);
    }

    /// The PHY's 50 MHz come in on PA1 as alternate function 11, if SYSCFG selects RMII.
    fn route_reference_clock(&mut self, ctx: &mut Context) {
        let present = self.syscfg.selects_rmii() && self.gpio.alternate(0, 1) == Some(11);
        self.eth.set_reference_clock(present, ctx);
    }
}
