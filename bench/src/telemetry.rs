//! The telemetry protocol of profiling builds, as its client speaks it.
//!
//! Request, 8 bytes: magic `TLM1`, `u8` command, three zero bytes. Reply, 56 bytes, little-endian:
//! magic, `u8` command echoed, `u8` version 1, `u16` zero, then the fields of [`Telemetry`] in
//! their order.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::counts::{BrokenIdentity, at_most};
use crate::ratio::{Ratio, Undefined};

/// The first four bytes of requests and replies.
pub const MAGIC: [u8; 4] = *b"TLM1";
/// The length of a request.
pub const REQUEST_BYTES: usize = 8;
/// The length of a reply.
pub const REPLY_BYTES: usize = 56;
/// The version of the protocol.
pub const VERSION: u8 = 1;

/// What a request asks the device to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Command {
    /// Report the counters.
    Read = 0,
    /// Set the resettable counters to zero, then report.
    ResetThenRead = 1,
}

/// One reading of a device's counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Telemetry {
    /// Core cycles since the last reset of the counters.
    pub window_cycles: u64,
    /// Of those, cycles in which the executor was not asleep.
    pub busy_cycles: u64,
    /// Polls of the executor in the window.
    pub executor_polls: u64,
    /// The core clock in Hz.
    pub core_hz: u32,
    /// The stack's size in bytes.
    pub stack_capacity_bytes: u32,
    /// The most stack ever used, in bytes.
    pub stack_high_water_bytes: u32,
    /// Static RAM (data, bss and uninit) in bytes.
    pub static_ram_bytes: u32,
    /// Datagrams the echo server sent back in the window; 0 where the server does not count.
    pub echoed_datagrams: u64,
}

/// A payload that is no telemetry reply to the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TelemetryError {
    /// Not 56 bytes.
    #[error("telemetry reply of {0} bytes, expected {REPLY_BYTES}")]
    Length(usize),
    /// Another magic, or a reserved byte that is not zero.
    #[error("telemetry reply with a wrong magic or reserved field")]
    Header,
    /// The reply to another command.
    #[error("telemetry reply to command {0}, another one was sent")]
    Command(u8),
    /// Another version of the protocol.
    #[error("telemetry reply of version {0}, expected {VERSION}")]
    Version(u8),
}

impl Command {
    /// The request's payload.
    pub const fn encode(self) -> [u8; REQUEST_BYTES] {
        let [a, b, c, d] = MAGIC;
        [a, b, c, d, self as u8, 0, 0, 0]
    }
}

impl Telemetry {
    /// Reads the reply to `command`.
    ///
    /// # Errors
    /// When the payload is of another form or answers another command.
    pub fn decode(command: Command, payload: &[u8]) -> Result<Self, TelemetryError> {
        let reply: &[u8; REPLY_BYTES] = payload
            .try_into()
            .map_err(|_| TelemetryError::Length(payload.len()))?;
        if reply[..4] != MAGIC || reply[6..8] != [0, 0] {
            return Err(TelemetryError::Header);
        }
        if reply[4] != command as u8 {
            return Err(TelemetryError::Command(reply[4]));
        }
        if reply[5] != VERSION {
            return Err(TelemetryError::Version(reply[5]));
        }
        let u64_at = |at| u64::from_le_bytes(reply[at..at + 8].try_into().expect("eight bytes"));
        let u32_at = |at| u32::from_le_bytes(reply[at..at + 4].try_into().expect("four bytes"));
        Ok(Self {
            window_cycles: u64_at(8),
            busy_cycles: u64_at(16),
            executor_polls: u64_at(24),
            core_hz: u32_at(32),
            stack_capacity_bytes: u32_at(36),
            stack_high_water_bytes: u32_at(40),
            static_ram_bytes: u32_at(44),
            echoed_datagrams: u64_at(48),
        })
    }

    /// Checks what binds the counters of one reading; names the first broken identity.
    pub fn check(&self) -> Result<(), BrokenIdentity> {
        at_most(
            "busy_cycles <= window_cycles",
            self.busy_cycles,
            self.window_cycles,
        )?;
        let (used, capacity) = (self.stack_high_water_bytes, self.stack_capacity_bytes);
        at_most(
            "stack_high_water_bytes <= stack_capacity_bytes",
            used,
            capacity,
        )
    }

    /// The reply's payload, as a device sends it.
    pub fn encode(&self, command: Command) -> [u8; REPLY_BYTES] {
        let mut reply = [0; REPLY_BYTES];
        reply[..4].copy_from_slice(&MAGIC);
        reply[4] = command as u8;
        reply[5] = VERSION;
        let words = [self.window_cycles, self.busy_cycles, self.executor_polls];
        for (place, word) in reply[8..32].chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let halves = [
            self.core_hz,
            self.stack_capacity_bytes,
            self.stack_high_water_bytes,
            self.static_ram_bytes,
        ];
        for (place, half) in reply[32..48].chunks_exact_mut(4).zip(halves) {
            place.copy_from_slice(&half.to_le_bytes());
        }
        reply[48..].copy_from_slice(&self.echoed_datagrams.to_le_bytes());
        reply
    }

    /// The executor's share of the core: busy cycles over the window; absent for an empty window.
    pub fn cpu_share(&self) -> Result<Ratio, Undefined> {
        Ratio::new(
            self.busy_cycles,
            self.window_cycles,
            "the telemetry window has no cycles",
        )
    }

    /// Busy cycles for each of `valid` datagrams; absent when there is none.
    pub fn busy_cycles_per_valid(&self, valid: u64) -> Result<Ratio, Undefined> {
        Ratio::new(self.busy_cycles, valid, "no valid datagram")
    }
}
