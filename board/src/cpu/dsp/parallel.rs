//! Parallel additions and subtractions on halfwords and bytes.

/// Which lanes are added and which subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParallelOp {
    Add16,
    /// Halves of Rm exchanged, top lane added, bottom lane subtracted.
    Asx,
    /// Halves of Rm exchanged, top lane subtracted, bottom lane added.
    Sax,
    Sub16,
    Add8,
    Sub8,
}

/// How each lane's result is made to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParallelKind {
    /// S prefix: wraps, sets GE where the signed result is not negative.
    Signed,
    /// Q prefix.
    SignedSaturating,
    /// SH prefix.
    SignedHalving,
    /// U prefix: wraps, sets GE on carry of a sum and on no borrow of a difference.
    Unsigned,
    /// UQ prefix.
    UnsignedSaturating,
    /// UH prefix.
    UnsignedHalving,
}

/// A parallel result: the register's value and, for the S and U prefixes, the new APSR.GE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parallel {
    pub value: u32,
    pub ge: Option<u8>,
}

impl ParallelOp {
    /// From bits 6:4 of the first halfword (ARMv7-M ARM, A5.3.15 and A5.3.16).
    pub const fn from_bits(bits: u16) -> Option<Self> {
        Some(match bits {
            0b000 => Self::Add8,
            0b001 => Self::Add16,
            0b010 => Self::Asx,
            0b100 => Self::Sub8,
            0b101 => Self::Sub16,
            0b110 => Self::Sax,
            _ => return None,
        })
    }

    /// The lane's width in bits, and whether lane `lane` is subtracted.
    const fn lane(self, lane: u32) -> (u32, bool) {
        match self {
            Self::Add16 => (16, false),
            Self::Asx => (16, lane == 0),
            Self::Sax => (16, lane == 1),
            Self::Sub16 => (16, true),
            Self::Add8 => (8, false),
            Self::Sub8 => (8, true),
        }
    }
}

impl ParallelKind {
    /// From bits 6:4 of the second halfword (ARMv7-M ARM, A5.3.15 and A5.3.16).
    pub const fn from_bits(bits: u16) -> Option<Self> {
        Some(match bits {
            0b000 => Self::Signed,
            0b001 => Self::SignedSaturating,
            0b010 => Self::SignedHalving,
            0b100 => Self::Unsigned,
            0b101 => Self::UnsignedSaturating,
            0b110 => Self::UnsignedHalving,
            _ => return None,
        })
    }

    const fn signed(self) -> bool {
        matches!(
            self,
            Self::Signed | Self::SignedSaturating | Self::SignedHalving
        )
    }

    /// Fits a lane's exact result into `width` bits, and says whether its GE bits are set.
    fn fit(self, exact: i32, width: u32, subtracted: bool) -> (u32, bool) {
        let (value, ge) = match self {
            Self::Signed => (exact, exact >= 0),
            Self::Unsigned if subtracted => (exact, exact >= 0),
            Self::Unsigned => (exact, exact >= 1 << width),
            Self::SignedSaturating => {
                let limit = 1 << (width - 1);
                (exact.clamp(-limit, limit - 1), false)
            }
            Self::UnsignedSaturating => (exact.clamp(0, (1 << width) - 1), false),
            Self::SignedHalving | Self::UnsignedHalving => (exact >> 1, false),
        };
        (value as u32 & ((1 << width) - 1), ge)
    }
}

fn lane_value(x: u32, lane: u32, width: u32, signed: bool) -> i32 {
    let aligned = x << (32 - width * (lane + 1));
    if signed {
        (aligned as i32) >> (32 - width)
    } else {
        (aligned >> (32 - width)) as i32
    }
}

/// All 36 parallel additions and subtractions.
pub fn parallel(kind: ParallelKind, op: ParallelOp, n: u32, m: u32) -> Parallel {
    let m = match op {
        ParallelOp::Asx | ParallelOp::Sax => m.rotate_right(16),
        _ => m,
    };
    let (width, _) = op.lane(0);
    let (mut value, mut ge) = (0, 0);
    for lane in 0..32 / width {
        let (_, subtracted) = op.lane(lane);
        let a = lane_value(n, lane, width, kind.signed());
        let b = lane_value(m, lane, width, kind.signed());
        let exact = if subtracted { a - b } else { a + b };
        let (fitted, at_least) = kind.fit(exact, width, subtracted);
        value |= fitted << (lane * width);
        if at_least {
            let lane_ge = if width == 16 { 0b11 } else { 0b1 };
            ge |= lane_ge << (lane * width / 8);
        }
    }
    let sets_ge = matches!(kind, ParallelKind::Signed | ParallelKind::Unsigned);
    Parallel {
        value,
        ge: sets_ge.then_some(ge),
    }
}

#[cfg(test)]
mod tests {
    use super::ParallelKind::*;
    use super::ParallelOp::*;
    use super::*;

    #[test]
    fn ge_follows_sign_carry_and_borrow() {
        let r = parallel(Signed, Add8, 0x7F80_01FF, 0x01FF_0101);
        assert_eq!((r.value, r.ge), (0x807F_0200, Some(0b1011)));
        let r = parallel(Unsigned, Add8, 0x7F80_01FF, 0x01FF_0101);
        assert_eq!((r.value, r.ge), (0x807F_0200, Some(0b0101)));
        let r = parallel(Unsigned, Sub16, 0x0001_0005, 0x0002_0005);
        assert_eq!((r.value, r.ge), (0xFFFF_0000, Some(0b0011)));
    }

    #[test]
    fn exchange_forms_cross_the_halves() {
        let r = parallel(Signed, Asx, 0x0010_0020, 0x0001_0002);
        assert_eq!((r.value, r.ge), (0x0012_001F, Some(0b1111)));
        let r = parallel(Unsigned, Sax, 0x0001_FFFF, 0x0001_0002);
        assert_eq!((r.value, r.ge), (0xFFFF_0000, Some(0b0011)));
    }

    #[test]
    fn saturating_and_halving_leave_ge_alone() {
        let r = parallel(SignedSaturating, Sub16, 0x8000_7FFF, 0x0001_FFFF);
        assert_eq!((r.value, r.ge), (0x8000_7FFF, None));
        let r = parallel(UnsignedSaturating, Sub8, 0x0001_FF00, 0x0101_01FF);
        assert_eq!((r.value, r.ge), (0x0000_FE00, None));
        let r = parallel(SignedHalving, Add16, 0xFFFF_7FFF, 0xFFFE_7FFF);
        assert_eq!((r.value, r.ge), (0xFFFE_7FFF, None));
        let r = parallel(UnsignedHalving, Sub8, 0x00FF_0000, 0x0100_00FF);
        assert_eq!((r.value, r.ge), (0xFF7F_0080, None));
    }
}
