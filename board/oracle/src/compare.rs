//! What differs between two ends, and the shortest program that shows it.

use crate::machine::{Core, End, RAM_BASE, Start};
use crate::program::Program;

/// A program on which the cores differ.
pub struct Mismatch {
    pub program: Program,
    pub start: Start,
    pub differences: Vec<String>,
}

/// Runs `program` on both cores; `None` if they agree.
pub fn check(
    program: &Program,
    start: &Start,
    ours: &mut dyn Core,
    theirs: &mut dyn Core,
) -> Option<Vec<String>> {
    let mut start = start.clone();
    let code = program.assemble(&mut start);
    let (ours, theirs) = (ours.run(&code, &start), theirs.run(&code, &start));
    let differences = differences(&ours, &theirs);
    (!differences.is_empty()).then_some(differences)
}

/// Drops groups for as long as the cores still differ.
pub fn shorten(
    mut program: Program,
    start: &Start,
    ours: &mut dyn Core,
    theirs: &mut dyn Core,
) -> Option<Mismatch> {
    let mut differences = check(&program, start, ours, theirs)?;
    let mut index = program.groups.len();
    while index > 0 {
        index -= 1;
        let mut shorter = program.clone();
        shorter.groups.remove(index);
        if let Some(still) = check(&shorter, start, ours, theirs) {
            (program, differences) = (shorter, still);
        }
    }
    Some(Mismatch {
        program,
        start: start.clone(),
        differences,
    })
}

fn differences(ours: &End, theirs: &End) -> Vec<String> {
    let mut found = Vec::new();
    if ours.stop != theirs.stop {
        found.push(format!("stop: ours {}, theirs {}", ours.stop, theirs.stop));
    }
    let mut word = |name: String, a: u32, b: u32| {
        if a != b {
            found.push(format!("{name}: ours {a:08x}, theirs {b:08x}"));
        }
    };
    for (n, (a, b)) in ours.r.iter().zip(theirs.r).enumerate() {
        word(format!("R{n}"), *a, b);
    }
    word("APSR".to_owned(), ours.flags, theirs.flags);
    for (n, (a, b)) in ours.s.iter().zip(theirs.s).enumerate() {
        word(format!("S{n}"), *a, b);
    }
    word("FPSCR".to_owned(), ours.fpscr, theirs.fpscr);
    let bytes = ours.ram.iter().zip(&theirs.ram).enumerate();
    let memory = bytes.filter(|(_, (a, b))| a != b).take(8);
    for (at, (a, b)) in memory {
        word(
            format!("[{:08x}]", RAM_BASE + at as u32),
            (*a).into(),
            (*b).into(),
        );
    }
    found
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut start = self.start.clone();
        let code = self.program.assemble(&mut start);
        writeln!(f, "{}", self.program.listing(&code))?;
        for difference in &self.differences {
            writeln!(f, "  {difference}")?;
        }
        let registers: Vec<_> = start.r.iter().map(|r| format!("{r:08x}")).collect();
        writeln!(f, "  start: R0 to LR {}", registers.join(" "))?;
        write!(f, "  APSR {:08x}, FPSCR {:08x}", start.flags, start.fpscr)
    }
}
