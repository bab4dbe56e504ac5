//! One published figure: as printed, and exactly.

use anyhow::{Context, bail, ensure};
use bench::Ratio;

use super::unit::{Exact, Unit};
use crate::render::{decimal, parse_decimal};

/// Words before a figure that make it approximate or a bound.
const QUALIFIERS: [&str; 3] = ["about ", "at least ", "more than "];

/// A figure as a document prints it, with its exact value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The text of the document, without the unit.
    pub printed: String,
    /// The same in base units, as an exact decimal.
    pub exact: String,
    /// The value of both.
    pub value: Exact,
    pub unit: Unit,
    /// Digits after the point.
    pub digits: u32,
    /// Whether the document calls it approximate or a bound.
    pub qualified: bool,
}

impl Figure {
    /// Reads the text `printed` in `unit`, and holds it against `exact`, the same in base units.
    ///
    /// The rule is that nothing was rounded in between: `exact` is `printed` times the unit, digit
    /// for digit, and rendering `exact` in the unit gives `printed` again.
    ///
    /// # Errors
    /// A text that is no plain decimal, thousands grouped wrongly, or an exact value that is not the
    /// printed one.
    pub fn read(printed: &str, exact: &str, unit: Unit) -> anyhow::Result<Self> {
        let qualifier = QUALIFIERS.iter().find(|word| printed.starts_with(**word));
        let number = &printed[qualifier.map_or(0, |word| word.len())..];
        let not_a_figure = || format!("{printed:?} is not a figure");
        let (ratio, digits) = parse_decimal(&number.replace(',', "")).with_context(not_a_figure)?;
        let rendered = decimal(ratio, digits);
        let expected = if number.contains(',') {
            rendered
        } else {
            rendered.replace(',', "")
        };
        ensure!(number == expected, not_a_figure());
        let (exact_ratio, exact_digits) =
            parse_decimal(exact).with_context(|| format!("{exact:?} is not an exact value"))?;
        let canonical = decimal(exact_ratio, exact_digits).replace(',', "");
        ensure!(
            exact == canonical && (exact_digits == 0 || !exact.ends_with('0')),
            "the exact value {exact:?} is not in its shortest form"
        );
        let value = rational(ratio)? * unit.factor();
        ensure!(
            value == rational(exact_ratio)?,
            "the exact value {exact} is not the printed {printed} {}",
            unit.symbol
        );
        Ok(Self {
            printed: printed.to_owned(),
            exact: exact.to_owned(),
            value,
            unit,
            digits,
            qualified: qualifier.is_some(),
        })
    }

    /// The printed text with its unit.
    pub fn with_unit(&self) -> String {
        format!("{} {}", self.printed, self.unit.symbol)
            .trim_end()
            .to_owned()
    }

    /// How far a value may be from this figure and still be printed like it.
    pub fn half_step(&self) -> Exact {
        self.unit.half_step(self.digits)
    }

    /// Whether `value` would be printed as this figure, when its own inputs may be `slack` off.
    pub fn stands_for(&self, value: Exact, slack: Exact) -> bool {
        let difference = if self.value > value {
            self.value - value
        } else {
            value - self.value
        };
        difference <= self.half_step() + slack
    }
}

/// `ratio` for arithmetic.
fn rational(ratio: Ratio) -> anyhow::Result<Exact> {
    let (Ok(numerator), Ok(denominator)) = (
        i128::try_from(ratio.numerator),
        i128::try_from(ratio.denominator),
    ) else {
        bail!("a figure of more than 38 digits");
    };
    ensure!(
        numerator < 10_i128.pow(17) && denominator <= 10_i128.pow(10),
        "a figure of more digits than any document prints"
    );
    Ok(Exact::new(numerator, denominator))
}

/// `value` in `unit` with `digits` after the point, as tables print it.
pub fn in_unit(value: Exact, unit: Unit, digits: u32) -> String {
    let scaled = value / unit.factor();
    let sign = if scaled < Exact::from_integer(0) {
        "-"
    } else {
        ""
    };
    let ratio = Ratio {
        numerator: scaled.numer().unsigned_abs(),
        denominator: scaled.denom().unsigned_abs(),
    };
    format!("{sign}{} {}", decimal(ratio, digits), unit.symbol)
        .trim_end()
        .to_owned()
}

/// `value` without a unit, with `digits` after the point.
pub fn plain(value: Exact, digits: u32) -> String {
    in_unit(value, Unit::of("").0, digits)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(printed: &str, exact: &str, name: &str) -> anyhow::Result<Figure> {
        Figure::read(printed, exact, Unit::of(name).0)
    }

    #[test]
    fn a_figure_keeps_its_text_and_its_value() {
        let cases = [
            ("0.303", "303000", "rtt_p50_ms"),
            ("3,599,981", "3599981", "valid"),
            ("10000", "10000", "samples"),
            ("0.000528", "0.00000528", "loss_percent"),
            ("11.7", "12268339.2", "receive_mib_per_s"),
            ("about 32.5", "32500000", "spi_mhz"),
            ("0.0", "0", "complete_bursts_percent"),
        ];
        for (printed, exact, name) in cases {
            let figure = read(printed, exact, name).unwrap();
            assert_eq!(figure.printed, printed);
            assert_eq!(figure.qualified, printed.starts_with("about"));
        }
    }

    #[test]
    fn text_and_value_must_be_the_same_figure() {
        let refused = [
            ("0.303", "303001", "rtt_p50_ms"),
            ("0.304", "303000", "rtt_p50_ms"),
            ("3,599,981", "3599980", "valid"),
            ("35,99,981", "3599981", "valid"),
            ("3599,981", "3599981", "valid"),
            ("1", "01", "valid"),
            ("1", "1.0", "valid"),
            ("NaN", "NaN", "valid"),
            ("-1", "-1", "valid"),
            ("1e3", "1000", "valid"),
            ("some 5", "5", "valid"),
        ];
        for (printed, exact, name) in refused {
            assert!(read(printed, exact, name).is_err(), "{printed} {exact}");
        }
    }

    #[test]
    fn a_printed_figure_stands_for_what_rounds_to_it() {
        let figure = read("2.13", "2.13", "c_over_rust_ratio").unwrap();
        let zero = Exact::from_integer(0);
        assert!(figure.stands_for(Exact::new(126_824, 59_412), zero));
        assert!(!figure.stands_for(Exact::new(2_136, 1_000), zero));
        assert!(figure.stands_for(Exact::new(2_136, 1_000), Exact::new(1, 1_000)));
    }

    proptest! {
        #[test]
        fn one_changed_digit_is_refused(
            whole in 1_u32..10_000_000,
            thousandths in 0_u32..1_000,
            place in 0_usize..40,
            change in 1_u8..10,
        ) {
            let printed = format!("{whole}.{thousandths:03}");
            let exact = (u64::from(whole) * 1_000_000 + u64::from(thousandths) * 1_000).to_string();
            prop_assert!(read(&printed, &exact, "rtt_max_ms").is_ok());
            let changed = |text: &str| {
                let mut bytes = text.as_bytes().to_vec();
                let digits: Vec<usize> =
                    (0..bytes.len()).filter(|index| bytes[*index].is_ascii_digit()).collect();
                let index = digits[place % digits.len()];
                bytes[index] = (bytes[index] - b'0' + change) % 10 + b'0';
                String::from_utf8(bytes).unwrap()
            };
            prop_assert!(read(&changed(&printed), &exact, "rtt_max_ms").is_err());
            prop_assert!(read(&printed, &changed(&exact), "rtt_max_ms").is_err());
        }

        #[test]
        fn any_text_is_read_or_refused(printed in ".{0,24}", exact in ".{0,24}") {
            if let Ok(figure) = read(&printed, &exact, "rtt_p50_ms") {
                prop_assert_eq!(figure.printed, printed);
            }
        }
    }
}
