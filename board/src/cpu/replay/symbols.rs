//! What is known of registers, flags and memory words while a stretch is recorded.

use super::stretch::Source;

/// Condition flags; N and Z always change together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub nz: bool,
    pub c: bool,
    pub v: bool,
}

impl Flags {
    pub const NONE: Self = Self::of(false, false, false);
    pub const NZ: Self = Self::of(true, false, false);
    pub const NZC: Self = Self::of(true, true, false);
    pub const C: Self = Self::of(false, true, false);
    pub const ALL: Self = Self::of(true, true, true);

    const fn of(nz: bool, c: bool, v: bool) -> Self {
        Self { nz, c, v }
    }

    /// The flags that `condition` (A7.3) looks at.
    pub const fn of_condition(condition: u8) -> Self {
        match condition >> 1 {
            0 | 2 => Self::NZ,
            1 => Self::C,
            3 => Self::of(false, false, true),
            4 => Self::NZC,
            5 | 6 => Self::of(true, false, true),
            _ => Self::NONE,
        }
    }

    /// As bits of the APSR.
    pub const fn mask(self) -> u32 {
        let nz = if self.nz { 0b11 << 30 } else { 0 };
        let c = if self.c { 1 << 29 } else { 0 };
        let v = if self.v { 1 << 28 } else { 0 };
        nz | c | v
    }

    pub const fn and(self, other: Self) -> Self {
        Self::of(self.nz || other.nz, self.c || other.c, self.v || other.v)
    }

    /// These without `other`.
    pub const fn without(self, other: Self) -> Self {
        Self::of(self.nz && !other.nz, self.c && !other.c, self.v && !other.v)
    }
}

/// A value: what stood somewhere at the beginning, or one that follows from the guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Register(u8),
    Load(u8),
    Known,
}

impl Symbol {
    /// The source of a value that is `concrete` here.
    pub fn source(self, concrete: u32) -> Source {
        match self {
            Self::Register(n) => Source::Register(n),
            Self::Load(n) => Source::Load(n),
            Self::Known => Source::Known(concrete),
        }
    }
}

/// Registers as a set of bits.
pub(super) fn registers(set: u16) -> impl Iterator<Item = u8> {
    (0..16).filter(move |n| set >> n & 1 != 0)
}
