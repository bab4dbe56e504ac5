//! Sizes and source lines once more, from the ELF files and sources that lie here, where they are the
//! recorded ones.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::Value;

use super::report::{Finding, Kind, Report};
use super::set::{Files, Places};
use crate::hash::sha256_hex;
use crate::metadata::{Region, Study};
use crate::ncloc::{self, Language};
use crate::pool::run_jobs;
use crate::size;

/// Where images and their sources lie.
#[derive(Clone, Debug)]
pub struct ImageFiles {
    /// The ELF files, each named after its variant and build.
    pub elf: PathBuf,
    /// The firmware workspace.
    pub firmware: PathBuf,
}

/// Measures and counts again whatever can be.
pub fn check(places: &Places, files: &Files, images: &ImageFiles) -> Report {
    let mut report = check_sizes(places, files, &images.elf);
    report.merge(check_lines(places, files, &images.firmware));
    report
}

/// The results of this file name, with the folder of each.
fn named<'a>(files: &'a Files, name: &str) -> Vec<(&'a String, &'a Value)> {
    let results = files.results.iter();
    let named = results.filter(|(path, _)| path.rsplit('/').next() == Some(name));
    named
        .filter_map(|(path, value)| Some((path, value.as_ref()?)))
        .collect()
}

fn check_sizes(places: &Places, files: &Files, folder: &Path) -> Report {
    let mut report = Report::default();
    let sizes = named(files, "size.json");
    let mut present = Vec::new();
    for &(path, value) in &sizes {
        let elf = folder.join(elf_name(path));
        let recorded = value.pointer("/image/elf_sha256").and_then(Value::as_str);
        if elf.is_file() {
            present.push((path, value, elf, recorded));
        }
    }
    let regions = if present.is_empty() {
        Ok(Vec::new())
    } else {
        Study::load().map(|study| study.regions)
    };
    match regions {
        Ok(regions) => {
            let workers = std::thread::available_parallelism().map_or(1, usize::from);
            let merged = Mutex::new(&mut report);
            let job = |(path, value, elf, recorded): (&String, &Value, PathBuf, Option<&str>)| {
                Some(size_again(places, (path, value), &elf, recorded, &regions))
            };
            run_jobs(present, workers, job, |one| {
                merged.lock().expect("no worker panicked").merge(one);
            });
        }
        Err(error) => report.skipped.push(format!("sizes: {error:#}")),
    }
    let measured = report.checked.get(SIZED);
    let left = sizes.len() as u64 - measured;
    if left > 0 {
        report.skipped.push(format!(
            "sizes of {left} of {} images, whose ELF files are not here or others; `cargo xtask build` makes them",
            sizes.len()
        ));
    }
    report
}

const SIZED: &str = "images sized again";
const COUNTED: &str = "source files counted again";

/// The name of the ELF file of the build that a result belongs to.
fn elf_name(path: &str) -> String {
    let mut parts = path.split('/');
    let (variant, build) = (parts.next(), parts.next());
    format!("{}-{}.elf", variant.unwrap_or(""), build.unwrap_or(""))
}

fn size_again(
    places: &Places,
    (path, value): (&str, &Value),
    elf: &Path,
    recorded: Option<&str>,
    regions: &[Region],
) -> Report {
    let mut report = Report::default();
    let Ok(bytes) = std::fs::read(elf) else {
        return report;
    };
    if recorded != Some(sha256_hex(&bytes).as_str()) {
        return report;
    }
    report.checked.add(SIZED, 1);
    let mut differs = |pointer: String, message: String| {
        report.findings.push(Finding {
            kind: Kind::Size,
            file: places.result(path),
            place: Some(pointer),
            message,
            command: format!("cargo xtask size {}", places.shown(elf)),
        });
    };
    match size::measure(&bytes, regions) {
        Ok(sizes) => {
            for (name, measured) in [
                ("vector_table_bytes", sizes.vector_table),
                ("text_bytes", sizes.text),
                ("rodata_bytes", sizes.rodata),
                ("data_bytes", sizes.data),
                ("bss_bytes", sizes.bss),
                ("uninit_bytes", sizes.uninit),
                ("reserved_bytes", sizes.reserved),
            ] {
                let pointer = format!("/sections/{name}");
                let is = value.pointer(&pointer).and_then(Value::as_u64);
                if is != Some(measured) {
                    let is = is.map_or("absent".to_owned(), |is| is.to_string());
                    differs(
                        pointer,
                        format!("it is {is}, and the ELF file has {measured}"),
                    );
                }
            }
        }
        Err(error) => differs(String::from("/sections"), format!("{error:#}")),
    }
    report
}

/// What a source file comes to when it is counted again.
struct Recount {
    sha256: String,
    code: u64,
    tokei_code: u64,
    test_lines: u64,
}

fn check_lines(places: &Places, files: &Files, firmware: &Path) -> Report {
    let mut report = Report::default();
    let mut recounts: BTreeMap<&str, Option<Recount>> = BTreeMap::new();
    let mut left = 0;
    for (path, value) in named(files, "ncloc.json") {
        let rows = value.get("files").and_then(Value::as_array);
        for (index, row) in rows.into_iter().flatten().enumerate() {
            let text = |key: &str| row.get(key).and_then(Value::as_str);
            let Some(source) = text("path") else { continue };
            let recount = recounts
                .entry(source)
                .or_insert_with(|| recount(&firmware.join(source)));
            let recorded = text("sha256");
            match recount {
                Some(recount) if recorded == Some(recount.sha256.as_str()) => {
                    report.checked.add(COUNTED, 1);
                    let place = format!("/files/{index}");
                    let findings = differences(places, path, place, row, recount);
                    report.findings.extend(findings);
                }
                _ => left += 1,
            }
        }
    }
    if left > 0 {
        report.skipped.push(format!(
            "lines of {left} source files, which are not here or have changed since; `cargo xtask study` counts them"
        ));
    }
    report
}

fn recount(source: &Path) -> Option<Recount> {
    let bytes = std::fs::read(source).ok()?;
    let count = ncloc::count(&bytes, Language::of(source)?).ok()?;
    Some(Recount {
        sha256: sha256_hex(&bytes),
        code: count.code,
        tokei_code: u64::try_from(count.tokei.code).ok()?,
        test_lines: count.test_lines,
    })
}

fn differences(
    places: &Places,
    path: &str,
    place: String,
    row: &Value,
    recount: &Recount,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, counted) in [
        ("code_lines", recount.code),
        ("tokei_code_lines", recount.tokei_code),
        ("test_lines", recount.test_lines),
    ] {
        let is = row.get(name).and_then(Value::as_u64);
        if is != Some(counted) {
            let source = row.get("path").and_then(Value::as_str).unwrap_or_default();
            let is = is.map_or("absent".to_owned(), |is| is.to_string());
            findings.push(Finding {
                kind: Kind::Lines,
                file: places.result(path),
                place: Some(format!("{place}/{name}")),
                message: format!("it is {is}, and {source} has {counted}"),
                command: format!("cargo xtask ncloc --lines firmware/{source}"),
            });
        }
    }
    findings
}
