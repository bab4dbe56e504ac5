//! An emulated NUCLEO-H723ZG: it runs unmodified STM32H723 firmware in deterministic virtual time.
//!
//! Rooms: [`cpu`] (the Cortex-M7), [`soc`] (the part's peripherals), [`chips`] (what else is soldered or
//! plugged on the board), [`net`] (the wire and the host on its far end), and [`machine`], which puts
//! them together as a [`Board`]. [`elf`] reads the firmware, [`log`] decodes what it logs.
//!
//! Time is an [`Instant`](time::Instant) in whole picoseconds. The core executes instruction by
//! instruction and charges each its [`cost`]; everything else happens at the instants of a
//! [`schedule`]. No thread, wall clock or unseeded random number is involved, so the same ELF file and
//! the same calls give the same run, to the cycle.
//!
//! `SOURCES.md` beside the sources says where the facts come from, how sure they are, and what the tags
//! in comments mean (PAC, SVD, EMB, HAL, "recalled", "assumed" ...); it lists the assumed parameters.
//! `NOT_EMULATED.md` says block by block what is left out.

pub mod bus;
pub mod chips;
pub mod config;
pub mod cost;
pub mod cpu;
pub mod data_cache;
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

pub use chips::LinkMode;
pub use config::{BoardConfig, NetworkDevice};
pub use data_cache::{CacheHazards, CacheModel};
pub use error::{BoardError, RunError, RunErrorKind};
pub use log::{FirmwareLog, LogLine};
pub use machine::{Board, BoardStats, Stop};

/// Version of the model, for people; it changes when results are expected to.
pub const MODEL_VERSION: &str = "2";

/// SHA-256 over the sources of this crate: results with another fingerprint come from another model.
pub const MODEL_FINGERPRINT: &str = env!("BOARD_MODEL_FINGERPRINT");
