//! Ranges and ticks of logarithmic axes.

use super::PlotError;

/// Room beside the outermost points, as a factor.
const ROOM: f64 = 1.15;
/// An axis spans at least this factor.
const LEAST_SPAN: f64 = 2.0;

/// A logarithmic axis with room around all of `values`.
///
/// # Errors
/// There is no value, or one is not positive.
pub fn around(what: &str, values: impl Iterator<Item = f64>) -> Result<(f64, f64), PlotError> {
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for value in values {
        if !(value.is_finite() && value > 0.0) {
            let what = what.to_owned();
            return Err(PlotError::NotPositive { what, value });
        }
        (least, most) = (least.min(value), most.max(value));
    }
    if least > most {
        return Err(PlotError::Empty(what.to_owned()));
    }
    let widen = (LEAST_SPAN / (most / least)).max(1.0).sqrt();
    Ok((least / widen / ROOM, most * widen * ROOM))
}

/// The numbers 1, 2 and 5 times a power of ten from `least` to `most`; beyond three decades the powers alone.
pub fn ticks(least: f64, most: f64) -> Vec<f64> {
    let steps: &[u32] = match most / least > 1e3 {
        true => &[1],
        false => &[1, 2, 5],
    };
    let decades = least.log10().floor() as i32..=most.log10().ceil() as i32;
    let all = decades.flat_map(|decade| steps.iter().map(move |&step| tick(step, decade)));
    all.filter(|tick| (least..=most).contains(tick)).collect()
}

/// Divides below one: five times a millionth as a product is printed as 4.9999999999999996e-6.
fn tick(step: u32, decade: i32) -> f64 {
    let power = 10_f64.powi(decade.abs());
    match decade < 0 {
        true => f64::from(step) / power,
        false => f64::from(step) * power,
    }
}

/// A tick as text: thousands as k, millions as M.
pub fn label(value: f64) -> String {
    match value {
        value if value >= 1e6 => format!("{}M", value / 1e6),
        value if value >= 1e4 => format!("{}k", value / 1e3),
        value if value < 1e-3 => format!("{value:e}"),
        value => format!("{value}"),
    }
}
