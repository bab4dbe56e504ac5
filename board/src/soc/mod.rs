//! Peripherals of the STM32H723.
