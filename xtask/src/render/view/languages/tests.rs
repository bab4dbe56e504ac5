use std::fs;

use super::*;
use crate::metadata::Study;
use crate::paths;
use crate::render::view::StudyView;
use crate::results::StudyResults;
use crate::results::fixtures::{write_languages_set, write_set, write_spi_variant};

fn study() -> StudyView {
    let folder = tempfile::tempdir().unwrap();
    let set = write_languages_set(folder.path());
    StudyView::new(&StudyResults::read(&set).unwrap())
}

fn title(side: &SideView) -> String {
    let mhz = side.core_hz.value.numerator / 1_000_000;
    format!("{:?} {:?} {mhz}", side.language, side.intent)
}

#[test]
fn builds_stand_by_intent_and_clock_whatever_their_names() {
    let study = study();
    let languages = study.languages.as_ref().unwrap();
    assert_eq!((&*languages.c, &*languages.rust), ("fake-c", "fake"));
    let name = |index: Option<usize>| index.map(|index| &*study.builds[index].about.name);
    let sides = languages.sides.iter();
    let sides = sides.map(|side| (title(side), name(side.plain), name(side.counted)));
    let expected = [
        ("C Size 400", Some("size"), Some("size-profiling")),
        ("Rust Size 400", Some("release"), Some("profiling")),
        ("C Speed 400", Some("release-400"), None),
        ("C Speed 520", Some("release"), Some("profiling")),
        ("Rust Speed 520", Some("performance"), None),
    ];
    let expected = expected.map(|(title, plain, counted)| (title.to_owned(), plain, counted));
    assert_eq!(sides.collect::<Vec<_>>(), expected);
    let backwards = super::sides(study.builds.iter().enumerate().rev());
    assert_eq!(backwards, languages.sides, "no build competes with another");
}

#[test]
fn pairs_differ_in_language_or_in_configuration_and_the_published_one_in_both() {
    let pairs = study().languages.unwrap().pairs;
    let pairs = pairs.iter().map(|pair| {
        let (above, below) = (title(&pair.above), title(&pair.below));
        (pair.kind, format!("{above} / {below}"))
    });
    let expected = [
        (PairKind::Language, "C Size 400 / Rust Size 400"),
        (PairKind::Language, "C Speed 520 / Rust Speed 520"),
        (PairKind::Published, "C Speed 520 / Rust Size 400"),
        (PairKind::Configuration, "C Speed 400 / C Size 400"),
        (PairKind::Configuration, "C Speed 520 / C Speed 400"),
        (PairKind::Configuration, "Rust Speed 520 / Rust Size 400"),
    ];
    let expected = expected.map(|(kind, title)| (kind, title.to_owned()));
    assert_eq!(pairs.collect::<Vec<_>>(), expected);
}

#[test]
fn only_builds_in_c_without_the_feature_for_it_poll() {
    let study = study();
    let languages = study.languages.as_ref().unwrap();
    let counted = languages.counted.iter().map(|counted| {
        let build = &study.builds[counted.build];
        (&*build.variant.id, &*build.about.name, counted.waiting)
    });
    let expected = [
        ("fake-c", "profiling", Waiting::Polls),
        ("fake-c", "interrupt-driven", Waiting::SleepsUntilInterrupt),
        ("fake-c", "size-profiling", Waiting::Polls),
        ("fake", "profiling", Waiting::SleepsUntilInterrupt),
    ];
    assert_eq!(counted.collect::<Vec<_>>(), expected);
}

#[test]
fn without_both_languages_on_one_network_device_there_is_nothing_to_compare() {
    let folder = tempfile::tempdir().unwrap();
    let set = write_set(folder.path());
    write_spi_variant(&set);
    let results = StudyResults::read(&set).unwrap();
    assert!(StudyView::new(&results).languages.is_none());
    let set = write_languages_set(folder.path());
    fs::remove_dir_all(folder.path().join("fake")).unwrap();
    let results = StudyResults::read(&set).unwrap();
    assert!(StudyView::new(&results).languages.is_none());
}

#[test]
fn every_build_of_the_study_has_the_language_of_its_variant() {
    for variant in Study::load().unwrap().variants {
        let expected = match variant.c {
            Some(_) => Language::C,
            None => Language::Rust,
        };
        for build in variant.builds {
            let language = of_profile(&build.profile).map(|(language, _)| language);
            assert_eq!(language, Some(expected), "{} {}", variant.id, build.name);
        }
    }
}

#[test]
fn the_intents_of_cargo_profiles_are_those_of_their_levels() {
    let manifest = fs::read_to_string(paths::firmware_manifest()).unwrap();
    let level = |profile: &str| {
        let section = manifest.split(&format!("[profile.{profile}]\n")).nth(1)?;
        let level = section.lines().find(|line| line.starts_with("opt-level"))?;
        level.split(" = ").nth(1)
    };
    for (profile, expected) in [("release", "\"z\""), ("performance", "3")] {
        assert_eq!(level(profile), Some(expected));
        let intent = of_profile(profile).map(|(_, intent)| intent);
        let is_size = expected.starts_with('"');
        assert_eq!(intent == Some(Intent::Size), is_size, "{profile}");
    }
}
