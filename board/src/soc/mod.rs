//! Peripherals of the STM32H723.

pub mod clocks;
pub mod context;
