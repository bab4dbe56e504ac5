//! The comparison as pictures.

use super::cite::{Citations, Step};
use super::comparisons::{Compared, Kind, Role, SWEEPS};
use super::measured::Emulated;
use super::report::float;
use crate::plot::{self, Figure, RateStep, Side, Sweep};

/// The variants, each with a marker of its own.
const VARIANTS: [&str; 4] = [
    "c-lwip-rmii",
    "embassy-rmii",
    "w5500-macraw",
    "w5500-offload",
];

/// Kinds with a panel each: name, unit, and how many base units make one of it.
const PANELS: [(Kind, &str, &str, f64); 5] = [
    (Kind::Cycles, "busy cycles a datagram", "cycles", 1.0),
    (Kind::Rtt, "RTT p50 of streams", "us", 1e3),
    (Kind::Latency, "RTT p50 of single datagrams", "us", 1e3),
    (
        Kind::Plateau,
        "answered when more is sent",
        "datagrams/s",
        1.0,
    ),
    (Kind::Goodput, "peak goodput", "Mbit/s", 1e6),
];

const PROVENANCE: &str =
    "Emulated: results/fidelity of this repository. Published: results/published, of a real board.";

/// Each figure as emulated against as published.
///
/// # Errors
/// The picture cannot be drawn.
pub fn agreement(figures: &[Compared]) -> anyhow::Result<String> {
    let kinds = PANELS.map(|(kind, name, unit, base)| plot::Kind {
        name,
        unit,
        figures: figures
            .iter()
            .filter(|one| one.kind == kind)
            .map(|one| Figure {
                series: VARIANTS
                    .iter()
                    .position(|id| *id == one.state.variant)
                    .unwrap_or(0),
                published: float(&one.published) / base,
                emulated: float(&one.emulated) / base,
                is_fitted: one.role == Role::Fitted,
            })
            .collect(),
    });
    Ok(plot::agreement(&VARIANTS, &kinds, PROVENANCE)?)
}

/// Error events by rate, on both sides, of the three variants of the hour.
///
/// # Errors
/// Something that is missing on either side, or the picture cannot be drawn.
pub fn error_events(published: &Citations, emulated: &Emulated) -> anyhow::Result<String> {
    let hours = &SWEEPS[..3];
    let names = hours
        .iter()
        .map(|(_, state)| format!("{}, {}", state.variant, state.name));
    let names: Vec<_> = names.collect();
    let mut sweeps = Vec::new();
    for ((sweep, state), name) in hours.iter().zip(&names) {
        sweeps.push(Sweep {
            name,
            published: side("30 s", &published.sweep(*sweep)?),
            emulated: side("3 s", &emulated.sweep(*state)?),
        });
    }
    Ok(plot::error_events(&sweeps, PROVENANCE)?)
}

fn side<'a>(duration: &'a str, steps: &[Step]) -> Side<'a> {
    let step = |step: &Step| RateStep {
        rate_hz: float(&step.rate_hz),
        datagrams: float(&step.rate_hz) * float(&step.duration_ns) / 1e9,
        events: float(&step.events),
    };
    Side {
        duration,
        steps: steps.iter().map(step).collect(),
    }
}
