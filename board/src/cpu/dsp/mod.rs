//! The DSP extension (ARMv7-M ARM, chapter A7): pure functions on register values.
//!
//! Nothing here touches processor state: what an instruction does to APSR.Q or APSR.GE is in its result.
//! Parameters carry the names of the manual's register fields (`n` for Rn, `m` for Rm, `a` for Ra).

mod multiply;
mod pack;
mod parallel;
mod saturate;

pub use multiply::*;
pub use pack::*;
pub use parallel::*;
pub use saturate::*;

/// A result that may set the sticky overflow flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sticky {
    /// The destination register's new value.
    pub value: u32,
    /// Set APSR.Q; false leaves it as it is.
    pub q: bool,
}

const fn low(x: u32) -> i32 {
    x as i16 as i32
}

const fn high(x: u32) -> i32 {
    (x as i32) >> 16
}

/// The signed halfword of `x` that an instruction's B (false) or T (true) suffix selects.
const fn half(x: u32, top: bool) -> i32 {
    if top { high(x) } else { low(x) }
}
