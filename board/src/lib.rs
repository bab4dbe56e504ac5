//! An emulated NUCLEO-H723ZG: it runs unmodified STM32H723 firmware in deterministic virtual time.
//!
//! Rooms: [`cpu`] (the Cortex-M7), [`soc`] (the part's peripherals), [`chips`] (what else is soldered or
//! plugged on the board), [`net`] (the wire and the host on its far end).

pub mod bus;
pub mod chips;
pub mod cost;
pub mod cpu;
pub mod irq;
pub mod memory;
pub mod net;
pub mod schedule;
pub mod soc;
pub mod time;
