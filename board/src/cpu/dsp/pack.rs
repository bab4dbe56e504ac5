//! Packing, selecting, extending, and sums of absolute differences.

/// PKHBT: Rn's bottom half below the shifted operand's top half.
pub const fn pkhbt(n: u32, shifted: u32) -> u32 {
    (n & 0xFFFF) | (shifted & 0xFFFF_0000)
}

/// PKHTB: the shifted operand's bottom half below Rn's top half.
pub const fn pkhtb(n: u32, shifted: u32) -> u32 {
    (n & 0xFFFF_0000) | (shifted & 0xFFFF)
}

/// SEL: byte `i` from Rn where bit `i` of `ge` is set, otherwise from Rm.
pub fn sel(ge: u8, n: u32, m: u32) -> u32 {
    let mask = (0..4)
        .filter(|i| ge >> i & 1 != 0)
        .fold(0, |mask, i| mask | 0xFF << (8 * i));
    (n & mask) | (m & !mask)
}

/// SXTB16, and SXTAB16 with `n` other than zero; `rotated` is Rm after its rotation.
pub const fn sxtab16(n: u32, rotated: u32) -> u32 {
    add_halves(n, rotated as i8 as u32, (rotated >> 16) as i8 as u32)
}

/// UXTB16, and UXTAB16 with `n` other than zero; `rotated` is Rm after its rotation.
pub const fn uxtab16(n: u32, rotated: u32) -> u32 {
    add_halves(n, rotated & 0xFF, rotated >> 16 & 0xFF)
}

const fn add_halves(n: u32, bottom: u32, top: u32) -> u32 {
    (n.wrapping_add(bottom) & 0xFFFF) | (n >> 16).wrapping_add(top) << 16
}

/// USADA8, and USAD8 with `a` zero.
pub fn usada8(n: u32, m: u32, a: u32) -> u32 {
    let (n, m) = (n.to_le_bytes(), m.to_le_bytes());
    (0..4).fold(a, |sum, i| sum.wrapping_add(u32::from(n[i].abs_diff(m[i]))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_and_bytes_come_from_where_they_should() {
        assert_eq!(pkhbt(0x1111_2222, 0x3333_4444), 0x3333_2222);
        assert_eq!(pkhtb(0x1111_2222, 0x3333_4444), 0x1111_4444);
        assert_eq!(sel(0b0101, 0x1122_3344, 0x5566_7788), 0x5522_7744);
    }

    #[test]
    fn extension_adds_each_half_apart() {
        assert_eq!(sxtab16(0x0001_0001, 0x00FF_00FF), 0);
        assert_eq!(uxtab16(0xFFFF_0001, 0x1201_34FF), 0x0000_0100);
        assert_eq!(sxtab16(0, 0x0080_007F), 0xFF80_007F);
    }

    #[test]
    fn absolute_differences_accumulate() {
        assert_eq!(usada8(0x00FF_0A05, 0xFF00_050A, 1), 1 + 255 + 255 + 5 + 5);
        assert_eq!(usada8(0xFF00_0000, 0, u32::MAX), 254);
    }
}
