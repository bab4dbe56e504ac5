use std::fs;
use std::slice;

use super::*;
use crate::results::fixtures::{
    write_languages_set, write_set, write_spi_variant, write_whole_set,
};

const STUDY: &str = "TRADE_STUDY.md";
const W5500: &str = "W5500.md";

fn rendered(set: &ResultSet, name: &str) -> String {
    let documents = super::rendered(set, &templates()).unwrap();
    let mut documents = documents.into_iter();
    documents.find(|one| one.document == name).unwrap().text
}

#[test]
fn a_set_with_gaps_and_failures_says_so() {
    let folder = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(rendered(&write_set(folder.path()), STUDY));
}

/// A set with the two variants of the W5500, and the driver as released.
fn write_w5500_set(folder: &Path) -> ResultSet {
    let set = write_set(folder);
    write_spi_variant(&set);
    let results = |name: &str| folder.join(name);
    let renamed = |text: &str, id: &str| {
        let text = text.replace("\"id\": \"fake-spi\"", &format!("\"id\": \"{id}\""));
        text.replace("[\"dma\"]", "[\"profiling\", \"dma\"]")
    };
    let macraw = |text: &str| renamed(text, "w5500-macraw");
    let offload = |text: &str| {
        let text = renamed(text, "w5500-offload");
        text.replace("\"order\": 2", "\"order\": 3")
    };
    let released = |text: &str| {
        let text = text.replace("\"profiling\", ", "");
        let text = text.replace("\"dma\"", "\"as-released\"");
        text.replace("SPI by DMA.", "The driver as released.")
    };
    copy_with(&results("fake-spi"), &results("w5500-macraw"), macraw);
    copy_with(&results("fake-spi"), &results("w5500-offload"), offload);
    let macraw = results("w5500-macraw");
    copy_with(&macraw.join("dma"), &macraw.join("as-released"), released);
    fs::remove_dir_all(results("fake-spi")).unwrap();
    set
}

/// Copies the files in `from` and the folders in it, changing their text.
fn copy_with(from: &Path, to: &Path, change: impl Fn(&str) -> String + Copy) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_with(&path, &to, change);
        } else {
            fs::write(to, change(&fs::read_to_string(path).unwrap())).unwrap();
        }
    }
}

#[test]
fn variants_of_the_w5500_stand_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(rendered(&write_w5500_set(folder.path()), STUDY));
}

#[test]
fn the_w5500_has_a_document_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(rendered(&write_w5500_set(folder.path()), W5500));
}

#[test]
fn a_measured_stream_fills_the_rows_of_its_build() {
    let folder = tempfile::tempdir().unwrap();
    let gaps = rendered(&write_set(folder.path()), STUDY);
    let whole = rendered(&write_whole_set(folder.path()), STUDY);
    let added: Vec<&str> = whole.lines().filter(|line| !gaps.contains(line)).collect();
    insta::assert_snapshot!(added.join("\n"));
}

/// The lines of `document` from this heading to the next of its level.
fn section<'a>(document: &'a str, heading: &str) -> &'a str {
    let (_, rest) = document.split_once(&format!("\n## {heading}\n")).unwrap();
    rest.split_once("\n## ")
        .map_or(rest, |(section, _)| section)
}

#[test]
fn c_and_rust_stand_side_by_side_at_equal_clocks() {
    let folder = tempfile::tempdir().unwrap();
    let document = rendered(&write_languages_set(folder.path()), STUDY);
    insta::assert_snapshot!(section(&document, "C against Rust"));
}

#[test]
fn each_toolchain_stands_with_what_it_built() {
    let folder = tempfile::tempdir().unwrap();
    let set = write_languages_set(folder.path());
    let built = || {
        let document = rendered(&set, STUDY);
        let lines = document
            .lines()
            .filter(|line| line.starts_with("- Built with"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let lock = crate::hash::sha256_hex(b"lock");
    let lock = format!("from the firmware's lock file `{}`", &lock[..12]);
    let rust = "rustc 1.0.0, core from its sources, GNU ld";
    let of_both = [
        format!("- Built with gcc 1.0.0, {lock}: `fake-c`."),
        format!("- Built with {rust}, {lock}: `fake`."),
    ];
    assert_eq!(built(), of_both);
    let newer = |text: &str| text.replace("gcc 1.0.0", "gcc 1.0.1");
    let size = folder.path().join("fake-c").join("size");
    copy_with(&size, &size, newer);
    let of_three = [
        format!(
            "- Built with gcc 1.0.0, {lock}: `fake-c` release profiling interrupt-driven release-400 size-profiling."
        ),
        format!("- Built with gcc 1.0.1, {lock}: `fake-c` size."),
        of_both[1].clone(),
    ];
    assert_eq!(built(), of_three);
}

#[test]
fn what_differs_besides_language_is_said_of_the_variants_that_it_is_known_of() {
    let folder = tempfile::tempdir().unwrap();
    let set = write_languages_set(folder.path());
    let results = |name: &str| folder.path().join(name);
    for (from, to) in [("fake", "embassy-rmii"), ("fake-c", "c-lwip-rmii")] {
        let renamed =
            |text: &str| text.replace(&format!("\"id\": \"{from}\""), &format!("\"id\": \"{to}\""));
        copy_with(&results(from), &results(to), renamed);
        fs::remove_dir_all(results(from)).unwrap();
    }
    let document = rendered(&set, STUDY);
    let differences = section(&document, "C against Rust").split_once("What else differs");
    let (_, differences) = differences.unwrap();
    insta::assert_snapshot!(differences.split_once("The figures.").unwrap().0);
}

#[test]
fn no_results_are_shown_as_not_measured() {
    let folder = tempfile::tempdir().unwrap();
    let set = ResultSet::in_folder(SetName::Full, folder.path());
    let document = rendered(&set, STUDY);
    assert!(document.contains("Nothing was measured yet"));
    assert!(!document.contains("|"), "a table without rows:\n{document}");
}

#[test]
fn order_of_keys_layout_and_folder_change_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let set = write_w5500_set(folder.path());
    let elsewhere = tempfile::tempdir().unwrap();
    let place = elsewhere
        .path()
        .join("a folder with spaces")
        .join("results");
    let shuffled = |text: &str| {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        let shuffled = value.to_string();
        assert_ne!(shuffled, text);
        shuffled
    };
    copy_with(folder.path(), &place, shuffled);
    let copy = ResultSet::in_folder(set.name, &place);
    for name in DOCUMENTS {
        assert_eq!(rendered(&copy, name), rendered(&set, name), "{name}");
    }
}

#[test]
fn a_document_is_current_until_results_or_document_change() {
    let folder = tempfile::tempdir().unwrap();
    let set = write_set(folder.path());
    let both = vec![set.document(STUDY), set.document(W5500)];
    let stale = || stale_documents(&set, &templates()).unwrap();
    assert_eq!(stale(), both);
    write_documents(&set, &templates()).unwrap();
    assert!(stale().is_empty());
    write_whole_set(folder.path());
    assert!(stale().contains(&set.document(STUDY)));
    write_documents(&set, &templates()).unwrap();
    for document in both {
        let text = fs::read_to_string(&document).unwrap();
        fs::write(&document, text.replacen('e', "a", 1)).unwrap();
        assert_eq!(stale(), slice::from_ref(&document));
        fs::remove_file(&document).unwrap();
        assert_eq!(stale(), slice::from_ref(&document));
        write_documents(&set, &templates()).unwrap();
    }
}

#[test]
fn a_template_with_an_undefined_name_changes_no_document() {
    let folder = tempfile::tempdir().unwrap();
    let set = write_set(folder.path());
    write_documents(&set, &templates()).unwrap();
    let before = [STUDY, W5500].map(|name| fs::read_to_string(set.document(name)).unwrap());
    let broken = tempfile::tempdir().unwrap();
    let [fine, template] =
        [STUDY, W5500].map(|name| broken.path().join(format!("{name}{TEMPLATE_SUFFIX}")));
    fs::write(&fine, "fine\n").unwrap();
    fs::write(&template, "one\n{{ study.colour | count }}\n").unwrap();
    let error = write_documents(&set, broken.path()).unwrap_err();
    let place = format!("{}:2: ", template.display());
    assert_eq!(
        format!("{error:#}"),
        format!("{place}undefined value in `{{{{ study.colour | count }}}}`")
    );
    let after = [STUDY, W5500].map(|name| fs::read_to_string(set.document(name)).unwrap());
    assert_eq!(after, before);
}

/// Replaces `from` with `to` in a file of a set that is fine otherwise, and gives the refusal.
fn refusal(file: &str, from: &str, to: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let set = write_set(folder.path());
    rendered(&set, STUDY);
    let path = folder.path().join("fake").join(file);
    let good = fs::read_to_string(&path).unwrap();
    let damaged = good.replacen(from, to, 1);
    assert_ne!(good, damaged);
    fs::write(&path, damaged).unwrap();
    let error = super::rendered(&set, &templates()).map(drop).unwrap_err();
    format!("{error:#}").replace(&folder.path().display().to_string(), "")
}

#[test]
fn results_that_contradict_each_other_or_themselves_are_refused() {
    let cases = [
        (
            "release/stream.json",
            "\"schema\": 3",
            "\"schema\": 9",
            "schema 9, this program reads schema 3",
        ),
        (
            "release/stream.json",
            "\"provenance\"",
            "\"origin\"",
            "unknown field `origin`",
        ),
        (
            "release/stream.json",
            "\"planned\": 2000",
            "\"planned\": 1999",
            "contradicts itself: ledger identity broken",
        ),
        (
            "release/stream.json",
            "\"set\": \"quick\"",
            "\"set\": \"full\"",
            "another set of results",
        ),
        (
            "release/stream.json",
            "\"workload\": \"stream\"",
            "\"workload\": \"sweep\"",
            "another workload's place",
        ),
        (
            "release/stream.json",
            "\"id\": \"fake\"",
            "\"id\": \"other\"",
            "describes its variant otherwise",
        ),
        (
            "release/size.json",
            "\"elf_sha256\": \"",
            "\"elf_sha256\": \"0",
            "another ELF file",
        ),
        (
            "release/sweep.json",
            "\"version\": \"1\"",
            "\"version\": \"2\"",
            "another emulated board",
        ),
        (
            "release/size.json",
            "}",
            "",
            "size.json is not a result this program can use",
        ),
    ];
    for (file, from, to, reason) in cases {
        let refusal = refusal(file, from, to);
        assert!(refusal.contains(reason), "{from} -> {to}: {refusal}");
        assert_eq!(refusal.lines().count(), 1);
    }
}
