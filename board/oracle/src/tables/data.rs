//! 32-bit data processing: modified immediates, plain immediates, shifted registers, registers
//! (A5.3.1, A5.3.3, A5.3.11 to A5.3.15).

use crate::encoding::{Encoding, Fields, Verdict, row, unless};

pub fn rows() -> Vec<Encoding> {
    let mut rows = modified_immediate();
    rows.extend(plain_immediate());
    rows.extend(shifted_register());
    rows.extend(register());
    rows
}

/// ThumbExpandImm's unpredictable forms: a replicated byte of zero (A5.3.2).
fn expandable(f: &Fields) -> Verdict {
    let imm12 = f.get('i');
    unless(imm12 >> 10 == 0 && imm12 >> 8 & 3 != 0 && imm12 & 0xFF == 0)
}

fn sp_arithmetic_immediate(f: &Fields) -> Verdict {
    let sp_destination = f.is('d', 13) && !f.is('n', 13);
    match expandable(f) {
        Verdict::Defined => unless(f.is('n', 15) || f.is('d', 15) || sp_destination),
        verdict => verdict,
    }
}

fn modified_immediate() -> Vec<Encoding> {
    let rows = vec![
        row(
            "TST (immediate) T1",
            "11110 i 0 0000 1 nnnn 0 iii 1111 iiiiiiii",
            "n",
        ),
        row(
            "AND (immediate) T1",
            "11110 i 0 0000 s nnnn 0 iii dddd iiiiiiii",
            "dn",
        ),
        row(
            "BIC (immediate) T1",
            "11110 i 0 0001 s nnnn 0 iii dddd iiiiiiii",
            "dn",
        ),
        row(
            "MOV (immediate) T2",
            "11110 i 0 0010 s 1111 0 iii dddd iiiiiiii",
            "d",
        ),
        row(
            "ORR (immediate) T1",
            "11110 i 0 0010 s nnnn 0 iii dddd iiiiiiii",
            "dn",
        ),
        row(
            "MVN (immediate) T1",
            "11110 i 0 0011 s 1111 0 iii dddd iiiiiiii",
            "d",
        ),
        row(
            "ORN (immediate) T1",
            "11110 i 0 0011 s nnnn 0 iii dddd iiiiiiii",
            "dn",
        ),
        row(
            "TEQ (immediate) T1",
            "11110 i 0 0100 1 nnnn 0 iii 1111 iiiiiiii",
            "n",
        ),
        row(
            "EOR (immediate) T1",
            "11110 i 0 0100 s nnnn 0 iii dddd iiiiiiii",
            "dn",
        ),
        row(
            "ADC (immediate) T1",
            "11110 i 0 1010 s nnnn 0 iii dddd iiiiiiii",
            "dn",
        ),
        row(
            "SBC (immediate) T1",
            "11110 i 0 1011 s nnnn 0 iii dddd iiiiiiii",
            "dn",
        ),
        row(
            "RSB (immediate) T2",
            "11110 i 0 1110 s nnnn 0 iii dddd iiiiiiii",
            "dn",
        ),
    ];
    let mut rows: Vec<_> = rows.into_iter().map(|row| row.rule(expandable)).collect();
    let compare = |name, pattern| {
        row(name, pattern, "").rule(|f| match expandable(f) {
            Verdict::Defined => unless(f.is('n', 15)),
            verdict => verdict,
        })
    };
    rows.extend([
        compare(
            "CMN (immediate) T1",
            "11110 i 0 1000 1 nnnn 0 iii 1111 iiiiiiii",
        ),
        row(
            "ADD (immediate) T3",
            "11110 i 0 1000 s nnnn 0 iii dddd iiiiiiii",
            "",
        )
        .rule(sp_arithmetic_immediate),
        compare(
            "CMP (immediate) T2",
            "11110 i 0 1101 1 nnnn 0 iii 1111 iiiiiiii",
        ),
        row(
            "SUB (immediate) T3",
            "11110 i 0 1101 s nnnn 0 iii dddd iiiiiiii",
            "",
        )
        .rule(sp_arithmetic_immediate),
    ]);
    rows
}

fn plain_immediate() -> Vec<Encoding> {
    let wide_arithmetic = |name, pattern| {
        row(name, pattern, "").rule(|f| unless(f.is('d', 15) || f.is('d', 13) && !f.is('n', 13)))
    };
    let bit_field =
        |name, pattern| row(name, pattern, "dn").rule(|f| unless(f.get('i') + f.get('w') > 31));
    vec![
        row("ADR T3", "11110 i 10000 0 1111 0 iii dddd iiiiiiii", "d"),
        wide_arithmetic(
            "ADD (immediate) T4",
            "11110 i 10000 0 nnnn 0 iii dddd iiiiiiii",
        ),
        row("ADR T2", "11110 i 10101 0 1111 0 iii dddd iiiiiiii", "d"),
        wide_arithmetic(
            "SUB (immediate) T4",
            "11110 i 10101 0 nnnn 0 iii dddd iiiiiiii",
        ),
        row(
            "MOV (immediate) T3",
            "11110 i 10010 0 kkkk 0 iii dddd iiiiiiii",
            "d",
        ),
        row("MOVT", "11110 i 10110 0 kkkk 0 iii dddd iiiiiiii", "d"),
        row("SSAT16", "11110 0 110010 nnnn 0000 dddd 00 00 bbbb", "dn"),
        row(
            "SSAT16 with reserved bits",
            "11110 0 110010 nnnn 0000 dddd 00 rr bbbb",
            "",
        )
        .rule(|_| Verdict::Unpredictable),
        row("SSAT", "11110 0 1100 s 0 nnnn 0 iii dddd ii 0 bbbbb", "dn"),
        row("SBFX", "11110 0 110100 nnnn 0 iii dddd ii 0 wwwww", "dn")
            .rule(|f| unless(f.get('i') + f.get('w') > 31)),
        row("BFC", "11110 0 110110 1111 0 iii dddd ii 0 bbbbb", "d")
            .rule(|f| unless(f.get('b') < f.get('i'))),
        row("BFI", "11110 0 110110 nnnn 0 iii dddd ii 0 bbbbb", "dn")
            .rule(|f| unless(f.get('b') < f.get('i'))),
        row("USAT16", "11110 0 111010 nnnn 0000 dddd 00 00 bbbb", "dn"),
        row(
            "USAT16 with reserved bits",
            "11110 0 111010 nnnn 0000 dddd 00 rr bbbb",
            "",
        )
        .rule(|_| Verdict::Unpredictable),
        row("USAT", "11110 0 1110 s 0 nnnn 0 iii dddd ii 0 bbbbb", "dn"),
        bit_field("UBFX", "11110 0 111100 nnnn 0 iii dddd ii 0 wwwww"),
        row(
            "plain immediates with reserved bits",
            "11110 r 11 ooo 0 nnnn 0 iii dddd ii r bbbbb",
            "",
        )
        .rule(|f| {
            if f.is('o', 7) {
                Verdict::Undefined
            } else {
                Verdict::Unpredictable
            }
        }),
    ]
}

fn shifted_register() -> Vec<Encoding> {
    let sp_arithmetic = |name, pattern| {
        row(name, pattern, "m").rule(|f| {
            let sp_destination = f.is('d', 13);
            let small_shift = f.is('t', 0) && f.get('i') <= 3;
            unless(
                f.is('n', 15) || f.is('d', 15) || sp_destination && !(f.is('n', 13) && small_shift),
            )
        })
    };
    let compare = |name, pattern| row(name, pattern, "m").rule(|f| unless(f.is('n', 15)));
    vec![
        row(
            "TST (register) T2",
            "11101 01 0000 1 nnnn 0 iii 1111 ii tt mmmm",
            "nm",
        ),
        row(
            "AND (register) T2",
            "11101 01 0000 s nnnn 0 iii dddd ii tt mmmm",
            "dnm",
        ),
        row(
            "BIC (register) T2",
            "11101 01 0001 s nnnn 0 iii dddd ii tt mmmm",
            "dnm",
        ),
        row(
            "MOV (register) T3",
            "11101 01 0010 s 1111 0 000 dddd 00 00 mmmm",
            "",
        )
        .rule(|f| {
            let (d, m) = (f.get('d'), f.get('m'));
            let two_sps = d == 13 && m == 13;
            let sp_with_flags = f.is('s', 1) && (d == 13 || m == 13);
            unless(d == 15 || m == 15 || two_sps || sp_with_flags)
        }),
        row(
            "shifts (immediate) T2, RRX",
            "11101 01 0010 s 1111 0 iii dddd ii tt mmmm",
            "dm",
        ),
        row(
            "ORR (register) T2",
            "11101 01 0010 s nnnn 0 iii dddd ii tt mmmm",
            "dnm",
        ),
        row(
            "MVN (register) T2",
            "11101 01 0011 s 1111 0 iii dddd ii tt mmmm",
            "dm",
        ),
        row(
            "ORN (register) T1",
            "11101 01 0011 s nnnn 0 iii dddd ii tt mmmm",
            "dnm",
        ),
        row(
            "TEQ (register) T1",
            "11101 01 0100 1 nnnn 0 iii 1111 ii tt mmmm",
            "nm",
        ),
        row(
            "EOR (register) T2",
            "11101 01 0100 s nnnn 0 iii dddd ii tt mmmm",
            "dnm",
        ),
        row(
            "PKHBT, PKHTB",
            "11101 01 0110 0 nnnn 0 iii dddd ii t0 mmmm",
            "dnm",
        ),
        compare(
            "CMN (register) T2",
            "11101 01 1000 1 nnnn 0 iii 1111 ii tt mmmm",
        ),
        sp_arithmetic(
            "ADD (register) T3",
            "11101 01 1000 s nnnn 0 iii dddd ii tt mmmm",
        ),
        row(
            "ADC (register) T2",
            "11101 01 1010 s nnnn 0 iii dddd ii tt mmmm",
            "dnm",
        ),
        row(
            "SBC (register) T2",
            "11101 01 1011 s nnnn 0 iii dddd ii tt mmmm",
            "dnm",
        ),
        compare(
            "CMP (register) T3",
            "11101 01 1101 1 nnnn 0 iii 1111 ii tt mmmm",
        ),
        sp_arithmetic(
            "SUB (register) T2",
            "11101 01 1101 s nnnn 0 iii dddd ii tt mmmm",
        ),
        row(
            "RSB (register) T1",
            "11101 01 1110 s nnnn 0 iii dddd ii tt mmmm",
            "dnm",
        ),
        row(
            "shifted registers with the reserved bit",
            "11101 01 oooo s nnnn 1 iii dddd iiii mmmm",
            "",
        )
        .rule(|_| Verdict::Unpredictable),
    ]
}

fn register() -> Vec<Encoding> {
    let two_operands_alike =
        |name, pattern| row(name, pattern, "dm").rule(|f| unless(f.get('n') != f.get('m')));
    vec![
        row(
            "LSL, LSR, ASR, ROR (register) T2",
            "11111010 0 tt s nnnn 1111 dddd 0000 mmmm",
            "dnm",
        ),
        row(
            "SXTH, UXTH T2",
            "11111010 000 u 1111 1111 dddd 10 rr mmmm",
            "dm",
        ),
        row(
            "SXTAH, UXTAH",
            "11111010 000 u nnnn 1111 dddd 10 rr mmmm",
            "dnm",
        ),
        row(
            "SXTB16, UXTB16",
            "11111010 001 u 1111 1111 dddd 10 rr mmmm",
            "dm",
        ),
        row(
            "SXTAB16, UXTAB16",
            "11111010 001 u nnnn 1111 dddd 10 rr mmmm",
            "dnm",
        ),
        row(
            "SXTB, UXTB T2",
            "11111010 010 u 1111 1111 dddd 10 rr mmmm",
            "dm",
        ),
        row(
            "SXTAB, UXTAB",
            "11111010 010 u nnnn 1111 dddd 10 rr mmmm",
            "dnm",
        ),
        row(
            "extensions with the reserved bit",
            "11111010 0 ooo nnnn 1111 dddd 11 rr mmmm",
            "",
        )
        .rule(|f| {
            if f.get('o') < 6 {
                Verdict::Unpredictable
            } else {
                Verdict::Undefined
            }
        }),
        row(
            "parallel ADD8",
            "11111010 1 000 nnnn 1111 dddd 0 uuu mmmm",
            "dnm",
        )
        .rule(parallel),
        row(
            "parallel ADD16",
            "11111010 1 001 nnnn 1111 dddd 0 uuu mmmm",
            "dnm",
        )
        .rule(parallel),
        row(
            "parallel ASX",
            "11111010 1 010 nnnn 1111 dddd 0 uuu mmmm",
            "dnm",
        )
        .rule(parallel),
        row(
            "parallel SUB8",
            "11111010 1 100 nnnn 1111 dddd 0 uuu mmmm",
            "dnm",
        )
        .rule(parallel),
        row(
            "parallel SUB16",
            "11111010 1 101 nnnn 1111 dddd 0 uuu mmmm",
            "dnm",
        )
        .rule(parallel),
        row(
            "parallel SAX",
            "11111010 1 110 nnnn 1111 dddd 0 uuu mmmm",
            "dnm",
        )
        .rule(parallel),
        row("QADD", "11111010 1000 nnnn 1111 dddd 1000 mmmm", "dnm"),
        row("QDADD", "11111010 1000 nnnn 1111 dddd 1001 mmmm", "dnm"),
        row("QSUB", "11111010 1000 nnnn 1111 dddd 1010 mmmm", "dnm"),
        row("QDSUB", "11111010 1000 nnnn 1111 dddd 1011 mmmm", "dnm"),
        two_operands_alike("REV T2", "11111010 1001 nnnn 1111 dddd 1000 mmmm"),
        two_operands_alike("REV16 T2", "11111010 1001 nnnn 1111 dddd 1001 mmmm"),
        two_operands_alike("RBIT", "11111010 1001 nnnn 1111 dddd 1010 mmmm"),
        two_operands_alike("REVSH T2", "11111010 1001 nnnn 1111 dddd 1011 mmmm"),
        row("SEL", "11111010 1010 nnnn 1111 dddd 1000 mmmm", "dnm"),
        two_operands_alike("CLZ", "11111010 1011 nnnn 1111 dddd 1000 mmmm"),
        row(
            "registers with reserved bits",
            "11111010 oooo nnnn rrrr dddd pppp mmmm",
            "",
        )
        .rule(|f| {
            if f.is('r', 15) {
                Verdict::Undefined
            } else {
                Verdict::Unpredictable
            }
        }),
    ]
}

/// The prefix's third and seventh codes do not exist.
fn parallel(f: &Fields) -> Verdict {
    if f.get('u') & 3 == 3 {
        Verdict::Undefined
    } else {
        Verdict::Defined
    }
}
