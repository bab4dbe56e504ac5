//! Small sets with one planted fault each.

mod documents;
mod explanations;
mod identities;
mod images;
mod mutations;
mod results;
mod sets;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

use super::digests;
use super::report::{Finding, Kind, Report};
use super::set::Places;
use crate::results::fixtures::{write_spi_variant, write_whole_set};
use crate::results::{ResultSet, SetName};
use crate::{files, render};

/// A template with a figure of each build, and a claim.
const TEMPLATE: &str = "# A document
{% for build in study.builds %}
{% if build.stream %}
| `{{ build.variant.id }}` | {{ build.stream.counts.sent | count }} | {{ build.stream.rtt_p99_ns | ns_as_us(1) }} |
{% endif %}
{% endfor %}
{{ claim('More than a thousand', study.builds[0].stream.counts.sent, '>', 1000) }} were sent.
";

/// A set that nothing is wrong with.
struct Fixture {
    _folder: TempDir,
    places: Places,
}

impl Fixture {
    /// A copy of one that is measured once for all tests.
    fn new() -> Self {
        static MEASURED: OnceLock<TempDir> = OnceLock::new();
        let measured = MEASURED.get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            let set = write_whole_set(folder.path());
            write_spi_variant(&set);
            // It lacks a rate, as no finished study does.
            fs::remove_file(set.folder().join("fake/profiling/sweep.json")).unwrap();
            for build in ["profiling", "dma"] {
                fs::remove_dir_all(set.folder().join("fake-spi").join(build)).unwrap();
            }
            folder
        });
        let folder = tempfile::tempdir().unwrap();
        let set = folder.path().join("set");
        for file in digests::files_below(measured.path()).unwrap() {
            let bytes = fs::read(measured.path().join(&file)).unwrap();
            files::write(&set.join(file), &bytes).unwrap();
        }
        let templates = folder.path().join("templates");
        for document in render::DOCUMENTS {
            let template = templates.join(format!("{document}.j2"));
            files::write(&template, TEMPLATE.as_bytes()).unwrap();
        }
        let places = Places {
            set: ResultSet::in_folder(SetName::Quick, &set),
            templates,
            published: None,
            images: None,
            root: folder.path().to_owned(),
            study_command: "cargo xtask study --quick".to_owned(),
            render_command: "cargo xtask render --quick".to_owned(),
        };
        let fixture = Self {
            _folder: folder,
            places,
        };
        fixture.record();
        fixture
    }

    /// Records what is there, and renders, as if a study had just made it.
    fn record(&self) {
        digests::record_results(&self.places.set).unwrap();
        render::write_documents(&self.places.set, &self.places.templates).unwrap();
    }

    /// A file by its path in the set.
    fn path(&self, file: &str) -> PathBuf {
        self.places.set.folder().join(file)
    }

    /// Changes a result and records the file as if a study had made it so, requires a finding of that
    /// kind which says `message` and none of another file, and puts the result back.
    fn plant(&self, fault: Fault) {
        let Fault {
            file,
            change,
            kind,
            message,
        } = fault;
        let path = self.path(file);
        let manifest = self.path(digests::DIGESTS);
        let [right, digests] = [&path, &manifest].map(|path| fs::read(path).unwrap());
        change_json(&path, change);
        digests::record_results(&self.places.set).unwrap();
        self.expect(kind, &self.places.result(file), message);
        fs::write(&path, right).unwrap();
        fs::write(&manifest, digests).unwrap();
    }

    fn audit(&self) -> Report {
        super::of(&self.places).unwrap()
    }

    /// The only findings there are, as lines.
    fn findings(&self) -> Vec<String> {
        let findings = self.audit().findings;
        findings.iter().map(Finding::to_string).collect()
    }

    /// Requires a finding of this kind that says `message`.
    fn expect_some(&self, kind: Kind, message: &str) {
        let report = self.audit();
        let lines = Vec::from_iter(report.findings.iter().map(Finding::to_string));
        let says =
            |finding: &Finding| finding.kind == kind && finding.to_string().contains(message);
        assert!(report.findings.iter().any(says), "{message}: {lines:#?}");
    }

    /// Requires findings of this kind that all name `file`, one of which says `message`.
    fn expect(&self, kind: Kind, file: &str, message: &str) {
        let report = self.audit();
        let lines = Vec::from_iter(report.findings.iter().map(Finding::to_string));
        let says =
            |finding: &Finding| finding.kind == kind && finding.to_string().contains(message);
        assert!(report.findings.iter().any(says), "{message}: {lines:#?}");
        let elsewhere = report.findings.iter().any(|finding| finding.file != file);
        assert!(!elsewhere, "{file}: {lines:#?}");
    }
}

/// What is done to a result.
type Change<'a> = &'a dyn Fn(&mut Value);

/// What is done to a result, and what the audit says of it.
struct Fault<'a> {
    file: &'a str,
    change: Change<'a>,
    kind: Kind,
    message: &'a str,
}

/// Sets the value at a pointer.
fn set(pointer: &str, value: Value) -> impl Fn(&mut Value) + use<> {
    let pointer = pointer.to_owned();
    move |json| *json.pointer_mut(&pointer).expect("there is such a place") = value.clone()
}

fn change_json(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut json: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut json);
    fs::write(path, serde_json::to_vec_pretty(&json).unwrap()).unwrap();
}
