//! What of the counts is printed.

use std::collections::{BTreeMap, BTreeSet};

use super::cross_check::Difference;
use super::image::{ApartFile, LineCounts};
use super::union::{self, UnionFile};
use crate::metadata::Role;
use crate::output;

const ROLES: [Role; 5] = [
    Role::Entry,
    Role::BringUp,
    Role::Server,
    Role::Platform,
    Role::Profiling,
];

/// The lines of code of each image by role, what is in none of them, and where tokei reads differently.
pub fn summary(images: &[LineCounts]) -> String {
    let files = union::of(images);
    let lines: u64 = files.iter().map(|file| file.file.count.code).sum();
    let shared = files.iter().filter(|file| file.is_shared()).count();
    let mut text = by_role(images);
    text += &format!(
        "\nall images: {lines} lines of code in {} files, {shared} of them in more than one variant\n",
        files.len()
    );
    text + &not_counted(images, &files) + &misread(&files)
}

fn by_role(images: &[LineCounts]) -> String {
    let roles = ROLES.map(|role| role.to_string());
    let mut header = vec!["lines of code", "total"];
    header.extend(roles.iter().map(String::as_str));
    header.extend(["published rule", "tokei"]);
    let row = |image: &LineCounts| {
        let of_role = |role| image.by_role.get(&role).copied().unwrap_or(0);
        let tokei: i64 = image.files.iter().map(|file| file.count.tokei.code).sum();
        let figures = [image.ncloc].into_iter().chain(ROLES.map(of_role));
        let figures = figures.chain([image.published]);
        let name = format!("{} {}", image.variant, image.build);
        let figures = figures.map(|figure| figure.to_string());
        let cells = [name].into_iter().chain(figures);
        cells.chain([tokei.to_string()]).collect()
    };
    output::table(&header, &images.iter().map(row).collect::<Vec<_>>())
}

/// Every file once, with its lines by kind and the variants it counts in.
pub fn files(images: &[LineCounts]) -> String {
    let header = [
        "file",
        "role",
        "code",
        "comment",
        "blank",
        "tests",
        "published rule",
        "tokei",
        "variants",
    ];
    let row = |entry: &UnionFile| {
        let UnionFile { file, .. } = entry;
        let count = &file.count;
        let figures = [
            count.code,
            count.comment,
            count.blank,
            count.test_lines,
            count.published,
        ];
        let names = [file.path.display().to_string(), file.role.to_string()];
        let cells = names
            .into_iter()
            .chain(figures.map(|lines| lines.to_string()));
        let last = [count.tokei.code.to_string(), places(entry)];
        cells.chain(last).collect()
    };
    let rows: Vec<_> = union::of(images).iter().map(row).collect();
    output::table(&header, &rows)
}

/// The variants that a file counts in, and whether others have the same lines.
fn places(entry: &UnionFile) -> String {
    let variants = entry.variants.iter().map(String::as_str);
    let variants = variants.collect::<Vec<_>>().join(", ");
    let copies = entry.copies.iter().map(|path| path.display().to_string());
    let copies = copies.collect::<Vec<_>>().join(", ");
    match (entry.is_shared(), copies.is_empty()) {
        (false, _) => variants,
        (true, true) => format!("{variants} (shared)"),
        (true, false) => format!("{variants} (shared, the same text as {copies})"),
    }
}

/// What counts in no image, and why.
fn not_counted(images: &[LineCounts], files: &[UnionFile]) -> String {
    let mut reasons: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let counted: BTreeSet<_> = files.iter().map(|file| &file.file.path).collect();
    let excluded = images.iter().flat_map(|image| &image.excluded);
    for excluded in excluded.filter(|excluded| !counted.contains(&excluded.path)) {
        let path = excluded.path.display().to_string();
        reasons.entry(path).or_default().insert(excluded.reason);
    }
    let mut text = "\nnot counted:\n".to_string();
    for (path, reasons) in reasons {
        let reasons: Vec<&str> = reasons.into_iter().collect();
        text += &format!("  {path} ({})\n", reasons.join(", "));
    }
    for entry in files.iter().filter(|entry| entry.file.count.test_lines > 0) {
        let lines = entry.file.count.test_lines;
        let path = entry.file.path.display();
        text += &format!("  {path} ({lines} lines of unit tests in it)\n");
    }
    let apart = images.iter().flat_map(|image| &image.apart);
    let apart: BTreeMap<_, _> = apart.map(|file| (&file.path, file)).collect();
    for ApartFile { path, count, .. } in apart.into_values() {
        let what = match count {
            Some(count) => format!("linker script, {} lines without comments", count.code),
            None => "included data".to_string(),
        };
        text += &format!("  {} ({what})\n", path.display());
    }
    text
}

fn misread(files: &[UnionFile]) -> String {
    let misread = files
        .iter()
        .filter(|entry| !entry.file.differences.is_empty());
    let misread: Vec<String> = misread.map(misreading).collect();
    if misread.is_empty() {
        return String::new();
    }
    "\ncounted differently by tokei:\n".to_string() + &misread.concat()
}

/// The two readings of a file that tokei counts differently, and the lines they differ in.
fn misreading(entry: &UnionFile) -> String {
    let (ours, tokei) = (entry.file.count.reading(), entry.file.count.tokei);
    let mut text = format!(
        "  {}: code / comment / blank {ours}; tokei {tokei}\n",
        entry.file.path.display(),
    );
    for Difference { line, class, tokei } in &entry.file.differences {
        let tokei = match tokei.class() {
            Some(class) => class.to_string(),
            None => format!(
                "code {:+}, comment {:+}, blank {:+}",
                tokei.code, tokei.comment, tokei.blank
            ),
        };
        text += &format!("    line {line}: {class}; tokei {tokei}\n");
    }
    text
}
