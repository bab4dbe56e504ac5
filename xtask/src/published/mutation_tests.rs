//! A digit changed anywhere in the committed set is found, and by what.

use std::fs;
use std::ops::Range;
use std::path::Path;

use bench::Ratio;

use super::audit::Audit;
use super::load::{folder, table_files};
use super::set::Published;
use super::unit::Unit;
use crate::render::{decimal, parse_decimal};

/// How many digits are changed in each way.
const MUTATIONS: usize = 200;

/// A seeded stream of numbers: the generator of Numerical Recipes, its upper half.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    /// `text` with one of its digits changed into another.
    fn change_digit(&mut self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        let is_digit = |index: &usize| bytes[*index].is_ascii_digit();
        let digits: Vec<usize> = (0..bytes.len()).filter(is_digit).collect();
        let index = digits[self.below(digits.len())];
        let other = 1 + u8::try_from(self.below(9)).unwrap();
        bytes[index] = (bytes[index] - b'0' + other) % 10 + b'0';
        String::from_utf8(bytes).unwrap()
    }
}

/// A figure in the text of a file.
struct Found<'a> {
    /// The name of its cell.
    cell: &'a str,
    printed: &'a str,
    exact: &'a str,
    /// Where it begins and ends.
    place: Range<usize>,
}

const BEGIN: &str = "{\"printed\": \"";

/// The figure of `text` that `index` others stand before.
fn figure(text: &str, index: usize) -> Found<'_> {
    let (begin, _) = text.match_indices(BEGIN).nth(index).unwrap();
    let end = begin + text[begin..].find('}').unwrap() + 1;
    let (printed, rest) = text[begin + BEGIN.len()..end]
        .split_once("\", \"exact\": \"")
        .unwrap();
    let named = ["\": {", "\": ["].map(|mark| text[..=begin].rfind(mark));
    let name_end = named.into_iter().flatten().max().unwrap();
    let (_, cell) = text[..name_end].rsplit_once('"').unwrap();
    Found {
        cell,
        printed,
        exact: rest.strip_suffix("\"}").unwrap(),
        place: begin..end,
    }
}

/// A copy of the committed set, whose files can be changed and put back.
struct Copy {
    folder: tempfile::TempDir,
    files: Vec<(String, String, usize)>,
}

impl Copy {
    fn new() -> Self {
        let copy = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(folder()).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
        }
        let file = |name: String| {
            let text = fs::read_to_string(folder().join(&name)).unwrap();
            let figures = text.matches("\"printed\"").count();
            (name, text, figures)
        };
        Self {
            folder: copy,
            files: table_files(&folder())
                .unwrap()
                .into_iter()
                .map(file)
                .collect(),
        }
    }

    /// Changes a figure drawn from all of them, and gives what `see` makes of the set.
    fn with_change<T>(
        &self,
        draw: &mut Draw,
        change: impl Fn(&mut Draw, &Found<'_>) -> [String; 2],
        see: impl Fn(&Path) -> T,
    ) -> (String, T) {
        let total = self.files.iter().map(|(_, _, figures)| figures).sum();
        let mut index = draw.below(total);
        let file = self.files.iter().find(|(_, _, figures)| {
            let here = index < *figures;
            if !here {
                index -= figures;
            }
            here
        });
        let (name, text, _) = file.unwrap();
        let found = figure(text, index);
        let [printed, exact] = change(draw, &found);
        let changed = format!("{BEGIN}{printed}\", \"exact\": \"{exact}\"}}");
        let what = format!("{name}: {} {} to {changed}", found.cell, found.printed);
        let mut changed_text = text.clone();
        changed_text.replace_range(found.place, &changed);
        let path = self.folder.path().join(name);
        fs::write(&path, changed_text).unwrap();
        let seen = see(self.folder.path());
        fs::write(&path, text).unwrap();
        (what, seen)
    }
}

#[test]
fn a_digit_changed_in_a_text_or_a_value_is_refused_when_read() {
    let copy = Copy::new();
    let mut draw = Draw(7);
    Published::read(copy.folder.path()).unwrap();
    for _ in 0..MUTATIONS {
        let change = |draw: &mut Draw, figure: &Found<'_>| {
            let mut texts = [figure.printed, figure.exact].map(str::to_owned);
            let part = draw.below(2);
            texts[part] = draw.change_digit(&texts[part]);
            texts
        };
        let (what, read) = copy.with_change(&mut draw, change, |folder| {
            Published::read(folder)
                .map(|_| ())
                .map_err(|error| format!("{error:#}"))
        });
        let refusal = read.expect_err(&what);
        let (file, _) = what.split_once(": ").unwrap();
        assert!(refusal.contains(file), "{what}: {refusal}");
    }
}

/// A digit changed alike in the text and in the value, as a slip in copying would: for three figures in
/// four it breaks a check, and the digest of the file shows the rest.
#[test]
fn a_digit_changed_in_text_and_value_alike_is_found() {
    let copy = Copy::new();
    let mut draw = Draw(11);
    let (mut by_reading, mut by_checks, mut by_digest_alone) = (0, 0, 0);
    for _ in 0..MUTATIONS {
        let change = |draw: &mut Draw, figure: &Found<'_>| {
            let printed = draw.change_digit(figure.printed);
            let (unit, _) = Unit::of(figure.cell);
            let exact = exact(&printed, unit);
            [printed, exact]
        };
        let (what, audit) = copy.with_change(&mut draw, change, Audit::of);
        match audit {
            Err(_) => by_reading += 1,
            Ok(audit) => {
                assert!(!audit.is_clean(), "{what}");
                if audit
                    .unexpected
                    .iter()
                    .any(|line| line.rule != "file-is-as-imported")
                {
                    by_checks += 1;
                } else {
                    by_digest_alone += 1;
                }
            }
        }
    }
    let found = by_reading + by_checks + by_digest_alone;
    assert_eq!(found, MUTATIONS);
    assert!(
        by_digest_alone * 3 < MUTATIONS,
        "{by_reading} by reading, {by_checks} by checks, {by_digest_alone} by the digest alone"
    );
}

#[test]
fn a_digit_changed_in_what_is_known_or_in_a_digest_is_found() {
    let copy = Copy::new();
    let mut draw = Draw(13);
    for name in ["known_inconsistencies.json", "digests.json", "sources.json"] {
        let path = copy.folder.path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        for _ in 0..8 {
            let changed = draw.change_digit(&text);
            fs::write(&path, &changed).unwrap();
            let is_clean = Audit::of(copy.folder.path()).is_ok_and(|audit| audit.is_clean());
            assert!(!is_clean, "{name}");
        }
        fs::write(&path, &text).unwrap();
        assert!(Audit::of(copy.folder.path()).unwrap().is_clean());
    }
}

/// The exact value of `printed` in `unit`, as the files write it.
fn exact(printed: &str, unit: Unit) -> String {
    let number = printed.rsplit(' ').next().unwrap().replace(',', "");
    let (ratio, digits) = parse_decimal(&number).unwrap();
    let factor = unit.factor();
    let value = Ratio {
        numerator: ratio.numerator * factor.numer().unsigned_abs(),
        denominator: ratio.denominator * factor.denom().unsigned_abs(),
    };
    let text = decimal(value, digits + 2).replace(',', "");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
