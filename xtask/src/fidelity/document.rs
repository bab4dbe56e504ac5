//! FIDELITY.md and its plots, as results and published figures give them.

use std::path::PathBuf;

use serde::Serialize;

use super::cite::Citations;
use super::comparisons::{Burst, Compared, Comparisons, Kind, Knee, Role};
use super::measured::Emulated;
use super::plots;
use super::summary::{self, Score, Summary, is_absorbed};
use super::{model, states};
use crate::metadata::Study;
use crate::published::set::Published;
use crate::render::{self, Rendered};
use crate::results::ResultSet;
use crate::trace::{Place, Traced};
use crate::{files, paths};

/// The document; its template has the suffix of all templates.
pub const DOCUMENT: &str = "FIDELITY.md";

/// What the template sees as `study`.
#[derive(Serialize)]
struct View {
    fitted: Option<Summary>,
    predicted: Option<Summary>,
    worst: Option<ComparedView>,
    kinds: Vec<KindView>,
    figures: Vec<ComparedView>,
    knees: Vec<KneeView>,
    knee_score: Score,
    bursts: Vec<BurstView>,
    burst_score: Score,
    parameter_count: Traced,
    parameters: Vec<ParameterView>,
    states: Vec<StateView>,
}

#[derive(Serialize)]
struct KindView {
    kind: Kind,
    summary: Summary,
}

#[derive(Serialize)]
struct ComparedView {
    kind: Kind,
    is_fitted: bool,
    variant: &'static str,
    state: &'static str,
    at: Option<Traced>,
    published: Traced,
    emulated: Traced,
    is_above: bool,
    error: Traced,
}

#[derive(Serialize)]
struct KneeView {
    variant: &'static str,
    state: &'static str,
    published: Traced,
    emulated: Traced,
    is_right: bool,
}

#[derive(Serialize)]
struct BurstView {
    variant: &'static str,
    packets: Traced,
    payload_bytes: Traced,
    was_absorbed: bool,
    is_absorbed: bool,
    is_right: bool,
}

#[derive(Serialize)]
struct ParameterView {
    name: String,
    unit: &'static str,
    meaning: &'static str,
    figure: Traced,
    lowest: Traced,
    highest: Traced,
    reason: &'static str,
}

#[derive(Serialize)]
struct StateView {
    variant: &'static str,
    name: &'static str,
    published: Option<String>,
}

/// The document with its figures, and its plots.
pub struct Fidelity {
    pub comparisons: Comparisons,
    pub rendered: Rendered,
    /// Path and text of each.
    pub plots: Vec<(PathBuf, String)>,
}

impl Fidelity {
    /// What the results in `set` give.
    ///
    /// # Errors
    /// Results or published figures that cannot be read or lack something, and what is wrong with the
    /// template.
    pub fn of(set: &ResultSet) -> anyhow::Result<Self> {
        let published = Published::load()?;
        let citations = Citations(&published);
        let emulated = Emulated::read(set)?;
        let comparisons = Comparisons::new(&citations, &emulated)?;
        let view = view(&comparisons, &emulated)?;
        let rendered = render::template(&render::templates(), DOCUMENT, &view)?;
        let plots = [
            (
                "emulated-against-published.svg",
                plots::agreement(&comparisons.figures)?,
            ),
            (
                "error-events-by-rate.svg",
                plots::error_events(&citations, &emulated)?,
            ),
        ];
        let plots = plots.map(|(name, text)| (set.folder().join(name), text));
        Ok(Self {
            comparisons,
            rendered,
            plots: plots.into(),
        })
    }

    /// Path and text of every file.
    fn files<'a>(&'a self, set: &ResultSet) -> impl Iterator<Item = (PathBuf, &'a str)> {
        let document = (set.document(DOCUMENT), self.rendered.text.as_str());
        let plots = self.plots.iter();
        let plots = plots.map(|(path, text)| (path.clone(), text.as_str()));
        std::iter::once(document).chain(plots)
    }

    /// Writes document and plots.
    pub fn write(&self, set: &ResultSet) -> anyhow::Result<()> {
        for (path, text) in self.files(set) {
            files::write(&path, text.as_bytes())?;
        }
        Ok(())
    }

    /// The files that are not there, or not what the results give.
    pub fn stale(&self, set: &ResultSet) -> anyhow::Result<Vec<PathBuf>> {
        let mut stale = Vec::new();
        for (path, text) in self.files(set) {
            if files::read_text_if_any(&path)?.as_deref() != Some(text) {
                stale.push(path);
            }
        }
        Ok(stale)
    }
}

/// The committed results.
pub fn committed() -> ResultSet {
    ResultSet::of_fidelity(paths::root())
}

fn view(comparisons: &Comparisons, emulated: &Emulated) -> anyhow::Result<View> {
    let Comparisons {
        figures,
        knees,
        bursts,
    } = comparisons;
    let kinds = [Kind::Rtt, Kind::Latency, Kind::Plateau, Kind::Goodput];
    let kinds = kinds.into_iter().filter_map(|kind| {
        let summary = Summary::of_predicted(figures, kind)?;
        Some(KindView { kind, summary })
    });
    let predicted = Summary::of_role(figures, Role::Predicted);
    Ok(View {
        fitted: Summary::of_role(figures, Role::Fitted),
        worst: predicted
            .as_ref()
            .map(|summary| (&figures[summary.worst]).into()),
        predicted,
        kinds: kinds.collect(),
        figures: figures.iter().map(Into::into).collect(),
        knee_score: summary::knees(knees),
        knees: knees.iter().map(Into::into).collect(),
        burst_score: summary::bursts(bursts),
        bursts: bursts.iter().map(Into::into).collect(),
        parameter_count: Traced::stated(model::FREE.len() as u64, "xtask/src/fidelity/model.rs"),
        parameters: parameters(emulated)?,
        states: state_views()?,
    })
}

/// The free parameters, as the results record them.
fn parameters(emulated: &Emulated) -> anyhow::Result<Vec<ParameterView>> {
    let build = emulated.build(states::C_RELEASE)?;
    let Some(file) = &build.stream else {
        anyhow::bail!("no stream of the C firmware; run `cargo xtask fidelity`");
    };
    let known = &file.inputs.board.parameters;
    let place = Place::of_trials(file).at("inputs/board/parameters");
    let mut views = Vec::new();
    for free in &model::FREE {
        let figure = known.get(free.group).and_then(|group| group.get(free.name));
        let Some(&figure) = figure else {
            anyhow::bail!("the results have no parameter {} {}", free.group, free.name);
        };
        let figure = place.child(free.group).figure(free.name, figure);
        let scale = Traced::stated(free.scale, "a change of units");
        let source = "xtask/src/fidelity/model.rs";
        let [lowest, highest] = free.range.map(|bound| Traced::stated(bound, source));
        views.push(ParameterView {
            name: format!("{}.{}", free.group, free.name),
            unit: free.unit,
            meaning: free.meaning,
            figure: figure.over(&scale).unwrap_or(figure),
            lowest,
            highest,
            reason: free.reason,
        });
    }
    Ok(views)
}

fn state_views() -> anyhow::Result<Vec<StateView>> {
    let study = Study::load()?;
    let view = |state: states::State| StateView {
        variant: state.variant,
        name: state.name,
        published: study
            .published_state(state.variant, state.name)
            .ok()
            .map(|found| found.published.clone()),
    };
    Ok(states::all().into_iter().map(view).collect())
}

impl From<&Compared> for ComparedView {
    fn from(compared: &Compared) -> Self {
        Self {
            kind: compared.kind,
            is_fitted: compared.role == Role::Fitted,
            variant: compared.state.variant,
            state: compared.state.name,
            at: compared.at.clone(),
            published: compared.published.clone(),
            emulated: compared.emulated.clone(),
            is_above: compared.is_above(),
            error: compared.error(),
        }
    }
}

impl From<&Knee> for KneeView {
    fn from(knee: &Knee) -> Self {
        Self {
            variant: knee.state.variant,
            state: knee.state.name,
            published: knee.published.clone(),
            emulated: knee.emulated.clone(),
            is_right: knee.is_right(),
        }
    }
}

impl From<&Burst> for BurstView {
    fn from(burst: &Burst) -> Self {
        Self {
            variant: burst.state.variant,
            packets: burst.packets.clone(),
            payload_bytes: burst.payload_bytes.clone(),
            was_absorbed: is_absorbed(&burst.published),
            is_absorbed: is_absorbed(&burst.emulated),
            is_right: burst.is_right(),
        }
    }
}
