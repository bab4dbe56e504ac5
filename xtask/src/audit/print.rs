//! A quotient in decimal, as documents print figures: rounded half up, thousands by commas, and never
//! zero when it is not.
//!
//! The rule is the renderer's; the way is another: digits by long division, then a carry through them.

use super::rational::Rational;

/// The decimal text of `value` with `digits` places after the point.
pub fn decimal(value: Rational, digits: usize) -> String {
    let negative = value.numerator() < 0;
    let (numerator, denominator) = (
        value.numerator().unsigned_abs(),
        value.denominator().unsigned_abs(),
    );
    let mut text = (numerator / denominator).to_string().into_bytes();
    let mut rest = numerator % denominator;
    let whole_digits = text.len();
    for _ in 0..digits {
        let (digit, left) = next_digit(rest, denominator);
        text.push(b'0' + digit);
        rest = left;
    }
    let rounds_up = rest >= denominator - rest;
    let grown = rounds_up && rest > 0 && carry(&mut text);
    let is_zero = text.iter().all(|digit| *digit == b'0');
    if is_zero && numerator > 0 {
        *text.last_mut().expect("a number has a digit") = b'1';
        return format!("<{}", placed(&text, whole_digits));
    }
    let sign = if negative && !is_zero { "-" } else { "" };
    format!("{sign}{}", placed(&text, whole_digits + usize::from(grown)))
}

/// The next digit of `rest / denominator`, and what is left: ten times the rest, one denominator at a
/// time, so that nothing overflows.
fn next_digit(rest: u128, denominator: u128) -> (u8, u128) {
    let (mut digit, mut left) = (0, 0_u128);
    for _ in 0..10 {
        let room = denominator - left;
        if rest >= room {
            digit += 1;
            left = rest - room;
        } else {
            left += rest;
        }
    }
    (digit, left)
}

/// Adds one to the last digit; whether that made a digit more.
fn carry(text: &mut Vec<u8>) -> bool {
    for digit in text.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return false;
        }
        *digit = b'0';
    }
    text.insert(0, b'1');
    true
}

/// Digits with commas between thousands and a point after `whole` of them.
fn placed(text: &[u8], whole: usize) -> String {
    let mut placed = String::new();
    for (index, digit) in text.iter().enumerate() {
        if index == whole {
            placed.push('.');
        } else if index > 0 && index < whole && (whole - index).is_multiple_of(3) {
            placed.push(',');
        }
        placed.push(char::from(*digit));
    }
    placed
}

#[cfg(test)]
mod tests {
    use bench::Ratio;
    use proptest::prelude::*;

    use super::*;
    use crate::render;

    fn printed(numerator: i128, denominator: i128, digits: usize) -> String {
        decimal(Rational::new(numerator, denominator).unwrap(), digits)
    }

    /// R8 of the cases this project collects: ties go up, and there is no negative zero.
    #[test]
    fn ties_go_up_and_zero_has_no_sign() {
        for (numerator, denominator, digits, expected) in [
            (1, 2, 0, "1"),
            (5, 2, 0, "3"),
            (1, 4, 1, "0.3"),
            (7, 20, 1, "0.4"),
            (2_675, 1_000, 2, "2.68"),
            (2_674_999, 1_000_000, 2, "2.67"),
            (9_995, 1_000, 2, "10.00"),
            (999_999_500, 1_000, 0, "1,000,000"),
            (0, 7, 2, "0.00"),
            (0, -7, 2, "0.00"),
            (4, 1_000, 2, "<0.01"),
            (1, 3, 0, "<1"),
            (-1, 1, 2, "-1.00"),
            (-2_675, 1_000, 2, "-2.68"),
            (1_234_567_891, 1_000, 3, "1,234,567.891"),
        ] {
            assert_eq!(printed(numerator, denominator, digits), expected);
        }
    }

    /// R10: what is a KiB is told by the figure.
    #[test]
    fn a_buffer_in_kib_is_not_one_in_kb() {
        assert_eq!(printed(128_000, 1_024, 1), "125.0");
        assert_eq!(printed(128_000 * 100, 131_072, 2), "97.66");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn two_ways_come_to_the_same_digits(
            numerator in 0_u64..,
            denominator in 1_u64..,
            digits in 0_u32..9,
        ) {
            let ratio = Ratio { numerator: numerator.into(), denominator: denominator.into() };
            let own = printed(numerator.into(), denominator.into(), digits as usize);
            prop_assert_eq!(own, render::decimal(ratio, digits));
        }
    }
}
