//! Sizes and source lines that an ELF file and its sources do not have.

use std::time::{Duration, SystemTime};

use serde_json::json;

use super::*;
use crate::audit::images::{self, ImageFiles};
use crate::audit::set::Files;
use crate::hash::sha256_hex;
use crate::metadata::Study;
use crate::size;
use crate::size::tests::fixture;

/// An ELF file and a source of three lines, two of which are code.
struct Built {
    folder: TempDir,
    /// What is recorded of it.
    size: Value,
    lines: Value,
}

impl Built {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let elf = fixture::image(&fixture::reference());
        files::write(&folder.path().join("elf/v-b.elf"), &elf).unwrap();
        let source = folder.path().join("firmware/a/src/lib.rs");
        files::write(&source, b"// A comment.\nfn f() {}\nfn g() {}\n").unwrap();
        set_age(&source, 100);
        let sizes = size::measure(&elf, &Study::load().unwrap().regions).unwrap();
        Self {
            folder,
            size: json!({
                "image": {"elf_sha256": sha256_hex(&elf)},
                "sections": {
                    "vector_table_bytes": sizes.vector_table, "text_bytes": sizes.text,
                    "rodata_bytes": sizes.rodata, "data_bytes": sizes.data, "bss_bytes": sizes.bss,
                    "uninit_bytes": sizes.uninit, "reserved_bytes": sizes.reserved,
                },
            }),
            lines: json!({"files": [{
                "path": "a/src/lib.rs", "role": "server", "code_lines": 2, "tokei_code_lines": 2,
                "test_lines": 0,
            }]}),
        }
    }

    /// What the audit says: how many images and sources were looked at, findings, and what was skipped.
    fn audit(&self) -> (u64, u64, Vec<String>, Vec<String>) {
        let root = self.folder.path();
        let places = Places {
            set: ResultSet::in_folder(SetName::Quick, &root.join("set")),
            templates: root.join("templates"),
            published: None,
            images: None,
            root: root.to_owned(),
            study_command: "cargo xtask study --quick".to_owned(),
            render_command: "cargo xtask render --quick".to_owned(),
        };
        let mut files = Files::default();
        let results = [
            ("v/b/size.json", &self.size),
            ("v/b/ncloc.json", &self.lines),
        ];
        for (path, value) in results {
            files.results.insert(path.to_owned(), Some(value.clone()));
        }
        let images = ImageFiles {
            elf: root.join("elf"),
            firmware: root.join("firmware"),
        };
        let report = images::check(&places, &files, &images);
        let [sized, counted] = ["images sized again", "source files counted again"]
            .map(|what| report.checked.get(what));
        let findings = report.findings.iter().map(Finding::to_string);
        (sized, counted, findings.collect(), report.skipped)
    }
}

fn set_age(path: &Path, seconds: u64) {
    let file = fs::File::open(path).unwrap();
    let age = Duration::from_secs(seconds);
    file.set_modified(SystemTime::now() - age).unwrap();
}

#[test]
fn what_the_elf_file_and_the_sources_give_is_no_finding() {
    let (sized, counted, findings, skipped) = Built::new().audit();
    assert_eq!((sized, counted), (1, 1));
    assert_eq!((findings, skipped), (Vec::new(), Vec::new()));
}

#[test]
fn a_size_that_the_elf_file_does_not_have_is_found() {
    let mut built = Built::new();
    let right = built.size["sections"]["text_bytes"].as_u64().unwrap();
    built.size["sections"]["text_bytes"] = json!(right + 1);
    let (_, _, findings, _) = built.audit();
    assert_eq!(findings.len(), 1, "{findings:?}");
    let expected = format!(
        "set/v/b/size.json#/sections/text_bytes: it is {}, and",
        right + 1
    );
    assert!(findings[0].starts_with(&expected), "{findings:?}");
    assert!(
        findings[0].ends_with("see `cargo xtask size elf/v-b.elf`"),
        "{findings:?}"
    );

    let broken = b"no ELF file".to_vec();
    files::write(&built.folder.path().join("elf/v-b.elf"), &broken).unwrap();
    built.size["image"]["elf_sha256"] = json!(sha256_hex(&broken));
    let (_, _, findings, _) = built.audit();
    assert!(
        findings[0].starts_with("set/v/b/size.json#/sections: "),
        "{findings:?}"
    );
}

#[test]
fn lines_that_the_source_does_not_have_are_found() {
    let mut built = Built::new();
    for (name, message) in [
        ("code_lines", "it is 7, and a/src/lib.rs has 2"),
        ("tokei_code_lines", "it is 7, and a/src/lib.rs has 2"),
        ("test_lines", "it is 7, and a/src/lib.rs has 0"),
    ] {
        let right = built.lines["files"][0][name].take();
        built.lines["files"][0][name] = json!(7);
        let (_, _, findings, _) = built.audit();
        let expected = format!("set/v/b/ncloc.json#/files/0/{name}: {message}");
        assert!(findings[0].starts_with(&expected), "{findings:?}");
        built.lines["files"][0][name] = right;
    }
}

#[test]
fn what_is_not_the_recorded_one_is_skipped_and_counted() {
    let mut built = Built::new();
    set_age(&built.folder.path().join("elf/v-b.elf"), 200);
    let (sized, counted, findings, skipped) = built.audit();
    assert_eq!((sized, counted, findings.len()), (1, 0, 0));
    assert!(
        skipped[0].starts_with("lines of 1 source files"),
        "{skipped:?}"
    );

    built.size["image"]["elf_sha256"] = json!("00");
    let (sized, counted, findings, skipped) = built.audit();
    assert_eq!((sized, counted, findings.len()), (0, 0, 0));
    assert!(
        skipped[0].starts_with("sizes of 1 of 1 images"),
        "{skipped:?}"
    );

    fs::remove_dir_all(built.folder.path().join("elf")).unwrap();
    fs::remove_dir_all(built.folder.path().join("firmware")).unwrap();
    let (sized, counted, findings, _) = built.audit();
    assert_eq!((sized, counted, findings.len()), (0, 0, 0));
}
