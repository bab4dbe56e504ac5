//! A station at the far end that speaks well-formed ARP, ICMP, UDP and TCP, and says what a script wants.

use board::net::frame;

pub const CHIP_MAC: [u8; 6] = [0x02, 0, 0, 0, 0x72, 0x03];
pub const CHIP_IP: [u8; 4] = [192, 168, 1, 50];
pub const IP: [u8; 4] = [192, 168, 1, 1];
pub const PORT: u16 = 6_000;
/// The port of the chip's socket 0; the next sockets have the next ports.
pub const CHIP_PORT: u16 = 5_000;

const MAC: [u8; 6] = [0x02, 0, 0, 0, 0, 0x01];
const ARP: [u8; 2] = [0x08, 0x06];
const IPV4: [u8; 2] = [0x08, 0x00];
const ICMP: u8 = 1;
const TCP: u8 = 6;
const UDP: u8 = 17;

/// Where the headers behind the Ethernet header begin; the chip sends no IPv4 options.
const IP_AT: usize = frame::HEADER_LEN;
const DATA_AT: usize = IP_AT + 20;

/// Flags of a TCP segment (RFC 9293 §3.1).
const FIN: u8 = 1 << 0;
const SYN: u8 = 1 << 1;

/// The station; it answers the last frame it heard.
#[derive(Default)]
pub struct Peer {
    heard: Vec<u8>,
}

impl Peer {
    pub fn hear(&mut self, frame: &[u8]) {
        self.heard.clear();
        self.heard.extend_from_slice(frame);
    }

    /// An answer to the last frame with fields of the script's choice; `None` to what it does not speak.
    pub fn answer(&self, operand: &mut impl FnMut() -> u8) -> Option<Vec<u8>> {
        let heard = &self.heard;
        match (heard.get(12..14)?, heard.get(IP_AT + 9)?) {
            (kind, _) if kind == ARP => Some(arp_reply(heard)),
            (kind, &protocol) if kind == IPV4 => {
                let [source, destination] = [half(heard, DATA_AT), half(heard, DATA_AT + 2)];
                let ports = [destination, source];
                match protocol {
                    UDP => Some(datagram(ports, usize::from(operand()))),
                    TCP => Some(segment_after(heard, ports, operand)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A ping, a datagram or the first segment of a connection to one of the chip's sockets.
    pub fn call(operand: &mut impl FnMut() -> u8) -> Vec<u8> {
        let (kind, socket) = (operand(), operand() % 8);
        let ports = [PORT, CHIP_PORT + u16::from(socket)];
        match kind % 3 {
            0 => ipv4(ICMP, &[8, 0, 0, 0, 0, 1, 0, kind]),
            1 => datagram(ports, usize::from(kind)),
            _ => segment(ports, u32::from(kind), 0, SYN, 0x1000, 0),
        }
    }
}

fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from(half(bytes, at)) << 16 | u32::from(half(bytes, at + 2))
}

/// Everybody the chip asks for is this station.
fn arp_reply(request: &[u8]) -> Vec<u8> {
    let asker = &request[IP_AT + 8..IP_AT + 18];
    let asked = &request[IP_AT + 24..IP_AT + 28];
    let fixed = [0, 1, 8, 0, 6, 4, 0, 2];
    ethernet(ARP, &[&fixed, &MAC[..], asked, asker].concat())
}

fn datagram([source, destination]: [u16; 2], length: usize) -> Vec<u8> {
    let fields = [source, destination, 8 + length as u16, 0];
    let mut packet: Vec<u8> = fields.into_iter().flat_map(u16::to_be_bytes).collect();
    packet.resize(8 + length, 0xA5);
    ipv4(UDP, &packet)
}

/// The segment that goes on where `heard` ended, or beside it where the script wants that.
fn segment_after(heard: &[u8], ports: [u16; 2], operand: &mut impl FnMut() -> u8) -> Vec<u8> {
    let header_len = usize::from(heard[DATA_AT + 12] >> 4) * 4;
    let length = usize::from(half(heard, IP_AT + 2)) - (DATA_AT - IP_AT) - header_len;
    let flags = heard[DATA_AT + 13];
    let controls = (flags & (SYN | FIN)).count_ones();
    let mut beside = || i32::from(operand() as i8) as u32;
    let sequence = word(heard, DATA_AT + 8).wrapping_add(beside());
    let end = word(heard, DATA_AT + 4).wrapping_add(length as u32 + controls);
    let acknowledgement = end.wrapping_add(beside());
    let (flags, window, length) = (operand(), operand(), operand());
    let window = u16::from(window) << 5;
    segment(ports, sequence, acknowledgement, flags, window, length)
}

fn segment(
    [source, destination]: [u16; 2],
    sequence: u32,
    acknowledgement: u32,
    flags: u8,
    window: u16,
    length: u8,
) -> Vec<u8> {
    let ports = u32::from(source) << 16 | u32::from(destination);
    let control = 5 << 28 | u32::from(flags) << 16 | u32::from(window);
    let fields = [ports, sequence, acknowledgement, control, 0];
    let mut packet: Vec<u8> = fields.into_iter().flat_map(u32::to_be_bytes).collect();
    packet.resize(20 + usize::from(length), 0x5A);
    ipv4(TCP, &packet)
}

/// An IPv4 packet from the station to the chip, with the checksums of both layers.
fn ipv4(protocol: u8, payload: &[u8]) -> Vec<u8> {
    let length = (20 + payload.len() as u16).to_be_bytes();
    let mut header = vec![
        0x45, 0, length[0], length[1], 0, 0, 0x40, 0, 64, protocol, 0, 0,
    ];
    header.extend([IP, CHIP_IP].concat());
    let sum = checksum(&header);
    header[10..12].copy_from_slice(&sum);
    let mut payload = payload.to_vec();
    let (sum_at, pseudo_header) = match protocol {
        ICMP => (2, Vec::new()),
        _ => {
            let length = (payload.len() as u16).to_be_bytes();
            let rest = [0, protocol, length[0], length[1]];
            let sum_at = if protocol == TCP { 16 } else { 6 };
            (sum_at, [IP, CHIP_IP, rest].concat())
        }
    };
    let sum = checksum(&[pseudo_header, payload.clone()].concat());
    payload[sum_at..sum_at + 2].copy_from_slice(&sum);
    ethernet(IPV4, &[header, payload].concat())
}

/// The internet checksum (RFC 1071).
fn checksum(bytes: &[u8]) -> [u8; 2] {
    let pairs = bytes.chunks(2);
    let words =
        pairs.map(|pair| u32::from(pair[0]) << 8 | pair.get(1).map_or(0, |&low| u32::from(low)));
    let sum: u32 = words.sum();
    let folded = (sum & 0xFFFF) + (sum >> 16);
    (!((folded & 0xFFFF) + (folded >> 16)) as u16).to_be_bytes()
}

fn ethernet(kind: [u8; 2], content: &[u8]) -> Vec<u8> {
    let mut frame = [&CHIP_MAC[..], &MAC, &kind, content].concat();
    frame::pad(&mut frame);
    frame::append_fcs(&mut frame);
    frame
}
