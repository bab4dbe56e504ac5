//! What is said to the board over the TAP device.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, ensure};
use serde_json::Value;

use super::namespace::Namespace;
use super::{BOARD, DEVICE};
use crate::metadata::{Study, Variant};
use crate::output;
use crate::test::tshark::{ECHO_REPLY, Frame};

/// Data in bytes and number of pings: the usual length, the longest in one frame, and last of all one of
/// a length of its own.
pub const PINGS: [(u64, u64); 3] = [(56, 5), (1_472, 3), (77, 1)];
pub const ARPINGS: u64 = 2;
/// Streams of the bench: payload in bytes, rate in hertz, duration.
const STREAMS: [(u64, u64, &str); 2] = [(100, 200, "500ms"), (1_472, 100, "1s")];
const STREAM_DATAGRAMS: u64 = 100;
/// Header bytes of a ping before its data: Ethernet, IPv4, ICMP.
const PING_HEADERS: u64 = 14 + 20 + 8;

/// What a stream of the bench counted.
pub struct StreamCounts {
    pub payload_bytes: u64,
    pub sent: u64,
    pub valid: u64,
}

/// Everything that is said to the board.
pub struct Talk<'a> {
    pub namespace: &'a Namespace,
    pub bench: &'a Path,
    pub study: &'a Study,
    pub variant: &'a Variant,
}

impl Talk<'_> {
    /// Pings, asks for the board's hardware address, streams, and pings once more.
    ///
    /// # Errors
    /// An answer that does not come.
    pub fn all(&self) -> anyhow::Result<Vec<StreamCounts>> {
        let (last, first) = PINGS.split_last().context("there are pings")?;
        for (bytes, count) in first {
            self.ping(*bytes, *count)?;
        }
        self.arping()?;
        // From here on the system asks nothing of its own accord that nobody counts.
        let mac = self.variant.mac_address.to_string();
        let known = format!("ip neigh replace {BOARD} lladdr {mac} nud permanent dev {DEVICE}");
        self.namespace.run(&known)?;
        let streams = STREAMS
            .iter()
            .map(|(bytes, hz, duration)| self.stream(*bytes, *hz, duration));
        let streams = streams.collect::<anyhow::Result<_>>()?;
        self.ping(last.0, last.1)?;
        Ok(streams)
    }

    fn ping(&self, bytes: u64, count: u64) -> anyhow::Result<()> {
        let command = format!("ping -n -i 0.05 -s {bytes} -c {count} -W 30 {BOARD}");
        let said = self.namespace.run(&command).context(command)?;
        let expected = format!("{count} packets transmitted, {count} received");
        ensure!(said.contains(&expected), "ping -s {bytes}: {said}");
        Ok(())
    }

    fn arping(&self) -> anyhow::Result<()> {
        let said = self
            .namespace
            .run(&format!("arping -c {ARPINGS} -I {DEVICE} {BOARD}"))?;
        let mac = self.variant.mac_address.to_string().to_uppercase();
        let answers = said
            .lines()
            .filter(|line| line.contains(&format!("[{mac}]")));
        ensure!(answers.count() as u64 == ARPINGS, "arping: {said}");
        Ok(())
    }

    fn stream(
        &self,
        payload_bytes: u64,
        rate_hz: u64,
        duration: &str,
    ) -> anyhow::Result<StreamCounts> {
        let mut command = self.namespace.command(self.bench);
        let board = format!("{BOARD}:{}", self.study.echo_port);
        command.args([
            "stream",
            "--board",
            &board,
            "--json",
            "--warm-up-packets",
            "0",
        ]);
        command.args(["--duration", duration, "--rate-hz", &rate_hz.to_string()]);
        command.args(["--payload-bytes", &payload_bytes.to_string()]);
        let output = command
            .stdin(Stdio::null())
            .output()
            .context("cannot run the bench")?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        let result: Value = serde_json::from_slice(&output.stdout)
            .with_context(|| format!("the bench printed no result: {complaint}"))?;
        let counts = find(&result, "counts").context("the bench's result has no counts")?;
        let count = |name: &str| {
            let value = counts.get(name).and_then(Value::as_u64);
            value.with_context(|| format!("the bench does not count {name}"))
        };
        let (sent, valid) = (count("sent")?, count("valid")?);
        // A machine that stalls hands the board what came meanwhile all at once, and a W5500 holds one
        // large datagram: some may be lost, and everybody has to count those that were not.
        ensure!(
            sent == STREAM_DATAGRAMS && valid > 0,
            "of {STREAM_DATAGRAMS} datagrams the bench sent {sent} and got {valid} back: {counts}"
        );
        if valid < sent {
            output::note(&format!(
                "the machine stalled: {valid} of {sent} datagrams came back"
            ));
        }
        Ok(StreamCounts {
            payload_bytes,
            sent,
            valid,
        })
    }
}

/// The value of the first object's field of that name, however deep.
fn find<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    match value {
        Value::Object(fields) => {
            let here = fields.get(name);
            here.or_else(|| fields.values().find_map(|value| find(value, name)))
        }
        Value::Array(values) => values.iter().find_map(|value| find(value, name)),
        _ => None,
    }
}

/// Whether the frame is the answer to the last ping.
pub fn is_last_answer(frame: &Frame) -> bool {
    let last = PINGS
        .last()
        .map(|(bytes, _)| (PING_HEADERS + bytes).to_string());
    frame.icmp_type == ECHO_REPLY && Some(frame.len) == last.as_deref()
}
