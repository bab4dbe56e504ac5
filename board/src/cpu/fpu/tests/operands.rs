//! Operands that reach the corners: every class of value, extreme exponents, sparse fractions.

use proptest::prelude::*;

use crate::cpu::fpu::format::Format;

/// Bits of a value of `format`.
pub fn operand(format: Format) -> impl Strategy<Value = u64> {
    let ones = format.exponent_ones();
    let bias = ones / 2;
    let fraction_bits = u64::from(format.fraction_bits);
    let exponent = prop_oneof![
        Just(0),
        1..4u64,
        Just(ones),
        ones - 3..ones,
        bias - 4..bias + 4,
        bias + fraction_bits - 2..bias + fraction_bits + 2,
        bias + 14..bias + 17,
        bias + 29..bias + 34,
        0..=ones,
    ];
    let mask = (1 << fraction_bits) - 1;
    let fraction = prop_oneof![
        Just(0),
        Just(1),
        Just(mask),
        (0..fraction_bits).prop_map(|bit| 1 << bit),
        (0..fraction_bits).prop_map(move |bit| mask << bit & mask),
        any::<u64>().prop_map(move |bits| bits & mask),
    ];
    (any::<bool>(), exponent, fraction).prop_map(move |(negative, exponent, fraction)| {
        format.zero(negative) | exponent << fraction_bits | fraction
    })
}
