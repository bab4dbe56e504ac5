//! Halfword, dual and most-significant-word multiplications.

use super::{Sticky, half, high, low};

/// The sum of two 32-bit values' wide result, wrapped to 32 bits; Q where it did not fit.
fn accumulate(sum: i64) -> Sticky {
    Sticky {
        value: sum as u32,
        q: sum != i64::from(sum as i32),
    }
}

/// Both halfword products of a dual multiplication; `x` swaps Rm's halves first (the X suffix).
fn dual_products(n: u32, m: u32, x: bool) -> (i64, i64) {
    let m = if x { m.rotate_right(16) } else { m };
    (
        i64::from(low(n)) * i64::from(low(m)),
        i64::from(high(n)) * i64::from(high(m)),
    )
}

/// SMUAD{X}.
pub fn smuad(n: u32, m: u32, x: bool) -> Sticky {
    smlad(n, m, 0, x)
}

/// SMLAD{X}.
pub fn smlad(n: u32, m: u32, a: u32, x: bool) -> Sticky {
    let (bottom, top) = dual_products(n, m, x);
    accumulate(bottom + top + i64::from(a as i32))
}

/// SMUSD{X}: cannot overflow.
pub fn smusd(n: u32, m: u32, x: bool) -> u32 {
    let (bottom, top) = dual_products(n, m, x);
    (bottom - top) as u32
}

/// SMLSD{X}.
pub fn smlsd(n: u32, m: u32, a: u32, x: bool) -> Sticky {
    let (bottom, top) = dual_products(n, m, x);
    accumulate(bottom - top + i64::from(a as i32))
}

/// SMLALD{X}: `acc` is RdHi:RdLo, before and after.
pub fn smlald(n: u32, m: u32, acc: u64, x: bool) -> u64 {
    let (bottom, top) = dual_products(n, m, x);
    acc.wrapping_add((bottom + top) as u64)
}

/// SMLSLD{X}: `acc` is RdHi:RdLo, before and after.
pub fn smlsld(n: u32, m: u32, acc: u64, x: bool) -> u64 {
    let (bottom, top) = dual_products(n, m, x);
    acc.wrapping_add((bottom - top) as u64)
}

fn product(n: u32, m: u32) -> i64 {
    i64::from(n as i32) * i64::from(m as i32)
}

fn most_significant_word(value: i64, round: bool) -> u32 {
    let rounding = if round { 0x8000_0000 } else { 0 };
    (value.wrapping_add(rounding) >> 32) as u32
}

/// SMMUL{R}.
pub fn smmul(n: u32, m: u32, round: bool) -> u32 {
    most_significant_word(product(n, m), round)
}

/// SMMLA{R}.
pub fn smmla(n: u32, m: u32, a: u32, round: bool) -> u32 {
    let acc = i64::from(a as i32) << 32;
    most_significant_word(acc.wrapping_add(product(n, m)), round)
}

/// SMMLS{R}.
pub fn smmls(n: u32, m: u32, a: u32, round: bool) -> u32 {
    let acc = i64::from(a as i32) << 32;
    most_significant_word(acc.wrapping_sub(product(n, m)), round)
}

/// SMULBB, SMULBT, SMULTB, SMULTT.
pub fn smulxy(n: u32, m: u32, n_top: bool, m_top: bool) -> u32 {
    half(n, n_top).wrapping_mul(half(m, m_top)) as u32
}

/// SMLABB, SMLABT, SMLATB, SMLATT.
pub fn smlaxy(n: u32, m: u32, a: u32, n_top: bool, m_top: bool) -> Sticky {
    let product = i64::from(half(n, n_top)) * i64::from(half(m, m_top));
    accumulate(product + i64::from(a as i32))
}

/// SMLALBB, SMLALBT, SMLALTB, SMLALTT: `acc` is RdHi:RdLo, before and after.
pub fn smlalxy(n: u32, m: u32, acc: u64, n_top: bool, m_top: bool) -> u64 {
    let product = i64::from(half(n, n_top)) * i64::from(half(m, m_top));
    acc.wrapping_add(product as u64)
}

fn word_by_half(n: u32, m: u32, m_top: bool) -> i64 {
    (i64::from(n as i32) * i64::from(half(m, m_top))) >> 16
}

/// SMULWB, SMULWT.
pub fn smulw(n: u32, m: u32, m_top: bool) -> u32 {
    word_by_half(n, m, m_top) as u32
}

/// SMLAWB, SMLAWT.
pub fn smlaw(n: u32, m: u32, a: u32, m_top: bool) -> Sticky {
    accumulate(word_by_half(n, m, m_top) + i64::from(a as i32))
}

/// UMAAL: RdHi:RdLo of `n * m + hi + lo`, which always fits.
pub fn umaal(n: u32, m: u32, lo: u32, hi: u32) -> u64 {
    u64::from(n) * u64::from(m) + u64::from(lo) + u64::from(hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIN16: u32 = 0x8000_8000;

    #[test]
    fn only_the_extreme_dual_product_overflows() {
        assert_eq!(
            smuad(MIN16, MIN16, false),
            Sticky {
                value: 0x8000_0000,
                q: true
            }
        );
        assert!(!smuad(MIN16, 0x8000_7FFF, false).q);
        assert_eq!(
            smusd(MIN16, 0x8000_7FFF, true),
            0x8000_8000u32.wrapping_neg()
        );
        assert_eq!(smusd(0x0002_0003, 0x0005_0007, false), 21 - 10);
        assert_eq!(smusd(0x0002_0003, 0x0005_0007, true), 15 - 14);
    }

    #[test]
    fn accumulation_sets_q_and_wraps() {
        let r = smlaxy(0x7FFF, 0x7FFF, 0x7FFF_FFFF, false, false);
        assert!(r.q);
        assert_eq!(r.value, 0x7FFF_FFFFu32.wrapping_add(0x3FFF_0001));
        assert!(smlaw(0x7FFF_FFFF, 0x7FFF, 0x7FFF_FFFF, false).q);
        assert!(!smlaw(0x7FFF_FFFF, 0x7FFF, 0, false).q);
        assert!(smlsd(0x0000_8000, 0x0000_7FFF, 0x8000_0000, false).q);
        assert!(smlad(1, 1, 0x7FFF_FFFF, false).q);
    }

    #[test]
    fn most_significant_word_rounds_half_up() {
        assert_eq!(smmul(0x8000_0000, 0x8000_0000, false), 0x4000_0000);
        assert_eq!(smmul(0x0001_0000, 0x0000_8000, false), 0);
        assert_eq!(smmul(0x0001_0000, 0x0000_8000, true), 1);
        assert_eq!(smmls(1, 1, 0, false), 0xFFFF_FFFF);
        assert_eq!(smmls(1, 1, 0, true), 0);
        assert_eq!(smmla(0x0001_0000, 0x0001_0000, 7, false), 8);
    }

    #[test]
    fn long_forms_wrap_to_64_bits() {
        assert_eq!(umaal(u32::MAX, u32::MAX, u32::MAX, u32::MAX), u64::MAX);
        assert_eq!(smlald(1, 1, u64::MAX, false), 0);
        assert_eq!(smlsld(0x0001_0000, 0x0001_0000, 0, false), u64::MAX);
        assert_eq!(smlalxy(0xFFFF_0000, 1, 0, true, false), u64::MAX);
        assert_eq!(smulw(0xFFFF_FFFF, 1, false), 0xFFFF_FFFF);
        assert_eq!(smulxy(MIN16, MIN16, true, false), 0x4000_0000);
    }
}
