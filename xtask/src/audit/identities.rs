//! Runs the identities of the ledger over every result of a set.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::Value;

use super::ledger::{self, Book, ImageFacts};
use super::report::{Finding, Report};
use super::set::{Files, Places};
use crate::pool::run_jobs;

/// Checks every result file.
pub fn check(places: &Places, files: &Files) -> Report {
    let facts = image_facts(files);
    let read = files.results.iter();
    let jobs = read.filter_map(|(path, value)| Some((path, value.as_ref()?)));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let report = Mutex::new(Report::default());
    let job = |(path, value): (&String, &Value)| {
        let facts = facts.get(folder(path)).copied().unwrap_or_default();
        let book = ledger::check(path, value, &facts);
        Some(outcome(places, path, book))
    };
    run_jobs(jobs.collect(), workers, job, |one| {
        report.lock().expect("no worker panicked").merge(one);
    });
    report.into_inner().expect("no worker panicked")
}

fn outcome(places: &Places, path: &str, book: Book) -> Report {
    let mut report = Report::default();
    report.checked.add(
        "identities held against results",
        book.held + book.broken.len() as u64,
    );
    report
        .checked
        .add("histograms gone through", book.histograms);
    report.checked.add("trials read", book.trials);
    let finding = |broken: ledger::Broken| Finding {
        kind: broken.kind,
        file: places.result(path),
        place: Some(broken.pointer),
        message: broken.message,
        command: places.difference(&places.result(path)),
    };
    report.findings.extend(book.broken.into_iter().map(finding));
    report
}

/// What sizes say of images, by folder of the build.
fn image_facts(files: &Files) -> BTreeMap<&str, ImageFacts> {
    let sizes = files.results.iter();
    let sizes = sizes.filter(|(path, _)| path.ends_with("/size.json"));
    let facts = sizes.filter_map(|(path, value)| {
        let sections = value.as_ref()?.get("sections")?;
        let bytes = |name: &str| sections.get(name).and_then(Value::as_u64).map(u128::from);
        let ram = bytes("data_bytes")? + bytes("bss_bytes")? + bytes("uninit_bytes")?;
        let static_ram_bytes = Some(ram);
        Some((folder(path), ImageFacts { static_ram_bytes }))
    });
    facts.collect()
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
