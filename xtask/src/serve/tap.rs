//! The board's cable on a TAP device: frames of the board come out of it, frames sent to it reach the
//! board.

use std::fs;
use std::io::{ErrorKind, Result};
use std::os::fd::AsRawFd;
use std::time::Instant;

use anyhow::{Context, ensure};
use board::Board;
use board::net::external::ExternalPort;
use board::net::frame::MAX_LEN;
use board::net::wire::Direction;
use mio::unix::SourceFd;
use mio::{Interest, Registry};
use tun_rs::{DeviceBuilder, Layer, SyncDevice};

use super::outside::{Outside, WAKE};

/// Longer than any frame, so that one that is too long is seen as such.
const BUFFER_LEN: usize = 65_536;

/// A TAP device that the board is plugged into.
pub struct Tap {
    device: SyncDevice,
    buffer: Vec<u8>,
    counters: TapCounters,
}

/// What passed the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TapCounters {
    to_board: u64,
    /// Frames that are longer than the board's Ethernet takes.
    too_long: u64,
    from_board: u64,
    /// Frames that the device did not take, as when it is down.
    refused: u64,
}

impl Tap {
    /// Opens an existing device.
    ///
    /// # Errors
    /// When there is none of that name, or this user may not.
    pub fn open(name: &str) -> anyhow::Result<Self> {
        ensure!(
            exists(name)?,
            "there is no network device {name}; make it: {}",
            make_command(name)
        );
        let builder = DeviceBuilder::new().name(name).layer(Layer::L2);
        let open = || {
            let device = builder.inherit_enable_state().build_sync()?;
            device.set_nonblocking(true)?;
            Ok(device)
        };
        let opened: Result<SyncDevice> = open();
        let device = opened.with_context(|| {
            let command = make_command(name);
            format!("cannot open {name} as a TAP device of this user (made by: {command})")
        })?;
        Ok(Self {
            device,
            buffer: vec![0; BUFFER_LEN],
            counters: TapCounters::default(),
        })
    }

    /// The device's own hardware address.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn mac_address(&self) -> anyhow::Result<[u8; 6]> {
        let address = self.device.mac_address();
        address.context("cannot read the device's hardware address")
    }

    /// Has frames wake whoever polls `registry`.
    ///
    /// # Errors
    /// When the system cannot wait for them.
    pub fn register(&self, registry: &Registry) -> anyhow::Result<()> {
        let fd = self.device.as_raw_fd();
        let registered = registry.register(&mut SourceFd(&fd), WAKE, Interest::READABLE);
        registered.context("cannot wait for frames")
    }

    fn move_in(&mut self, port: &mut ExternalPort) -> anyhow::Result<bool> {
        let mut active = false;
        while port.has_room() {
            let len = match self.device.recv(&mut self.buffer) {
                Ok(len) => len,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(active),
                Err(error) => return Err(error).context("cannot read frames from the device"),
            };
            active = true;
            match port.send(&self.buffer[..len]) {
                Ok(()) => self.counters.to_board += 1,
                Err(_) => self.counters.too_long += 1,
            }
        }
        Ok(true)
    }

    fn move_out(&mut self, port: &mut ExternalPort) -> bool {
        let before = self.counters;
        while let Some(frame) = port.receive() {
            match self.device.send(&frame) {
                Ok(_) => self.counters.from_board += 1,
                Err(_) => self.counters.refused += 1,
            }
        }
        self.counters != before
    }
}

impl Outside for Tap {
    fn exchange(&mut self, board: &mut Board, _now: Instant) -> anyhow::Result<bool> {
        let port = board.external().context("the cable is not in the port")?;
        let replied = self.move_out(port);
        Ok(replied | self.move_in(port)?)
    }

    fn summary(&mut self, board: &mut Board) -> Vec<(String, String)> {
        let device = self.counters;
        let port = board.external().map(|port| port.counters());
        let port = port.unwrap_or_default();
        let wire = &board.soc().network().wire;
        let (to_board, from_board) = (wire.sent(Direction::ToBoard), wire.sent(Direction::ToHost));
        // What the board sent is in the port, on the wire or lost.
        let arrived = port.fcs_errors + port.dhcp_requests + port.outward;
        let lost_from = from_board - arrived - wire.queued(Direction::ToHost) as u64;
        let lost_to = wire.lost_without_carrier() - lost_from;
        [
            (
                "wire",
                format!(
                    "{to_board} frames to the board, {lost_to} of them lost without a link; \
                     {from_board} from it, {lost_from} of them lost"
                ),
            ),
            (
                "dhcp",
                format!(
                    "{} messages answered with {}, none of them on the device",
                    port.dhcp_requests, port.dhcp_replies
                ),
            ),
            (
                "tap",
                format!(
                    "{} frames to the board, {} from it; {} longer than {MAX_LEN} B, {} not taken by \
                     the device",
                    device.to_board, device.from_board, device.too_long, device.refused
                ),
            ),
        ]
        .map(|(subject, text)| (subject.to_owned(), text))
        .into()
    }
}

fn make_command(name: &str) -> String {
    format!("sudo ip tuntap add dev {name} mode tap user $USER")
}

/// Whether this network namespace has a device of that name.
fn exists(name: &str) -> anyhow::Result<bool> {
    const LIST: &str = "/proc/self/net/dev";
    let list = fs::read_to_string(LIST).with_context(|| format!("cannot read {LIST}"))?;
    Ok(is_listed(&list, name))
}

fn is_listed(list: &str, name: &str) -> bool {
    let names = list.lines().filter_map(|line| line.split_once(':'));
    names
        .map(|(listed, _)| listed.trim())
        .any(|listed| listed == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_found_by_its_whole_name() {
        let list = "Inter-|   Receive\n face |bytes\n    lo: 0 0\nboard0: 1 2\n";
        for (name, found) in [
            ("lo", true),
            ("board0", true),
            ("board", false),
            ("face", false),
        ] {
            assert_eq!(is_listed(list, name), found, "{name}");
        }
    }

    #[test]
    fn a_device_that_is_not_there_is_told_with_the_command_that_makes_it() {
        let error = Tap::open("no-such-device")
            .err()
            .expect("an error")
            .to_string();
        assert!(
            error.contains("ip tuntap add dev no-such-device mode tap"),
            "{error}"
        );
    }
}
