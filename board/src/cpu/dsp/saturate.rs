//! Saturation: SSAT, USAT and the saturating additions.

use super::{Sticky, high, low};

fn clamp(value: i64, min: i64, max: i64) -> (i64, bool) {
    let clamped = value.clamp(min, max);
    (clamped, clamped != value)
}

fn clamp_signed(value: i64, bits: u32) -> (i64, bool) {
    let limit = 1i64 << (bits - 1);
    clamp(value, -limit, limit - 1)
}

fn clamp_unsigned(value: i64, bits: u32) -> (i64, bool) {
    clamp(value, 0, (1i64 << bits) - 1)
}

fn word((value, q): (i64, bool)) -> Sticky {
    Sticky {
        value: value as u32,
        q,
    }
}

fn halves(bottom: (i64, bool), top: (i64, bool)) -> Sticky {
    Sticky {
        value: (bottom.0 as u32 & 0xFFFF) | (top.0 as u32) << 16,
        q: bottom.1 || top.1,
    }
}

/// SSAT: `value` is the shifted operand, `bits` 1 to 32.
pub fn ssat(value: u32, bits: u32) -> Sticky {
    word(clamp_signed(i64::from(value as i32), bits))
}

/// USAT: `value` is the shifted operand, `bits` 0 to 31.
pub fn usat(value: u32, bits: u32) -> Sticky {
    word(clamp_unsigned(i64::from(value as i32), bits))
}

/// SSAT16: `bits` 1 to 16.
pub fn ssat16(n: u32, bits: u32) -> Sticky {
    halves(
        clamp_signed(i64::from(low(n)), bits),
        clamp_signed(i64::from(high(n)), bits),
    )
}

/// USAT16: `bits` 0 to 15.
pub fn usat16(n: u32, bits: u32) -> Sticky {
    halves(
        clamp_unsigned(i64::from(low(n)), bits),
        clamp_unsigned(i64::from(high(n)), bits),
    )
}

/// QADD Rd, Rm, Rn.
pub fn qadd(m: u32, n: u32) -> Sticky {
    word(clamp_signed(i64::from(m as i32) + i64::from(n as i32), 32))
}

/// QSUB Rd, Rm, Rn: Rm less Rn.
pub fn qsub(m: u32, n: u32) -> Sticky {
    word(clamp_signed(i64::from(m as i32) - i64::from(n as i32), 32))
}

/// QDADD Rd, Rm, Rn: Rm plus the saturated double of Rn; Q from either step.
pub fn qdadd(m: u32, n: u32) -> Sticky {
    let doubled = qadd(n, n);
    let sum = qadd(m, doubled.value);
    Sticky {
        value: sum.value,
        q: doubled.q || sum.q,
    }
}

/// QDSUB Rd, Rm, Rn: Rm less the saturated double of Rn; Q from either step.
pub fn qdsub(m: u32, n: u32) -> Sticky {
    let doubled = qadd(n, n);
    let difference = qsub(m, doubled.value);
    Sticky {
        value: difference.value,
        q: doubled.q || difference.q,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sticky(value: u32, q: bool) -> Sticky {
        Sticky { value, q }
    }

    #[test]
    fn ranges_end_where_the_width_says() {
        assert_eq!(ssat(0x80, 8), sticky(0x7F, true));
        assert_eq!(ssat(0x7F, 8), sticky(0x7F, false));
        assert_eq!(ssat(-129i32 as u32, 8), sticky(-128i32 as u32, true));
        assert_eq!(ssat(0x8000_0000, 32), sticky(0x8000_0000, false));
        assert_eq!(usat(-1i32 as u32, 8), sticky(0, true));
        assert_eq!(usat(256, 8), sticky(255, true));
        assert_eq!(usat(1, 0), sticky(0, true));
        assert_eq!(ssat16(0x7FFF_FFFF, 8), sticky(0x007F_FFFF, true));
        assert_eq!(usat16(0x0100_8000, 8), sticky(0x00FF_0000, true));
    }

    #[test]
    fn doubling_saturates_before_the_sum() {
        assert_eq!(qadd(0x7FFF_FFFF, 1), sticky(0x7FFF_FFFF, true));
        assert_eq!(qsub(0x8000_0000, 1), sticky(0x8000_0000, true));
        assert_eq!(qdadd(u32::MAX, 0x4000_0000), sticky(0x7FFF_FFFE, true));
        assert_eq!(qdsub(0, 0xC000_0000), sticky(0x7FFF_FFFF, true));
        assert_eq!(qdsub(5, 1), sticky(3, false));
    }
}
