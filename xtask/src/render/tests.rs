use super::*;
use crate::results::fixtures::{write_set, write_whole_set};

fn rendered(set: &ResultSet) -> String {
    render_document(set, &templates()).unwrap()
}

#[test]
fn a_set_with_gaps_and_failures_says_so() {
    let folder = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(rendered(&write_set(folder.path())));
}

#[test]
fn a_measured_stream_fills_the_rows_of_its_build() {
    let folder = tempfile::tempdir().unwrap();
    let gaps = rendered(&write_set(folder.path()));
    let whole = rendered(&write_whole_set(folder.path()));
    let added: Vec<&str> = whole.lines().filter(|line| !gaps.contains(line)).collect();
    insta::assert_snapshot!(added.join("\n"));
}

#[test]
fn no_results_are_shown_as_not_measured() {
    let folder = tempfile::tempdir().unwrap();
    let set = ResultSet::in_folder(SetName::Full, folder.path());
    let document = rendered(&set);
    assert!(document.contains("Nothing was measured yet"));
    assert!(!document.contains("|"), "a table without rows:\n{document}");
}

#[test]
fn a_document_is_current_until_results_or_document_change() {
    let folder = tempfile::tempdir().unwrap();
    let set = write_set(folder.path());
    assert!(!document_is_current(&set, &templates()).unwrap());
    write_document(&set, &templates()).unwrap();
    assert!(document_is_current(&set, &templates()).unwrap());
    write_whole_set(folder.path());
    assert!(!document_is_current(&set, &templates()).unwrap());
    write_document(&set, &templates()).unwrap();
    let text = fs::read_to_string(set.document()).unwrap();
    fs::write(set.document(), text.replacen('1', "2", 1)).unwrap();
    assert!(!document_is_current(&set, &templates()).unwrap());
}

#[test]
fn a_template_with_an_undefined_name_changes_no_document() {
    let folder = tempfile::tempdir().unwrap();
    let set = write_set(folder.path());
    write_document(&set, &templates()).unwrap();
    let before = fs::read_to_string(set.document()).unwrap();
    let broken = tempfile::tempdir().unwrap();
    let template = broken.path().join(STUDY_TEMPLATE);
    fs::write(&template, "one\n{{ study.colour | count }}\n").unwrap();
    let error = write_document(&set, broken.path()).unwrap_err();
    let place = format!("{}:2: ", template.display());
    assert_eq!(
        format!("{error:#}"),
        format!("{place}undefined value in `{{{{ study.colour | count }}}}`")
    );
    assert_eq!(fs::read_to_string(set.document()).unwrap(), before);
}

/// Replaces `from` with `to` in a file of a set that is fine otherwise, and gives the refusal.
fn refusal(file: &str, from: &str, to: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let set = write_set(folder.path());
    rendered(&set);
    let path = folder.path().join("fake").join(file);
    let good = fs::read_to_string(&path).unwrap();
    let damaged = good.replacen(from, to, 1);
    assert_ne!(good, damaged);
    fs::write(&path, damaged).unwrap();
    let error = render_document(&set, &templates()).unwrap_err();
    format!("{error:#}").replace(&folder.path().display().to_string(), "")
}

#[test]
fn results_that_contradict_each_other_or_themselves_are_refused() {
    let cases = [
        (
            "release/stream.json",
            "\"schema\": 1",
            "\"schema\": 2",
            "schema 2, this program reads schema 1",
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
