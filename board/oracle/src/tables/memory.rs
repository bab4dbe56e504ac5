//! 32-bit loads and stores (A5.3.5 to A5.3.10).

use crate::encoding::{Base, Encoding, Fields, Role, Verdict, row, unless};

pub fn rows() -> Vec<Encoding> {
    let mut rows = stores();
    rows.extend(loads_of_pc());
    rows.extend(hints());
    rows.extend(loads());
    rows.extend(doubles_exclusives_tables());
    rows.extend(multiples());
    rows
}

/// T4 forms write the base back with W, and load or store through it without P.
fn writes_back_onto(f: &Fields, letter: char) -> bool {
    f.is('W', 1) && f.get('n') == f.get(letter)
}

fn stores() -> Vec<Encoding> {
    let store_indexed = |name, pattern| row(name, pattern, "m").rule(store_rule).indexed_memory();
    let store = |name, pattern| row(name, pattern, "").rule(store_rule).memory();
    vec![
        store(
            "STRB (immediate) T2",
            "11111000 1000 nnnn tttt iiiiiiiiiiii",
        ),
        store(
            "STRH (immediate) T2",
            "11111000 1010 nnnn tttt iiiiiiiiiiii",
        ),
        store("STR (immediate) T3", "11111000 1100 nnnn tttt iiiiiiiiiiii"),
        store("STRBT", "11111000 0000 nnnn tttt 1110 iiiiiiii"),
        store("STRHT", "11111000 0010 nnnn tttt 1110 iiiiiiii"),
        store("STRT", "11111000 0100 nnnn tttt 1110 iiiiiiii"),
        store(
            "STRB (immediate) T3",
            "11111000 0000 nnnn tttt 1 PUW iiiiiiii",
        ),
        store(
            "STRH (immediate) T3",
            "11111000 0010 nnnn tttt 1 PUW iiiiiiii",
        ),
        store(
            "STR (immediate) T4",
            "11111000 0100 nnnn tttt 1 PUW iiiiiiii",
        ),
        store_indexed(
            "STRB (register) T2",
            "11111000 0000 nnnn tttt 000000 ii mmmm",
        ),
        store_indexed(
            "STRH (register) T2",
            "11111000 0010 nnnn tttt 000000 ii mmmm",
        ),
        store_indexed(
            "STR (register) T2",
            "11111000 0100 nnnn tttt 000000 ii mmmm",
        ),
    ]
}

fn store_rule(f: &Fields) -> Verdict {
    let form = f.letters("PW");
    if f.is('n', 15) || form == Some(0) {
        return Verdict::Undefined;
    }
    // A word may come from SP; bytes and halfwords may not.
    let word = f.bit(22);
    let t = f.get('t');
    unless(t == 15 || t == 13 && !word || writes_back_onto(f, 't'))
}

/// LDR with PC as its destination.
fn loads_of_pc() -> Vec<Encoding> {
    fn branch(index: bool, offset: fn(&Fields, u32) -> i32) -> Role {
        Role::BranchLoad {
            base: Base::Register,
            index,
            offset,
        }
    }
    vec![
        row(
            "LDR (literal) T2, PC",
            "11111000 u 101 1111 1111 iiiiiiiiiiii",
            "",
        )
        .role(Role::NotRun(
            "its target would have to be placed in the code",
        )),
        row(
            "LDR (immediate) T3, PC",
            "11111000 1101 nnnn 1111 iiiiiiiiiiii",
            "",
        )
        .role(branch(false, |f, _| f.get('i') as i32)),
        row("LDRT, PC", "11111000 0101 nnnn 1111 1110 iiiiiiii", "")
            .rule(|_| Verdict::Unpredictable),
        row(
            "LDR (immediate) T4, PC",
            "11111000 0101 nnnn 1111 1 PUW iiiiiiii",
            "",
        )
        .rule(load_rule)
        .role(branch(false, |f, _| {
            let magnitude = f.get('i') as i32;
            match (f.get('P'), f.get('U')) {
                (0, _) => 0,
                (_, 0) => -magnitude,
                _ => magnitude,
            }
        })),
        row(
            "LDR (register) T2, PC",
            "11111000 0101 nnnn 1111 000000 ii mmmm",
            "m",
        )
        .role(branch(true, |f, index| (index << f.get('i')) as i32)),
    ]
}

/// Byte and halfword loads to PC are hints.
fn hints() -> Vec<Encoding> {
    let no_effect = |name, pattern| row(name, pattern, "");
    vec![
        no_effect(
            "PLD (literal), unallocated hints",
            "1111100 0 u 0 h 1 1111 1111 iiiiiiiiiiii",
        ),
        no_effect(
            "PLI (literal), unallocated hints",
            "1111100 1 u 0 h 1 1111 1111 iiiiiiiiiiii",
        ),
        no_effect(
            "PLD (immediate) T1, PLDW",
            "1111100 0 1 0 h 1 nnnn 1111 iiiiiiiiiiii",
        ),
        no_effect(
            "PLI (immediate) T1",
            "1111100 1 1 0 h 1 nnnn 1111 iiiiiiiiiiii",
        ),
        no_effect(
            "PLD (immediate) T2, PLDW",
            "1111100 0 0 0 h 1 nnnn 1111 1100 iiiiiiii",
        ),
        no_effect(
            "PLI (immediate) T2",
            "1111100 1 0 0 h 1 nnnn 1111 1100 iiiiiiii",
        ),
        row(
            "PLD (register), PLDW",
            "1111100 0 0 0 h 1 nnnn 1111 000000 ii mmmm",
            "m",
        ),
        row(
            "PLI (register)",
            "1111100 1 0 0 h 1 nnnn 1111 000000 ii mmmm",
            "m",
        ),
        row(
            "byte and halfword loads of PC",
            "1111100 s 0 0 h 1 nnnn 1111 1 PUW iiiiiiii",
            "",
        )
        .rule(|f| match f.letters("PW") {
            Some(0) => Verdict::Undefined,
            _ => Verdict::Unpredictable,
        }),
    ]
}

fn load_rule(f: &Fields) -> Verdict {
    if f.letters("PW") == Some(0) {
        return Verdict::Undefined;
    }
    let word = f.bit(22) && !f.bit(24);
    let t = f.get('t');
    unless(t == 13 && !word || writes_back_onto(f, 't'))
}

fn loads() -> Vec<Encoding> {
    let literal = |name, pattern| row(name, pattern, "").rule(load_rule);
    let load = |name, pattern| row(name, pattern, "").rule(load_rule).memory();
    let unprivileged = |name, pattern| row(name, pattern, "t").memory();
    let indexed = |name, pattern| row(name, pattern, "m").rule(load_rule).indexed_memory();
    vec![
        literal("LDR (literal) T2", "11111000 u 101 1111 tttt iiiiiiiiiiii"),
        literal("LDRB (literal)", "11111000 u 001 1111 tttt iiiiiiiiiiii"),
        literal("LDRH (literal)", "11111000 u 011 1111 tttt iiiiiiiiiiii"),
        literal("LDRSB (literal)", "11111001 u 001 1111 tttt iiiiiiiiiiii"),
        literal("LDRSH (literal)", "11111001 u 011 1111 tttt iiiiiiiiiiii"),
        load("LDR (immediate) T3", "11111000 1101 nnnn tttt iiiiiiiiiiii"),
        load(
            "LDRB (immediate) T2",
            "11111000 1001 nnnn tttt iiiiiiiiiiii",
        ),
        load(
            "LDRH (immediate) T2",
            "11111000 1011 nnnn tttt iiiiiiiiiiii",
        ),
        load(
            "LDRSB (immediate) T1",
            "11111001 1001 nnnn tttt iiiiiiiiiiii",
        ),
        load(
            "LDRSH (immediate) T1",
            "11111001 1011 nnnn tttt iiiiiiiiiiii",
        ),
        unprivileged("LDRT", "11111000 0101 nnnn tttt 1110 iiiiiiii"),
        unprivileged("LDRBT", "11111000 0001 nnnn tttt 1110 iiiiiiii"),
        unprivileged("LDRHT", "11111000 0011 nnnn tttt 1110 iiiiiiii"),
        unprivileged("LDRSBT", "11111001 0001 nnnn tttt 1110 iiiiiiii"),
        unprivileged("LDRSHT", "11111001 0011 nnnn tttt 1110 iiiiiiii"),
        load(
            "LDR (immediate) T4",
            "11111000 0101 nnnn tttt 1 PUW iiiiiiii",
        ),
        load(
            "LDRB (immediate) T3",
            "11111000 0001 nnnn tttt 1 PUW iiiiiiii",
        ),
        load(
            "LDRH (immediate) T3",
            "11111000 0011 nnnn tttt 1 PUW iiiiiiii",
        ),
        load(
            "LDRSB (immediate) T2",
            "11111001 0001 nnnn tttt 1 PUW iiiiiiii",
        ),
        load(
            "LDRSH (immediate) T2",
            "11111001 0011 nnnn tttt 1 PUW iiiiiiii",
        ),
        indexed(
            "LDR (register) T2",
            "11111000 0101 nnnn tttt 000000 ii mmmm",
        ),
        indexed(
            "LDRB (register) T2",
            "11111000 0001 nnnn tttt 000000 ii mmmm",
        ),
        indexed(
            "LDRH (register) T2",
            "11111000 0011 nnnn tttt 000000 ii mmmm",
        ),
        indexed(
            "LDRSB (register) T2",
            "11111001 0001 nnnn tttt 000000 ii mmmm",
        ),
        indexed(
            "LDRSH (register) T2",
            "11111001 0011 nnnn tttt 000000 ii mmmm",
        ),
    ]
}

fn doubles_exclusives_tables() -> Vec<Encoding> {
    const EXCLUSIVE: &str = "the monitor's state is not compared";
    let exclusive_store = |name, pattern, plain| {
        row(name, pattern, plain)
            .rule(|f| {
                let status_overlaps = f.get('d') == f.get('n') || f.get('d') == f.get('t');
                unless(f.is('n', 15) || status_overlaps)
            })
            .role(Role::NotRun(EXCLUSIVE))
    };
    let exclusive_load = |name, pattern, plain| {
        row(name, pattern, plain)
            .rule(|f| unless(f.is('n', 15)))
            .role(Role::NotRun(EXCLUSIVE))
    };
    vec![
        exclusive_store("STREX", "11101000 0100 nnnn tttt dddd iiiiiiii", "td"),
        exclusive_load("LDREX", "11101000 0101 nnnn tttt 1111 iiiiiiii", "t"),
        exclusive_store("STREXB", "11101000 1100 nnnn tttt 1111 0100 dddd", "td"),
        exclusive_store("STREXH", "11101000 1100 nnnn tttt 1111 0101 dddd", "td"),
        row(
            "TBB, TBH with the table in the code",
            "11101000 1101 1111 1111 0000 000 h mmmm",
            "m",
        )
        .role(Role::NotRun(
            "its table would have to be placed in the code",
        )),
        row("TBB", "11101000 1101 nnnn 1111 0000 0000 mmmm", "m")
            .rule(|f| unless(f.is('n', 13)))
            .role(Role::BranchTable { entry: 1 }),
        row("TBH", "11101000 1101 nnnn 1111 0000 0001 mmmm", "m")
            .rule(|f| unless(f.is('n', 13)))
            .role(Role::BranchTable { entry: 2 }),
        exclusive_load("LDREXB", "11101000 1101 nnnn tttt 1111 0100 1111", "t"),
        exclusive_load("LDREXH", "11101000 1101 nnnn tttt 1111 0101 1111", "t"),
        row(
            "exclusives and tables with reserved bits",
            "11101000 110 l nnnn tttt rrrr oooo dddd",
            "",
        )
        .rule(|f| {
            let load_only = f.is('l', 1) && f.get('o') <= 1;
            let allocated = load_only || matches!(f.get('o'), 4 | 5);
            if allocated {
                Verdict::Unpredictable
            } else {
                Verdict::Undefined
            }
        }),
        row(
            "LDREX with reserved bits",
            "11101000 0101 nnnn tttt rrrr iiiiiiii",
            "",
        )
        .rule(|_| Verdict::Unpredictable),
        row(
            "LDRD (literal)",
            "1110100 P U 1 W 1 1111 tttt TTTT iiiiiiii",
            "tT",
        )
        .rule(|f| unless(f.get('t') == f.get('T') || f.is('W', 1))),
        row("STRD", "1110100 P U 1 W 0 nnnn tttt TTTT iiiiiiii", "tT")
            .rule(|f| {
                let onto = writes_back_onto(f, 't') || writes_back_onto(f, 'T');
                unless(f.is('n', 15) || onto)
            })
            .aligned_memory(),
        row("LDRD", "1110100 P U 1 W 1 nnnn tttt TTTT iiiiiiii", "tT")
            .rule(|f| {
                let onto = writes_back_onto(f, 't') || writes_back_onto(f, 'T');
                unless(f.get('t') == f.get('T') || onto)
            })
            .aligned_memory(),
    ]
}

/// LDM and STM: neither SP nor a single register, PC in loads alone.
fn multiple_rule(f: &Fields) -> Verdict {
    let (list, n, load) = (f.get('l'), f.get('n'), f.bit(20));
    let onto = f.is('W', 1) && list >> n & 1 != 0;
    let pc_and_lr = list >> 14 == 3;
    let sp = list >> 13 & 1 != 0;
    let stored_pc = !load && list >> 15 != 0;
    unless(n == 15 || list.count_ones() < 2 || onto || pc_and_lr || sp || stored_pc)
}

fn multiples() -> Vec<Encoding> {
    fn branch(offset: fn(&Fields, u32) -> i32) -> Role {
        Role::BranchLoad {
            base: Base::Register,
            index: false,
            offset,
        }
    }
    let multiple = |name, pattern| row(name, pattern, "").rule(multiple_rule).aligned_memory();
    vec![
        multiple("STM T2", "1110100 010 W 0 nnnn llllllllllllllll"),
        multiple("STMDB", "1110100 100 W 0 nnnn llllllllllllllll"),
        row("LDM T2, PC", "1110100 010 W 1 nnnn 1 lllllllllllllll", "")
            .rule(loads_pc_rule)
            .role(branch(|f, _| 4 * f.get('l').count_ones() as i32)),
        row("LDMDB, PC", "1110100 100 W 1 nnnn 1 lllllllllllllll", "")
            .rule(loads_pc_rule)
            .role(branch(|_, _| -4)),
        multiple("LDM T2", "1110100 010 W 1 nnnn llllllllllllllll"),
        multiple("LDMDB", "1110100 100 W 1 nnnn llllllllllllllll"),
    ]
}

fn loads_pc_rule(f: &Fields) -> Verdict {
    let (list, n) = (f.get('l'), f.get('n'));
    let onto = f.is('W', 1) && list >> n & 1 != 0;
    unless(n == 15 || list == 0 || onto || list >> 13 != 0)
}
