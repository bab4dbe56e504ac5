//! The tables of what an image's bytes come from.

use super::{row, table_with_words};
use crate::output::table;
use crate::size::attribution::{Origin, SymbolKind};
use crate::size::report::Report;

/// By package, by kind of symbol, by region what is not known, and the largest symbols.
pub fn tables(report: &Report) -> String {
    let shares = &report.shares;
    let packages = shares.packages.iter().map(|share| {
        let words = [
            share.origin.name().to_string(),
            share.origin.kind().to_string(),
        ];
        let figures = [
            share.code_bytes,
            share.constant_bytes,
            share.copied_bytes,
            share.flash_bytes(),
            share.ram_bytes,
        ];
        words
            .into_iter()
            .chain(figures.iter().map(u64::to_string))
            .collect()
    });
    let header = [
        "package",
        "kind",
        "code",
        "constants",
        "copied",
        "flash",
        "RAM",
    ];
    let mut text = format!("\n{}", table_with_words(&header, &[1], packages.collect()));
    let regions = shares.regions.iter().map(|share| {
        let figures = [
            share.bytes,
            share.unattributed_bytes,
            share.without_symbol_bytes,
        ];
        row(&share.region, &figures)
    });
    let header = ["region", "bytes", "unattributed", "in no symbol"];
    text += &format!("\n{}", table(&header, &regions.collect::<Vec<_>>()));
    let kinds = shares
        .kinds
        .iter()
        .map(|share| row(label(share.kind), &[share.flash_bytes, share.ram_bytes]));
    text += &format!(
        "\n{}",
        table(&["symbols", "flash", "RAM"], &kinds.collect::<Vec<_>>())
    );
    if report.symbols.is_empty() {
        return text;
    }
    let symbols = report.symbols.iter().map(|symbol| {
        let package = Origin::name(&symbol.origin).to_string();
        vec![
            symbol.size.to_string(),
            package,
            label(Some(symbol.kind)).to_string(),
            symbol.name.clone(),
        ]
    });
    let header = ["bytes", "package", "kind", "symbol"];
    text + &format!(
        "\n{}",
        table_with_words(&header, &[1, 2, 3], symbols.collect())
    )
}

fn label(kind: Option<SymbolKind>) -> &'static str {
    match kind {
        Some(SymbolKind::Function) => "function",
        Some(SymbolKind::Object) => "object",
        Some(SymbolKind::Untyped) => "untyped",
        None => "none",
    }
}
