//! The floating-point extension FPv5-D16-M: registers, decoding and arithmetic.
//!
//! The core decodes with [`decode`] and runs [`FpOp::Data`] with [`execute`]. What needs core registers,
//! APSR or memory is described by the other variants of [`FpOp`] and carried out by the core, as are the
//! access check of CPACR and the lazy stacking of FPCCR.
//!
//! All arithmetic is done in integers, exactly, and rounded once: no host floating point is used, so the
//! flags and every rounding mode come from the same path.

mod arithmetic;
mod convert;
mod decode;
mod execute;
mod format;
mod op;
mod regs;
mod round;
mod status;
#[cfg(test)]
mod tests;

pub use decode::decode;
pub use execute::execute;
pub use op::{
    BinaryOp, Condition, DataOp, FpOp, HalfDirection, IntType, MulAddOp, MultipleMode, Rounding,
    RoundingMode, UnaryOp,
};
pub use regs::{FPSCR_MASK, FpuRegs};
