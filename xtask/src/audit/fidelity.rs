//! The comparison with published figures: its document, plots and results.

use super::digests;
use super::documents;
use super::identities;
use super::report::{Finding, Kind, Report};
use super::schema::FileKind;
use super::set::{Files, Places};
use super::strict;
use crate::fidelity::Fidelity;
use crate::results::ResultSet;
use crate::{files, published, render};

const MEASURE: &str = "cargo xtask fidelity";

/// Checks the comparison in the checkout of `places`; nothing where there is none.
///
/// # Errors
/// A file that cannot be read.
pub fn check(places: &Places) -> anyhow::Result<Report> {
    let set = ResultSet::of_fidelity(&places.root);
    let mut report = Report::default();
    if !set.folder().is_dir() {
        return Ok(report);
    }
    let places = Places {
        set,
        templates: render::templates(),
        published: None,
        images: None,
        root: places.root.clone(),
        study_command: MEASURE.to_owned(),
        render_command: "cargo xtask render".to_owned(),
    };
    let mut found = read(&places)?;
    report.findings.append(&mut found.findings);
    let mut identities = identities::check(&places, &found);
    // These boards were up before their trial began: its instants of booting say nothing.
    let of_boot = |one: &Finding| one.place.as_deref().is_some_and(|at| at.ends_with("/boot"));
    identities.findings.retain(|one| !of_boot(one));
    report.merge(identities);
    add_published(&mut found)?;
    match Fidelity::of(&places.set) {
        Ok(fidelity) => {
            let rendered = [fidelity.rendered.clone()];
            let document = &rendered[0].document;
            if let Some(text) = files::read_text_if_any(&places.set.document(document))? {
                found.documents.insert(document.clone(), text);
            }
            report.merge(documents::check(&places, &found, &rendered));
            for path in fidelity.stale(&places.set)? {
                let message = "it is not what results and templates give".to_owned();
                report
                    .findings
                    .push(finding(&places, places.shown(&path), message));
            }
        }
        Err(error) => {
            let message = format!("{error:#}");
            let file = places.file_in(&message);
            let file = file.unwrap_or_else(|| places.shown(&places.templates));
            report
                .findings
                .push(finding(&places, file, places.shortened(&message)));
        }
    }
    Ok(report)
}

fn finding(places: &Places, file: String, message: String) -> Finding {
    Finding {
        kind: Kind::Document,
        file,
        place: None,
        message,
        command: places.render_command.clone(),
    }
}

/// The results, as raw JSON.
fn read(places: &Places) -> anyhow::Result<Files> {
    let mut found = Files::default();
    for path in digests::files_below(places.set.folder())? {
        if path.ends_with(".svg") {
            continue;
        }
        let bytes = files::read(&places.set.folder().join(&path))?;
        let kind = path
            .rsplit_once('/')
            .and_then(|(_, name)| FileKind::of(name));
        let value = strict::parse(&bytes).ok();
        let is_result = kind.is_some_and(|kind| kind.read(&bytes).is_ok());
        if value.is_none() || !is_result {
            found.findings.push(Finding {
                kind: Kind::Schema,
                file: places.result(&path),
                place: None,
                message: "it is no result".to_owned(),
                command: places.study_command.clone(),
            });
        }
        found.results.insert(path, value);
    }
    Ok(found)
}

/// The published figures, by their path as seen from the results.
fn add_published(found: &mut Files) -> anyhow::Result<()> {
    let folder = published::load::folder();
    for name in published::load::table_files(&folder)? {
        let value = strict::parse(&files::read(&folder.join(&name))?).ok();
        found.results.insert(format!("../published/{name}"), value);
    }
    Ok(())
}
