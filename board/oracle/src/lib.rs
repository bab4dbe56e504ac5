//! Differential tests of the emulated board's Cortex-M7 core.
//!
//! [`tables`] lists the encodings of ARMv7E-M with FPv5-D16. [`generate`] makes random programs from them,
//! [`cores`] runs a program from the same start on the board's core and on rigless's, and [`compare`]
//! finds what differs and the shortest program that still shows it.

pub mod compare;
pub mod cores;
pub mod encoding;
pub mod generate;
pub mod machine;
pub mod program;
pub mod tables;
