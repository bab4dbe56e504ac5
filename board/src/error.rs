//! Why a board cannot be built, and why a run ends early.

use crate::elf::{ElfError, Place};
use crate::log::{LogError, LogLine};
use crate::soc::limits::ClockViolation;
use crate::time::Instant;

/// Why an ELF file does not become a board.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    #[error(transparent)]
    Elf(#[from] ElfError),
    #[error(transparent)]
    Log(#[from] LogError),
}

/// What ended a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunErrorKind {
    #[error("access to {block}+{offset:#x} ({address:#010x}), a register that is not modelled")]
    UnmodelledRegister {
        block: &'static str,
        offset: u32,
        address: u32,
    },
    #[error("instruction {encoding:#010x} is not modelled")]
    UnmodelledInstruction { encoding: u32 },
    #[error("undefined instruction {encoding:#010x}")]
    UndefinedInstruction { encoding: u32 },
    #[error("HardFault{}", cause.as_ref().map(|c| format!(": {c}")).unwrap_or_default())]
    HardFault { cause: Option<String> },
    #[error("panic{}", message.as_ref().map(|m| format!(": {m}")).unwrap_or_default())]
    Panic { message: Option<String> },
    #[error("lock-up: {cause}")]
    LockUp { cause: String },
    #[error("breakpoint {value}")]
    Breakpoint { value: u8 },
    #[error("the firmware asked for a reset")]
    ResetRequested,
    #[error("outside the part's specification: {0}")]
    ClockViolation(#[from] ClockViolation),
}

/// The end of a run that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    pub kind: RunErrorKind,
    /// When it happened.
    pub at: Instant,
    /// The instruction at which it happened.
    pub pc: u32,
    /// The function that contains `pc`.
    pub place: Option<Place>,
    /// What the firmware had logged.
    pub log: Vec<LogLine>,
}

/// One line; the log is for the caller to show.
impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let us = self.at.as_ns() / 1_000;
        write!(
            f,
            "{} at {}.{:06} s",
            self.kind,
            us / 1_000_000,
            us % 1_000_000
        )?;
        write!(f, ", pc {:#010x}", self.pc)?;
        match &self.place {
            Some(place) => write!(f, " in {place}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for RunError {}
