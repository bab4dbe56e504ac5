//! The debug probe's side of RTT: it reads up-channel 0 out of the firmware's memory.
//!
//! Layout of the control block: SEGGER RTT, as probes read it: a 16-byte identifier, the numbers of up
//! and down channels, then for each channel name, buffer, size, write offset, read offset and flags.

use crate::memory::Memory;
use crate::time::{Instant, Span};

/// How often the probe looks. Probes poll every few milliseconds; the period is part of what makes a
/// run reproducible.
pub const POLL_PERIOD: Span = Span::from_ms(10);

const IDENTIFIER: &[u8; 16] = b"SEGGER RTT\0\0\0\0\0\0";
const UP_COUNT: u32 = 16;
const BUFFER: u32 = 24 + 4;
const SIZE: u32 = 24 + 8;
const WRITE: u32 = 24 + 12;
const READ: u32 = 24 + 16;

/// Bytes that the probe read at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub at: Instant,
    pub bytes: Vec<u8>,
}

/// The probe.
#[derive(Clone, Debug)]
pub struct RttProbe {
    control_block: u32,
    chunks: Vec<Chunk>,
}

impl RttProbe {
    /// A probe that knows where the control block lies (the ELF's symbol `_SEGGER_RTT`).
    pub fn new(control_block: u32) -> Self {
        Self {
            control_block,
            chunks: Vec::new(),
        }
    }

    /// Reads what the firmware wrote since the last time, and tells it so through the read offset.
    /// Does nothing as long as the firmware has not set up a valid control block.
    pub fn poll(&mut self, now: Instant, memory: &mut Memory) {
        if let Some(bytes) = drain(self.control_block, memory)
            && !bytes.is_empty()
        {
            self.chunks.push(Chunk { at: now, bytes });
        }
    }

    /// Takes what was read since the last call.
    pub fn take(&mut self) -> Vec<Chunk> {
        std::mem::take(&mut self.chunks)
    }
}

fn drain(block: u32, memory: &mut Memory) -> Option<Vec<u8>> {
    if memory.slice(block, 16)? != IDENTIFIER || memory.load_u32(block + UP_COUNT)? == 0 {
        return None;
    }
    let buffer = memory.load_u32(block + BUFFER)?;
    let size = memory.load_u32(block + SIZE)?;
    let write = memory.load_u32(block + WRITE)?;
    let read = memory.load_u32(block + READ)?;
    if write >= size || read >= size {
        return None;
    }
    let bytes = if write >= read {
        memory.slice(buffer + read, write - read)?.to_vec()
    } else {
        let mut bytes = memory.slice(buffer + read, size - read)?.to_vec();
        bytes.extend_from_slice(memory.slice(buffer, write)?);
        bytes
    };
    memory.store_u32(block + READ, write)?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: u32 = 0x2400_0000;
    const RING: u32 = 0x2400_0100;

    fn memory_with(write: u32, read: u32) -> Memory {
        let mut memory = Memory::default();
        assert!(memory.program(BLOCK, IDENTIFIER));
        assert!(memory.program(RING, &[10, 11, 12, 13, 14, 15, 16, 17]));
        for (offset, value) in [
            (UP_COUNT, 1),
            (BUFFER, RING),
            (SIZE, 8),
            (WRITE, write),
            (READ, read),
        ] {
            memory.store_u32(BLOCK + offset, value).unwrap();
        }
        memory
    }

    #[test]
    fn reads_across_the_end_of_the_ring_and_moves_the_read_offset() {
        let mut memory = memory_with(2, 6);
        let mut probe = RttProbe::new(BLOCK);
        probe.poll(Instant::from_ns(7), &mut memory);
        assert_eq!(
            probe.take(),
            [Chunk {
                at: Instant::from_ns(7),
                bytes: vec![16, 17, 10, 11]
            }]
        );
        assert_eq!(memory.load_u32(BLOCK + READ), Some(2));
        probe.poll(Instant::from_ns(8), &mut memory);
        assert_eq!(probe.take(), []);
    }

    #[test]
    fn leaves_a_block_alone_that_is_not_valid() {
        let mut memory = memory_with(9, 0);
        let mut probe = RttProbe::new(BLOCK);
        probe.poll(Instant::ZERO, &mut memory);
        assert_eq!(probe.take(), []);
        assert_eq!(memory.load_u32(BLOCK + READ), Some(0));
    }
}
