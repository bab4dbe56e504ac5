//! What the firmware says of its network in its log.

use std::net::Ipv4Addr;

use anyhow::Context;
use bench::Nanos;
use board::FirmwareLog;
use board::time::Instant;

/// Something the firmware said of its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    LinkUp,
    LinkDown,
    /// A DHCP server gave it this address.
    Lease(Ipv4Addr),
    /// No DHCP server answered, so that it took this address of its own.
    Fallback(Ipv4Addr),
}

impl Event {
    /// What a message of the log says of the network, if anything.
    pub fn of(message: &str) -> Option<Self> {
        let address = |text: &str| text.split('/').next()?.parse().ok();
        match message {
            "link up" => Some(Self::LinkUp),
            "link down" => Some(Self::LinkDown),
            _ => match message.strip_prefix("no lease, static ") {
                Some(text) => address(text).map(Self::Fallback),
                None => address(message.strip_prefix("lease ")?).map(Self::Lease),
            },
        }
    }
}

/// Decodes the log of one firmware as its bytes come.
pub struct LogReader {
    log: FirmwareLog,
}

impl LogReader {
    /// A reader for the firmware in `elf`.
    ///
    /// # Errors
    /// When what the file says of its log cannot be used.
    pub fn new(elf: &[u8]) -> anyhow::Result<Self> {
        let log = FirmwareLog::new(elf).context("cannot decode its log")?;
        Ok(Self { log })
    }

    /// The messages in what was read at `at`.
    pub fn messages(&mut self, at: Nanos, bytes: &[u8]) -> Vec<String> {
        self.log.received(Instant::from_ns(at.0), bytes);
        let lines = self.log.take_lines().into_iter();
        lines.map(|line| line.message).collect()
    }

    /// Bytes so far that were no log.
    pub fn undecodable_bytes(&self) -> u64 {
        self.log.undecodable()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn messages_about_the_network_are_understood_with_and_without_prefix_length() {
        let address = Ipv4Addr::new(192, 168, 1, 50);
        for (message, event) in [
            ("link up", Some(Event::LinkUp)),
            ("link down", Some(Event::LinkDown)),
            ("lease 192.168.1.50/24", Some(Event::Lease(address))),
            ("lease 192.168.1.50", Some(Event::Lease(address))),
            (
                "no lease, static 192.168.1.50/24",
                Some(Event::Fallback(address)),
            ),
            (
                "no lease, static 192.168.1.50",
                Some(Event::Fallback(address)),
            ),
            ("lease of life", None),
            ("SCK 25000000 Hz", None),
            ("", None),
        ] {
            assert_eq!(Event::of(message), event, "{message:?}");
        }
    }

    proptest! {
        #[test]
        fn any_address_is_read_back_and_any_message_is_taken(address: Ipv4Addr, message in ".*") {
            prop_assert_eq!(Event::of(&format!("lease {address}/8")), Some(Event::Lease(address)));
            let fallback = format!("no lease, static {address}");
            prop_assert_eq!(Event::of(&fallback), Some(Event::Fallback(address)));
            let _ = Event::of(&message);
        }
    }
}
