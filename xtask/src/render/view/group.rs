//! Which builds stand side by side in a table.

use serde::Serialize;

use crate::metadata::Scope;
use crate::results::{BuildResults, StudyResults, VariantResults};

/// A build of a variant, by name.
#[derive(Clone, Serialize)]
pub struct Column {
    pub variant: String,
    pub build: String,
}

/// Builds that stand side by side.
#[derive(Clone, Serialize)]
pub struct Group {
    pub kind: GroupKind,
    /// The name that all builds share, or their variant's.
    pub name: String,
    pub columns: Vec<Column>,
}

/// What the builds of a group have in common.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupKind {
    /// The same name, each of another variant.
    Build,
    /// The variant: those with scope `comparison`, each after the one it is compared with.
    Comparison,
    /// The variant, of which these are all.
    Variant,
}

/// The builds of a table with its columns.
pub type GroupedBuilds<'a> = (Group, Vec<&'a BuildResults>);

/// The tables that show every build: the full builds by name, so that variants stand side by side,
/// then each variant's builds for comparison.
pub fn groups(results: &StudyResults) -> Vec<GroupedBuilds<'_>> {
    let mut groups: Vec<GroupedBuilds> = Vec::new();
    for variant in &results.variants {
        for build in variant.builds.iter().filter(|build| is_full(build)) {
            let name = &build.subject.name;
            let known = groups.iter().position(|(group, _)| group.name == *name);
            let at = known.unwrap_or(groups.len());
            if known.is_none() {
                groups.push(empty(GroupKind::Build, name));
            }
            add(&mut groups[at], variant, build);
        }
    }
    groups.extend(results.variants.iter().filter_map(comparison));
    groups
}

/// All builds of one variant.
pub fn of_variant(variant: &VariantResults) -> GroupedBuilds<'_> {
    let mut group = empty(GroupKind::Variant, &variant.subject.id);
    for build in &variant.builds {
        add(&mut group, variant, build);
    }
    group
}

/// The builds of `variant` with scope `comparison`, each after the one it is compared with.
fn comparison(variant: &VariantResults) -> Option<GroupedBuilds<'_>> {
    let mut group = empty(GroupKind::Comparison, &variant.subject.id);
    let mut baselines: Vec<&str> = Vec::new();
    for build in variant.builds.iter().filter(|build| !is_full(build)) {
        if let Some(baseline) = baseline(variant, build)
            && !baselines.contains(&baseline.subject.name.as_str())
        {
            baselines.push(&baseline.subject.name);
            add(&mut group, variant, baseline);
        }
        add(&mut group, variant, build);
    }
    (!group.1.is_empty()).then_some(group)
}

/// The full build that `build` differs least from: of those with the same profile and no other
/// features, one at the same core clock, and of these the one with most features.
pub fn baseline<'a>(variant: &'a VariantResults, build: &BuildResults) -> Option<&'a BuildResults> {
    let about = &build.subject;
    let candidates = variant.builds.iter().filter(|other| {
        let other_is = &other.subject;
        let features = &other_is.features;
        is_full(other)
            && other_is.profile == about.profile
            && features
                .iter()
                .all(|feature| about.features.contains(feature))
    });
    candidates.max_by_key(|other| {
        let other = &other.subject;
        (other.core_hz == about.core_hz, other.features.len())
    })
}

/// Whether `build` takes part in all of the study.
pub fn is_full(build: &BuildResults) -> bool {
    build.subject.scope == Scope::Full
}

fn empty<'a>(kind: GroupKind, name: &str) -> GroupedBuilds<'a> {
    let group = Group {
        kind,
        name: name.to_owned(),
        columns: Vec::new(),
    };
    (group, Vec::new())
}

fn add<'a>(group: &mut GroupedBuilds<'a>, variant: &VariantResults, build: &'a BuildResults) {
    group.0.columns.push(Column {
        variant: variant.subject.id.clone(),
        build: build.subject.name.clone(),
    });
    group.1.push(build);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::StudyResults;
    use crate::results::fixtures::{write_set, write_spi_variant};

    #[test]
    fn full_builds_stand_by_name_and_the_others_after_what_they_are_compared_with() {
        let folder = tempfile::tempdir().unwrap();
        let set = write_set(folder.path());
        write_spi_variant(&set);
        let results = StudyResults::read(&set).unwrap();
        let groups = groups(&results);
        let shown = groups.iter().map(|(group, builds)| {
            assert_eq!(group.columns.len(), builds.len());
            let columns = group.columns.iter();
            let columns = columns.map(|column| format!("{} {}", column.variant, column.build));
            (group.name.as_str(), columns.collect::<Vec<_>>().join(", "))
        });
        let expected = [
            ("release", "fake release, fake-spi release"),
            ("profiling", "fake profiling, fake-spi profiling"),
            ("fake-spi", "fake-spi release, fake-spi dma"),
        ];
        let expected = expected.map(|(name, columns)| (name, columns.to_owned()));
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_build_is_compared_with_the_one_that_shares_most_of_its_features() {
        let folder = tempfile::tempdir().unwrap();
        let set = write_set(folder.path());
        write_spi_variant(&set);
        let mut results = StudyResults::read(&set).unwrap();
        let variant = &mut results.variants[1];
        let name = |variant: &VariantResults| {
            let build = variant.builds.last().unwrap();
            let baseline = baseline(variant, build);
            baseline.map(|baseline| baseline.subject.name.clone())
        };
        assert_eq!(name(variant).as_deref(), Some("release"));
        let features = &mut variant.builds.last_mut().unwrap().subject.features;
        features.push("profiling".to_owned());
        assert_eq!(name(variant).as_deref(), Some("profiling"));
        variant.builds[0].subject.core_hz += 1;
        variant.builds[1].subject.core_hz += 1;
        assert_eq!(name(variant).as_deref(), Some("profiling"));
        variant.builds[0].subject.core_hz -= 1;
        assert_eq!(name(variant).as_deref(), Some("release"));
        variant.builds.last_mut().unwrap().subject.profile = "other".to_owned();
        assert_eq!(name(variant), None);
    }
}
