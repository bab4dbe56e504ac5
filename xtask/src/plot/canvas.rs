//! What the plots share: ground, text, markers, legend and caption.

use plotters::coord::Shift;
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::*;
use plotters_backend::{BackendCoord, DrawingErrorKind};

use super::PlotError;

pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub type Drawn<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Width of a plot in pixels.
pub const WIDTH: u32 = 880;
/// Height in pixels of the line above the panels.
const LEGEND_HEIGHT: u32 = 30;
/// Height in pixels of the lines below the panels.
const CAPTION_LINE_HEIGHT: u32 = 20;

pub const TEXT: (&str, u32) = ("sans-serif", 16);
pub const TITLE: (&str, u32) = ("sans-serif", 18);

/// Told apart with most kinds of colour blindness, after Okabe and Ito, and each with its own shape.
const SERIES: [(RGBColor, Shape); 4] = [
    (RGBColor(0, 114, 178), Shape::Circle),
    (RGBColor(213, 94, 0), Shape::Triangle),
    (RGBColor(0, 158, 115), Shape::Square),
    (RGBColor(148, 82, 160), Shape::Diamond),
];

#[derive(Clone, Copy)]
enum Shape {
    Circle,
    Triangle,
    Square,
    Diamond,
}

impl Shape {
    /// Corners around the centre, in pixels; none of a circle.
    fn corners(self) -> &'static [(i32, i32)] {
        match self {
            Self::Circle => &[],
            Self::Triangle => &[(0, -6), (6, 5), (-6, 5)],
            Self::Square => &[(-5, -5), (5, -5), (5, 5), (-5, 5)],
            Self::Diamond => &[(0, -7), (6, 0), (0, 7), (-6, 0)],
        }
    }
}

/// Refuses more series than there are markers.
pub fn check_series(count: usize) -> Result<(), PlotError> {
    match count <= SERIES.len() {
        true => Ok(()),
        false => Err(PlotError::TooManySeries(count)),
    }
}

/// The colour of a series.
pub fn colour(series: usize) -> RGBColor {
    SERIES[series].0
}

/// The marker of a series: filled, or its outline alone.
///
/// The drawing library has no hollow triangle: its own is filled whatever its style says.
pub struct Marker<Place> {
    pub at: Place,
    pub series: usize,
    pub is_filled: bool,
}

impl<'a, Place: 'a> PointCollection<'a, Place> for &'a Marker<Place> {
    type Point = &'a Place;
    type IntoIter = std::iter::Once<&'a Place>;

    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.at)
    }
}

impl<Place, DB: DrawingBackend> Drawable<DB> for Marker<Place> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        mut points: I,
        backend: &mut DB,
        _parent_size: (u32, u32),
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        let Some((x, y)) = points.next() else {
            return Ok(());
        };
        let (colour, shape) = SERIES[self.series];
        let style = match self.is_filled {
            true => colour.filled(),
            false => colour.stroke_width(2),
        };
        let corners = shape.corners();
        if corners.is_empty() {
            return backend.draw_circle((x, y), 5, &style, self.is_filled);
        }
        let at = |&(right, down): &(i32, i32)| (x + right, y + down);
        match self.is_filled {
            true => backend.fill_polygon(corners.iter().map(at), &style),
            false => backend.draw_path(corners.iter().chain(&corners[..1]).map(at), &style),
        }
    }
}

/// An entry of the legend above the panels.
pub struct Entry<'a> {
    pub name: &'a str,
    pub series: usize,
}

/// The SVG of panels below a legend and above lines of caption.
///
/// # Errors
/// The drawing library refuses.
pub fn draw(
    panels_height: u32,
    legend: &[Entry],
    caption: &[String],
    panels: impl for<'a> FnOnce(&Area<'a>) -> Drawn,
) -> Result<String, PlotError> {
    let caption_height = CAPTION_LINE_HEIGHT * (caption.len() as u32 + 1);
    let size = (WIDTH, LEGEND_HEIGHT + panels_height + caption_height);
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let drawn = onto(&root, panels_height, legend, caption, panels);
        drawn.map_err(|error| PlotError::Drawing(error.to_string()))?;
    }
    Ok(text)
}

fn onto<'a>(
    root: &Area<'a>,
    panels_height: u32,
    legend: &[Entry],
    caption: &[String],
    panels: impl FnOnce(&Area<'a>) -> Drawn,
) -> Drawn {
    root.fill(&WHITE)?;
    let entry_width = (WIDTH as i32 - 20) / legend.len().max(1) as i32;
    for (entry, left) in legend.iter().zip((20..).step_by(entry_width as usize)) {
        root.draw(&Marker {
            at: (left, 18),
            series: entry.series,
            is_filled: true,
        })?;
        root.draw(&Text::new(
            entry.name.to_owned(),
            (left + 12, 12),
            TEXT.into_font(),
        ))?;
    }
    let (_, below) = root.split_vertically(LEGEND_HEIGHT);
    let (middle, foot) = below.split_vertically(panels_height);
    panels(&middle)?;
    for (line, top) in caption
        .iter()
        .zip((8..).step_by(CAPTION_LINE_HEIGHT as usize))
    {
        foot.draw(&Text::new(line.clone(), (14, top), TEXT.into_font()))?;
    }
    root.present()?;
    Ok(())
}
