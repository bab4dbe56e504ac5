//! A variant in C beside one in Rust on the same network device: which builds compare.
//!
//! Builds are set beside each other by what they have in common, core clock and optimisation, and not
//! by their names, which stand for other clocks in another variant.

use std::collections::BTreeSet;

use serde::Serialize;

use super::build::BuildView;
use crate::trace::Traced;

/// The feature of builds in C that sleep until an interrupt, where others poll.
const INTERRUPT_DRIVEN_FEATURE: &str = "interrupt-driven";

/// The name of the build that each variant is published in.
const PUBLISHED_BUILD: &str = "release";

/// What a variant's own sources are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Language {
    C,
    Rust,
}

/// What the compiler optimises for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Intent {
    /// A small program.
    Size,
    /// A fast one.
    Speed,
}

/// A variant in C and one in Rust on the same network device.
#[derive(Serialize)]
pub struct LanguagesView {
    /// The ids of the variants.
    pub c: String,
    pub rust: String,
    /// By intent and clock, C before Rust.
    pub sides: Vec<SideView>,
    pub pairs: Vec<PairView>,
    /// The builds of both with counters.
    pub counted: Vec<CountedView>,
}

/// The builds of one variant for one clock and intent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SideView {
    pub language: Language,
    pub intent: Intent,
    pub core_hz: Traced,
    /// The index of the build without counters among the study's builds.
    pub plain: Option<usize>,
    /// The index of the build with counters.
    pub counted: Option<usize>,
}

/// Two sides of which a quotient says something.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct PairView {
    pub kind: PairKind,
    /// Above the line.
    pub above: SideView,
    pub below: SideView,
}

/// In what two sides differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairKind {
    /// Not in clock and intent: C over Rust.
    Language,
    /// In everything: C over Rust, each in the build that is published.
    Published,
    /// Not in language: one variant at a higher clock, or for speed, over the same otherwise.
    Configuration,
}

/// A build with counters, and how it waits.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct CountedView {
    /// Its index among the study's builds.
    pub build: usize,
    pub intent: Intent,
    pub waiting: Waiting,
}

/// How a firmware waits for the next frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Waiting {
    #[serde(rename = "polls")]
    Polls,
    #[serde(rename = "sleeps until an interrupt")]
    SleepsUntilInterrupt,
}

/// The language and the intent of a Cargo profile of the firmware workspace or of GCC's option.
fn of_profile(profile: &str) -> Option<(Language, Intent)> {
    match profile {
        "-Os" | "-Oz" => Some((Language::C, Intent::Size)),
        "-O1" | "-O2" | "-O3" => Some((Language::C, Intent::Speed)),
        "release" => Some((Language::Rust, Intent::Size)),
        "performance" => Some((Language::Rust, Intent::Speed)),
        _ => None,
    }
}

impl LanguagesView {
    /// The first variant in C that has one in Rust on its network device; `builds` are all of the study.
    pub fn new(builds: &[BuildView]) -> Option<Self> {
        let written_in = |language| move |build: &&BuildView| language_of(build) == Some(language);
        let in_c = || builds.iter().filter(written_in(Language::C));
        let (c, rust) = in_c().find_map(|c| {
            let mut in_rust = builds.iter().filter(written_in(Language::Rust));
            let device = c.variant.network_device;
            let rust = in_rust.find(|rust| rust.variant.network_device == device)?;
            Some((&c.variant.id, &rust.variant.id))
        })?;
        let of_both = || {
            let builds = builds.iter().enumerate();
            builds.filter(|(_, build)| [c, rust].contains(&&build.variant.id))
        };
        let sides = sides(of_both());
        Some(Self {
            c: c.clone(),
            rust: rust.clone(),
            pairs: pairs(&sides, builds),
            sides,
            counted: of_both().filter_map(counted).collect(),
        })
    }
}

fn language_of(build: &BuildView) -> Option<Language> {
    of_profile(&build.about.profile).map(|(language, _)| language)
}

fn is_interrupt_driven(build: &BuildView) -> bool {
    let mut features = build.about.features.iter();
    features.any(|name| name == INTERRUPT_DRIVEN_FEATURE)
}

/// One side for each clock and intent of each language, by intent and clock.
fn sides<'a>(builds: impl Iterator<Item = (usize, &'a BuildView)>) -> Vec<SideView> {
    let builds: Vec<_> = builds
        .filter(|(_, build)| !is_interrupt_driven(build))
        .filter_map(|(index, build)| {
            let (language, intent) = of_profile(&build.about.profile)?;
            let place = (intent, build.about.core_hz, language);
            Some((place, (&build.core_hz, index), build.has_counters))
        })
        .collect();
    let places: BTreeSet<_> = builds.iter().map(|(place, _, _)| *place).collect();
    let first = |place, has_counters| {
        let mut builds = builds.iter();
        let build = builds.find(|(at, _, counts)| *at == place && *counts == has_counters);
        build.map(|(_, found, _)| *found)
    };
    let side = |place @ (intent, _, language)| {
        let (plain, counted) = (first(place, false), first(place, true));
        let (core_hz, _) = plain.or(counted)?;
        let core_hz = core_hz.clone();
        Some(SideView {
            language,
            intent,
            core_hz,
            plain: plain.map(|(_, index)| index),
            counted: counted.map(|(_, index)| index),
        })
    };
    places.into_iter().filter_map(side).collect()
}

fn is_equal(a: &SideView, b: &SideView) -> bool {
    a.intent == b.intent && a.core_hz.compare(&b.core_hz).is_eq()
}

/// The pairs of `sides` that differ in language only, the published one, and those of neighbours that
/// differ in configuration only.
fn pairs(sides: &[SideView], builds: &[BuildView]) -> Vec<PairView> {
    let of = |language| sides.iter().filter(move |side| side.language == language);
    let pair = |kind, above: &SideView, below: &SideView| PairView {
        kind,
        above: above.clone(),
        below: below.clone(),
    };
    let both = of(Language::C).flat_map(|c| of(Language::Rust).map(move |rust| (c, rust)));
    let mut pairs: Vec<_> = both
        .filter_map(|(c, rust)| {
            let is_published = |side: &SideView| is_published(side, builds);
            if is_equal(c, rust) {
                Some(pair(PairKind::Language, c, rust))
            } else if is_published(c) && is_published(rust) {
                Some(pair(PairKind::Published, c, rust))
            } else {
                None
            }
        })
        .collect();
    for language in [Language::C, Language::Rust] {
        let sides: Vec<_> = of(language).collect();
        let steps = sides.windows(2);
        pairs.extend(steps.map(|step| pair(PairKind::Configuration, step[1], step[0])));
    }
    pairs.sort_by_key(|pair| pair.kind);
    pairs
}

fn is_published(side: &SideView, builds: &[BuildView]) -> bool {
    side.plain
        .is_some_and(|index| builds[index].about.name == PUBLISHED_BUILD)
}

fn counted((build, view): (usize, &BuildView)) -> Option<CountedView> {
    let (language, intent) = of_profile(&view.about.profile).filter(|_| view.has_counters)?;
    let waiting = if language == Language::C && !is_interrupt_driven(view) {
        Waiting::Polls
    } else {
        Waiting::SleepsUntilInterrupt
    };
    Some(CountedView {
        build,
        intent,
        waiting,
    })
}

#[cfg(test)]
mod tests;
