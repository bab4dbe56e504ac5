//! The STM32H723's Ethernet block: a Synopsys DesignWare Ethernet QoS core with one queue each way.
//!
//! Sources: PAC (eth_v2) and SVD for registers, and what the drivers that program them rely on (EMB
//! eth/v2, HAL). It speaks RMII at 100 Mb/s to the board's LAN8742A. Collisions do not exist here: the
//! link is always full duplex.

mod bus;
mod checksum;
mod engine;
mod filter;
mod interrupts;
mod mdio;
mod registers;
mod rx;
mod timing;
mod tx;

use engine::Phase;
use mdio::Mdio;
use registers::{REGISTERS, dma, offset, qomr};
use rx::Rx;
use tx::Tx;

pub use rx::StaleLine;

use crate::bus::{AccessError, Width};
use crate::chips::LinkMode;
use crate::chips::lan8742a::{Lan8742a, PhyTiming};
use crate::irq::line;
use crate::schedule::{Event, Schedule};
use crate::soc::context::{Context, RegisterValue, merge, unmodelled};
use crate::soc::registers::RegisterFile;
use crate::time::Instant;

const BLOCK: &str = "ETH";

/// Bytes of one unit of the queue sizes TQS and RQS; each FIFO has eight (MACHWF1R: 2 KB).
const QUEUE_UNIT: usize = 256;

/// MMC_CONTROL.CNTRST.
const COUNTERS_RESET: u32 = 1 << 0;
const COUNTERS: [u32; 3] = [
    offset::MMC_TX_GOOD,
    offset::MMC_RX_CRC_ERROR,
    offset::MMC_RX_UNICAST_GOOD,
];

/// What happened to frames since power-on; unlike the block's own counters these never wrap or clear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EthCounters {
    pub frames_sent: u64,
    /// Frames that entered the receive FIFO.
    pub frames_received: u64,
    /// Frames the address filter stopped.
    pub filtered: u64,
    /// Frames dropped because the receive FIFO was full.
    pub fifo_overflows: u64,
    pub crc_errors: u64,
    /// Frames dropped by the receive checksum engine.
    pub checksum_errors: u64,
}

/// The block and the PHY behind it.
#[derive(Debug)]
pub struct Eth {
    registers: RegisterFile,
    mdio: Mdio,
    phy: Lan8742a,
    tx: Tx,
    rx: Rx,
    counters: EthCounters,
    /// A software reset is under way.
    resetting: bool,
    reference_clock: bool,
    /// The wire is plugged into this block's jack.
    cable: bool,
}

impl Eth {
    /// The block as powered on at instant zero; its PHY begins to negotiate at once, if the `cable` is
    /// in its jack.
    ///
    /// The RMII reference clock is absent until [`Eth::set_reference_clock`].
    pub fn new(phy: PhyTiming, cable: bool, schedule: &mut Schedule) -> Self {
        let phy = Lan8742a::new(phy, cable, Instant::ZERO);
        schedule.set(Event::Phy, phy.next_change());
        Self {
            registers: RegisterFile::new(REGISTERS),
            mdio: Mdio::default(),
            phy,
            tx: Tx::default(),
            rx: Rx::default(),
            counters: EthCounters::default(),
            resetting: false,
            reference_clock: false,
            cable,
        }
    }

    /// Whether the PHY's 50 MHz reach the block: REF_CLK routed to the pin and RMII selected
    /// (SYSCFG_PMCR.EPIS). Without it a software reset never ends.
    pub fn set_reference_clock(&mut self, present: bool, ctx: &mut Context) {
        if present != self.reference_clock {
            self.reference_clock = present;
            self.schedule_reset_end(ctx);
        }
    }

    /// Reset by RCC (AHB1RSTR.ETH1MACRST). The PHY keeps its state.
    pub fn reset(&mut self, ctx: &mut Context) {
        self.clear_state(ctx);
        self.resetting = false;
        ctx.schedule.cancel(Event::EthReset);
    }

    /// The board's reset pin went low and high again: block and PHY are as at power-on but what was
    /// counted.
    pub fn power_on_reset(&mut self, ctx: &mut Context) {
        self.reset(ctx);
        self.reference_clock = false;
        self.phy.reset(ctx.now);
        self.phy_changed(ctx);
    }

    /// The cable of this block's jack is plugged in or pulled.
    pub fn set_cable(&mut self, plugged: bool, ctx: &mut Context) {
        self.phy.set_cable(plugged, ctx.now);
        self.phy_changed(ctx);
    }

    /// What the PHY's link runs at, if it is up.
    pub fn link_mode(&self) -> Option<LinkMode> {
        self.phy.link()
    }

    pub fn counters(&self) -> EthCounters {
        self.counters
    }

    pub fn load(
        &mut self,
        offset: u32,
        width: Width,
        _: &mut Context,
    ) -> Result<RegisterValue, AccessError> {
        let word = offset & !3;
        let stored = self.registers.accessed(BLOCK, offset)?;
        let value = match word {
            offset::MACMDIOAR => RegisterValue::stable(self.mdio.address_register()),
            offset::MACMDIODR => RegisterValue::stable(self.mdio.data_register()),
            offset::DMAMR => RegisterValue::stable(stored | self.reset_bit()),
            offset::MTLISR => RegisterValue::stable(interrupts::mtl_status(&self.registers)),
            offset::DMAISR => RegisterValue::stable(interrupts::dma_status(&self.registers)),
            offset::DMADSR => RegisterValue::stable(self.debug_status()),
            offset::TXQDR => RegisterValue::stable(self.tx_queue_status()),
            offset::RXQDR => RegisterValue::stable(self.rx_queue_status()),
            offset::DMACCATXDR => RegisterValue::stable(self.tx.engine.descriptor(&self.registers)),
            offset::DMACCARXDR => RegisterValue::stable(self.rx.engine.descriptor(&self.registers)),
            offset::DMACCATXBR => RegisterValue::stable(self.tx.engine.buffer),
            offset::DMACCARXBR => RegisterValue::stable(self.rx.engine.buffer),
            offset::RXQMPOCR => {
                self.registers.set(word, 0);
                RegisterValue::volatile(stored)
            }
            _ => RegisterValue::stable(stored),
        };
        Ok(value.lane(offset, width))
    }

    pub fn store(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        ctx: &mut Context,
    ) -> Result<(), AccessError> {
        let word = offset & !3;
        let old = self.registers.accessed(BLOCK, offset)?;
        match word {
            offset::DMACSR => {
                interrupts::clear(&mut self.registers, merge(0, offset, width, value))
            }
            offset::MACMDIOAR => {
                let value = merge(self.mdio.address_register(), offset, width, value);
                self.store_mdio_address(value, offset, ctx)?;
            }
            offset::MACMDIODR => {
                let old = self.mdio.data_register();
                self.mdio.write_data(merge(old, offset, width, value));
            }
            offset::QICSR => {
                let value = merge(old & !0x0001_0001, offset, width, value);
                interrupts::store_queue_status(&mut self.registers, value);
            }
            _ => {
                let value = merge(old, offset, width, value);
                if self.registers.write(word, value).is_none() {
                    return unmodelled(BLOCK, offset);
                }
                self.stored(word, value, ctx);
            }
        }
        self.update_line(ctx);
        Ok(())
    }

    /// Handles this block's events: transmit, receive, MDIO, PHY, reset and arrivals from the wire.
    pub fn on_event(&mut self, event: Event, ctx: &mut Context) {
        match event {
            Event::EthTx => self.on_tx_event(ctx),
            Event::EthRx => self.on_rx_event(ctx),
            Event::WireToBoard => self.on_arrival(ctx),
            Event::Mdio => {
                self.mdio.finish(&mut self.phy, ctx.now);
                self.phy_changed(ctx);
            }
            Event::Phy => {
                self.phy.advance(ctx.now);
                self.phy_changed(ctx);
            }
            Event::EthReset => self.resetting = false,
            _ => {}
        }
        self.update_line(ctx);
    }

    /// What a store to a plain register sets in motion.
    fn stored(&mut self, word: u32, value: u32, ctx: &mut Context) {
        match word {
            offset::DMAMR if value & dma::SWR != 0 => self.software_reset(ctx),
            offset::MACCR => self.transmitter_changed(ctx),
            offset::TXQOMR if value & qomr::FTQ != 0 => self.flush_tx_queue(ctx),
            offset::MMC_CONTROL if value & COUNTERS_RESET != 0 => self.reset_counters(),
            offset::DMACTXDLAR => self.tx.engine.set_list(&self.registers),
            offset::DMACRXDLAR => self.rx.engine.set_list(&self.registers),
            offset::DMACTXCR => self.tx_control_changed(ctx),
            offset::DMACRXCR => self.rx_control_changed(ctx),
            offset::DMACTXDTPR => self.tx_tail_written(ctx),
            offset::DMACRXDTPR => self.rx_tail_written(ctx),
            offset::DMACIER => interrupts::raise(&mut self.registers, 0),
            _ => {}
        }
    }

    fn store_mdio_address(
        &mut self,
        value: u32,
        offset: u32,
        ctx: &mut Context,
    ) -> Result<(), AccessError> {
        let refused = mdio::CLAUSE_45 | mdio::BACK_TO_BACK | mdio::TRAILING_CLOCKS;
        if value & refused != 0 {
            return unmodelled(BLOCK, offset);
        }
        match self.mdio.write_address(value, ctx.now, ctx.clocks.hclk_hz) {
            Ok(Some(end)) => ctx.schedule.set(Event::Mdio, end),
            Ok(None) => {}
            Err(mdio::ReservedClockRange) => return unmodelled(BLOCK, offset),
        }
        Ok(())
    }

    fn software_reset(&mut self, ctx: &mut Context) {
        self.clear_state(ctx);
        self.resetting = true;
        self.schedule_reset_end(ctx);
    }

    fn schedule_reset_end(&mut self, ctx: &mut Context) {
        if self.resetting && self.reference_clock {
            let end = ctx.now + timing::SOFTWARE_RESET;
            ctx.schedule.set(Event::EthReset, end);
        } else {
            ctx.schedule.cancel(Event::EthReset);
        }
    }

    fn clear_state(&mut self, ctx: &mut Context) {
        self.registers = RegisterFile::new(REGISTERS);
        self.mdio = Mdio::default();
        self.tx = Tx::default();
        self.rx = Rx::default();
        for event in [Event::EthTx, Event::EthRx, Event::Mdio] {
            ctx.schedule.cancel(event);
        }
        self.update_line(ctx);
    }

    fn phy_changed(&mut self, ctx: &mut Context) {
        ctx.schedule.set(Event::Phy, self.phy.next_change());
        if self.cable {
            ctx.wire.set_carrier(self.phy.carries_frames());
        }
    }

    fn reset_counters(&mut self) {
        let control = self.registers.value(offset::MMC_CONTROL);
        self.registers
            .set(offset::MMC_CONTROL, control & !COUNTERS_RESET);
        for counter in COUNTERS {
            self.registers.set(counter, 0);
        }
    }

    fn update_line(&mut self, ctx: &mut Context) {
        ctx.irq.set(line::ETH, interrupts::line(&self.registers));
    }

    /// DMAMR.SWR.
    fn reset_bit(&self) -> u32 {
        if self.resetting { dma::SWR } else { 0 }
    }

    /// DMADSR: what both engines do, in RPS[11:8] and TPS[15:12].
    fn debug_status(&self) -> u32 {
        let receive = match self.rx.engine.phase {
            Phase::Stopped => 0,
            Phase::Fetching => 1,
            Phase::Working(rx::Work::Waiting(_)) => 3,
            Phase::Suspended => 4,
            Phase::Working(rx::Work::Moving { .. }) => 7,
        };
        let transmit = match self.tx.engine.phase {
            Phase::Stopped => 0,
            Phase::Fetching => 1,
            Phase::Working(tx::Work::WaitingForStatus | tx::Work::Held) => 2,
            Phase::Working(tx::Work::Reading(_)) => 3,
            Phase::Suspended => 6,
        };
        receive << 8 | transmit << 12
    }

    /// TxQDR: TXQSTS (bit 4) and TRCSTS (2:1, 1 while data is read to the MAC).
    fn tx_queue_status(&self) -> u32 {
        if self.tx.queue_has_data() {
            1 << 4 | 1 << 1
        } else {
            0
        }
    }

    /// RxQDR: PRXQ (29:16) and RXQSTS (5:4, 1 while below the threshold).
    fn rx_queue_status(&self) -> u32 {
        let frames = self.rx.frames_waiting() as u32;
        frames << 16 | u32::from(frames > 0) << 4
    }

    /// The programmed burst length of an engine in words.
    fn burst_words(&self, control: u32) -> u64 {
        let burst = u64::from((self.registers.value(control) >> dma::PBL_SHIFT) & 0x3F);
        if self.registers.value(offset::DMACCR) & dma::PBLX8 != 0 {
            burst * 8
        } else {
            burst
        }
    }
}

/// Bytes of a queue whose size field is in the low three bits.
fn fifo_capacity(size_field: u32) -> usize {
    ((size_field as usize & 0b111) + 1) * QUEUE_UNIT
}

#[cfg(test)]
mod tests;
