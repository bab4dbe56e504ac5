use std::fs::File;
use std::process::Command;

use pcap_file::pcapng::PcapNgReader;
use pcap_file::pcapng::blocks::block_common::Block;

use super::*;
use crate::net::test_frames::padded_with_fcs;

fn ping_frame(sequence: u8) -> Vec<u8> {
    let mut frame = vec![0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0x72, 1, 0x08, 0x00];
    let mut ip = vec![
        0x45, 0, 0, 32, 0, sequence, 0, 0, 64, 1, 0, 0, 192, 168, 1, 50, 192, 168, 1, 1,
    ];
    let header_sum = internet_checksum(&ip);
    ip[10..12].copy_from_slice(&header_sum);
    let mut icmp = vec![8, 0, 0, 0, 0, 1, 0, sequence, 1, 2, 3, 4];
    let icmp_sum = internet_checksum(&icmp);
    icmp[2..4].copy_from_slice(&icmp_sum);
    frame.extend(ip);
    frame.extend(icmp);
    padded_with_fcs(&frame)
}

fn internet_checksum(bytes: &[u8]) -> [u8; 2] {
    let mut sum: u32 = bytes
        .chunks(2)
        .map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]])))
        .sum();
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    (!(sum as u16)).to_be_bytes()
}

fn write_capture(path: &std::path::Path) {
    let mut capture = Capture::new(File::create(path).unwrap()).unwrap();
    capture.record(
        Direction::ToHost,
        Instant::from_ns(1_500_000_001),
        &ping_frame(1),
    );
    capture.record(
        Direction::ToBoard,
        Instant::from_ns(1_500_006_722),
        &ping_frame(2),
    );
    capture.finish().unwrap();
}

#[test]
fn a_capture_reads_back_to_the_nanosecond() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wire.pcapng");
    write_capture(&path);
    let mut reader = PcapNgReader::new(File::open(&path).unwrap()).unwrap();
    let mut packets = Vec::new();
    while let Some(block) = reader.next_block() {
        if let (Block::EnhancedPacket(packet), _) = block.unwrap() {
            let flags = packet.options.iter().find_map(|option| match option {
                EnhancedPacketOption::Flags(flags) => Some(*flags),
                _ => None,
            });
            packets.push((packet.timestamp, packet.data.to_vec(), flags));
        }
    }
    assert_eq!(
        packets,
        [
            (
                Duration::from_nanos(1_500_000_001),
                ping_frame(1),
                Some(2 | 4 << 5)
            ),
            (
                Duration::from_nanos(1_500_006_722),
                ping_frame(2),
                Some(1 | 4 << 5)
            ),
        ]
    );
}

#[test]
fn tshark_finds_every_check_sequence_and_checksum_right() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wire.pcapng");
    write_capture(&path);
    let Ok(output) = Command::new("tshark")
        .args(["-o", "eth.check_fcs:TRUE", "-o", "ip.check_checksum:TRUE"])
        .args(["-T", "fields", "-e", "eth.fcs.status"])
        .args(["-e", "ip.checksum.status", "-e", "icmp.checksum.status"])
        .args(["-e", "frame.time_epoch", "-r"])
        .arg(&path)
        .output()
    else {
        eprintln!("skipped: tshark is not installed");
        return;
    };
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "1\t1\t1\t1.500000001\n1\t1\t1\t1.500006722\n"
    );
}

#[test]
fn a_dropped_capture_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wire.pcapng");
    let mut capture = Capture::new(File::create(&path).unwrap()).unwrap();
    capture.record(Direction::ToHost, Instant::ZERO, &[0; 1_000]);
    drop(capture);
    let written = std::fs::metadata(&path).unwrap().len();
    assert!(written > 1_000, "{written}");
}

/// A sink that refuses everything after the headers.
struct Full {
    room: usize,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.room == 0 {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        let taken = bytes.len().min(self.room);
        self.room -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_told_at_the_end() {
    let mut capture = Capture::new(Full { room: 512 }).unwrap();
    for _ in 0..1_000 {
        capture.record(Direction::ToHost, Instant::ZERO, &ping_frame(0));
    }
    assert!(matches!(capture.finish(), Err(CaptureError::Write(_))));
}
