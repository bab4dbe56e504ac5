//! The checksum engines: insertion into frames to send, verification of received ones.
//!
//! They know untagged IPv4 with UDP, TCP and ICMP; everything else passes untouched.

use crate::net::frame::HEADER_LEN;

const ETHERTYPE_IPV4: [u8; 2] = [0x08, 0x00];
const ICMP: u8 = 1;
const TCP: u8 = 6;
const UDP: u8 = 17;

/// What TDES3.CIC asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insertion {
    None,
    Header,
    /// The software left the pseudo-header's sum in the checksum field.
    HeaderAndPayload,
    Full,
}

impl Insertion {
    /// Decodes the two bits of CIC.
    pub const fn from_bits(bits: u32) -> Self {
        match bits & 0b11 {
            0 => Self::None,
            1 => Self::Header,
            2 => Self::HeaderAndPayload,
            _ => Self::Full,
        }
    }
}

/// What verification found (RDES1 of a received frame).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// RDES1.PT: 1 UDP, 2 TCP, 3 ICMP, 0 unknown or not looked at.
    pub payload_type: u32,
    pub ipv4: bool,
    pub header_error: bool,
    /// The payload's checksum was not looked at.
    pub bypassed: bool,
    pub payload_error: bool,
}

/// Where the parts of an IPv4 packet lie in its frame.
struct Ipv4Layout {
    header_end: usize,
    end: usize,
    protocol: u8,
    fragment: bool,
}

impl Ipv4Layout {
    fn of(frame: &[u8]) -> Option<Self> {
        if frame.get(12..14)? != ETHERTYPE_IPV4 {
            return None;
        }
        let packet = frame.get(HEADER_LEN..)?;
        let header_len = usize::from(packet.first()? & 0xF) * 4;
        let total_len = usize::from(u16::from_be_bytes([*packet.get(2)?, *packet.get(3)?]));
        let fits = packet[0] >> 4 == 4
            && (20..=total_len).contains(&header_len)
            && total_len <= packet.len();
        fits.then(|| Self {
            header_end: HEADER_LEN + header_len,
            end: HEADER_LEN + total_len,
            protocol: packet[9],
            fragment: u16::from_be_bytes([packet[6], packet[7]]) & 0x3FFF != 0,
        })
    }

    /// RDES1.PT and the place of the checksum in the payload.
    fn payload_checksum(&self) -> Option<(u32, usize)> {
        let (kind, at, header_len) = match self.protocol {
            UDP => (1, 6, 8),
            TCP => (2, 16, 20),
            ICMP => (3, 2, 8),
            _ => return None,
        };
        (self.end - self.header_end >= header_len).then_some((kind, self.header_end + at))
    }

    fn pseudo_header_sum(&self, frame: &[u8]) -> u32 {
        if self.protocol == ICMP {
            return 0;
        }
        let addresses = HEADER_LEN + 12..HEADER_LEN + 20;
        sum(&frame[addresses]) + u32::from(self.protocol) + (self.end - self.header_end) as u32
    }
}

/// Puts the checksums that `insertion` asks for into a frame (without its check sequence).
pub fn insert(frame: &mut [u8], insertion: Insertion) {
    if insertion == Insertion::None {
        return;
    }
    let Some(layout) = Ipv4Layout::of(frame) else {
        return;
    };
    let header = HEADER_LEN..layout.header_end;
    put(frame, HEADER_LEN + 10, 0);
    let header_sum = fold(sum(&frame[header]));
    put(frame, HEADER_LEN + 10, !header_sum);
    let (Some((_, at)), false) = (layout.payload_checksum(), layout.fragment) else {
        return;
    };
    let seed = match insertion {
        Insertion::Full => {
            put(frame, at, 0);
            layout.pseudo_header_sum(frame)
        }
        Insertion::HeaderAndPayload => 0,
        _ => return,
    };
    let checksum = !fold(seed + sum(&frame[layout.header_end..layout.end]));
    let unused_by_udp = layout.protocol == UDP && checksum == 0;
    put(frame, at, if unused_by_udp { 0xFFFF } else { checksum });
}

/// Verifies a received frame's checksums.
pub fn verify(frame: &[u8]) -> Verified {
    if frame.get(12..14) != Some(&ETHERTYPE_IPV4) {
        return Verified::default();
    }
    let mut found = Verified {
        ipv4: true,
        ..Verified::default()
    };
    let Some(layout) = Ipv4Layout::of(frame) else {
        found.header_error = true;
        return found;
    };
    found.header_error = fold(sum(&frame[HEADER_LEN..layout.header_end])) != 0xFFFF;
    let (Some((kind, at)), false) = (layout.payload_checksum(), layout.fragment) else {
        found.bypassed = true;
        return found;
    };
    found.payload_type = kind;
    if layout.protocol == UDP && frame[at..at + 2] == [0, 0] {
        found.bypassed = true;
        return found;
    }
    let total = layout.pseudo_header_sum(frame) + sum(&frame[layout.header_end..layout.end]);
    found.payload_error = fold(total) != 0xFFFF;
    found
}

fn put(frame: &mut [u8], at: usize, value: u16) {
    frame[at..at + 2].copy_from_slice(&value.to_be_bytes());
}

fn sum(bytes: &[u8]) -> u32 {
    let pairs = bytes.chunks_exact(2);
    let odd = pairs
        .remainder()
        .first()
        .map_or(0, |last| u32::from(*last) << 8);
    pairs
        .map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]])))
        .sum::<u32>()
        + odd
}

fn fold(mut sum: u32) -> u16 {
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    sum as u16
}
