//! The Ethernet block's registers: where they are, what they reset to, which bits a store changes.
//!
//! Sources: PAC (eth_v2) for offsets and bits, SVD for reset values. Bits in `refused` switch on functions this model does not
//! have (loopback, ARP offload, VLAN filters, power management ...): storing one is an error that names
//! the register, so that firmware relying on them cannot run on silently.

use crate::soc::registers::{Register, register};

/// Byte offsets from the block's base, 0x4002_8000.
pub mod offset {
    pub const MACCR: u32 = 0x000;
    pub const MACPFR: u32 = 0x008;
    pub const MACHT0R: u32 = 0x010;
    pub const MACHT1R: u32 = 0x014;
    pub const MACMDIOAR: u32 = 0x200;
    pub const MACMDIODR: u32 = 0x204;
    pub const MACA0HR: u32 = 0x300;
    pub const MACA0LR: u32 = 0x304;
    pub const MMC_CONTROL: u32 = 0x700;
    pub const MMC_TX_GOOD: u32 = 0x768;
    pub const MMC_RX_CRC_ERROR: u32 = 0x794;
    pub const MMC_RX_UNICAST_GOOD: u32 = 0x7C4;
    pub const MTLISR: u32 = 0xC20;
    pub const TXQOMR: u32 = 0xD00;
    pub const TXQDR: u32 = 0xD08;
    pub const QICSR: u32 = 0xD2C;
    pub const RXQOMR: u32 = 0xD30;
    pub const RXQMPOCR: u32 = 0xD34;
    pub const RXQDR: u32 = 0xD38;
    pub const DMAMR: u32 = 0x1000;
    pub const DMAISR: u32 = 0x1008;
    pub const DMADSR: u32 = 0x100C;
    pub const DMACCR: u32 = 0x1100;
    pub const DMACTXCR: u32 = 0x1104;
    pub const DMACRXCR: u32 = 0x1108;
    pub const DMACTXDLAR: u32 = 0x1114;
    pub const DMACRXDLAR: u32 = 0x111C;
    pub const DMACTXDTPR: u32 = 0x1120;
    pub const DMACRXDTPR: u32 = 0x1128;
    pub const DMACTXRLR: u32 = 0x112C;
    pub const DMACRXRLR: u32 = 0x1130;
    pub const DMACIER: u32 = 0x1134;
    pub const DMACCATXDR: u32 = 0x1144;
    pub const DMACCARXDR: u32 = 0x114C;
    pub const DMACCATXBR: u32 = 0x1154;
    pub const DMACCARXBR: u32 = 0x115C;
    pub const DMACSR: u32 = 0x1160;
    pub const DMACMFCR: u32 = 0x116C;
}

/// MACCR.
pub mod maccr {
    pub const RE: u32 = 1 << 0;
    pub const TE: u32 = 1 << 1;
    pub const LM: u32 = 1 << 12;
    pub const FES: u32 = 1 << 14;
    pub const ACS: u32 = 1 << 20;
    pub const CST: u32 = 1 << 21;
    pub const IPC: u32 = 1 << 27;
    pub const SARC_SHIFT: u32 = 28;
    pub const ARPEN: u32 = 1 << 31;
}

/// MACPFR.
pub mod macpfr {
    pub const PR: u32 = 1 << 0;
    pub const HUC: u32 = 1 << 1;
    pub const HMC: u32 = 1 << 2;
    pub const DAIF: u32 = 1 << 3;
    pub const PM: u32 = 1 << 4;
    pub const DBF: u32 = 1 << 5;
    pub const PCF_SHIFT: u32 = 6;
    pub const SAIF: u32 = 1 << 8;
    pub const SAF: u32 = 1 << 9;
    pub const HPF: u32 = 1 << 10;
    pub const VTFE: u32 = 1 << 16;
    pub const IPFE: u32 = 1 << 20;
    pub const DNTU: u32 = 1 << 21;
    pub const RA: u32 = 1 << 31;
}

/// TxQOMR and RxQOMR.
pub mod qomr {
    pub const FTQ: u32 = 1 << 0;
    pub const TSF: u32 = 1 << 1;
    pub const FUP: u32 = 1 << 3;
    pub const FEP: u32 = 1 << 4;
    pub const DIS_TCP_EF: u32 = 1 << 6;
    pub const EHFC: u32 = 1 << 7;
    pub const TQS_SHIFT: u32 = 16;
    pub const RQS_SHIFT: u32 = 20;
}

/// Channel control registers of the DMA.
pub mod dma {
    pub const SWR: u32 = 1 << 0;
    pub const INTM: u32 = 0b11 << 16;
    pub const DSL_SHIFT: u32 = 18;
    pub const PBLX8: u32 = 1 << 16;
    /// ST of CTxCR and SR of CRxCR.
    pub const START: u32 = 1 << 0;
    pub const OSF: u32 = 1 << 4;
    pub const TSE: u32 = 1 << 12;
    pub const RBSZ: u32 = 0x7FFE;
    pub const PBL_SHIFT: u32 = 16;
    pub const RPF: u32 = 1 << 31;
}

const fn rw(offset: u32, reset: u32, writable: u32) -> Register {
    register(offset, reset, writable)
}

const fn ro(offset: u32, reset: u32) -> Register {
    register(offset, reset, 0)
}

/// MACVR: ST's version 0x30 of Synopsys' 4.1 (SVD).
const VERSION: u32 = 0x3041;

/// Every register this model has.
#[rustfmt::skip]
pub static REGISTERS: &[Register] = &[
    // MAC
    rw(offset::MACCR, 0, 0xFFFB_7F7F).refusing(maccr::LM | maccr::ARPEN),
    rw(0x004, 0, 0x3F07_3FFF),
    rw(offset::MACPFR, 0, 0x8031_07FF)
        .refusing(macpfr::SAIF | macpfr::SAF | macpfr::VTFE | macpfr::IPFE | macpfr::DNTU),
    rw(0x00C, 0, 0x0000_010F),
    rw(offset::MACHT0R, 0, u32::MAX),
    rw(offset::MACHT1R, 0, u32::MAX),
    rw(0x050, 0, 0).refusing(u32::MAX),
    rw(0x058, 0, 0).refusing(u32::MAX),
    rw(0x060, 0, 0).refusing(u32::MAX),
    rw(0x064, 0, 0).refusing(u32::MAX),
    rw(0x070, 0, 0xFFFF_00F2).refusing(1),
    rw(0x090, 0, 0x0000_0003),
    ro(0x0B0, 0),
    rw(0x0B4, 0, 0x0000_7038),
    ro(0x0B8, 0),
    rw(0x0C0, 0, 0).refusing(u32::MAX),
    rw(0x0C4, 0, 0).refusing(u32::MAX),
    rw(0x0D0, 0, 0).refusing(u32::MAX),
    rw(0x0D4, 0x03E8_0000, 0x03FF_FFFF),
    rw(0x0D8, 0, 0x000F_FFF8),
    rw(0x0DC, 0, 0x0000_0FFF),
    ro(0x110, VERSION),
    ro(0x114, 0),
    ro(0x120, 0x1184_1904),
    ro(0x124, 0x4100_0000),
    ro(offset::MACMDIOAR, 0),
    ro(offset::MACMDIODR, 0),
    rw(offset::MACA0HR, 0x8000_FFFF, 0x0000_FFFF),
    rw(offset::MACA0LR, 0xFFFF_FFFF, u32::MAX),
    rw(0x308, 0x0000_FFFF, 0xFF00_FFFF).refusing(SOURCE_ADDRESS),
    rw(0x30C, 0xFFFF_FFFF, u32::MAX),
    rw(0x310, 0x0000_FFFF, 0xFF00_FFFF).refusing(SOURCE_ADDRESS),
    rw(0x314, 0xFFFF_FFFF, u32::MAX),
    rw(0x318, 0x0000_FFFF, 0xFF00_FFFF).refusing(SOURCE_ADDRESS),
    rw(0x31C, 0xFFFF_FFFF, u32::MAX),
    rw(0xAE0, 0, u32::MAX),
    // MMC: its interrupts come at half and full 32-bit counters, far beyond a run
    rw(offset::MMC_CONTROL, 0, 0x0000_013F).refusing(0x30),
    ro(0x704, 0),
    ro(0x708, 0),
    rw(0x70C, 0, 0x0C02_0060),
    rw(0x710, 0, 0x0C20_C000),
    ro(0x74C, 0),
    ro(0x750, 0),
    ro(offset::MMC_TX_GOOD, 0),
    ro(offset::MMC_RX_CRC_ERROR, 0),
    ro(0x798, 0),
    ro(offset::MMC_RX_UNICAST_GOOD, 0),
    ro(0x7EC, 0),
    ro(0x7F0, 0),
    ro(0x7F4, 0),
    ro(0x7F8, 0),
    // MTL
    rw(0xC00, 0, 0x0000_0302).refusing(2),
    ro(offset::MTLISR, 0),
    rw(offset::TXQOMR, 0x0007_0008, 0x0007_0072),
    ro(0xD04, 0),
    ro(offset::TXQDR, 0),
    rw(offset::QICSR, 0, 0x0100_0100),
    rw(offset::RXQOMR, 0x0070_0000, 0x0070_007B).refusing(qomr::EHFC),
    ro(offset::RXQMPOCR, 0),
    ro(offset::RXQDR, 0),
    // DMA
    rw(offset::DMAMR, 0, 0x0000_7802).refusing(dma::INTM),
    rw(0x1004, 0x0101_0000, 0x0000_D001),
    ro(offset::DMAISR, 0),
    ro(offset::DMADSR, 0),
    rw(offset::DMACCR, 0, 0x001D_3FFF),
    rw(offset::DMACTXCR, 0, 0x003F_0011).refusing(dma::TSE),
    rw(offset::DMACRXCR, 0, 0x003F_7FFF).refusing(dma::RPF),
    rw(offset::DMACTXDLAR, 0, 0xFFFF_FFFC),
    rw(offset::DMACRXDLAR, 0, 0xFFFF_FFFC),
    rw(offset::DMACTXDTPR, 0, 0xFFFF_FFFC),
    rw(offset::DMACRXDTPR, 0, 0xFFFF_FFFC),
    rw(offset::DMACTXRLR, 0, 0x0000_03FF),
    rw(offset::DMACRXRLR, 0, 0x0000_03FF),
    rw(offset::DMACIER, 0, 0x0000_FFC7),
    rw(0x1138, 0, 0).refusing(u32::MAX),
    ro(offset::DMACCATXDR, 0),
    ro(offset::DMACCARXDR, 0),
    ro(offset::DMACCATXBR, 0),
    ro(offset::DMACCARXBR, 0),
    ro(offset::DMACSR, 0),
    ro(offset::DMACMFCR, 0),
];

/// MACAxHR.SA: compare with the source address.
const SOURCE_ADDRESS: u32 = 1 << 30;
