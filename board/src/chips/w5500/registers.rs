//! Addresses, names, bits and reset values of the registers (DS1.0.9 §3 and §4; IOL w5500.h).

/// One register of one or more bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Register {
    /// Its first byte.
    pub address: u16,
    pub len: u16,
    pub name: &'static str,
    pub writable: bool,
}

const fn rw(address: u16, len: u16, name: &'static str) -> Register {
    Register {
        address,
        len,
        name,
        writable: true,
    }
}

const fn ro(address: u16, len: u16, name: &'static str) -> Register {
    Register {
        address,
        len,
        name,
        writable: false,
    }
}

/// A register block: what is at which address.
#[derive(Debug)]
pub(super) struct Map<const REGISTERS: usize, const BYTES: usize> {
    registers: [Register; REGISTERS],
    /// For each address the place of its register in `registers`, or [`RESERVED`].
    places: [u8; BYTES],
}

/// The place that stands for all reserved addresses of a block.
pub(super) const RESERVED: u8 = u8::MAX;

impl<const REGISTERS: usize, const BYTES: usize> Map<REGISTERS, BYTES> {
    const fn new(registers: [Register; REGISTERS]) -> Self {
        let mut places = [RESERVED; BYTES];
        let mut place = 0;
        while place < REGISTERS {
            let register = registers[place];
            let mut byte = 0;
            while byte < register.len {
                places[(register.address + byte) as usize] = place as u8;
                byte += 1;
            }
            place += 1;
        }
        Self { registers, places }
    }

    /// The place of the register at `address`.
    pub fn place(&self, address: u16) -> u8 {
        self.places
            .get(usize::from(address))
            .copied()
            .unwrap_or(RESERVED)
    }

    /// The register at `address`.
    pub fn at(&self, address: u16) -> Option<&Register> {
        self.registers.get(usize::from(self.place(address)))
    }

    /// The name of the register at `place`.
    pub fn name(&self, place: usize) -> &'static str {
        self.registers
            .get(place)
            .map_or("reserved", |register| register.name)
    }
}

/// Addresses and bits of the common block.
pub(super) mod common {
    use super::{Map, ro, rw};

    pub const MR: u16 = 0x00;
    pub const GAR: u16 = 0x01;
    pub const SUBR: u16 = 0x05;
    pub const SHAR: u16 = 0x09;
    pub const SIPR: u16 = 0x0F;
    pub const INTLEVEL: u16 = 0x13;
    pub const IR: u16 = 0x15;
    pub const IMR: u16 = 0x16;
    pub const SIR: u16 = 0x17;
    pub const SIMR: u16 = 0x18;
    pub const RTR: u16 = 0x19;
    pub const RCR: u16 = 0x1B;
    pub const PTIMER: u16 = 0x1C;
    pub const PMRU: u16 = 0x26;
    pub const UIPR: u16 = 0x28;
    pub const UPORTR: u16 = 0x2C;
    pub const PHYCFGR: u16 = 0x2E;
    pub const VERSIONR: u16 = 0x39;
    /// Bytes from the first register to the last.
    pub const LEN: usize = 0x3A;

    pub static MAP: Map<21, LEN> = Map::new([
        rw(MR, 1, "MR"),
        rw(GAR, 4, "GAR"),
        rw(SUBR, 4, "SUBR"),
        rw(SHAR, 6, "SHAR"),
        rw(SIPR, 4, "SIPR"),
        rw(INTLEVEL, 2, "INTLEVEL"),
        rw(IR, 1, "IR"),
        rw(IMR, 1, "IMR"),
        ro(SIR, 1, "SIR"),
        rw(SIMR, 1, "SIMR"),
        rw(RTR, 2, "RTR"),
        rw(RCR, 1, "RCR"),
        rw(PTIMER, 1, "PTIMER"),
        rw(0x1D, 1, "PMAGIC"),
        rw(0x1E, 6, "PHAR"),
        rw(0x24, 2, "PSID"),
        rw(PMRU, 2, "PMRU"),
        ro(UIPR, 4, "UIPR"),
        ro(UPORTR, 2, "UPORTR"),
        rw(PHYCFGR, 1, "PHYCFGR"),
        ro(VERSIONR, 1, "VERSIONR"),
    ]);

    pub const MR_RST: u8 = 1 << 7;
    pub const MR_PB: u8 = 1 << 4;
    pub const MR_FARP: u8 = 1 << 1;

    pub const IR_CONFLICT: u8 = 1 << 7;
    pub const IR_UNREACH: u8 = 1 << 6;
    /// Bits of IR and IMR that exist.
    pub const IR_MASK: u8 = 0xF0;

    pub const RTR_RESET: u16 = 0x07D0;
    pub const RCR_RESET: u8 = 0x08;
    pub const PTIMER_RESET: u8 = 0x28;
    pub const PMRU_RESET: u16 = 0xFFFF;
    pub const VERSION: u8 = 0x04;
}

/// Addresses and bits of a socket's block.
pub(super) mod socket {
    use super::{Map, ro, rw};

    pub const MR: u16 = 0x00;
    pub const CR: u16 = 0x01;
    pub const IR: u16 = 0x02;
    pub const SR: u16 = 0x03;
    pub const PORT: u16 = 0x04;
    pub const DHAR: u16 = 0x06;
    pub const DIPR: u16 = 0x0C;
    pub const DPORT: u16 = 0x10;
    pub const MSSR: u16 = 0x12;
    pub const TOS: u16 = 0x15;
    pub const TTL: u16 = 0x16;
    pub const RXBUF_SIZE: u16 = 0x1E;
    pub const TXBUF_SIZE: u16 = 0x1F;
    pub const TX_FSR: u16 = 0x20;
    pub const TX_RD: u16 = 0x22;
    pub const TX_WR: u16 = 0x24;
    pub const RX_RSR: u16 = 0x26;
    pub const RX_RD: u16 = 0x28;
    pub const RX_WR: u16 = 0x2A;
    pub const IMR: u16 = 0x2C;
    pub const FRAG: u16 = 0x2D;
    pub const KPALVTR: u16 = 0x2F;
    /// Bytes from the first register to the last.
    pub const LEN: usize = 0x30;

    pub static MAP: Map<22, LEN> = Map::new([
        rw(MR, 1, "MR"),
        rw(CR, 1, "CR"),
        rw(IR, 1, "IR"),
        ro(SR, 1, "SR"),
        rw(PORT, 2, "PORT"),
        rw(DHAR, 6, "DHAR"),
        rw(DIPR, 4, "DIPR"),
        rw(DPORT, 2, "DPORT"),
        rw(MSSR, 2, "MSSR"),
        rw(TOS, 1, "TOS"),
        rw(TTL, 1, "TTL"),
        rw(RXBUF_SIZE, 1, "RXBUF_SIZE"),
        rw(TXBUF_SIZE, 1, "TXBUF_SIZE"),
        ro(TX_FSR, 2, "TX_FSR"),
        ro(TX_RD, 2, "TX_RD"),
        rw(TX_WR, 2, "TX_WR"),
        ro(RX_RSR, 2, "RX_RSR"),
        rw(RX_RD, 2, "RX_RD"),
        ro(RX_WR, 2, "RX_WR"),
        rw(IMR, 1, "IMR"),
        rw(FRAG, 2, "FRAG"),
        rw(KPALVTR, 1, "KPALVTR"),
    ]);

    /// UDP: receive the group in DIPR only. MACRAW: own address, broadcast and multicast only.
    pub const MR_MULTI_MFEN: u8 = 1 << 7;
    /// No broadcast.
    pub const MR_BCASTB: u8 = 1 << 6;
    /// MACRAW: no multicast.
    pub const MR_MMB: u8 = 1 << 5;
    /// TCP: acknowledge at once.
    pub const MR_ND: u8 = 1 << 5;
    /// UDP with MULTI: no unicast.
    pub const MR_UCASTB: u8 = 1 << 4;
    /// MACRAW: no IPv6.
    pub const MR_MIP6B: u8 = 1 << 4;
    pub const MR_PROTOCOL: u8 = 0x0F;
    pub const PROTOCOL_TCP: u8 = 1;
    pub const PROTOCOL_UDP: u8 = 2;
    pub const PROTOCOL_MACRAW: u8 = 4;

    pub const IR_SENDOK: u8 = 1 << 4;
    pub const IR_TIMEOUT: u8 = 1 << 3;
    pub const IR_RECV: u8 = 1 << 2;
    pub const IR_DISCON: u8 = 1 << 1;
    pub const IR_CON: u8 = 1 << 0;

    /// The other states of TCP are [`State`](super::super::tcp::State)'s.
    pub const STATUS_CLOSED: u8 = 0x00;
    pub const STATUS_UDP: u8 = 0x22;
    pub const STATUS_MACRAW: u8 = 0x42;

    pub const TTL_RESET: u8 = 0x80;
    pub const SIZE_RESET_KB: u8 = 2;
    pub const FRAG_RESET: u16 = 0x4000;
}

/// Commands of Sn_CR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Open,
    Listen,
    Connect,
    Disconnect,
    Close,
    Send,
    SendMac,
    SendKeep,
    Recv,
}

impl Command {
    /// The command that a value of Sn_CR stands for.
    pub fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0x01 => Self::Open,
            0x02 => Self::Listen,
            0x04 => Self::Connect,
            0x08 => Self::Disconnect,
            0x10 => Self::Close,
            0x20 => Self::Send,
            0x21 => Self::SendMac,
            0x22 => Self::SendKeep,
            0x40 => Self::Recv,
            _ => return None,
        })
    }
}
