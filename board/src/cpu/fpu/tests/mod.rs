//! Tests of the floating-point extension, through [`super::execute`] as the core uses it.

mod against_apfloat;
mod architecture_rules;
mod decoding;
mod operands;

use super::{DataOp, FpuRegs, execute};

/// FPSCR.RMode for nearest, toward plus, toward minus and toward zero.
const RMODE: [u32; 4] = [0, 1 << 22, 2 << 22, 3 << 22];
const FZ: u32 = 1 << 24;
const DN: u32 = 1 << 25;
const AHP: u32 = 1 << 26;

const IOC: u32 = 1 << 0;
const DZC: u32 = 1 << 1;
const OFC: u32 = 1 << 2;
const UFC: u32 = 1 << 3;
const IXC: u32 = 1 << 4;
const IDC: u32 = 1 << 7;

/// Registers of the operands every test uses; the destination is also the addend.
const D: u8 = 0;
const N: u8 = 2;
const M: u8 = 4;

/// Runs `op` on values of D, N and M under `fpscr`, and gives D and what became of FPSCR.
fn run(op: DataOp, double: bool, [d, n, m]: [u64; 3], fpscr: u32) -> (u64, u32) {
    let mut fpu = FpuRegs {
        fpscr,
        ..FpuRegs::default()
    };
    fpu.set(double, D, d);
    fpu.set(double, N, n);
    fpu.set(double, M, m);
    execute(op, &mut fpu);
    (fpu.get(double, D), fpu.fpscr & !fpscr)
}
