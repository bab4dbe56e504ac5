//! Why a run of the core ends.

use thiserror::Error;

/// How [`Cpu::run`](super::Cpu::run) came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The limit was reached: the next instruction would start at the limit or after it.
    Limit,
    /// The bus asked to pause; the run can go on at once.
    Pause,
    /// The firmware cannot go on.
    Stopped(StopReason),
}

/// What ends a run for good. Addresses are of the instruction at fault.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StopReason {
    /// An access to a register that exists on the part but not here.
    #[error("access to unmodelled register {block}+{offset:#x} ({address:#010x}) at pc {pc:#010x}")]
    UnmodelledRegister {
        pc: u32,
        address: u32,
        block: &'static str,
        offset: u32,
    },
    /// An instruction that exists on the part but not here.
    #[error("unmodelled instruction {encoding:#010x} at pc {pc:#010x}")]
    UnmodelledInstruction { pc: u32, encoding: u32 },
    /// An instruction the architecture leaves undefined (only with
    /// [`Options::stop_on_undefined`](super::Options)).
    #[error("undefined instruction {encoding:#010x} at pc {pc:#010x}")]
    Undefined { pc: u32, encoding: u32 },
    /// A fault at a priority at which no handler can run (ARMv7-M B1.5.15).
    #[error("lock-up at pc {pc:#010x}: {cause}")]
    LockUp { pc: u32, cause: FaultRecord },
    /// A breakpoint instruction.
    #[error("breakpoint {value} at pc {pc:#010x}")]
    Breakpoint { pc: u32, value: u8 },
    /// The program counter came to a watched place.
    #[error("{name} reached at pc {pc:#010x}")]
    Watched { pc: u32, name: String },
    /// The firmware asked for a system reset (AIRCR.SYSRESETREQ).
    #[error("system reset requested at pc {pc:#010x}")]
    ResetRequested { pc: u32 },
}

/// The last fault that was raised, kept so that a stop in a fault handler can name its cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultRecord {
    /// Instruction that faulted.
    pub pc: u32,
    /// CFSR bits the fault set (ARMv7-M B3.2.15).
    pub cfsr: u32,
    /// Data address, for precise bus and unaligned faults.
    pub address: Option<u32>,
}

impl std::fmt::Display for FaultRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "fault at pc {:#010x}, CFSR {:#010x}", self.pc, self.cfsr)?;
        match self.address {
            Some(address) => write!(f, ", address {address:#010x}"),
            None => Ok(()),
        }
    }
}
