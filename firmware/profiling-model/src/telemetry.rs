//! The telemetry datagrams: an 8-byte request and a 56-byte reply, little-endian.

use crate::LoadWindow;

/// Length of a request.
pub const REQUEST_BYTES: usize = 8;
/// Length of a reply.
pub const REPLY_BYTES: usize = 56;

const MAGIC: [u8; 4] = *b"TLM1";
const VERSION: u8 = 1;

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Report the current window.
    Read = 0,
    /// Start a new window, then report it.
    ResetThenRead = 1,
}

impl Command {
    /// Reads a request: magic, command, three zero bytes. Anything else is `None`.
    pub fn parse(request: &[u8]) -> Option<Self> {
        match request.strip_prefix(&MAGIC)? {
            [0, 0, 0, 0] => Some(Self::Read),
            [1, 0, 0, 0] => Some(Self::ResetThenRead),
            _ => None,
        }
    }
}

/// What a profiling build tells about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The command that is answered.
    pub command: Command,
    /// The executor's load since the last reset.
    pub load: LoadWindow,
    /// Core clock in hertz.
    pub core_hz: u32,
    /// Bytes reserved for the stack.
    pub stack_capacity_bytes: u32,
    /// Bytes of the stack that have been used since the part's reset.
    pub stack_high_water_bytes: u32,
    /// Bytes of data, bss and uninitialised statics.
    pub static_ram_bytes: u32,
    /// Datagrams echoed; 0 where the server does not count.
    pub echoed_datagrams: u64,
}

impl Reply {
    /// The datagram: magic, command, version, two zero bytes, then the fields in the order of the
    /// declaration.
    pub fn to_bytes(self) -> [u8; REPLY_BYTES] {
        let mut bytes = [0; REPLY_BYTES];
        bytes[0..4].copy_from_slice(&MAGIC);
        bytes[4] = self.command as u8;
        bytes[5] = VERSION;
        bytes[8..16].copy_from_slice(&self.load.window_cycles.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.load.busy_cycles.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.load.polls.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.core_hz.to_le_bytes());
        bytes[36..40].copy_from_slice(&self.stack_capacity_bytes.to_le_bytes());
        bytes[40..44].copy_from_slice(&self.stack_high_water_bytes.to_le_bytes());
        bytes[44..48].copy_from_slice(&self.static_ram_bytes.to_le_bytes());
        bytes[48..56].copy_from_slice(&self.echoed_datagrams.to_le_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_commands_are_read() {
        assert_eq!(Command::parse(b"TLM1\0\0\0\0"), Some(Command::Read));
        assert_eq!(
            Command::parse(b"TLM1\x01\0\0\0"),
            Some(Command::ResetThenRead)
        );
    }

    #[test]
    fn requests_of_another_form_are_refused() {
        let others: [&[u8]; 7] = [
            b"",
            b"TLM1",
            b"TLM1\0\0\0",
            b"TLM1\0\0\0\0\0",
            b"TLM2\0\0\0\0",
            b"TLM1\x02\0\0\0",
            b"TLM1\0\0\0\x01",
        ];
        for other in others {
            assert_eq!(Command::parse(other), None, "{other:?}");
        }
    }

    proptest! {
        #[test]
        fn only_the_two_requests_are_ever_accepted(request in prop::collection::vec(any::<u8>(), 0..16)) {
            let known = request == b"TLM1\0\0\0\0" || request == b"TLM1\x01\0\0\0";
            prop_assert_eq!(Command::parse(&request).is_some(), known);
        }

        #[test]
        fn a_valid_request_with_one_byte_changed_is_refused(
            command in 0_u8..=1,
            at in 0_usize..8,
            to in any::<u8>(),
        ) {
            let mut request = *b"TLM1\0\0\0\0";
            request[4] = command;
            prop_assume!(request[at] != to && (at != 4 || to > 1));
            request[at] = to;
            prop_assert_eq!(Command::parse(&request), None);
        }
    }

    #[test]
    fn every_field_has_its_place() {
        let reply = Reply {
            command: Command::ResetThenRead,
            load: LoadWindow {
                window_cycles: 0x0807_0605_0403_0201,
                busy_cycles: 0x1817_1615_1413_1211,
                polls: 0x2827_2625_2423_2221,
            },
            core_hz: 0x3433_3231,
            stack_capacity_bytes: 0x4443_4241,
            stack_high_water_bytes: 0x5453_5251,
            static_ram_bytes: 0x6463_6261,
            echoed_datagrams: 0x7877_7675_7473_7271,
        };
        let mut expected = *b"TLM1\x01\x01\0\0________________________________________________";
        let fields = [
            (0x01, 8),
            (0x11, 8),
            (0x21, 8),
            (0x31, 4),
            (0x41, 4),
            (0x51, 4),
            (0x61, 4),
            (0x71, 8),
        ];
        let mut at = 8;
        for (first, length) in fields {
            for offset in 0..length {
                expected[at] = first + offset;
                at += 1;
            }
        }
        assert_eq!(at, REPLY_BYTES);
        assert_eq!(reply.to_bytes(), expected);
    }
}
