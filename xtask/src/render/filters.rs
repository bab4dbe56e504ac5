//! The filters through which every figure of a document goes.
//!
//! A figure is an integer in its base unit or an exact quotient (a map with `numerator` and
//! `denominator`); the filter names the unit it is shown in. A figure that is absent is shown as
//! [`ABSENT`]. A number printed without a filter is an error.

use std::cmp::Ordering;

use bench::Ratio;
use minijinja::value::ValueKind;
use minijinja::{Environment, Error, ErrorKind, Output, State, Value};

use super::decimal::decimal;
use super::view::compare;

/// What stands for a figure nobody measured.
pub const ABSENT: &str = "not measured";

const NS_PER_US: u128 = 1_000;
const NS_PER_MS: u128 = 1_000_000;
const NS_PER_S: u128 = 1_000_000_000;
const BITS_PER_MBIT: u128 = 1_000_000;
const HZ_PER_KHZ: u128 = 1_000;
const HZ_PER_MHZ: u128 = 1_000_000;
/// How much of a hash tells one file from another at a glance.
const SHORT_HASH_CHARS: usize = 12;

/// Gives `environment` the filters, and refuses numbers that pass through none.
pub fn install(environment: &mut Environment) {
    environment.add_filter("count", |figure: Value| show(&figure, 1, 1, 0));
    environment.add_filter("bytes", |figure: Value| show(&figure, 1, 1, 0));
    environment.add_filter("quotient", |figure: Value, digits: u32| {
        show(&figure, 1, 1, digits)
    });
    environment.add_filter("percent", |figure: Value, digits: u32| {
        show(&figure, 100, 1, digits)
    });
    environment.add_filter("ns_as_us", |figure: Value, digits: u32| {
        show(&figure, 1, NS_PER_US, digits)
    });
    environment.add_filter("ns_as_ms", |figure: Value, digits: u32| {
        show(&figure, 1, NS_PER_MS, digits)
    });
    environment.add_filter("ns_as_s", |figure: Value, digits: u32| {
        show(&figure, 1, NS_PER_S, digits)
    });
    environment.add_filter("hz_as_khz", |figure: Value, digits: u32| {
        show(&figure, 1, HZ_PER_KHZ, digits)
    });
    environment.add_filter("hz_as_mhz", |figure: Value, digits: u32| {
        show(&figure, 1, HZ_PER_MHZ, digits)
    });
    environment.add_filter("bits_per_s_as_mbit_per_s", |figure: Value, digits: u32| {
        show(&figure, 1, BITS_PER_MBIT, digits)
    });
    environment.add_filter("over", over);
    environment.add_filter("short_hash", short_hash);
    environment.add_function("order", order);
    environment.add_function("at", at);
    environment.add_filter("table_text", |text: String| text.replace('|', "\\|"));
    environment.set_formatter(refuse_bare_numbers);
}

/// `figure * factor / divisor` in decimal, or [`ABSENT`].
fn show(figure: &Value, factor: u128, divisor: u128, digits: u32) -> Result<String, Error> {
    if figure.is_undefined() {
        return Err(Error::from(ErrorKind::UndefinedError));
    }
    if figure.is_none() {
        return Ok(ABSENT.to_owned());
    }
    let ratio = ratio(figure)?;
    let scaled = Ratio {
        numerator: ratio.numerator * factor,
        denominator: ratio.denominator * divisor,
    };
    Ok(decimal(scaled, digits))
}

/// `figure / divisor` in decimal; [`ABSENT`] when one of the two is.
fn over(figure: Value, divisor: Value, digits: u32) -> Result<String, Error> {
    if figure.is_none() || divisor.is_none() {
        return Ok(ABSENT.to_owned());
    }
    let (figure, divisor) = (ratio(&figure)?, ratio(&divisor)?);
    if divisor.numerator == 0 {
        return Ok("no quotient".to_owned());
    }
    let quotient = Ratio {
        numerator: figure.numerator * divisor.denominator,
        denominator: figure.denominator * divisor.numerator,
    };
    Ok(decimal(quotient, digits))
}

/// `less`, `equal` or `greater`: how `a` compares with `b`, exactly; none when one of the two is.
fn order(a: Value, b: Value) -> Result<Value, Error> {
    if a.is_none() || b.is_none() {
        return Ok(Value::from(()));
    }
    Ok(Value::from(match compare(ratio(&a)?, ratio(&b)?) {
        Ordering::Less => "less",
        Ordering::Equal => "equal",
        Ordering::Greater => "greater",
    }))
}

/// The attribute of `value` at a dotted path; none as soon as something on the way is.
fn at(value: Value, path: &str) -> Result<Value, Error> {
    let mut value = value;
    for name in path.split('.') {
        if value.is_none() {
            return Ok(value);
        }
        value = value.get_attr(name)?;
        if value.is_undefined() {
            return Err(Error::new(
                ErrorKind::UndefinedError,
                format!("there is no {name} on the way along {path}"),
            ));
        }
    }
    Ok(value)
}

/// The figure as a quotient.
fn ratio(figure: &Value) -> Result<Ratio, Error> {
    let part = |value: Value| {
        u128::try_from(value).map_err(|_| {
            Error::new(
                ErrorKind::InvalidOperation,
                format!("{figure} is no figure: neither a whole number nor a quotient of two"),
            )
        })
    };
    if figure.kind() != ValueKind::Map {
        return Ok(Ratio {
            numerator: part(figure.clone())?,
            denominator: 1,
        });
    }
    Ok(Ratio {
        numerator: part(figure.get_attr("numerator")?)?,
        denominator: part(figure.get_attr("denominator")?)?,
    })
}

fn short_hash(hash: Value) -> Result<String, Error> {
    let hash = hash.as_str().ok_or_else(|| {
        Error::new(
            ErrorKind::InvalidOperation,
            format!("{hash} is no hash in hexadecimal"),
        )
    })?;
    Ok(hash.chars().take(SHORT_HASH_CHARS).collect())
}

fn refuse_bare_numbers(output: &mut Output, state: &mut State, value: &Value) -> Result<(), Error> {
    if value.kind() == ValueKind::Number {
        return Err(Error::new(
            ErrorKind::InvalidOperation,
            "a number is printed without a filter that names its unit",
        ));
    }
    if value.is_none() {
        return Err(Error::new(
            ErrorKind::InvalidOperation,
            "an absent value is printed without a filter",
        ));
    }
    minijinja::escape_formatter(output, state, value)
}
