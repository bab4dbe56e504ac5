//! The filters and functions through which every figure of a document goes.
//!
//! A figure is a [`Traced`] one, exact and in its base unit; the filter names the unit it is shown in. A
//! figure that is absent is shown as [`ABSENT`]. A number without a trace, or without a filter, is an
//! error.

use bench::Ratio;
use minijinja::value::{Kwargs, ValueKind};
use minijinja::{Environment, Error, ErrorKind, Output, State, Value};

use super::decimal::{decimal, parse};
use super::record::{Recorder, Unit};
use crate::trace::{Candidate, Formula, Relation, Rule, Tolerance, Traced};

/// What stands for a figure nobody measured.
pub const ABSENT: &str = "not measured";

/// How much of a hash tells one file from another at a glance.
const SHORT_HASH_CHARS: usize = 12;

/// The filters that show a figure, and the unit of each.
const UNITS: [(&str, Unit); 8] = [
    ("quotient", Unit::One),
    ("percent", Unit::Percent),
    ("ns_as_us", Unit::Microseconds),
    ("ns_as_ms", Unit::Milliseconds),
    ("ns_as_s", Unit::Seconds),
    ("hz_as_khz", Unit::Kilohertz),
    ("hz_as_mhz", Unit::Megahertz),
    ("bits_per_s_as_mbit_per_s", Unit::MegabitsPerSecond),
];

/// Gives `environment` the filters and functions, which record what they print, and refuses numbers that
/// pass through none.
pub fn install(environment: &mut Environment, recorder: &Recorder) {
    for name in ["count", "bytes"] {
        let recorder = recorder.clone();
        environment.add_filter(name, move |figure: Value| {
            show(&recorder, &figure, Unit::One, 0)
        });
    }
    for (name, unit) in UNITS {
        let recorder = recorder.clone();
        environment.add_filter(name, move |figure: Value, digits: u32| {
            show(&recorder, &figure, unit, digits)
        });
    }
    let ours = recorder.clone();
    environment.add_filter("over", move |figure: Value, divisor: Value, digits: u32| {
        over(&ours, &figure, &divisor, digits)
    });
    let ours = recorder.clone();
    environment.add_function(
        "claim",
        move |words: String, left: Value, relation: String, right: Value, options: Kwargs| {
            claim(&ours, &words, &left, &relation, &right, options)
        },
    );
    let ours = recorder.clone();
    environment.add_function(
        "compared",
        move |left: Value, right: Value, less: String, equal: String, greater: String| {
            compared(&ours, &left, &right, [&less, &equal, &greater])
        },
    );
    let ours = recorder.clone();
    environment.add_function("name", move |text: String| ours.name(&text));
    environment.add_function("stated", stated);
    environment.add_filter("short_hash", short_hash);
    environment.add_filter("table_text", |text: String| text.replace('|', "\\|"));
    environment.add_function("at", at);
    environment.add_function("sum", sum);
    environment.add_function("largest", largest);
    let ours = recorder.clone();
    environment.set_formatter(move |output, state, value| print(&ours, output, state, value));
}

/// `figure` in decimal, or [`ABSENT`].
fn show(recorder: &Recorder, figure: &Value, unit: Unit, digits: u32) -> Result<String, Error> {
    if figure.is_undefined() {
        return Err(Error::from(ErrorKind::UndefinedError));
    }
    if figure.is_none() {
        return Ok(ABSENT.to_owned());
    }
    Ok(shown(recorder, &traced(figure)?, unit, digits))
}

fn shown(recorder: &Recorder, figure: &Traced, unit: Unit, digits: u32) -> String {
    let (factor, divisor) = unit.scale();
    let scaled = Ratio {
        numerator: figure.value.numerator * factor,
        denominator: figure.value.denominator * divisor,
    };
    recorder.figure(&decimal(scaled, digits), unit, digits, figure)
}

/// `figure / divisor` in decimal; [`ABSENT`] when one of the two is.
fn over(
    recorder: &Recorder,
    figure: &Value,
    divisor: &Value,
    digits: u32,
) -> Result<String, Error> {
    if figure.is_none() || divisor.is_none() {
        return Ok(ABSENT.to_owned());
    }
    match traced(figure)?.over(&traced(divisor)?) {
        None => Ok("no quotient".to_owned()),
        Some(quotient) => Ok(shown(recorder, &quotient, Unit::One, digits)),
    }
}

/// The words of a claim that holds.
///
/// # Errors
/// The claim is false: both sides, with what they follow from.
fn claim(
    recorder: &Recorder,
    words: &str,
    left: &Value,
    sign: &str,
    right: &Value,
    options: Kwargs,
) -> Result<String, Error> {
    let tolerance = options.get::<Option<String>>("tolerance")?;
    options.assert_all_used()?;
    let invalid = |what: String| Error::new(ErrorKind::InvalidOperation, what);
    let relation = Relation::parse(sign)
        .ok_or_else(|| invalid(format!("{sign} is no relation of a claim")))?;
    let tolerance = tolerance
        .map(|text| {
            let (percent, _) = text
                .strip_suffix('%')
                .and_then(|number| parse(number.trim_end()))
                .ok_or_else(|| invalid(format!("{text} is no tolerance such as `5 %`")))?;
            Ok::<_, Error>(Tolerance(Ratio {
                denominator: percent.denominator * 100,
                ..percent
            }))
        })
        .transpose()?;
    if (relation == Relation::About) != tolerance.is_some() {
        return Err(invalid(
            "a claim with `about`, and no other, has a tolerance".to_owned(),
        ));
    }
    let (left, right) = (side(left)?, side(right)?);
    if !relation.holds(left.value, right.value, tolerance) {
        return Err(invalid(format!(
            "the claim \"{words}\" is false: {} is not {relation} {}",
            described(&left),
            described(&right)
        )));
    }
    Ok(recorder.claim(words, (&left, relation, &right), tolerance))
}

/// The one of three words that is true of two figures: less, equal or greater; recorded as a claim.
fn compared(
    recorder: &Recorder,
    left: &Value,
    right: &Value,
    [less, equal, greater]: [&str; 3],
) -> Result<String, Error> {
    let (left, right) = (side(left)?, side(right)?);
    let (words, relation) = match left.compare(&right) {
        std::cmp::Ordering::Less => (less, Relation::Less),
        std::cmp::Ordering::Equal => (equal, Relation::Equal),
        std::cmp::Ordering::Greater => (greater, Relation::Greater),
    };
    Ok(recorder.claim(words, (&left, relation, &right), None))
}

fn described(side: &Traced) -> String {
    let Ratio {
        numerator,
        denominator,
    } = side.value;
    let value = match denominator {
        1 => numerator.to_string(),
        _ => decimal(side.value, 6),
    };
    format!("{value} ({})", side.formula)
}

/// A side of a claim: a figure, or a whole number or fraction of the template's own.
fn side(value: &Value) -> Result<Traced, Error> {
    if let Ok(figure) = traced(value) {
        return Ok(figure);
    }
    let text = value.to_string();
    let (above, below) = text.split_once('/').unwrap_or((&text, "1"));
    let parts = parse(above).zip(parse(below));
    let value = parts.filter(|(_, (below, _))| below.numerator > 0);
    let Some(((above, _), (below, _))) = value else {
        return Err(Error::new(
            ErrorKind::InvalidOperation,
            format!("{text} is neither a figure nor a number to claim something of"),
        ));
    };
    let value = Ratio {
        numerator: above.numerator * below.denominator,
        denominator: above.denominator * below.numerator,
    };
    let source = "the claim itself".to_owned();
    Ok(Traced {
        value,
        formula: Formula::Stated { value, source },
    })
}

/// A whole number that no result holds, and where it stands.
fn stated(value: u64, source: String) -> Value {
    Value::from_object(Traced::stated(value, source))
}

/// The sum of an attribute of every item of a list.
fn sum(items: Value, attribute: &str) -> Result<Value, Error> {
    let mut value = Ratio {
        numerator: 0,
        denominator: 1,
    };
    let mut parts = Vec::new();
    for item in items.try_iter()? {
        let figure = traced(&at(item, attribute)?)?;
        value = Ratio {
            numerator: value.numerator * figure.value.denominator
                + figure.value.numerator * value.denominator,
            denominator: value.denominator * figure.value.denominator,
        };
        parts.push(figure.formula);
    }
    Ok(Value::from_object(Traced {
        value,
        formula: Formula::Sum(parts),
    }))
}

/// The largest of an attribute of every item of a list; none when no item has it.
fn largest(items: Value, attribute: &str) -> Result<Value, Error> {
    let mut figures = Vec::new();
    for item in items.try_iter()? {
        let figure = at(item, attribute)?;
        if !figure.is_none() {
            figures.push(traced(&figure)?);
        }
    }
    let candidates = figures.iter().map(|figure| Candidate {
        value: figure.formula.clone(),
        rank: figure.formula.clone(),
        conditions: Vec::new(),
    });
    let formula = Formula::Selected {
        rule: Rule::Largest,
        candidates: candidates.collect(),
    };
    let largest = figures.iter().max_by(|a, b| a.compare(b));
    Ok(largest.map_or(Value::from(()), |figure| {
        Value::from_object(Traced {
            value: figure.value,
            formula,
        })
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

/// The figure with its trace.
fn traced(figure: &Value) -> Result<Traced, Error> {
    let figure = figure.downcast_object_ref::<Traced>().ok_or_else(|| {
        Error::new(
            ErrorKind::InvalidOperation,
            format!("{figure} is no figure: nothing says which result it comes from"),
        )
    })?;
    Ok(figure.clone())
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

/// Prints a text, marked as a name when it has digits; refuses anything else.
fn print(
    recorder: &Recorder,
    output: &mut Output,
    state: &mut State,
    value: &Value,
) -> Result<(), Error> {
    let refuse = |what: &str| Err(Error::new(ErrorKind::InvalidOperation, what.to_owned()));
    if value.kind() == ValueKind::Number || value.downcast_object_ref::<Traced>().is_some() {
        return refuse("a number is printed without a filter that names its unit");
    }
    if value.is_none() {
        return refuse("an absent value is printed without a filter");
    }
    match value.as_str() {
        Some(text) if text.contains(|letter: char| letter.is_ascii_digit()) => {
            let marked = Value::from_safe_string(recorder.name(text));
            minijinja::escape_formatter(output, state, &marked)
        }
        _ => minijinja::escape_formatter(output, state, value),
    }
}
