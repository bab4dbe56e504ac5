//! The floating-point extension FPv5-D16-M: registers, decoding and arithmetic.
//!
//! The core decodes with [`decode`] and runs [`FpOp::Data`] with `execute`. What needs core registers,
//! APSR or memory is described by the other variants of [`FpOp`] and carried out by the core, as are the
//! access check of CPACR and the lazy stacking of FPCCR.

mod decode;
mod op;
mod regs;

pub use decode::decode;
pub use op::{
    BinaryOp, Condition, DataOp, FpOp, HalfDirection, IntType, MulAddOp, MultipleMode, Rounding,
    UnaryOp,
};
pub use regs::{FPSCR_MASK, FpuRegs};
