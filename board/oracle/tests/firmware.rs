//! A real firmware from reset to its first interrupt or sleep on both cores.
//!
//! `ORACLE_FIRMWARE` names the ELF file; without it there is nothing to compare, and the test says so.
//! `ORACLE_INSTRUCTIONS` bounds the length (default 20,000,000).

use board_oracle::cores::{record_boot, replay_boot};

#[test]
fn both_cores_boot_alike() {
    let Ok(path) = std::env::var("ORACLE_FIRMWARE") else {
        println!("not run: ORACLE_FIRMWARE names no ELF file");
        return;
    };
    let elf = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let limit = std::env::var("ORACLE_INSTRUCTIONS").map_or(20_000_000, |text| {
        text.parse().expect("ORACLE_INSTRUCTIONS is a number")
    });
    let ours = record_boot(&elf, limit);
    let theirs = replay_boot(&elf, &ours);
    println!(
        "{} instructions, {} peripheral accesses, {} bytes written by DMA",
        ours.instructions,
        ours.accesses.len(),
        ours.written_by_dma.len()
    );
    for (index, (a, b)) in ours.accesses.iter().zip(&theirs.accesses).enumerate() {
        assert_eq!(a, b, "access {index} differs");
    }
    assert_eq!(ours.accesses.len(), theirs.accesses.len(), "accesses");
    assert_eq!(ours.instructions, theirs.instructions, "instructions");
    assert_eq!(ours.r, theirs.r, "registers");
    let differences = ours.ram_differences(&theirs);
    assert!(differences.is_empty(), "RAM differs: {differences:#?}");
}
