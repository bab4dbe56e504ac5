//! The DMA channel's status and interrupt enables (DMACSR, DMACIER) and the level of the ETH line.

use super::registers::offset;
use crate::soc::registers::RegisterFile;

pub const TI: u32 = 1 << 0;
pub const TPS: u32 = 1 << 1;
pub const TBU: u32 = 1 << 2;
pub const RI: u32 = 1 << 6;
pub const RBU: u32 = 1 << 7;
pub const RPS: u32 = 1 << 8;
const RWT: u32 = 1 << 9;
const ETI: u32 = 1 << 10;
const ERI: u32 = 1 << 11;
pub const FBE: u32 = 1 << 12;
const CDE: u32 = 1 << 13;
const AIS: u32 = 1 << 14;
const NIS: u32 = 1 << 15;
pub const TX_ERROR_SHIFT: u32 = 16;
pub const RX_ERROR_SHIFT: u32 = 19;
const ERROR_BITS: u32 = 0b11_1111 << TX_ERROR_SHIFT;

const NORMAL: u32 = TI | TBU | RI | ERI;
const ABNORMAL: u32 = TPS | RBU | RPS | RWT | ETI | FBE | CDE;
const CLEARABLE: u32 = NORMAL | ABNORMAL | AIS | NIS;

/// MTL: overflow of the receive queue (QICSR.RXOVFIS) and its enable, and the queue's bit in MTLISR.
const RX_OVERFLOW: u32 = 1 << 16;
const RX_OVERFLOW_ENABLE: u32 = 1 << 24;
const QUEUE_CLEARABLE: u32 = RX_OVERFLOW | 1;
const MTL_QUEUE_0: u32 = 1 << 0;
/// DMAISR bits of channel 0 and of the MTL.
const ISR_CHANNEL: u32 = 1 << 0;
const ISR_MTL: u32 = 1 << 16;

/// Sets status bits; the summaries follow the enabled ones.
pub fn raise(registers: &mut RegisterFile, bits: u32) {
    let status = registers.value(offset::DMACSR) | bits;
    registers.set(offset::DMACSR, with_summaries(status, registers));
}

/// A store to DMACSR: ones clear. A summary comes back at once while an enabled cause is left.
pub fn clear(registers: &mut RegisterFile, ones: u32) {
    let mut status = registers.value(offset::DMACSR) & !(ones & CLEARABLE);
    if status & FBE == 0 {
        status &= !ERROR_BITS;
    }
    registers.set(offset::DMACSR, with_summaries(status, registers));
}

/// Sets the receive queue's overflow flag.
pub fn raise_overflow(registers: &mut RegisterFile) {
    registers.set(offset::QICSR, registers.value(offset::QICSR) | RX_OVERFLOW);
}

/// A store to QICSR: the enables are written, ones clear the flags.
pub fn store_queue_status(registers: &mut RegisterFile, value: u32) {
    let flags = registers.value(offset::QICSR) & QUEUE_CLEARABLE & !value;
    let enables = value & (RX_OVERFLOW_ENABLE | 1 << 8);
    registers.set(offset::QICSR, flags | enables);
}

/// MTLISR.
pub fn mtl_status(registers: &RegisterFile) -> u32 {
    let queue = registers.value(offset::QICSR);
    let pending = queue & RX_OVERFLOW != 0 && queue & RX_OVERFLOW_ENABLE != 0;
    if pending { MTL_QUEUE_0 } else { 0 }
}

/// DMAISR.
pub fn dma_status(registers: &RegisterFile) -> u32 {
    let channel = channel_pending(registers);
    let mtl = mtl_status(registers) != 0;
    (if channel { ISR_CHANNEL } else { 0 }) | (if mtl { ISR_MTL } else { 0 })
}

/// Level of the block's interrupt line.
pub fn line(registers: &RegisterFile) -> bool {
    dma_status(registers) != 0
}

fn channel_pending(registers: &RegisterFile) -> bool {
    registers.value(offset::DMACSR) & registers.value(offset::DMACIER) & (AIS | NIS) != 0
}

fn with_summaries(mut status: u32, registers: &RegisterFile) -> u32 {
    let enabled = status & registers.value(offset::DMACIER);
    if enabled & NORMAL != 0 {
        status |= NIS;
    }
    if enabled & ABNORMAL != 0 {
        status |= AIS;
    }
    status
}
