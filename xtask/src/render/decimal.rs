//! The one rounding rule of every rendered figure: round half up, on exact rationals.
//!
//! No floating point comes near a figure, so a tie is a tie, and the same result gives the same digits
//! on every machine. A value above zero is never printed as zero.

use bench::Ratio;

/// The decimal text of `value` with `digits` places after the point, rounded half up, thousands
/// separated by commas.
///
/// A value above zero that would round to zero comes out as `<` and the smallest printable step.
pub fn decimal(value: Ratio, digits: u32) -> String {
    let scale = 10_u128.pow(digits);
    let doubled = value.numerator * scale * 2 + value.denominator;
    let scaled = doubled / (value.denominator * 2);
    if scaled == 0 && value.numerator != 0 {
        return format!("<{}", place(1, scale, digits));
    }
    place(scaled, scale, digits)
}

/// The exact value of a decimal text without separators, and how many digits it has after the point.
///
/// Only digits with at most one point between them: no sign, no exponent, no space.
pub fn parse(text: &str) -> Option<(Ratio, u32)> {
    let (whole, fraction) = match text.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (text, ""),
    };
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let digits = u32::try_from(fraction.len()).ok()?;
    let value = Ratio {
        numerator: format!("{whole}{fraction}").parse().ok()?,
        denominator: 10_u128.checked_pow(digits)?,
    };
    Some((value, digits))
}

/// `scaled / scale` as text, where `scale` is ten to the power of `digits`.
fn place(scaled: u128, scale: u128, digits: u32) -> String {
    let whole = group_thousands(scaled / scale);
    if digits == 0 {
        return whole;
    }
    let width = digits as usize;
    format!("{whole}.{:0width$}", scaled % scale)
}

/// The digits of `value` in groups of three.
fn group_thousands(value: u128) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rounded(numerator: u128, denominator: u128, digits: u32) -> String {
        let value = Ratio {
            numerator,
            denominator,
        };
        decimal(value, digits)
    }

    #[test]
    fn ties_go_up_where_binary_floating_point_would_not() {
        assert_eq!(rounded(5, 10, 0), "1");
        assert_eq!(rounded(25, 10, 0), "3");
        assert_eq!(rounded(25, 100, 1), "0.3");
        assert_eq!(rounded(35, 100, 1), "0.4");
        assert_eq!(rounded(2_675, 1_000, 2), "2.68");
    }

    #[test]
    fn just_below_a_tie_goes_down() {
        assert_eq!(rounded(2_674_999, 1_000_000, 2), "2.67");
        assert_eq!(rounded(999_499, 1_000, 0), "999");
        assert_eq!(rounded(9_995, 1_000, 2), "10.00");
    }

    #[test]
    fn zero_is_zero_and_nothing_else_is() {
        assert_eq!(rounded(0, 7, 2), "0.00");
        assert_eq!(rounded(4, 1_000, 2), "<0.01");
        assert_eq!(rounded(5, 1_000, 2), "0.01");
        assert_eq!(rounded(1, 3, 0), "<1");
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(rounded(999, 1, 0), "999");
        assert_eq!(rounded(1_000, 1, 0), "1,000");
        assert_eq!(rounded(3_600_000, 1, 0), "3,600,000");
        assert_eq!(rounded(1_234_567_891, 1_000, 3), "1,234,567.891");
    }

    #[test]
    fn what_is_no_plain_decimal_is_refused() {
        let refused = [
            "", ".", "1.", ".5", "-1", "+1", "1e3", "1,000", " 1", "NaN", "inf", "1.2.3", "٣",
        ];
        for text in refused {
            assert_eq!(parse(text), None, "{text:?}");
        }
        assert_eq!(parse(&"9".repeat(40)), None);
        assert_eq!(parse(&format!("0.{}", "1".repeat(39))), None);
    }

    proptest! {
        #[test]
        fn a_printed_decimal_comes_back_exactly(scaled in 0_u64.., digits in 0_u32..12) {
            let value = Ratio {
                numerator: scaled.into(),
                denominator: 10_u128.pow(digits),
            };
            let text = decimal(value, digits).replace(',', "");
            prop_assume!(!text.starts_with('<'));
            prop_assert_eq!(parse(&text), Some((value, digits)));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,20}") {
            if let Some((value, digits)) = parse(&text) {
                let printed = decimal(value, digits).replace(',', "");
                let padded = format!("{printed:0>width$}", width = text.len());
                prop_assert!(value.numerator == 0 || padded == text);
            }
        }
    }
}
