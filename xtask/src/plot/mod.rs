//! Plots as SVG that is the same bytes wherever it is made.
//!
//! Text is placed without measuring a font of the system, and coordinates are whole pixels. Each plot brings
//! its own white ground, so it can be read on a dark page.

mod agreement;
mod axis;
mod canvas;
mod error_events;
#[cfg(test)]
mod tests;

pub use agreement::{Figure, Kind, agreement};
pub use error_events::{RateStep, Side, Sweep, error_events};

/// Why a plot cannot be drawn.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum PlotError {
    /// There is nothing to draw.
    #[error("{0} has no point to plot")]
    Empty(String),
    /// A logarithmic axis has no place for it.
    #[error("{what} is {value}, which has no place on a logarithmic axis")]
    NotPositive { what: String, value: f64 },
    /// More series than there are markers that can be told apart.
    #[error("{0} series are more than the markers that can be told apart")]
    TooManySeries(usize),
    /// The drawing library refuses.
    #[error("a plot cannot be drawn: {0}")]
    Drawing(String),
}
