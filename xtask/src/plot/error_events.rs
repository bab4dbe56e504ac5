//! Error events by offered rate.

use plotters::prelude::*;
use plotters::series::LineSeries;

use super::PlotError;
use super::axis;
use super::canvas::{self, Area, Drawn, Entry, Marker, TEXT, TITLE};

const PANEL_HEIGHT: u32 = 320;
/// A rate without an error event stands this factor below the least share that any rate could have shown.
const BELOW_LEAST: f64 = 4.0;

/// A sweep over rates, as it was published and as it was emulated: a panel.
pub struct Sweep<'a> {
    /// The variant and its state.
    pub name: &'a str,
    pub published: Side<'a>,
    pub emulated: Side<'a>,
}

/// One side of a sweep.
pub struct Side<'a> {
    /// How long each rate was offered, as "30 s".
    pub duration: &'a str,
    pub steps: Vec<RateStep>,
}

/// What was counted at a rate.
pub struct RateStep {
    pub rate_hz: f64,
    /// Datagrams sent.
    pub datagrams: f64,
    pub events: f64,
}

/// A panel a sweep with the share of datagrams that had an error event, on a logarithmic axis.
///
/// A rate without an event is drawn hollow on the line "none". `provenance` says where the counts are from.
///
/// # Errors
/// A side without a rate, a rate or a count of datagrams that is not positive, a negative count of events.
pub fn error_events(sweeps: &[Sweep], provenance: &str) -> Result<String, PlotError> {
    let panels = sweeps
        .iter()
        .map(Panel::new)
        .collect::<Result<Vec<_>, _>>()?;
    if panels.is_empty() {
        return Err(PlotError::Empty("the comparison".to_owned()));
    }
    let legend = ["published", "emulated"].into_iter().enumerate();
    let entry = |(series, name)| Entry { name, series };
    let legend: Vec<_> = legend.map(entry).collect();
    let mut caption: Vec<_> = sweeps.iter().map(Sweep::count).collect();
    caption.push(provenance.to_owned());
    canvas::draw(
        PANEL_HEIGHT * panels.len() as u32,
        &legend,
        &caption,
        |area| {
            let areas = area.split_evenly((panels.len(), 1));
            areas
                .iter()
                .zip(&panels)
                .try_for_each(|(area, panel)| panel.draw(area))
        },
    )
}

impl Sweep<'_> {
    fn sides(&self) -> [&Side<'_>; 2] {
        [&self.published, &self.emulated]
    }

    /// How much was counted, for the caption.
    fn count(&self) -> String {
        let of = |side: &Side| {
            let datagrams: f64 = side.steps.iter().map(|step| step.datagrams).sum();
            format!("{datagrams:.0} datagrams, {} a rate", side.duration)
        };
        let [published, emulated] = self.sides().map(of);
        format!(
            "{}: n = {published} (published); {emulated} (emulated).",
            self.name
        )
    }
}

/// A sweep with its axes.
struct Panel<'a> {
    sweep: &'a Sweep<'a>,
    most_khz: f64,
    /// Where a rate without an error event is drawn.
    none: f64,
    most_share: f64,
}

impl<'a> Panel<'a> {
    fn new(sweep: &'a Sweep<'a>) -> Result<Self, PlotError> {
        let what = sweep.name;
        for side in sweep.sides() {
            axis::around(what, side.steps.iter().map(|step| step.rate_hz))?;
            axis::around(what, side.steps.iter().map(|step| step.datagrams))?;
            let mut events = side.steps.iter().map(|step| step.events);
            if let Some(value) = events.find(|events| !(events.is_finite() && *events >= 0.0)) {
                let what = what.to_owned();
                return Err(PlotError::NotPositive { what, value });
            }
        }
        let steps = || sweep.sides().into_iter().flat_map(|side| &side.steps);
        let least_share = steps()
            .map(|step| 1.0 / step.datagrams)
            .fold(f64::INFINITY, f64::min);
        Ok(Self {
            sweep,
            most_khz: steps().map(RateStep::khz).fold(0.0, f64::max),
            none: least_share / BELOW_LEAST,
            most_share: steps().map(RateStep::share).fold(1.0, f64::max),
        })
    }

    fn draw(&self, area: &Area) -> Drawn {
        let (least, most) = (self.none / 2.0, self.most_share * 2.0);
        let mut ticks = axis::ticks(self.none * BELOW_LEAST, most);
        ticks.insert(0, self.none);
        let mut chart = ChartBuilder::on(area)
            .caption(self.sweep.name, TITLE)
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(66)
            .build_cartesian_2d(
                0.0..self.most_khz * 1.02,
                (least..most).log_scale().with_key_points(ticks),
            )?;
        let none = self.none;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("offered rate (kHz)")
            .y_desc("error events a datagram")
            .x_labels(11)
            .x_label_formatter(&|khz| format!("{khz:.0}"))
            .y_label_formatter(&|share| match *share == none {
                true => "none".to_owned(),
                false => axis::label(*share),
            })
            .label_style(TEXT)
            .draw()?;
        for (series, side) in self.sweep.sides().into_iter().enumerate() {
            let points: Vec<_> = side.steps.iter().map(|step| self.place(step)).collect();
            let line = canvas::colour(series).mix(0.7).stroke_width(1);
            chart.draw_series(LineSeries::new(points.iter().copied(), line))?;
            let marked = points.into_iter().zip(&side.steps);
            chart.draw_series(marked.map(|(at, step)| Marker {
                at,
                series,
                is_filled: step.events > 0.0,
            }))?;
        }
        Ok(())
    }

    fn place(&self, step: &RateStep) -> (f64, f64) {
        let share = match step.events > 0.0 {
            true => step.share(),
            false => self.none,
        };
        (step.khz(), share)
    }
}

impl RateStep {
    fn khz(&self) -> f64 {
        self.rate_hz / 1e3
    }

    fn share(&self) -> f64 {
        self.events / self.datagrams
    }
}
