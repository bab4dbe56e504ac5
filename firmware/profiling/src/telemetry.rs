//! What a telemetry request is answered with.

use platform::CORE_HZ;
use profiling_model::{Command, REPLY_BYTES, Reply};

use crate::{executor, memory};

/// The telemetry service's port.
pub const PORT: u16 = 5001;

/// The reply to a datagram, if it is a request.
pub fn answer(request: &[u8]) -> Option<[u8; REPLY_BYTES]> {
    let command = Command::parse(request)?;
    // Scanning the stack takes long: it comes first, so that a new window does not contain it.
    let stack_high_water_bytes = memory::stack_high_water_bytes();
    if command == Command::ResetThenRead {
        executor::reset_load();
    }
    let reply = Reply {
        command,
        load: executor::load(),
        core_hz: CORE_HZ,
        stack_capacity_bytes: memory::stack_capacity_bytes(),
        stack_high_water_bytes,
        static_ram_bytes: memory::static_ram_bytes(),
        echoed_datagrams: 0,
    };
    Some(reply.to_bytes())
}
