//! What one image has more or less than another.

use std::collections::BTreeMap;

use serde::Serialize;

use super::attribution::Origin;
use super::report::Report;

/// The differences between two images.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The image compared with.
    pub before: Compared,
    /// The image that is compared.
    pub after: Compared,
    /// Flash and RAM by region.
    pub regions: Vec<Difference<String>>,
    /// Sections by name.
    pub sections: Vec<Difference<String>>,
    /// Flash by package, those without a difference left out.
    pub flash: Vec<Difference<Origin>>,
    /// RAM by package, those without a difference left out.
    pub ram: Vec<Difference<Origin>>,
    /// Symbols by name, those without a difference left out; the largest differences first.
    pub symbols: Vec<Difference<String>>,
}

/// An image of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// What the file is called.
    pub name: String,
    /// SHA-256 of the whole file, in hexadecimal.
    pub sha256: String,
}

/// The sizes of something in both images; 0 where it is not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference<Name> {
    /// What it is.
    pub name: Name,
    /// Its size in the image compared with.
    pub before_bytes: u64,
    /// Its size in the image that is compared.
    pub after_bytes: u64,
}

impl<Name> Difference<Name> {
    /// How much larger it is in the image that is compared.
    pub fn change(&self) -> i64 {
        self.after_bytes as i64 - self.before_bytes as i64
    }
}

impl Comparison {
    /// Compares `after` with `before`.
    pub fn of(before: &Report, after: &Report) -> Self {
        let compared = |report: &Report| Compared {
            name: report.name.clone(),
            sha256: report.sha256.clone(),
        };
        let packages = |flash: bool| {
            let bytes = |report: &Report| {
                let shares = report.shares.packages.iter();
                let bytes = shares.map(|share| {
                    let bytes = if flash {
                        share.flash_bytes()
                    } else {
                        share.ram_bytes
                    };
                    (share.origin.clone(), bytes)
                });
                bytes.collect()
            };
            by_change(differences(bytes(before), bytes(after)))
        };
        let symbols = |report: &Report| {
            let symbols = report.symbols.iter();
            symbols
                .map(|symbol| (symbol.name.clone(), symbol.size))
                .collect()
        };
        Self {
            before: compared(before),
            after: compared(after),
            regions: differences(regions(before), regions(after)),
            sections: differences(sections(before), sections(after)),
            flash: packages(true),
            ram: packages(false),
            symbols: by_change(differences(symbols(before), symbols(after))),
        }
    }
}

fn regions(report: &Report) -> Vec<(String, u64)> {
    let mut regions = Vec::new();
    for flash in &report.account.flash {
        regions.push((format!("{} content", flash.region), flash.content_bytes));
        regions.push((format!("{} span", flash.region), flash.span_bytes));
    }
    for ram in &report.account.ram {
        regions.push((format!("{} static", ram.region), ram.static_bytes()));
        regions.push((format!("{} reserved", ram.region), ram.reserved_bytes));
    }
    regions
}

fn sections(report: &Report) -> Vec<(String, u64)> {
    let sections = report.account.sections.iter();
    sections
        .map(|section| (section.name.clone(), section.size_bytes))
        .collect()
}

/// Pairs what has the same name, in the order of the names' first appearance; what a list has more than
/// once is added up.
fn differences<Name: Clone + Ord>(
    before: Vec<(Name, u64)>,
    after: Vec<(Name, u64)>,
) -> Vec<Difference<Name>> {
    let mut places: BTreeMap<Name, usize> = BTreeMap::new();
    let mut differences: Vec<Difference<Name>> = Vec::new();
    let sides = [(before, false), (after, true)];
    for (sizes, is_after) in sides {
        for (name, bytes) in sizes {
            let place = *places.entry(name.clone()).or_insert_with(|| {
                differences.push(Difference {
                    name,
                    before_bytes: 0,
                    after_bytes: 0,
                });
                differences.len() - 1
            });
            let difference = &mut differences[place];
            let sum = if is_after {
                &mut difference.after_bytes
            } else {
                &mut difference.before_bytes
            };
            *sum += bytes;
        }
    }
    differences
}

/// What differs, the largest differences first.
fn by_change<Name: Ord>(mut differences: Vec<Difference<Name>>) -> Vec<Difference<Name>> {
    differences.retain(|difference| difference.change() != 0);
    differences.sort_by(|a, b| {
        let order = b.change().unsigned_abs().cmp(&a.change().unsigned_abs());
        order.then_with(|| a.name.cmp(&b.name))
    });
    differences
}
