//! `--mutate`: whether the audit sees one changed digit, wherever it is.
//!
//! Works on a copy in a temporary folder. Each mutation changes one digit of one file, audits the whole
//! copy, and puts the digit back.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use tempfile::TempDir;

use super::digests;
use super::random::Random;
use super::report::Finding;
use super::set::Places;
use crate::results::ResultSet;
use crate::{files, render};

/// Where a digit is changed; each kind is as likely as any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Result,
    Document,
    Template,
    /// The line of a template that states a claim.
    Claim,
    Published,
    /// A recorded digest.
    Digest,
}

/// What marks the line of a claim in a template.
const CLAIM: &str = "claim(";

/// A digit that can be changed.
#[derive(Clone, Debug)]
struct Digit {
    path: PathBuf,
    offset: usize,
}

/// What came of the mutations.
#[derive(Debug, Default)]
pub struct Mutations {
    pub made: usize,
    /// Those of whose file no finding speaks.
    pub missed: Vec<String>,
}

/// A changed digit, as a line.
struct Change<'a> {
    shown: &'a str,
    line: usize,
    column: usize,
    from: char,
    to: char,
}

impl fmt::Display for Change<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Change {
            shown,
            line,
            column,
            from,
            to,
        } = self;
        write!(formatter, "{shown}:{line}:{column}: {from} to {to}")
    }
}

/// A copy of everything at some places, in a temporary folder.
struct Copy {
    places: Places,
    _folder: TempDir,
}

impl Copy {
    fn of(places: &Places) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let root = folder.path().to_owned();
        let moved = |path: &Path| {
            let inside = path.strip_prefix(&places.root);
            let inside = inside.with_context(|| {
                let (path, root) = (path.display(), places.root.display());
                format!("{path} is not in {root}, and mutations are made of what is")
            });
            inside.map(|inside| root.join(inside))
        };
        copy_folder(places.set.folder(), &moved(places.set.folder())?)?;
        copy_folder(&places.templates, &moved(&places.templates)?)?;
        for document in render::DOCUMENTS {
            let path = places.set.document(document);
            files::write(&moved(&path)?, &files::read(&path)?)?;
        }
        if let Some(published) = &places.published {
            copy_folder(published, &moved(published)?)?;
        }
        let beside_results = places.set.document("any").parent() == Some(places.set.folder());
        let set = if beside_results {
            ResultSet::in_folder(places.set.name, &moved(places.set.folder())?)
        } else {
            ResultSet::in_checkout(&root, places.set.name)
        };
        Ok(Self {
            places: Places {
                set,
                templates: moved(&places.templates)?,
                published: places.published.as_deref().map(moved).transpose()?,
                images: None,
                root: root.clone(),
                ..places.clone()
            },
            _folder: folder,
        })
    }

    /// The files that a digit of this kind is in.
    fn files(&self, target: Target) -> anyhow::Result<Vec<PathBuf>> {
        let below = |folder: &Path| -> anyhow::Result<Vec<PathBuf>> {
            let files = digests::files_below(folder)?.into_iter();
            Ok(files.map(|file| folder.join(file)).collect())
        };
        let Places { set, templates, .. } = &self.places;
        let manifest = set.folder().join(digests::DIGESTS);
        let is_result = |path: &PathBuf| {
            path.extension()
                .is_some_and(|extension| extension == "json")
                && *path != manifest
        };
        Ok(match target {
            Target::Result => below(set.folder())?.into_iter().filter(is_result).collect(),
            Target::Document => render::DOCUMENTS.map(|name| set.document(name)).to_vec(),
            Target::Template | Target::Claim => below(templates)?,
            Target::Published => {
                let folder = self.places.published.as_deref();
                let all = folder.map(below).transpose()?.unwrap_or_default();
                all.into_iter().filter(is_result).collect()
            }
            Target::Digest => vec![manifest],
        })
    }

    /// The digits of this kind in one file.
    fn digits(target: Target, path: &Path) -> anyhow::Result<Vec<Digit>> {
        let text = files::read_text(path)?;
        let mut digits = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if target != Target::Claim || line.contains(CLAIM) {
                let here = line.bytes().enumerate();
                let here = here.filter(|(_, byte)| byte.is_ascii_digit());
                digits.extend(here.map(|(offset, _)| Digit {
                    path: path.to_owned(),
                    offset: start + offset,
                }));
            }
            start += line.len();
        }
        Ok(digits)
    }

    /// Draws a file with digits of this kind, then one of its digits; `None` when there is no such file.
    fn draw(&self, random: &mut Random, target: Target) -> anyhow::Result<Option<Digit>> {
        let mut with_digits = Vec::new();
        for path in self.files(target)? {
            let digits = Self::digits(target, &path)?;
            if !digits.is_empty() {
                with_digits.push(digits);
            }
        }
        if with_digits.is_empty() {
            return Ok(None);
        }
        let of_file = with_digits.swap_remove(random.below(with_digits.len()));
        Ok(Some(of_file[random.below(of_file.len())].clone()))
    }
}

/// Makes `number` mutations of a copy of what is at `places`.
///
/// # Errors
/// A copy that cannot be made, or something wrong already before the first mutation.
pub fn run(
    places: &Places,
    number: usize,
    seed: u64,
    say: &dyn Fn(&str),
) -> anyhow::Result<Mutations> {
    let copy = Copy::of(places)?;
    let before = super::of(&copy.places)?;
    ensure!(
        before.findings.is_empty(),
        "mutations are made of a set that nothing is wrong with; run `cargo xtask audit` first"
    );
    let mut random = Random::new(seed);
    let mut mutations = Mutations::default();
    let targets = [
        Target::Result,
        Target::Document,
        Target::Template,
        Target::Claim,
        Target::Published,
        Target::Digest,
    ];
    while mutations.made < number {
        let target = targets[random.below(targets.len())];
        let Some(digit) = copy.draw(&mut random, target)? else {
            continue;
        };
        mutations.made += 1;
        let right = files::read(&digit.path)?;
        let (wrong, to) = changed(&right, digit.offset, &mut random);
        fs::write(&digit.path, &wrong)?;
        let report = super::of(&copy.places);
        fs::write(&digit.path, &right)?;
        let shown = copy.places.shown(&digit.path);
        let before = &right[..digit.offset];
        let line_start = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let change = Change {
            shown: &shown,
            line: 1 + before.iter().filter(|byte| **byte == b'\n').count(),
            column: 1 + digit.offset - line_start,
            from: char::from(right[digit.offset]),
            to,
        };
        // Of a digest and the file that it is of, no one can say which of the two was changed. A list of
        // digests that cannot be read is an error, with the name of the file.
        let names_it = match &report {
            Ok(report) => {
                let mut lines = report.findings.iter().map(Finding::to_string);
                lines.any(|line| line.contains(&shown))
            }
            Err(error) => format!("{error:#}").contains(&shown),
        };
        let verdict = if names_it { "caught" } else { "MISSED" };
        say(&format!(
            "{change}: {verdict} ({} of {number})",
            mutations.made
        ));
        if !names_it {
            mutations.missed.push(change.to_string());
        }
    }
    Ok(mutations)
}

/// The bytes with another digit at `offset`, and that digit.
fn changed(bytes: &[u8], offset: usize, random: &mut Random) -> (Vec<u8>, char) {
    let mut changed = bytes.to_vec();
    let other = u8::try_from(random.below(9)).unwrap_or(0) + 1;
    changed[offset] = b'0' + (bytes[offset] - b'0' + other) % 10;
    let to = char::from(changed[offset]);
    (changed, to)
}

fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<()> {
    for file in digests::files_below(from)? {
        files::write(&to.join(&file), &files::read(&from.join(&file))?)?;
    }
    Ok(())
}
