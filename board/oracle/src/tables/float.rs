//! The floating-point extension (A6.4 to A6.7).

use crate::encoding::{Base, Encoding, Fields, Role, Verdict, row, unless};

pub fn rows() -> Vec<Encoding> {
    let mut rows = three_operands();
    rows.extend(two_operands());
    rows.extend(conversions());
    rows.extend(transfers());
    rows.extend(loads_and_stores());
    rows
}

/// Doubles D16 to D31 do not exist: the fifth bits `D`, `N`, `M` must be zero where `z` is set.
fn all_operands(f: &Fields) -> Verdict {
    let high = f.is('D', 1) || f.is('N', 1) || f.is('M', 1);
    if f.is('z', 1) && high {
        Verdict::Undefined
    } else {
        Verdict::Defined
    }
}

fn three_operands() -> Vec<Encoding> {
    [
        row(
            "VMLA, VMLS",
            "1110 11100 D 00 nnnn dddd 101 z N o M 0 mmmm",
            "",
        ),
        row(
            "VNMLA, VNMLS",
            "1110 11100 D 01 nnnn dddd 101 z N o M 0 mmmm",
            "",
        ),
        row("VMUL", "1110 11100 D 10 nnnn dddd 101 z N 0 M 0 mmmm", ""),
        row("VNMUL", "1110 11100 D 10 nnnn dddd 101 z N 1 M 0 mmmm", ""),
        row("VADD", "1110 11100 D 11 nnnn dddd 101 z N 0 M 0 mmmm", ""),
        row("VSUB", "1110 11100 D 11 nnnn dddd 101 z N 1 M 0 mmmm", ""),
        row("VDIV", "1110 11101 D 00 nnnn dddd 101 z N 0 M 0 mmmm", ""),
        row(
            "VFNMA, VFNMS",
            "1110 11101 D 01 nnnn dddd 101 z N o M 0 mmmm",
            "",
        ),
        row(
            "VFMA, VFMS",
            "1110 11101 D 10 nnnn dddd 101 z N o M 0 mmmm",
            "",
        ),
        row("VSEL", "1111 11100 D cc nnnn dddd 101 z N 0 M 0 mmmm", "").outside_it(),
        row(
            "VMAXNM, VMINNM",
            "1111 11101 D 00 nnnn dddd 101 z N o M 0 mmmm",
            "",
        )
        .outside_it(),
    ]
    .map(|row| row.rule(all_operands))
    .into()
}

fn two_operands() -> Vec<Encoding> {
    let mut rows: Vec<_> = [
        row(
            "VMOV (immediate)",
            "1110 11101 D 11 iiii dddd 101 z 0 0 0 0 iiii",
            "",
        ),
        row(
            "VMOV (register), VABS",
            "1110 11101 D 11 0000 dddd 101 z o 1 M 0 mmmm",
            "",
        ),
        row(
            "VNEG, VSQRT",
            "1110 11101 D 11 0001 dddd 101 z o 1 M 0 mmmm",
            "",
        ),
        row(
            "VCMP, VCMPE T1",
            "1110 11101 D 11 0100 dddd 101 z e 1 M 0 mmmm",
            "",
        ),
        row(
            "VCMP, VCMPE T2",
            "1110 11101 D 11 0101 dddd 101 z e 1 0 0 0000",
            "",
        ),
        row(
            "VRINTR, VRINTZ",
            "1110 11101 D 11 0110 dddd 101 z o 1 M 0 mmmm",
            "",
        ),
        row("VRINTX", "1110 11101 D 11 0111 dddd 101 z 0 1 M 0 mmmm", ""),
    ]
    .map(|row| row.rule(all_operands))
    .into();
    let rounding = row(
        "VRINTA, VRINTN, VRINTP, VRINTM",
        "1111 11101 D 11 10 rr dddd 101 z 0 1 M 0 mmmm",
        "",
    );
    rows.push(rounding.rule(all_operands).outside_it());
    let reserved = |name, pattern| row(name, pattern, "").rule(|_| Verdict::Unpredictable);
    rows.extend([
        reserved(
            "VMOV (immediate) with reserved bits",
            "1110 11101 D 11 iiii dddd 101 z r 0 r 0 iiii",
        ),
        reserved(
            "VCMP with zero with reserved bits",
            "1110 11101 D 11 0101 dddd 101 z e 1 r 0 rrrr",
        ),
    ]);
    rows
}

/// Where only the destination is of the size `z` says.
fn sized_destination(f: &Fields) -> Verdict {
    if f.is('z', 1) && f.is('D', 1) {
        Verdict::Undefined
    } else {
        Verdict::Defined
    }
}

/// Where only the operand is of the size `z` says.
fn sized_operand(f: &Fields) -> Verdict {
    if f.is('z', 1) && f.is('M', 1) {
        Verdict::Undefined
    } else {
        Verdict::Defined
    }
}

fn conversions() -> Vec<Encoding> {
    vec![
        row(
            "VCVTB, VCVTT from half",
            "1110 11101 D 11 0010 dddd 101 z t 1 M 0 mmmm",
            "",
        )
        .rule(sized_destination),
        row(
            "VCVTB, VCVTT to half",
            "1110 11101 D 11 0011 dddd 101 z t 1 M 0 mmmm",
            "",
        )
        .rule(sized_operand),
        row(
            "VCVT, double and single",
            "1110 11101 D 11 0111 dddd 101 z 1 1 M 0 mmmm",
            "",
        )
        .rule(|f| {
            // The operand is a double where `z` is set, otherwise the destination.
            let double_register_high = if f.is('z', 1) {
                f.is('M', 1)
            } else {
                f.is('D', 1)
            };
            if double_register_high {
                Verdict::Undefined
            } else {
                Verdict::Defined
            }
        }),
        row(
            "VCVT from integer",
            "1110 11101 D 11 1000 dddd 101 z s 1 M 0 mmmm",
            "",
        )
        .rule(sized_destination),
        row(
            "VCVT, VCVTR to integer",
            "1110 11101 D 11 110 s dddd 101 z o 1 M 0 mmmm",
            "",
        )
        .rule(sized_operand),
        row(
            "VCVTA, VCVTN, VCVTP, VCVTM",
            "1111 11101 D 11 11 rr dddd 101 z s 1 M 0 mmmm",
            "",
        )
        .rule(sized_operand)
        .outside_it(),
        row(
            "VCVT, fixed point",
            "1110 11101 D 11 1 o 1 u dddd 101 z x 1 i 0 iiii",
            "",
        )
        .rule(|f| {
            // The count of fraction bits is 16 or 32 less the immediate, whose low bit stands apart.
            let immediate = (f.get('i') & 15) << 1 | f.get('i') >> 4;
            if f.is('z', 1) && f.is('D', 1) {
                Verdict::Undefined
            } else {
                unless(f.is('x', 0) && immediate > 16)
            }
        }),
    ]
}

fn transfers() -> Vec<Encoding> {
    let pair = |name, pattern| {
        row(name, pattern, "tT").rule(|f| {
            let same_target = f.is('o', 1) && f.get('t') == f.get('T');
            let past_last = f.is('z', 0) && f.is('m', 15) && f.is('M', 1);
            if f.is('z', 1) && f.is('M', 1) {
                Verdict::Undefined
            } else {
                unless(same_target || past_last)
            }
        })
    };
    vec![
        row(
            "VMOV, core and single",
            "1110 1110000 o nnnn tttt 1010 N 00 1 0000",
            "t",
        ),
        row(
            "VMOV, core and half of a double",
            "1110 111000 x o dddd tttt 1011 D 00 1 0000",
            "t",
        )
        .rule(all_operands_double),
        row(
            "VMRS APSR_nzcv",
            "1110 11101111 0001 1111 1010 0001 0000",
            "",
        ),
        row("VMRS", "1110 11101111 0001 tttt 1010 0001 0000", "t"),
        row("VMSR", "1110 11101110 0001 tttt 1010 0001 0000", "t"),
        row(
            "core transfers with reserved bits",
            "1110 1110 000 o nnnn tttt 1010 N rr 1 rrrr",
            "",
        )
        .rule(|_| Verdict::Unpredictable),
        row(
            "VMRS, VMSR with reserved bits or registers",
            "1110 1110 111 o rrrr tttt 1010 rrr 1 rrrr",
            "",
        )
        .rule(|_| Verdict::Unpredictable),
        row(
            "scalar transfers with reserved bits",
            "1110 1110 rrr o dddd tttt 1011 D rr 1 rrrr",
            "",
        )
        .rule(|_| Verdict::Unpredictable),
        pair(
            "VMOV, two cores and two singles or a double",
            "1110 1100010 o TTTT tttt 101 z 00 M 1 mmmm",
        ),
        row(
            "pair transfers with reserved bits",
            "1110 1100010 o TTTT tttt 101 z rr M r mmmm",
            "",
        )
        .rule(|_| Verdict::Unpredictable),
    ]
}

fn all_operands_double(f: &Fields) -> Verdict {
    if f.is('D', 1) {
        Verdict::Undefined
    } else {
        Verdict::Defined
    }
}

fn loads_and_stores() -> Vec<Encoding> {
    fn multiple(f: &Fields) -> Verdict {
        let double = f.is('z', 1);
        if double && f.is('D', 1) {
            return Verdict::Undefined;
        }
        let count = if double { f.get('i') / 2 } else { f.get('i') };
        let first = if double {
            f.get('d')
        } else {
            f.get('d') << 1 | f.get('D')
        };
        let last = if double { 16 } else { 32 };
        unless(count == 0 || first + count > last || f.is('n', 15))
    }
    let register = |row: Encoding| {
        row.role(Role::Memory {
            base: Base::Register,
            index: false,
            aligned: true,
        })
    };
    vec![
        register(row("VSTM", "1110 110 01 D W 0 nnnn dddd 101 z iiiiiiii", "").rule(multiple)),
        register(row("VLDM", "1110 110 01 D W 1 nnnn dddd 101 z iiiiiiii", "").rule(multiple)),
        register(row("VSTMDB", "1110 110 10 D 1 0 nnnn dddd 101 z iiiiiiii", "").rule(multiple)),
        register(row("VLDMDB", "1110 110 10 D 1 1 nnnn dddd 101 z iiiiiiii", "").rule(multiple)),
        row(
            "VLDR (literal)",
            "1110 110 1 U D 0 1 1111 dddd 101 z iiiiiiii",
            "",
        )
        .rule(sized_destination),
        register(
            row("VLDR", "1110 110 1 U D 0 1 nnnn dddd 101 z iiiiiiii", "").rule(sized_destination),
        ),
        register(
            row("VSTR", "1110 110 1 U D 0 0 nnnn dddd 101 z iiiiiiii", "").rule(|f| {
                match sized_destination(f) {
                    Verdict::Defined => unless(f.is('n', 15)),
                    verdict => verdict,
                }
            }),
        ),
    ]
}
