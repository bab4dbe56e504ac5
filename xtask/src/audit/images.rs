//! Sizes and source lines once more, from the ELF files and sources that lie here, where they are the
//! recorded ones.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

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
    let recorded = recorded_images(files, &images.elf);
    let mut report = check_sizes(places, files, &recorded);
    report.merge(check_lines(places, files, &images.firmware, &recorded));
    report
}

/// An ELF file that is the recorded one.
struct Image {
    path: PathBuf,
    bytes: Vec<u8>,
    /// When it was built: sources that are older are the ones that it was made from.
    built: SystemTime,
}

/// The ELF files in `folder` that are the recorded ones, by the folder of their results.
fn recorded_images(files: &Files, folder: &Path) -> BTreeMap<String, Image> {
    let mut images = BTreeMap::new();
    let jobs = Vec::from_iter(named(files, "size.json"));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let read = |(path, value): (&String, &Value)| {
        let elf = folder.join(elf_name(path));
        let image = image(
            &elf,
            value.pointer("/image/elf_sha256").and_then(Value::as_str),
        );
        Some((build_of(path), image))
    };
    run_jobs(jobs, workers, read, |(build, image)| {
        images.extend(image.map(|image| (build, image)));
    });
    images
}

/// The ELF file at `path` when it has the recorded hash.
fn image(path: &Path, recorded: Option<&str>) -> Option<Image> {
    let bytes = std::fs::read(path).ok()?;
    let built = std::fs::metadata(path).and_then(|metadata| metadata.modified());
    (recorded == Some(sha256_hex(&bytes).as_str())).then_some(Image {
        path: path.to_owned(),
        bytes,
        built: built.ok()?,
    })
}

/// The folder of a result, which is that of its build.
fn build_of(path: &str) -> String {
    path.rsplit_once('/')
        .map_or("", |(folder, _)| folder)
        .to_owned()
}

/// The results of this file name, with the folder of each.
fn named<'a>(files: &'a Files, name: &str) -> Vec<(&'a String, &'a Value)> {
    let results = files.results.iter();
    let named = results.filter(|(path, _)| path.rsplit('/').next() == Some(name));
    named
        .filter_map(|(path, value)| Some((path, value.as_ref()?)))
        .collect()
}

fn check_sizes(places: &Places, files: &Files, recorded: &BTreeMap<String, Image>) -> Report {
    let mut report = Report::default();
    if !recorded.is_empty() {
        match Study::load() {
            Ok(study) => {
                for (path, value) in named(files, "size.json") {
                    if let Some(image) = recorded.get(&build_of(path)) {
                        let again = size_again(places, (path, value), image, &study.regions);
                        report.merge(again);
                    }
                }
            }
            Err(error) => report.skipped.push(format!("sizes: {error:#}")),
        }
    }
    let all = named(files, "size.json").len() as u64;
    let left = all - report.checked.get(SIZED);
    if left > 0 {
        report.skipped.push(format!(
            "sizes of {left} of {all} images, whose ELF files are not here or others; `cargo xtask build` makes them"
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
    image: &Image,
    regions: &[Region],
) -> Report {
    let mut report = Report::default();
    report.checked.add(SIZED, 1);
    let mut differs = |pointer: String, message: String| {
        report.findings.push(Finding {
            kind: Kind::Size,
            file: places.result(path),
            place: Some(pointer),
            message,
            command: format!("cargo xtask size {}", places.shown(&image.path)),
        });
    };
    match size::measure(&image.bytes, regions) {
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
    changed: SystemTime,
    code: u64,
    tokei_code: u64,
    test_lines: u64,
}

fn check_lines(
    places: &Places,
    files: &Files,
    firmware: &Path,
    recorded: &BTreeMap<String, Image>,
) -> Report {
    let mut report = Report::default();
    let mut recounts: BTreeMap<&str, Option<Recount>> = BTreeMap::new();
    let mut left = 0;
    for (path, value) in named(files, "ncloc.json") {
        let built = recorded.get(&build_of(path)).map(|image| image.built);
        let rows = value.get("files").and_then(Value::as_array);
        for (index, row) in rows.into_iter().flatten().enumerate() {
            let source = row.get("path").and_then(Value::as_str).unwrap_or_default();
            let recount = recounts
                .entry(source)
                .or_insert_with(|| recount(&firmware.join(source)));
            match recount {
                Some(recount) if built.is_some_and(|built| recount.changed < built) => {
                    report.checked.add(COUNTED, 1);
                    let place = format!("/files/{index}");
                    let findings = differences(places, path, &place, row, recount);
                    report.findings.extend(findings);
                }
                _ => left += 1,
            }
        }
    }
    if left > 0 {
        report.skipped.push(format!(
            "lines of {left} source files, which are not here or younger than the recorded images; `cargo xtask build` makes those"
        ));
    }
    report
}

fn recount(source: &Path) -> Option<Recount> {
    let bytes = std::fs::read(source).ok()?;
    let changed = std::fs::metadata(source).and_then(|metadata| metadata.modified());
    let count = ncloc::count(&bytes, Language::of(source)?).ok()?;
    Some(Recount {
        changed: changed.ok()?,
        code: count.code,
        tokei_code: u64::try_from(count.tokei.code).ok()?,
        test_lines: count.test_lines,
    })
}

fn differences(
    places: &Places,
    path: &str,
    place: &str,
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
