//! 32-bit branches and control (A5.3.4).

use crate::encoding::{Encoding, Role, Target, Verdict, row, unless};

pub fn rows() -> Vec<Encoding> {
    vec![
        row("MSR APSR", "111100111000 nnnn 1000 mm 00 000000 ss", "n")
            .rule(|f| unless(f.is('m', 0))),
        row("MSR PRIMASK", "111100111000 nnnn 1000 1000 00010000", "n"),
        row("MSR BASEPRI", "111100111000 nnnn 1000 1000 00010001", "n"),
        row(
            "MSR BASEPRI_MAX",
            "111100111000 nnnn 1000 1000 00010010",
            "n",
        ),
        row("MSR FAULTMASK", "111100111000 nnnn 1000 1000 00010011", "n")
            .role(Role::NotRun("the cores differ in clearing it by MSR")),
        row("MSR MSP, PSP", "111100111000 nnnn 1000 1000 0000100 s", "n")
            .role(Role::NotRun("changes the stack pointer")),
        row("MSR CONTROL", "111100111000 nnnn 1000 1000 00010100", "n")
            .role(Role::NotRun("changes stack pointer and privilege")),
        row(
            "MSR with reserved bits or registers",
            "11110011100 r nnnn 10r0 rrrr ssssssss",
            "",
        )
        .rule(|_| Verdict::Unpredictable),
        row("MRS xPSR", "111100111110 1111 1000 dddd 00000 sss", "d")
            .rule(|f| unless(f.is('s', 4))),
        row("MRS MSP", "111100111110 1111 1000 dddd 00001000", "d"),
        row("MRS PSP", "111100111110 1111 1000 dddd 00001001", "d"),
        row("MRS PRIMASK", "111100111110 1111 1000 dddd 00010000", "d"),
        row("MRS BASEPRI", "111100111110 1111 1000 dddd 00010001", "d"),
        row(
            "MRS BASEPRI_MAX",
            "111100111110 1111 1000 dddd 00010010",
            "d",
        ),
        row("MRS FAULTMASK", "111100111110 1111 1000 dddd 00010011", "d"),
        row("MRS CONTROL", "111100111110 1111 1000 dddd 00010100", "d"),
        row(
            "MRS with reserved bits or registers",
            "11110011111 r rrrr 10r0 dddd ssssssss",
            "",
        )
        .rule(|_| Verdict::Unpredictable),
        row("WFE.W, WFI.W", "111100111010 1111 1000 0000 0000001 w", "")
            .role(Role::NotRun("waits for an event")),
        row(
            "NOP.W, YIELD.W, SEV.W, DBG and reserved hints",
            "111100111010 1111 1000 0000 hhhhhhhh",
            "",
        ),
        row(
            "hints with reserved bits",
            "111100111010 rrrr 10r0 rrrr hhhhhhhh",
            "",
        )
        .rule(|_| Verdict::Unpredictable),
        row("CLREX", "111100111011 1111 1000 1111 0010 1111", ""),
        row("DSB", "111100111011 1111 1000 1111 0100 oooo", ""),
        row("DMB", "111100111011 1111 1000 1111 0101 oooo", ""),
        row("ISB", "111100111011 1111 1000 1111 0110 oooo", "").outside_it(),
        row(
            "barriers with reserved bits",
            "111100111011 rrrr 10r0 rrrr oooo rrrr",
            "",
        )
        .rule(|_| Verdict::Unpredictable),
        row("UDF T2", "111101111111 iiii 1010 iiiiiiiiiiii", "").rule(|_| Verdict::Undefined),
        row("B T3", "11110 i cccc iiiiii 10 i 0 i iiiiiiiiiii", "")
            .rule(|f| {
                if f.get('c') >= 14 {
                    Verdict::Undefined
                } else {
                    Verdict::Defined
                }
            })
            .role(Role::BranchTo(Target::WideConditional))
            .outside_it(),
        row("B T4", "11110 i iiiiiiiiii 10 i 1 i iiiiiiiiiii", "")
            .role(Role::BranchTo(Target::Wide)),
        row("BL", "11110 i iiiiiiiiii 11 i 1 i iiiiiiiiiii", "").role(Role::BranchTo(Target::Wide)),
    ]
}
