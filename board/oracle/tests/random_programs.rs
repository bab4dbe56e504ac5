//! Random programs of every runnable encoding on both cores.
//!
//! `ORACLE_CASES` sets the number of programs (default 400), `ORACLE_SEED` the first seed (default 1).

use board::cpu::Options;
use board_oracle::compare::shorten;
use board_oracle::cores::{Ours, Theirs};
use board_oracle::generate::Generator;
use board_oracle::machine::Start;
use board_oracle::tables;

const GROUPS: usize = 30;
/// More mismatches than these are not shown.
const SHOWN: usize = 30;

fn number(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is not a number: {text}")),
        Err(_) => default,
    }
}

#[test]
fn both_cores_agree_on_random_programs() {
    let rows = tables::all();
    let cases = number("ORACLE_CASES", 400);
    let mut generator = Generator::new(&rows, number("ORACLE_SEED", 1));
    let mut theirs = Theirs::default();
    let mut mismatches = Vec::new();
    for case in 0..cases {
        // Blocks of one instruction, of a few and of many must come to the same end.
        let block_len = [48, 1, 3][case as usize % 3];
        let mut ours = Ours::new(Options {
            block_len,
            ..Options::default()
        });
        let start = Start::random(generator.rng());
        let program = generator.program(GROUPS);
        mismatches.extend(shorten(program, &start, &mut ours, &mut theirs));
    }
    let never: Vec<_> = generator
        .runnable()
        .iter()
        .filter(|&&row| generator.generated[row] == 0)
        .map(|&row| rows[row].name)
        .collect();
    let total: u64 = generator.generated.iter().sum();
    println!(
        "{cases} programs, {total} instructions of {} encodings, never generated: {never:?}",
        generator.runnable().len() - never.len(),
    );
    for mismatch in mismatches.iter().take(SHOWN) {
        println!("{mismatch}\n");
    }
    assert!(
        mismatches.is_empty(),
        "{} programs differ",
        mismatches.len()
    );
}
