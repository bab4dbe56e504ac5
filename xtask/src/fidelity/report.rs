//! The comparison for a terminal and for programs.

use bench::Ratio;
use serde_json::{Value, json};

use super::comparisons::{Compared, Comparisons, Kind, Role};
use super::summary::{self, Score, Summary, is_absorbed};
use crate::output;
use crate::render::decimal;
use crate::trace::Traced;

/// Tables of everything, and the summary.
pub fn text(comparisons: &Comparisons) -> String {
    let Comparisons {
        figures,
        knees,
        bursts,
    } = comparisons;
    let rows: Vec<_> = figures.iter().map(row).collect();
    let header = ["figure", "published", "emulated", "error", ""];
    let mut text = output::table(&header, &rows);
    for (name, role) in [("fitted", Role::Fitted), ("predicted", Role::Predicted)] {
        if let Some(summary) = Summary::of_role(figures, role) {
            text.push_str(&line(name, figures, &summary));
        }
    }
    for kind in [Kind::Rtt, Kind::Latency, Kind::Plateau, Kind::Goodput] {
        if let Some(summary) = Summary::of_predicted(figures, kind) {
            text.push_str(&line(&format!("  {}", word(kind)), figures, &summary));
        }
    }
    let scores = [
        ("knees", summary::knees(knees)),
        ("bursts", summary::bursts(bursts)),
    ];
    for (name, Score { count, right }) in scores {
        let [right, count] = [right, count].map(|one| one.value.numerator);
        text.push_str(&format!("{name}: {right} of {count} right\n"));
    }
    for knee in knees.iter().filter(|knee| !knee.is_right()) {
        let [published, emulated] =
            [&knee.published, &knee.emulated].map(|one| shown(one, 1_000, 0));
        let state = knee.state;
        text.push_str(&format!(
            "wrong knee: {} {}: {published} kHz published, {emulated} kHz emulated\n",
            state.variant, state.name
        ));
    }
    for burst in bursts.iter().filter(|burst| !burst.is_right()) {
        let [packets, bytes] =
            [&burst.packets, &burst.payload_bytes].map(|one| one.value.numerator);
        let [published, emulated] = [&burst.published, &burst.emulated].map(is_absorbed);
        text.push_str(&format!(
            "wrong burst: {} of {packets} x {bytes} B: absorbed as published {published}, as emulated {emulated}\n",
            burst.state.variant
        ));
    }
    text
}

fn line(name: &str, figures: &[Compared], summary: &Summary) -> String {
    let Summary {
        count,
        median_error,
        within_aim,
        worst_error,
        worst,
    } = summary;
    let [count, within] = [count, within_aim].map(|one| one.value.numerator);
    format!(
        "{name}: {count} figures, median error {} %, {within} within 20 %, worst {} % ({})\n",
        percent(median_error),
        percent(worst_error),
        name_of(&figures[*worst])
    )
}

fn row(compared: &Compared) -> Vec<String> {
    let [published, emulated] =
        [&compared.published, &compared.emulated].map(|figure| with_unit(compared.kind, figure));
    let sign = if compared.is_above() { "+" } else { "-" };
    let role = match compared.role {
        Role::Fitted => "fitted",
        Role::Predicted => "",
    };
    let error = format!("{sign}{} %", percent(&compared.error()));
    vec![
        name_of(compared),
        published,
        emulated,
        error,
        role.to_owned(),
    ]
}

fn name_of(compared: &Compared) -> String {
    let unit = match compared.kind {
        Kind::Latency | Kind::Goodput => "B",
        Kind::Cycles | Kind::Rtt | Kind::Plateau => "Hz",
    };
    let at = compared.at.as_ref();
    let at = at
        .map(|at| format!(" {} {unit}", at.value.numerator))
        .unwrap_or_default();
    let state = compared.state;
    format!(
        "{} {} {}{at}",
        word(compared.kind),
        state.variant,
        state.name
    )
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Cycles => "cycles",
        Kind::Rtt => "rtt",
        Kind::Latency => "latency",
        Kind::Plateau => "plateau",
        Kind::Goodput => "goodput",
    }
}

fn with_unit(kind: Kind, figure: &Traced) -> String {
    match kind {
        Kind::Cycles => format!("{} cycles", shown(figure, 1, 0)),
        Kind::Rtt | Kind::Latency => format!("{} us", shown(figure, 1_000, 1)),
        Kind::Plateau => format!("{} /s", shown(figure, 1, 0)),
        Kind::Goodput => format!("{} Mbit/s", shown(figure, 1_000_000, 3)),
    }
}

fn percent(error: &Traced) -> String {
    let Ratio {
        numerator,
        denominator,
    } = error.value;
    decimal(
        Ratio {
            numerator: numerator * 100,
            denominator,
        },
        1,
    )
}

fn shown(figure: &Traced, divisor: u128, digits: u32) -> String {
    let Ratio {
        numerator,
        denominator,
    } = figure.value;
    decimal(
        Ratio {
            numerator,
            denominator: denominator * divisor,
        },
        digits,
    )
}

/// Everything as JSON; figures in base units (ns, Hz, bit/s, bytes), errors as shares.
///
/// # Errors
/// None that is known.
pub fn json(comparisons: &Comparisons) -> anyhow::Result<String> {
    let Comparisons {
        figures,
        knees,
        bursts,
    } = comparisons;
    let of_role = |role| Summary::of_role(figures, role).map(|one| summary_json(figures, &one));
    let value = json!({
        "fitted": of_role(Role::Fitted),
        "predicted": of_role(Role::Predicted),
        "knees": score_json(&summary::knees(knees)),
        "bursts": score_json(&summary::bursts(bursts)),
        "figures": figures.iter().map(figure_json).collect::<Vec<_>>(),
    });
    Ok(format!("{}\n", serde_json::to_string_pretty(&value)?))
}

fn summary_json(figures: &[Compared], summary: &Summary) -> Value {
    let Summary {
        count,
        median_error,
        within_aim,
        worst_error,
        worst,
    } = summary;
    let [count, within] = [count, within_aim].map(|one| one.value.numerator as f64);
    json!({
        "count": count as u64,
        "median_relative_error": float(median_error),
        "within_20_percent": within / count,
        "worst": { "figure": name_of(&figures[*worst]), "relative_error": float(worst_error) },
    })
}

fn score_json(score: &Score) -> Value {
    let [count, right] = [&score.count, &score.right].map(|one| one.value.numerator as u64);
    json!({ "count": count, "right": right })
}

fn figure_json(compared: &Compared) -> Value {
    json!({
        "figure": name_of(compared),
        "kind": compared.kind,
        "fitted": compared.role == Role::Fitted,
        "variant": compared.state.variant,
        "state": compared.state.name,
        "at": compared.at.as_ref().map(float),
        "published": float(&compared.published),
        "emulated": float(&compared.emulated),
        "relative_error": float(&compared.error()),
        "above": compared.is_above(),
    })
}

/// The nearest floating-point number.
pub fn float(figure: &Traced) -> f64 {
    figure.value.numerator as f64 / figure.value.denominator as f64
}
