//! 16-bit encodings (A5.2).

use crate::encoding::{Base, Encoding, Role, Target, Verdict, row, unless};

const SP_MEMORY: Role = Role::Memory {
    base: Base::Sp,
    index: false,
    aligned: false,
};

pub fn rows() -> Vec<Encoding> {
    let mut rows = shift_add_move_compare();
    rows.extend(data_processing());
    rows.extend(special_data());
    rows.extend(load_store());
    rows.extend(miscellaneous());
    rows.extend(multiple_and_branch());
    rows
}

fn shift_add_move_compare() -> Vec<Encoding> {
    vec![
        row("MOVS (register) T2", "00000 00000 mmm ddd", "").outside_it(),
        row("LSL (immediate) T1", "00000 iiiii mmm ddd", ""),
        row("LSR (immediate) T1", "00001 iiiii mmm ddd", ""),
        row("ASR (immediate) T1", "00010 iiiii mmm ddd", ""),
        row("ADD (register) T1", "0001100 mmm nnn ddd", ""),
        row("SUB (register) T1", "0001101 mmm nnn ddd", ""),
        row("ADD (immediate) T1", "0001110 iii nnn ddd", ""),
        row("SUB (immediate) T1", "0001111 iii nnn ddd", ""),
        row("MOV (immediate) T1", "00100 ddd iiiiiiii", ""),
        row("CMP (immediate) T1", "00101 nnn iiiiiiii", ""),
        row("ADD (immediate) T2", "00110 ddd iiiiiiii", ""),
        row("SUB (immediate) T2", "00111 ddd iiiiiiii", ""),
    ]
}

fn data_processing() -> Vec<Encoding> {
    vec![
        row("AND (register) T1", "010000 0000 mmm ddd", ""),
        row("EOR (register) T1", "010000 0001 mmm ddd", ""),
        row("LSL (register) T1", "010000 0010 mmm ddd", ""),
        row("LSR (register) T1", "010000 0011 mmm ddd", ""),
        row("ASR (register) T1", "010000 0100 mmm ddd", ""),
        row("ADC (register) T1", "010000 0101 mmm ddd", ""),
        row("SBC (register) T1", "010000 0110 mmm ddd", ""),
        row("ROR (register) T1", "010000 0111 mmm ddd", ""),
        row("TST (register) T1", "010000 1000 mmm nnn", ""),
        row("RSB (immediate) T1", "010000 1001 nnn ddd", ""),
        row("CMP (register) T1", "010000 1010 mmm nnn", ""),
        row("CMN (register) T1", "010000 1011 mmm nnn", ""),
        row("ORR (register) T1", "010000 1100 mmm ddd", ""),
        row("MUL T1", "010000 1101 nnn ddd", ""),
        row("BIC (register) T1", "010000 1110 mmm ddd", ""),
        row("MVN (register) T1", "010000 1111 mmm ddd", ""),
    ]
}

fn special_data() -> Vec<Encoding> {
    vec![
        row("ADD (register) T2, PC", "01000100 1 mmmm 111", "m").role(Role::BranchAdd),
        row("ADD (register) T2", "01000100 d mmmm ddd", ""),
        row("CMP (register) T2", "01000101 n mmmm nnn", "")
            .rule(|f| unless(f.get('n') < 8 && f.get('m') < 8 || f.is('n', 15) || f.is('m', 15))),
        row("MOV (register) T1, PC", "01000110 1 mmmm 111", "m").role(Role::BranchRegister),
        row("MOV (register) T1", "01000110 d mmmm ddd", ""),
        row("BX", "010001110 mmmm 000", "m").role(Role::BranchRegister),
        row("BLX (register)", "010001111 mmmm 000", "m").role(Role::BranchRegister),
        row("BX, BLX with reserved bits", "01000111 l mmmm rrr", "")
            .rule(|_| Verdict::Unpredictable),
    ]
}

fn load_store() -> Vec<Encoding> {
    vec![
        row("LDR (literal) T1", "01001 ttt iiiiiiii", ""),
        row("STR (register) T1", "0101000 mmm nnn ttt", "").indexed_memory(),
        row("STRH (register) T1", "0101001 mmm nnn ttt", "").indexed_memory(),
        row("STRB (register) T1", "0101010 mmm nnn ttt", "").indexed_memory(),
        row("LDRSB (register) T1", "0101011 mmm nnn ttt", "").indexed_memory(),
        row("LDR (register) T1", "0101100 mmm nnn ttt", "").indexed_memory(),
        row("LDRH (register) T1", "0101101 mmm nnn ttt", "").indexed_memory(),
        row("LDRB (register) T1", "0101110 mmm nnn ttt", "").indexed_memory(),
        row("LDRSH (register) T1", "0101111 mmm nnn ttt", "").indexed_memory(),
        row("STR (immediate) T1", "01100 iiiii nnn ttt", "").memory(),
        row("LDR (immediate) T1", "01101 iiiii nnn ttt", "").memory(),
        row("STRB (immediate) T1", "01110 iiiii nnn ttt", "").memory(),
        row("LDRB (immediate) T1", "01111 iiiii nnn ttt", "").memory(),
        row("STRH (immediate) T1", "10000 iiiii nnn ttt", "").memory(),
        row("LDRH (immediate) T1", "10001 iiiii nnn ttt", "").memory(),
        row("STR (immediate) T2", "10010 ttt iiiiiiii", "").role(SP_MEMORY),
        row("LDR (immediate) T2", "10011 ttt iiiiiiii", "").role(SP_MEMORY),
        row("ADR T1", "10100 ddd iiiiiiii", ""),
        row("ADD (SP plus immediate) T1", "10101 ddd iiiiiiii", ""),
    ]
}

fn miscellaneous() -> Vec<Encoding> {
    vec![
        row("CPS", "10110110 011 o 00 IF", "")
            .rule(|f| unless(f.is('I', 0) && f.is('F', 0)))
            .outside_it(),
        row("CPS with reserved bits", "10110110 011 o rr IF", "").rule(|_| Verdict::Unpredictable),
        row("ADD (SP plus immediate) T2", "101100000 iiiiiii", ""),
        row("SUB (SP minus immediate) T1", "101100001 iiiiiii", ""),
        row("CBZ", "101100 i 1 iiiii nnn", "")
            .role(Role::BranchTo(Target::Compare))
            .outside_it(),
        row("CBNZ", "101110 i 1 iiiii nnn", "")
            .role(Role::BranchTo(Target::Compare))
            .outside_it(),
        row("SXTH T1", "1011001000 mmm ddd", ""),
        row("SXTB T1", "1011001001 mmm ddd", ""),
        row("UXTH T1", "1011001010 mmm ddd", ""),
        row("UXTB T1", "1011001011 mmm ddd", ""),
        row("PUSH T1", "1011010 l llllllll", "")
            .rule(|f| unless(f.is('l', 0)))
            .role(SP_MEMORY),
        row("POP T1, PC", "1011110 1 llllllll", "").role(Role::BranchLoad {
            base: Base::Sp,
            index: false,
            offset: |f, _| 4 * f.get('l').count_ones() as i32,
        }),
        row("POP T1", "1011110 0 llllllll", "")
            .rule(|f| unless(f.is('l', 0)))
            .role(SP_MEMORY),
        row("REV T1", "1011101000 mmm ddd", ""),
        row("REV16 T1", "1011101001 mmm ddd", ""),
        row("REVSH T1", "1011101011 mmm ddd", ""),
        row("BKPT", "10111110 iiiiiiii", "").role(Role::NotRun("ends the run")),
        row("WFE, WFI", "10111111 001w 0000", "").role(Role::NotRun("waits for an event")),
        row(
            "NOP, YIELD, SEV and reserved hints",
            "10111111 hhhh 0000",
            "",
        ),
        row("IT", "10111111 cccc mmmm", "")
            .rule(|f| {
                let always = f.is('c', 14);
                unless(f.is('c', 15) || always && f.get('m').count_ones() != 1)
            })
            .role(Role::It)
            .outside_it(),
    ]
}

fn multiple_and_branch() -> Vec<Encoding> {
    let multiple = |encoding: Encoding| {
        encoding.role(Role::Memory {
            base: Base::Register,
            index: false,
            aligned: true,
        })
    };
    vec![
        multiple(row("STM T1", "11000 nnn llllllll", "")).rule(|f| {
            let (list, n) = (f.get('l'), f.get('n'));
            let base_not_lowest = list >> n & 1 != 0 && list.trailing_zeros() != n;
            unless(list == 0 || base_not_lowest)
        }),
        multiple(row("LDM T1", "11001 nnn llllllll", "")).rule(|f| unless(f.is('l', 0))),
        row("UDF T1", "11011110 iiiiiiii", "").rule(|_| Verdict::Undefined),
        row("SVC", "11011111 iiiiiiii", "").role(Role::NotRun("takes an exception")),
        row("B T1", "1101 cccc iiiiiiii", "")
            .role(Role::BranchTo(Target::Conditional))
            .outside_it(),
        row("B T2", "11100 iiiiiiiiiii", "").role(Role::BranchTo(Target::Narrow)),
    ]
}
