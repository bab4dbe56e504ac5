//! An emulated NUCLEO-H723ZG: it runs unmodified STM32H723 firmware in deterministic virtual time.
//!
//! Rooms: [`cpu`] (the Cortex-M7), [`soc`] (the part's peripherals), [`chips`] (what else is soldered or
//! plugged on the board), [`net`] (the wire and the host on its far end), and [`machine`], which puts
//! them together as a [`Board`].

pub mod bus;
pub mod chips;
pub mod config;
pub mod cost;
pub mod cpu;
pub mod elf;
pub mod error;
pub mod irq;
pub mod log;
pub mod machine;
pub mod memory;
pub mod net;
pub mod schedule;
pub mod soc;
pub mod time;

pub use config::BoardConfig;
pub use error::{BoardError, RunError, RunErrorKind};
pub use log::{FirmwareLog, LogLine};
pub use machine::{Board, BoardStats, Stop};

/// Version of the model, for people; it changes when results are expected to.
pub const MODEL_VERSION: &str = "1";

/// SHA-256 over the sources of this crate: results with another fingerprint come from another model.
pub const MODEL_FINGERPRINT: &str = env!("BOARD_MODEL_FINGERPRINT");
