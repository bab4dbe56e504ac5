//! The tables on the terminal.

mod comparison;
mod shares;

use std::collections::BTreeSet;

use super::report::{Report, SectionUse};
use super::usage::RamUse;
use crate::output::table;

pub use comparison::comparison;

/// How much of a hash tells files apart in a table.
const SHORT_HASH: usize = 12;

/// One row for each image.
pub fn summary(reports: &[Report]) -> String {
    let ram = reports.iter().flat_map(|report| &report.account.ram);
    let regions: BTreeSet<&str> = ram.map(|ram| ram.region.as_str()).collect();
    let mut header = vec!["bytes", "flash", "gaps", "span", "RAM"];
    header.extend(regions.iter().copied());
    header.extend(["reserved", "published flash", "published RAM", "SHA-256"]);
    let row = |Report {
                   name,
                   sha256,
                   account,
                   ..
               }: &Report| {
        let gaps = account
            .flash
            .iter()
            .map(|flash| flash.gap_bytes)
            .sum::<u64>();
        let content = account.flash_content_bytes();
        let mut figures = vec![content, gaps, content + gaps, account.static_ram_bytes()];
        for region in &regions {
            let in_region = account.ram.iter().filter(|ram| ram.region == *region);
            figures.push(in_region.map(RamUse::static_bytes).sum());
        }
        figures.push(account.reserved_bytes());
        figures.push(account.published.flash_bytes);
        figures.push(account.published.static_ram_bytes);
        let figures = figures.iter().map(u64::to_string);
        let hash = sha256.chars().take(SHORT_HASH).collect();
        [name.clone()]
            .into_iter()
            .chain(figures)
            .chain([hash])
            .collect()
    };
    table(&header, &reports.iter().map(row).collect::<Vec<_>>())
}

/// The tables of one image.
pub fn details(report: &Report) -> String {
    let Report {
        name,
        sha256,
        account,
        ..
    } = report;
    let mut text = format!("\n{name}, SHA-256 {sha256}\n");
    let flash = account.flash.iter().map(|flash| {
        let free = flash.length_bytes.saturating_sub(flash.span_bytes);
        let figures = [flash.content_bytes, flash.gap_bytes, flash.span_bytes, free];
        row(&flash.region, &figures)
    });
    let header = ["flash", "content", "gaps", "span", "free"];
    text += &format!("\n{}", table(&header, &flash.collect::<Vec<_>>()));
    let ram = account.ram.iter().map(|ram| {
        let parts = [
            ram.code_bytes,
            ram.initialised_bytes,
            ram.zeroed_bytes,
            ram.uninitialised_bytes,
        ];
        let taken = ram.static_bytes() + ram.reserved_bytes;
        let sums = [
            ram.static_bytes(),
            ram.reserved_bytes,
            ram.length_bytes.saturating_sub(taken),
        ];
        row(&ram.region, &[&parts[..], &sums].concat())
    });
    let header = [
        "RAM",
        "code",
        "initialised",
        "zeroed",
        "uninitialised",
        "static",
        "reserved",
        "free",
    ];
    text += &format!("\n{}", table(&header, &ram.collect::<Vec<_>>()));
    let header = [
        "section",
        "bytes",
        "class",
        "runs in",
        "at",
        "loaded into",
        "at",
    ];
    let sections = account.sections.iter().map(section_row).collect();
    text += &format!("\n{}", table_with_words(&header, &[2, 3, 5], sections));
    text + &shares::tables(report)
}

fn section_row(section: &SectionUse) -> Vec<String> {
    let address = |address: u64| format!("{address:#010x}");
    vec![
        section.name.clone(),
        section.size_bytes.to_string(),
        section.class.label().to_string(),
        section.region.clone(),
        address(section.address),
        section.load_region.clone().unwrap_or_default(),
        section.load_address.map(address).unwrap_or_default(),
    ]
}

fn row(name: &str, figures: &[u64]) -> Vec<String> {
    let figures = figures.iter().map(u64::to_string);
    [name.to_string()].into_iter().chain(figures).collect()
}

/// A table in whose `words` columns the cells, and the header over them, stand to the left.
pub fn table_with_words(header: &[&str], words: &[usize], mut rows: Vec<Vec<String>>) -> String {
    let mut header: Vec<String> = header.iter().map(ToString::to_string).collect();
    for &column in words {
        let cells = rows.iter().chain([&header]);
        let width = cells.map(|row| row[column].chars().count()).max();
        let width = width.unwrap_or(0);
        for row in rows.iter_mut().chain([&mut header]) {
            row[column] = format!("{:<width$}", row[column]);
        }
    }
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    table(&header, &rows)
}
