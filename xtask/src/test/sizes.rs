//! Whether binutils says the same of a firmware image as `cargo xtask size`.
//!
//! It does for images without code in RAM, of whose two addresses `arm-none-eabi-size` knows one.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::files;
use crate::size::{Part, Report};

/// Compares the sizes of an image with those of `arm-none-eabi-size`, its length with what
/// `arm-none-eabi-objcopy` extracts, and its symbols with those of `arm-none-eabi-nm`.
///
/// # Errors
///
/// A tool that is missing, or a difference.
pub fn check(elf: &Path, part: &Part) -> anyhow::Result<()> {
    let report = Report::of(elf, String::new(), part)?;
    let account = &report.account;
    let [text, data, bss] = sections(elf)?;
    same("flash content", account.flash_content_bytes(), text + data)?;
    let ram = account.static_ram_bytes() + account.reserved_bytes();
    same("static RAM and reservations", ram, data + bss)?;
    let span = account.flash.iter().map(|flash| flash.span_bytes).sum();
    same("flash span", span, extracted(elf)?)?;
    let symbols = report.symbols.iter();
    let mut ours: Vec<_> = symbols
        .map(|symbol| (symbol.address, symbol.size))
        .collect();
    ours.sort_unstable();
    let theirs = symbols_of(elf)?;
    ensure!(
        ours == theirs,
        "{} symbols with a length here, {} with arm-none-eabi-nm, or other ones",
        ours.len(),
        theirs.len()
    );
    Ok(())
}

fn same(what: &str, ours: u64, theirs: u64) -> anyhow::Result<()> {
    ensure!(
        ours == theirs,
        "{what}: {ours} bytes here, {theirs} with binutils"
    );
    Ok(())
}

/// Text, data and bss.
fn sections(elf: &Path) -> anyhow::Result<[u64; 3]> {
    let text = output_of(Command::new("arm-none-eabi-size").arg(elf))?;
    let row = text.lines().nth(1).unwrap_or_default();
    let figures = row.split_whitespace().take(3).map(str::parse);
    let figures = figures.collect::<Result<Vec<_>, _>>()?;
    let figures = figures.try_into().ok();
    figures.context("arm-none-eabi-size prints another table than it did")
}

/// The length of the binary image.
fn extracted(elf: &Path) -> anyhow::Result<u64> {
    let folder = tempfile::tempdir()?;
    let image = folder.path().join("image.bin");
    let mut objcopy = Command::new("arm-none-eabi-objcopy");
    output_of(objcopy.args(["-O", "binary"]).arg(elf).arg(&image))?;
    Ok(files::read(&image)?.len() as u64)
}

/// Addresses and lengths of the symbols in memory, sorted.
fn symbols_of(elf: &Path) -> anyhow::Result<Vec<(u64, u64)>> {
    let mut nm = Command::new("arm-none-eabi-nm");
    let text = output_of(nm.args(["--print-size", "--defined-only"]).arg(elf))?;
    let mut symbols = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let [address, size, kind, _] = words[..] else {
            continue;
        };
        // Symbols without a length have their kind in its place; N is of sections that are not in memory.
        if size.len() == 8 && kind != "N" {
            let number = |digits| u64::from_str_radix(digits, 16);
            symbols.push((number(address)?, number(size)?));
        }
    }
    symbols.sort_unstable();
    Ok(symbols)
}

fn output_of(command: &mut Command) -> anyhow::Result<String> {
    let name = command.get_program().display().to_string();
    let output = command
        .output()
        .with_context(|| format!("cannot run {name}"))?;
    if !output.status.success() {
        bail!(
            "{name}: {}",
            String::from_utf8_lossy(&output.stderr).trim_end()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
