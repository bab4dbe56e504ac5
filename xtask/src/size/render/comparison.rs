//! The tables of a comparison.

use crate::output::table;
use crate::size::compare::{Comparison, Difference};

/// By region, section and package, and the symbols that changed most.
pub fn comparison(comparison: &Comparison) -> String {
    let Comparison { before, after, .. } = comparison;
    let mut text = format!("before: {}, SHA-256 {}\n", before.name, before.sha256);
    text += &format!("after:  {}, SHA-256 {}\n", after.name, after.sha256);
    text += &differences("region", &comparison.regions, String::clone);
    text += &differences("section", &comparison.sections, String::clone);
    text += &differences("flash by package", &comparison.flash, |origin| {
        origin.name().to_string()
    });
    text += &differences("RAM by package", &comparison.ram, |origin| {
        origin.name().to_string()
    });
    text + &symbols(&comparison.symbols)
}

fn differences<Name>(
    title: &str,
    differences: &[Difference<Name>],
    name: impl Fn(&Name) -> String,
) -> String {
    let rows = differences.iter().map(|difference| {
        let mut row = vec![name(&difference.name)];
        row.extend(figures(difference));
        row
    });
    let header = [title, "before", "after", "change"];
    format!("\n{}", table(&header, &rows.collect::<Vec<_>>()))
}

/// Names of symbols are long and so come last.
fn symbols(differences: &[Difference<String>]) -> String {
    let rows = differences.iter().map(|difference| {
        let mut row = figures(difference).to_vec();
        row.rotate_right(1);
        row.push(difference.name.clone());
        row
    });
    let header = ["change", "before", "after", "symbol"];
    format!(
        "\n{}",
        super::table_with_words(&header, &[3], rows.collect())
    )
}

fn figures<Name>(difference: &Difference<Name>) -> [String; 3] {
    [
        difference.before_bytes.to_string(),
        difference.after_bytes.to_string(),
        format!("{:+}", difference.change()),
    ]
}
