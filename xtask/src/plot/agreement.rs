//! Emulated figures against published ones.

use plotters::prelude::*;
use plotters::series::LineSeries;

use super::PlotError;
use super::axis;
use super::canvas::{self, Area, Drawn, Entry, Marker, TEXT, TITLE};

const PANEL_HEIGHT: u32 = 400;
const COLUMNS: usize = 2;
/// How far from the published figure the band reaches, as a share of it.
const BAND: f64 = 0.2;

/// Figures of one kind, which share a unit and so a panel.
pub struct Kind<'a> {
    /// What is compared, as "RTT p50".
    pub name: &'a str,
    /// The unit of both figures, as "us".
    pub unit: &'a str,
    pub figures: Vec<Figure>,
}

/// A figure on both sides, in the unit of its kind.
pub struct Figure {
    /// Which of the plot's series it belongs to.
    pub series: usize,
    pub published: f64,
    pub emulated: f64,
    /// Whether it had a part in fitting the model: drawn hollow.
    pub is_fitted: bool,
}

/// A panel a kind with each figure as emulated against as published, both axes logarithmic and alike, with the
/// line where they are equal and the band of 20 % around it.
///
/// `series` names the markers, and `provenance` says where the figures are from.
///
/// # Errors
/// A kind without a figure, a figure that is not positive, more series than markers.
///
/// # Panics
/// A figure of a series that has no name.
pub fn agreement(series: &[&str], kinds: &[Kind], provenance: &str) -> Result<String, PlotError> {
    canvas::check_series(series.len())?;
    let ranges = kinds
        .iter()
        .map(Kind::range)
        .collect::<Result<Vec<_>, _>>()?;
    if kinds.is_empty() {
        return Err(PlotError::Empty("the comparison".to_owned()));
    }
    let of_figures = |is_fitted: bool| {
        let figures = kinds.iter().flat_map(|kind| &kind.figures);
        figures
            .filter(|figure| figure.is_fitted == is_fitted)
            .count()
    };
    let (fitted, predicted) = (of_figures(true), of_figures(false));
    let caption = [
        format!(
            "n = {}: {predicted} predicted (filled), {fitted} fitted (hollow). Line: equal. Band: within 20 %.",
            predicted + fitted,
        ),
        provenance.to_owned(),
    ];
    let entry = |(series, &name)| Entry { name, series };
    let legend: Vec<_> = series.iter().enumerate().map(entry).collect();
    let rows = kinds.len().div_ceil(COLUMNS);
    canvas::draw(PANEL_HEIGHT * rows as u32, &legend, &caption, |area| {
        let areas = area.split_evenly((rows, COLUMNS));
        for ((area, kind), range) in areas.iter().zip(kinds).zip(ranges) {
            kind.draw(area, range)?;
        }
        Ok(())
    })
}

impl Kind<'_> {
    fn range(&self) -> Result<(f64, f64), PlotError> {
        let both = self
            .figures
            .iter()
            .flat_map(|figure| [figure.published, figure.emulated]);
        axis::around(self.name, both)
    }

    fn draw(&self, area: &Area, (least, most): (f64, f64)) -> Drawn {
        let ticks = axis::ticks(least, most);
        let scale = || (least..most).log_scale().with_key_points(ticks.clone());
        let title = format!("{}, n = {}", self.name, self.figures.len());
        let mut chart = ChartBuilder::on(area)
            .caption(title, TITLE)
            .margin(10)
            .x_label_area_size(44)
            .y_label_area_size(66)
            .build_cartesian_2d(scale(), scale())?;
        chart.draw_series([Polygon::new(band(least, most), BLACK.mix(0.1))])?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc(format!("published ({})", self.unit))
            .y_desc(format!("emulated ({})", self.unit))
            .x_label_formatter(&|value| axis::label(*value))
            .y_label_formatter(&|value| axis::label(*value))
            .label_style(TEXT)
            .draw()?;
        let equal = [(least, least), (most, most)];
        chart.draw_series(LineSeries::new(equal, BLACK.mix(0.6).stroke_width(1)))?;
        chart.draw_series(self.figures.iter().map(|figure| {
            let at = (figure.published, figure.emulated);
            Marker {
                at,
                series: figure.series,
                is_filled: !figure.is_fitted,
            }
        }))?;
        Ok(())
    }
}

/// The corners of the band, cut off at the frame.
pub fn band(least: f64, most: f64) -> [(f64, f64); 6] {
    let (above, below) = (1.0 + BAND, 1.0 - BAND);
    [
        (least, least),
        (least, least * above),
        (most / above, most),
        (most, most),
        (most, most * below),
        (least / below, least),
    ]
}
