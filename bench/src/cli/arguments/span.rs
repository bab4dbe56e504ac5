//! A length of time as it is written on a command line.

use std::fmt;
use std::str::FromStr;

use crate::Nanos;

/// The units, the longest first, with their length in nanoseconds.
const UNITS: [(&str, u64); 6] = [
    ("h", 3_600_000_000_000),
    ("min", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// A length of time: a whole number and a unit, such as `250ms` or `1h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub Nanos);

/// A text that is no length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    /// Not a whole number followed by a unit.
    #[error("write a whole number and a unit: h, min, s, ms, us or ns, such as 250ms")]
    Form,
    /// More than 584 years.
    #[error("so long a time does not fit 64 bits of nanoseconds")]
    TooLong,
}

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let unit = text[digits.len()..].trim();
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let unit = UNITS.iter().find(|&&(name, _)| name == unit);
        let Some((_, unit_ns)) = unit.filter(|_| is_number) else {
            return Err(SpanError::Form);
        };
        let number = digits.parse::<u64>().map_err(|_| SpanError::TooLong)?;
        let nanos = number.checked_mul(*unit_ns).ok_or(SpanError::TooLong)?;
        Ok(Self(Nanos(nanos)))
    }
}

/// In the longest unit of which it is a whole number.
impl fmt::Display for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Nanos(nanos) = self.0;
        let fits = |&&(_, unit_ns): &&(&str, u64)| nanos >= unit_ns && nanos % unit_ns == 0;
        match UNITS.iter().find(fits) {
            Some((name, unit_ns)) => write!(formatter, "{}{name}", nanos / unit_ns),
            None => formatter.write_str("0s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_span_is_a_whole_number_and_a_unit() {
        let span = |text: &str| text.parse::<Span>().map(|span| span.0);
        assert_eq!(span("250ms"), Ok(Nanos::from_millis(250)));
        assert_eq!(span("1 h"), Ok(Nanos::from_secs(3_600)));
        assert_eq!(span("0s"), Ok(Nanos::ZERO));
        for text in [
            "",
            "5",
            "ms",
            "-1s",
            "1.5s",
            "1 fortnight",
            "1s2",
            "+1s",
            "1_0s",
        ] {
            assert_eq!(span(text), Err(SpanError::Form), "{text}");
        }
        assert_eq!(span("18446744073709551616ns"), Err(SpanError::TooLong));
        assert_eq!(span("5124096h"), Err(SpanError::TooLong));
    }

    #[test]
    fn a_span_is_written_in_its_longest_unit() {
        let written = |nanos| Span(nanos).to_string();
        assert_eq!(written(Nanos::from_secs(3_600)), "1h");
        assert_eq!(written(Nanos::from_secs(90)), "90s");
        assert_eq!(written(Nanos::from_micros(1_500)), "1500us");
        assert_eq!(written(Nanos::ZERO), "0s");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(nanos: u64) {
            let span = Span(Nanos(nanos));
            prop_assert_eq!(span.to_string().parse(), Ok(span));
        }

        #[test]
        fn any_text_is_read_or_refused(text: String) {
            let _ = text.parse::<Span>();
        }
    }
}
