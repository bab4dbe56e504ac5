//! Whether everybody who counts counts the same.

use std::path::Path;

use anyhow::{Context, ensure};

use super::talk::{ARPINGS, PINGS, StreamCounts};
use crate::metadata::{Study, Variant};
use crate::test::served::Summary;
use crate::test::tshark::{
    ARP_REPLY, ARP_REQUEST, Capture, CheckSequence, ECHO_REPLY, Frame, UDP_HEADER_BYTES, count,
    ensure_all_good,
};

/// Compares what tshark saw on the device with what the board, the device and the bench counted.
///
/// # Errors
/// Counts that differ, or a frame that tshark finds fault with.
pub fn compare(
    study: &Study,
    variant: &Variant,
    streams: &[StreamCounts],
    summary: &Summary,
    path: &Path,
) -> anyhow::Result<()> {
    let capture = Capture::read(path)?.context("tshark is gone")?;
    let frames = capture.frames()?;
    ensure_all_good(&frames, CheckSequence::Absent)?;
    let mac = variant.mac_address.to_string();
    let from_board = |frame: &Frame| frame.source.eq_ignore_ascii_case(&mac);
    let seen_from = count(&frames, from_board);
    let seen_to = frames.len() as u64 - seen_from;

    let [wire_to, _, wire_from, lost_from] = summary.figures("wire")?;
    let [requests, replies] = summary.figures("dhcp")?;
    let [tap_to, tap_from, too_long, _, refused] = summary.figures("tap")?;
    equal("frames too long or refused", too_long + refused, 0)?;
    equal("DHCP answers", replies, requests)?;
    equal(
        "frames to the board, tshark and the device",
        seen_to,
        tap_to,
    )?;
    equal(
        "frames to the board, tshark and the wire",
        seen_to,
        wire_to - replies,
    )?;
    equal(
        "frames from the board, tshark and the device",
        seen_from,
        tap_from,
    )?;
    equal(
        "frames from the board, tshark and the wire",
        seen_from,
        wire_from - lost_from - requests,
    )?;

    let port = study.echo_port.to_string();
    for stream in streams {
        let length = (stream.payload_bytes + UDP_HEADER_BYTES).to_string();
        let of_stream = |port_of: fn(&Frame) -> String| {
            count(&frames, |f| f.udp_length == length && port_of(f) == port)
        };
        let asked = of_stream(|frame| frame.udp_destination.to_owned());
        let echoed = of_stream(|frame| frame.udp_source.to_owned());
        equal("datagrams, tshark and the bench", asked, stream.sent)?;
        equal("echoes, tshark and the bench", echoed, stream.valid)?;
    }
    let pings = PINGS.iter().map(|(_, count)| count).sum();
    let answers = count(&frames, |frame| frame.icmp_type == ECHO_REPLY);
    equal("answers to pings", answers, pings)?;
    let arp = |opcode: &str, board_sent: bool| {
        count(&frames, |f| {
            f.arp_opcode == opcode && from_board(f) == board_sent
        })
    };
    equal(
        "answers to ARP, of the board",
        arp(ARP_REPLY, true),
        arp(ARP_REQUEST, false),
    )?;
    ensure!(
        arp(ARP_REPLY, true) >= ARPINGS,
        "arping is not in the capture"
    );
    Ok(())
}

/// Has tshark judge the board's own wire, and gives the number of frames on it.
///
/// # Errors
/// As [`compare`].
pub fn check_wire(summary: &Summary, path: &Path) -> anyhow::Result<u64> {
    let capture = Capture::read(path)?.context("tshark is gone")?;
    let frames = capture.frames()?;
    ensure_all_good(&frames, CheckSequence::Captured)?;
    let [to_board, lost_to, from_board, lost_from] = summary.figures("wire")?;
    let arrived = to_board - lost_to + from_board - lost_from;
    let total = frames.len() as u64;
    equal("frames on the wire", total, arrived)?;
    Ok(total)
}

fn equal(what: &str, one: u64, other: u64) -> anyhow::Result<()> {
    ensure!(one == other, "{what}: {one} and {other}");
    Ok(())
}
