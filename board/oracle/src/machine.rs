//! The machine both cores run in: code in flash, scratch memory in DTCM, and the state around a program.

/// Where programs start.
pub const CODE_BASE: u32 = 0x0800_0000;
/// Bytes of flash that both cores have.
pub const CODE_LEN: u32 = 64 << 10;
/// First instruction of the program under test: literal loads reach 4 KB to both sides.
pub const PROGRAM_BASE: u32 = CODE_BASE + 0x4000;
/// Scratch memory.
pub const RAM_BASE: u32 = 0x2000_0000;
pub const RAM_LEN: u32 = 64 << 10;
/// Bases of ordinary accesses lie here: every offset stays in scratch memory, below the slots.
pub const DATA: std::ops::Range<u32> = RAM_BASE + 0x3000..RAM_BASE + 0x5000;
/// Slots for branch targets and branch tables, which no ordinary access reaches.
pub const SLOTS: std::ops::Range<u32> = RAM_BASE + 0xA000..RAM_BASE + 0xF000;

/// What flash holds around a program, which literal loads see.
pub fn background_code() -> Vec<u8> {
    let mut bytes = vec![0; CODE_LEN as usize];
    fastrand::Rng::with_seed(0).fill(&mut bytes);
    bytes
}

/// APSR's flags: N, Z, C, V, Q and GE.
pub const FLAGS: u32 = 0xF80F_0000;
/// FPSCR bits that exist.
pub const FPSCR: u32 = 0xF7C0_009F;

/// What a program starts with.
#[derive(Clone, Debug)]
pub struct Start {
    /// R0 to R12, SP and LR.
    pub r: [u32; 15],
    pub flags: u32,
    pub s: [u32; 32],
    pub fpscr: u32,
    pub ram: Vec<u8>,
}

/// What it leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// How the program ended: "end" or what went wrong.
    pub stop: String,
    pub r: [u32; 16],
    pub flags: u32,
    pub s: [u32; 32],
    pub fpscr: u32,
    pub ram: Vec<u8>,
}

/// A core that can run a program.
pub trait Core {
    /// Runs `code` (placed at [`PROGRAM_BASE`]) from `start` until it comes to the end of the code.
    fn run(&mut self, code: &[u16], start: &Start) -> End;
}

impl Start {
    /// Random contents, half of them values at which arithmetic changes its ways.
    pub fn random(rng: &mut fastrand::Rng) -> Self {
        let mut ram = vec![0; RAM_LEN as usize];
        rng.fill(&mut ram);
        let mut start = Self {
            r: std::array::from_fn(|_| interesting_word(rng)),
            flags: rng.u32(..) & FLAGS,
            s: std::array::from_fn(|_| interesting_single(rng)),
            fpscr: if rng.bool() { 0 } else { rng.u32(..) & FPSCR },
            ram,
        };
        start.r[13] = rng.u32(DATA) & !3;
        for d in 0..16 {
            if rng.bool() {
                let bits = interesting_double(rng);
                start.s[2 * d] = bits as u32;
                start.s[2 * d + 1] = (bits >> 32) as u32;
            }
        }
        start
    }
}

fn interesting_word(rng: &mut fastrand::Rng) -> u32 {
    const CORNERS: [u32; 12] = [
        0,
        1,
        2,
        0x7FFF_FFFF,
        0x8000_0000,
        0x8000_0001,
        0xFFFF_FFFF,
        0xFFFF_FFFE,
        0x7FFF_8000,
        0x8000_7FFF,
        0x0080_FF7F,
        0x8080_8080,
    ];
    match rng.u8(0..4) {
        0 => CORNERS[rng.usize(..CORNERS.len())],
        1 => rng.u32(0..40),
        _ => rng.u32(..),
    }
}

fn interesting_single(rng: &mut fastrand::Rng) -> u32 {
    let exponent = match rng.u8(0..5) {
        0 => 0,
        1 => 255,
        2 => rng.u32(120..136),
        3 => rng.u32(140..162),
        _ => rng.u32(0..256),
    };
    u32::from(rng.bool()) << 31 | exponent << 23 | interesting_fraction(rng, 23) as u32
}

fn interesting_double(rng: &mut fastrand::Rng) -> u64 {
    let exponent = match rng.u8(0..5) {
        0 => 0,
        1 => 2047,
        2 => rng.u64(1016..1032),
        3 => rng.u64(890..1160),
        _ => rng.u64(0..2048),
    };
    u64::from(rng.bool()) << 63 | exponent << 52 | interesting_fraction(rng, 52)
}

fn interesting_fraction(rng: &mut fastrand::Rng, bits: u32) -> u64 {
    let mask = (1 << bits) - 1;
    match rng.u8(0..4) {
        0 => 0,
        1 => mask,
        2 => 1 << rng.u32(0..bits),
        _ => rng.u64(..) & mask,
    }
}
