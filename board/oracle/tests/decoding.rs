//! The core's decoder against the table: what a row defines decodes, what no row lists is undefined.

use board_oracle::cores::{Finding, Prober};
use board_oracle::encoding::Verdict;
use board_oracle::tables::{all, find};

fn halfwords(bits: u32, width: u32) -> Vec<u16> {
    match width {
        16 => vec![bits as u16],
        _ => vec![(bits >> 16) as u16, bits as u16],
    }
}

/// Whether the core agrees; `None` where the architecture leaves the encoding open. It is probed all the
/// same: the core may do anything with it but panic.
fn agrees(prober: &mut Prober, bits: u32, width: u32, verdict: Verdict) -> Option<bool> {
    let found = prober.probe(&halfwords(bits, width));
    match verdict {
        Verdict::Defined => Some(found == Finding::Executes),
        // Where reserved registers make an undefined encoding look unpredictable, refusing it will do.
        Verdict::Undefined => Some(found != Finding::Executes),
        Verdict::Unpredictable => None,
    }
}

#[test]
fn every_16_bit_encoding() {
    let (rows, mut prober) = (all(), Prober::default());
    let wrong: Vec<_> = (0..0xE800)
        .filter(|&bits| {
            let row = find(&rows, bits, 16);
            let verdict = row.map_or(Verdict::Undefined, |row| row.verdict(bits));
            agrees(&mut prober, bits, 16, verdict) == Some(false)
        })
        .collect();
    report(&wrong, 16);
}

#[test]
fn every_row() {
    const DRAWS: usize = 300;
    let (rows, mut prober) = (all(), Prober::default());
    let mut rng = fastrand::Rng::with_seed(2);
    let mut wrong = Vec::new();
    for row in rows.iter().filter(|row| row.width == 32) {
        let mut decided = 0;
        for _ in 0..DRAWS {
            let bits = row.value | rng.u32(..) & !row.mask;
            let first = find(&rows, bits, 32).expect("the row itself matches");
            if let Some(agrees) = agrees(&mut prober, bits, 32, first.verdict(bits)) {
                decided += 1;
                if !agrees {
                    wrong.push(bits);
                }
            }
        }
        assert!(
            decided > 0 || never_decides(row.name),
            "{} decides nothing",
            row.name
        );
    }
    report(&wrong, 32);
}

/// Rows that only say "unpredictable".
fn never_decides(name: &str) -> bool {
    name.contains("reserved") || matches!(name, "LDRT, PC" | "byte and halfword loads of PC")
}

#[test]
fn random_32_bit_encodings() {
    const DRAWS: usize = 200_000;
    let (rows, mut prober) = (all(), Prober::default());
    let mut rng = fastrand::Rng::with_seed(3);
    let mut wrong = Vec::new();
    for _ in 0..DRAWS {
        let bits = rng.u32(0xE800_0000..=u32::MAX);
        let coprocessor = bits & 0xEC00_0000 == 0xEC00_0000;
        if coprocessor && bits >> 9 & 7 != 5 {
            // No such coprocessor: a UsageFault of its own kind.
            continue;
        }
        let row = find(&rows, bits, 32);
        let verdict = row.map_or(Verdict::Undefined, |row| row.verdict(bits));
        if agrees(&mut prober, bits, 32, verdict) == Some(false) {
            wrong.push(bits);
        }
    }
    report(&wrong, 32);
}

fn report(wrong: &[u32], width: u32) {
    let rows = all();
    for &bits in wrong.iter().take(60) {
        match find(&rows, bits, width) {
            Some(row) => println!("{bits:08x}: {} {:?}", row.name, row.verdict(bits)),
            None => println!("{bits:08x}: in no row, so undefined"),
        }
    }
    assert!(wrong.is_empty(), "{} encodings decode wrongly", wrong.len());
}
