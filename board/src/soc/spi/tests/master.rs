//! A driver's accesses, one by one.

use crate::bus::{Bus, Width};
use crate::soc::context::RegisterValue;
use crate::soc::testbed::{RCC, Testbed};
use crate::time::{Instant, Span};

pub const SPI1: u32 = 0x4001_3000;
pub const SR: u32 = SPI1 + 0x14;
pub const TXDR: u32 = SPI1 + 0x20;
pub const RXDR: u32 = SPI1 + 0x30;
pub const SPE: u32 = 1 << 0;
pub const CSTART: u32 = 1 << 9;

const GPIOA: u32 = 0x5802_0000;
const GPIOB: u32 = 0x5802_0400;
const GPIOD: u32 = 0x5802_0C00;

const RXP: u32 = 1 << 0;
const TXC: u32 = 1 << 12;

pub struct Master {
    pub bed: Testbed,
}

impl Master {
    /// Core and SPI kernel run from HSI at 64 MHz, pins are routed, the chip is awake and not selected.
    pub fn ready() -> Self {
        let mut bed = Testbed::default();
        bed.store(RCC + 0xE0, 0x4B); // AHB4ENR: GPIO A, B, D, G
        bed.store(RCC + 0xF0, 1 << 12); // APB2ENR: SPI1
        bed.store(RCC + 0xD8, 0b11); // AHB1ENR: DMA1, DMA2
        bed.store(RCC + 0x50, 4 << 12); // D2CCIP1R: per_ck
        bed.modify(GPIOA + 0x20, 0, 5 << 20 | 5 << 24);
        bed.modify(GPIOA, 0b1111 << 10, 0b1010 << 10);
        bed.modify(GPIOB + 0x20, 0, 5 << 20);
        bed.modify(GPIOB, 0b11 << 10, 0b10 << 10);
        bed.store(GPIOD + 0x18, 1 << 14);
        bed.modify(GPIOD, 0b11 << 28, 0b01 << 28);
        bed.run_to(Instant::ZERO + Span::from_ms(2));
        Self { bed }
    }

    /// Sets up as embassy-stm32 does, with SCK at 8 MHz.
    pub fn open(&mut self) {
        self.open_divided(2);
    }

    pub fn open_divided(&mut self, mbr: u32) {
        self.bed.store(SPI1 + 0x18, u32::MAX);
        // AFCNTR, SSOE, SSM, MASTER.
        self.bed
            .store(SPI1 + 0x0C, 1 << 31 | 1 << 29 | 1 << 26 | 1 << 22);
        self.bed.store(SPI1 + 0x08, 0x0007_0007 | mbr << 28);
        self.bed.store(SPI1 + 0x04, 0);
        self.bed.store(SPI1, SPE);
    }

    /// Chip select low or high.
    pub fn select(&mut self, selected: bool) {
        let bit = if selected { 1 << 30 } else { 1 << 14 };
        self.bed.store(GPIOD + 0x18, bit);
    }

    pub fn write_byte(&mut self, byte: u8) {
        let cycle = self.bed.cycle;
        let stored = self.bed.soc.store(TXDR, Width::Byte, byte.into(), cycle);
        stored.expect("TXDR");
    }

    pub fn read_byte(&mut self) -> u8 {
        let loaded = self.bed.soc.load(RXDR, Width::Byte, self.bed.cycle);
        loaded.expect("RXDR").value as u8
    }

    pub fn status(&mut self) -> u32 {
        self.bed.load(SR)
    }

    pub fn load_status(&mut self) -> RegisterValue {
        let loaded = self.bed.try_load(SR).expect("SR");
        RegisterValue {
            value: loaded.value,
            stable: loaded.stable,
        }
    }

    /// Lets core cycles pass without an access.
    pub fn pass(&mut self, cycles: u64) {
        let end = self.bed.now() + Span::of_ticks(cycles, 64_000_000);
        self.bed.run_to(end);
    }

    /// The first core cycle at which a bit of the status is set.
    pub fn wait_cycle_by_cycle(&mut self, bit: u32) -> u64 {
        while self.status() & bit == 0 {
            self.pass(1);
        }
        self.bed.cycle
    }

    /// A blocking transfer: each byte is waited for.
    pub fn exchange(&mut self, bytes: &[u8]) -> Vec<u8> {
        let exchanged = bytes.iter().map(|byte| {
            self.write_byte(*byte);
            self.bed.modify(SPI1, 0, CSTART);
            self.wait_cycle_by_cycle(RXP);
            self.read_byte()
        });
        exchanged.collect()
    }

    /// A blocking write: the receive FIFO is left alone.
    pub fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.wait_cycle_by_cycle(1 << 1);
            self.write_byte(*byte);
            self.bed.modify(SPI1, 0, CSTART);
        }
        self.wait_cycle_by_cycle(TXC);
    }

    /// One whole access of the chip.
    pub fn transaction(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.open_again();
        self.select(true);
        let answer = self.exchange(bytes);
        self.select(false);
        answer
    }

    fn open_again(&mut self) {
        self.bed.modify(SPI1, SPE, 0);
        self.open();
    }
}
