//! Results of one provenance are never taken for those of another.

use std::fs;

use super::{MESSAGES, image, set};
use crate::hardware::fixture::Firmware;
use crate::hardware::record::Record;
use crate::results::hardware::{HardwareBuild, HardwareFile};
use crate::results::{ResultSet, SetName, StudyResults, WorkloadName, fixtures, write_json};
use bench::FunctionalResult;

/// An empty result file of hardware in its place below `folder`.
fn hardware_file(folder: &std::path::Path) -> HardwareFile<FunctionalResult> {
    let image = image(&Firmware::logging(&MESSAGES), 7);
    let set = set(folder);
    let plan = vec![image.plan.functional.clone()];
    let opened = Record::open(&set, &image, WorkloadName::Functional, plan, false);
    opened.unwrap().file().clone()
}

#[test]
fn a_result_of_hardware_is_refused_among_emulated_ones_and_the_other_way_round() {
    let folder = tempfile::tempdir().unwrap();
    let set = set(folder.path());
    let path = set.trials("fake", "release", WorkloadName::Functional);
    write_json(&path, &hardware_file(folder.path())).unwrap();
    HardwareBuild::read(&set, "fake", "release").unwrap();
    let refusal = format!("{:#}", StudyResults::read(&set).unwrap_err());
    assert!(
        refusal.contains("functional.json is not a result"),
        "{refusal}"
    );
    assert!(refusal.contains("unknown variant `hardware`"), "{refusal}");

    let folder = tempfile::tempdir().unwrap();
    let emulated = fixtures::write_set(folder.path());
    StudyResults::read(&emulated).unwrap();
    let read = HardwareBuild::read(&emulated, "fake", "release");
    let refusal = format!("{:#}", read.unwrap_err());
    assert!(refusal.contains("unknown variant `emulated`"), "{refusal}");
}

#[test]
fn hardware_has_folders_of_its_own() {
    let root = std::path::Path::new("/checkout");
    for name in [SetName::Full, SetName::Quick, SetName::Smoke] {
        let hardware = ResultSet::on_hardware(root, name);
        let emulated = ResultSet::in_checkout(root, name);
        assert_ne!(hardware.folder(), emulated.folder());
        for document in ["TRADE_STUDY.md", "HARDWARE.md"] {
            assert_eq!(
                hardware.document(document).parent(),
                Some(hardware.folder())
            );
        }
    }
    let full = ResultSet::on_hardware(root, SetName::Full);
    assert_eq!(full.folder(), root.join("results/hardware"));
}

#[test]
fn a_result_in_anothers_place_or_from_another_bench_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let set = set(folder.path());
    let file = hardware_file(folder.path());
    let elsewhere = set.trials("fake", "profiling", WorkloadName::Functional);
    write_json(&elsewhere, &file).unwrap();
    let refusal = HardwareBuild::read(&set, "fake", "profiling").unwrap_err();
    assert!(
        refusal.to_string().contains("in the place of another"),
        "{refusal}"
    );
    fs::remove_file(elsewhere).unwrap();

    let at_home = set.trials("fake", "release", WorkloadName::Functional);
    write_json(&at_home, &file).unwrap();
    let mut other = serde_json::to_value(&file).unwrap();
    other["workload"] = "stream".into();
    other["inputs"]["bench"]["probe"]["serial"] = "B".into();
    write_json(&set.trials("fake", "release", WorkloadName::Stream), &other).unwrap();
    let refusal = HardwareBuild::read(&set, "fake", "release").unwrap_err();
    let refusal = refusal.to_string();
    assert!(
        refusal.contains("different ELF files or test benches"),
        "{refusal}"
    );
}
