//! What is audited: a set of results with its templates and documents, as bytes of one moment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::Value;

use super::digests::{self, DIGESTS, Manifest};
use super::images::ImageFiles;
use super::report::{Finding, Kind};
use super::schema::FileKind;
use super::strict;
use crate::hash::sha256_hex;
use crate::pool::run_jobs;
use crate::results::ResultSet;
use crate::{files, render};

/// Where everything lies that an audit looks at.
#[derive(Clone, Debug)]
pub struct Places {
    pub set: ResultSet,
    pub templates: PathBuf,
    /// The published figures; `None` to leave them out.
    pub published: Option<PathBuf>,
    /// Images and sources; `None` to leave them out.
    pub images: Option<ImageFiles>,
    /// What paths in findings are relative to.
    pub root: PathBuf,
    /// The command that measures the set, such as `cargo xtask study`.
    pub study_command: String,
    /// The command that renders its documents.
    pub render_command: String,
}

impl Places {
    /// The path of a file as findings name it.
    pub fn shown(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.root).unwrap_or(path);
        path.to_string_lossy().replace('\\', "/")
    }

    /// A result of the set, by its path in it.
    pub fn result(&self, file: &str) -> String {
        self.shown(&self.set.folder().join(file))
    }

    /// A message with its paths as findings name them.
    pub fn shortened(&self, message: &str) -> String {
        message.replace(&format!("{}/", self.root.display()), "")
    }

    /// The file that an error speaks of by its path.
    pub fn file_in(&self, message: &str) -> Option<String> {
        let folders = [Some(self.set.folder()), Some(self.templates.as_path())];
        let folders = folders.into_iter().chain([self.published.as_deref()]);
        let mut paths = folders.flatten().flat_map(|folder| {
            let files = digests::files_below(folder).unwrap_or_default();
            files.into_iter().map(|file| folder.join(file))
        });
        let path = paths.find(|path| message.contains(&*path.to_string_lossy()))?;
        Some(self.shown(&path))
    }

    /// The command that measures one build again.
    pub fn study_again(&self, file: &str) -> String {
        let mut parts = file.split('/');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(variant), Some(build), Some(_)) => format!(
                "{} --fresh --variant {variant} --build {build}",
                self.study_command
            ),
            _ => self.study_command.clone(),
        }
    }

    /// The command that shows how a file was changed.
    pub fn difference(&self, shown: &str) -> String {
        format!("git diff HEAD -- {shown}")
    }
}

/// The files of a set in memory.
#[derive(Debug, Default)]
pub struct Files {
    /// By path in the set; none for what is no JSON that a result may be.
    pub results: BTreeMap<String, Option<Value>>,
    /// Text by name.
    pub documents: BTreeMap<String, String>,
    pub findings: Vec<Finding>,
}

impl Files {
    /// Reads everything, on as many threads as there are processors, and holds it against its digests
    /// and its schema.
    ///
    /// # Errors
    /// A file that cannot be read for another reason than that it is not there, or no digests at all.
    pub fn read(places: &Places) -> anyhow::Result<Self> {
        let manifest = Manifest::read(places.set.folder())?;
        let mut findings = Vec::new();
        if manifest.is_none() {
            findings.push(Finding {
                kind: Kind::Digest,
                file: places.result(DIGESTS),
                place: None,
                message: "there is no list of digests".to_owned(),
                command: places.study_command.clone(),
            });
        }
        let manifest = manifest.unwrap_or_default();
        let mut files = Self {
            findings,
            ..Self::default()
        };
        files.read_results(places, &manifest)?;
        files.read_templates(places, &manifest)?;
        files.read_documents(places, &manifest)?;
        Ok(files)
    }

    fn read_results(&mut self, places: &Places, manifest: &Manifest) -> anyhow::Result<()> {
        let mut jobs = Vec::new();
        for path in digests::files_below(places.set.folder())? {
            let depth = path.matches('/').count();
            let is_document = render::DOCUMENTS.contains(&path.as_str());
            if path == DIGESTS || (depth == 0 && is_document) {
                continue;
            }
            match path
                .rsplit_once('/')
                .and_then(|(_, name)| FileKind::of(name))
            {
                Some(kind) if depth == 2 => jobs.push((path, kind)),
                _ => self.findings.push(Finding {
                    kind: Kind::Place,
                    file: places.result(&path),
                    place: None,
                    message: "no result lies here".to_owned(),
                    command: format!("git rm {}", places.result(&path)),
                }),
            }
        }
        let present = jobs.iter().map(|(path, _)| path.clone());
        let present = Vec::from_iter(present);
        let (read, error) = (Mutex::new(Vec::new()), Mutex::new(None));
        let job = |(path, kind): (String, FileKind)| match files::read(
            &places.set.folder().join(&path),
        ) {
            Ok(bytes) => Some(read_result(places, manifest, path, kind, &bytes)),
            Err(problem) => {
                *error.lock().expect("no worker panicked") = Some(problem);
                None
            }
        };
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        run_jobs(jobs, workers, job, |one| {
            read.lock().expect("no worker panicked").push(one);
        });
        if let Some(error) = error.into_inner().expect("no worker panicked") {
            return Err(error);
        }
        for (path, value, findings) in read.into_inner().expect("no worker panicked") {
            self.findings.extend(findings);
            self.results.insert(path, value);
        }
        for path in manifest.results.keys() {
            if !present.contains(path) {
                let shown = places.result(path);
                self.findings
                    .push(gone(places, shown, &places.study_command));
            }
        }
        Ok(())
    }

    fn read_templates(&mut self, places: &Places, manifest: &Manifest) -> anyhow::Result<()> {
        let present = digests::files_below(&places.templates)?;
        let templates = present.iter().filter(|path| digests::is_template(path));
        for path in templates {
            let bytes = files::read(&places.templates.join(path))?;
            let shown = places.shown(&places.templates.join(path));
            let recorded = manifest.templates.get(path);
            self.findings.extend(changed(
                places,
                shown,
                &bytes,
                recorded,
                &places.render_command,
            ));
        }
        for path in manifest.templates.keys() {
            if !present.contains(path) {
                let shown = places.shown(&places.templates.join(path));
                self.findings
                    .push(gone(places, shown, &places.render_command));
            }
        }
        Ok(())
    }

    fn read_documents(&mut self, places: &Places, manifest: &Manifest) -> anyhow::Result<()> {
        for name in render::DOCUMENTS {
            let path = places.set.document(name);
            let shown = places.shown(&path);
            let Some(text) = files::read_text_if_any(&path)? else {
                self.findings.push(Finding {
                    kind: Kind::Document,
                    file: shown,
                    place: None,
                    message: "there is no such document".to_owned(),
                    command: places.render_command.clone(),
                });
                continue;
            };
            let recorded = manifest.documents.get(name);
            let command = &places.render_command;
            let changed = changed(places, shown, text.as_bytes(), recorded, command);
            self.findings.extend(changed);
            self.documents.insert(name.to_owned(), text);
        }
        for name in manifest.documents.keys() {
            if !render::DOCUMENTS.contains(&name.as_str()) {
                let shown = places.shown(&places.set.document(name));
                self.findings
                    .push(gone(places, shown, &places.render_command));
            }
        }
        Ok(())
    }
}

/// One result with what is wrong with its bytes.
fn read_result(
    places: &Places,
    manifest: &Manifest,
    path: String,
    kind: FileKind,
    bytes: &[u8],
) -> (String, Option<Value>, Vec<Finding>) {
    let shown = places.result(&path);
    let again = places.study_again(&path);
    let recorded = manifest.results.get(&path);
    let mut findings = Vec::from_iter(changed(places, shown.clone(), bytes, recorded, &again));
    let mut refused = |problem: serde_json::Error| {
        findings.push(Finding {
            kind: Kind::Schema,
            file: shown.clone(),
            place: Some(format!("{}:{}", problem.line(), problem.column())),
            message: without_place(&problem),
            command: again.clone(),
        });
    };
    let value = strict::parse(bytes).map_err(&mut refused).ok();
    if value.is_some() {
        let _ = kind.read(bytes).map_err(&mut refused);
    }
    (path, value, findings)
}

/// What is wrong, without the place that is told beside it.
fn without_place(problem: &serde_json::Error) -> String {
    let text = problem.to_string();
    let place = format!(" at line {} column {}", problem.line(), problem.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

/// A file that is recorded and not there, or no file of a set.
fn gone(places: &Places, shown: String, command: &str) -> Finding {
    Finding {
        kind: Kind::Digest,
        file: shown,
        place: None,
        message: format!(
            "it is not there, and recorded in {}",
            places.result(DIGESTS)
        ),
        command: command.to_owned(),
    }
}

/// A finding when the bytes of a file are not those that were recorded.
fn changed(
    places: &Places,
    shown: String,
    bytes: &[u8],
    recorded: Option<&String>,
    command: &str,
) -> Option<Finding> {
    let digest = sha256_hex(bytes);
    let (message, command) = match recorded {
        Some(recorded) if *recorded == digest => return None,
        Some(recorded) => (
            format!(
                "its SHA-256 is {digest}, and {recorded} is recorded in {}",
                places.result(DIGESTS)
            ),
            places.difference(&shown),
        ),
        None => (
            format!("no digest of it is recorded in {}", places.result(DIGESTS)),
            command.to_owned(),
        ),
    };
    Some(Finding {
        kind: Kind::Digest,
        file: shown,
        place: None,
        message,
        command,
    })
}
