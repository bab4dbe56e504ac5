//! Building frames, with checksums.

use smoltcp::wire::{
    ArpOperation as WireOperation, ArpPacket, ArpRepr, EthernetAddress, EthernetFrame,
    EthernetProtocol, Icmpv4Message, Icmpv4Packet, IpProtocol, Ipv4Packet, TcpOption, TcpPacket,
    TcpSeqNumber, UdpPacket,
};

use super::{ArpMessage, ArpOperation, Ipv4Header, Mac, Ports, TcpHeader};
use crate::net::frame;

const IPV4_HEADER_LEN: usize = 20;
const UDP_HEADER_LEN: usize = 8;
const TCP_HEADER_LEN: usize = 20;
const TCP_MSS_OPTION_LEN: usize = 4;
const ICMP_ECHO_HEADER_LEN: usize = 8;

/// Builds an ARP message to `destination_mac`, in place of what `frame` holds.
pub fn arp(frame: &mut Vec<u8>, destination_mac: Mac, message: &ArpMessage) {
    let repr = ArpRepr::EthernetIpv4 {
        operation: match message.operation {
            ArpOperation::Request => WireOperation::Request,
            ArpOperation::Reply => WireOperation::Reply,
        },
        source_hardware_addr: EthernetAddress(message.sender_mac),
        source_protocol_addr: message.sender_ip,
        target_hardware_addr: EthernetAddress(message.target_mac),
        target_protocol_addr: message.target_ip,
    };
    ethernet(
        frame,
        message.sender_mac,
        destination_mac,
        EthernetProtocol::Arp,
        repr.buffer_len(),
    );
    repr.emit(&mut ArpPacket::new_unchecked(
        &mut frame[frame::HEADER_LEN..],
    ));
}

/// Builds a UDP datagram, in place of what `frame` holds. At most 1472 bytes of payload fit a frame.
pub fn udp(frame: &mut Vec<u8>, header: &Ipv4Header, ports: Ports, payload: &[u8]) {
    let len = UDP_HEADER_LEN + payload.len();
    let content = ipv4(frame, header, IpProtocol::Udp, len);
    let mut datagram = UdpPacket::new_unchecked(content);
    datagram.set_src_port(ports.source);
    datagram.set_dst_port(ports.destination);
    datagram.set_len(len as u16);
    datagram.payload_mut().copy_from_slice(payload);
    datagram.fill_checksum(&header.source.into(), &header.destination.into());
}

/// Builds a TCP segment, in place of what `frame` holds. At most 1460 bytes of data fit a frame.
pub fn tcp(
    frame: &mut Vec<u8>,
    header: &Ipv4Header,
    ports: Ports,
    segment: &TcpHeader,
    data: &[u8],
) {
    let options = segment.mss.map_or(0, |_| TCP_MSS_OPTION_LEN);
    let len = TCP_HEADER_LEN + options + data.len();
    let content = ipv4(frame, header, IpProtocol::Tcp, len);
    let mut packet = TcpPacket::new_unchecked(content);
    packet.set_src_port(ports.source);
    packet.set_dst_port(ports.destination);
    packet.set_seq_number(TcpSeqNumber(segment.sequence as i32));
    let acknowledgement = segment.acknowledgement.unwrap_or(0);
    packet.set_ack_number(TcpSeqNumber(acknowledgement as i32));
    packet.clear_flags();
    packet.set_header_len((TCP_HEADER_LEN + options) as u8);
    packet.set_ack(segment.acknowledgement.is_some());
    packet.set_syn(segment.syn);
    packet.set_fin(segment.fin);
    packet.set_rst(segment.rst);
    packet.set_psh(segment.psh);
    packet.set_window_len(segment.window);
    packet.set_urgent_at(0);
    if let Some(mss) = segment.mss {
        TcpOption::MaxSegmentSize(mss).emit(packet.options_mut());
    }
    packet.payload_mut().copy_from_slice(data);
    packet.fill_checksum(&header.source.into(), &header.destination.into());
}

/// Builds the answer to an ICMP echo request, in place of what `frame` holds.
pub fn icmp_echo_reply(
    frame: &mut Vec<u8>,
    header: &Ipv4Header,
    identifier: u16,
    sequence: u16,
    data: &[u8],
) {
    let len = ICMP_ECHO_HEADER_LEN + data.len();
    let content = ipv4(frame, header, IpProtocol::Icmp, len);
    let mut message = Icmpv4Packet::new_unchecked(content);
    message.set_msg_type(Icmpv4Message::EchoReply);
    message.set_msg_code(0);
    message.set_echo_ident(identifier);
    message.set_echo_seq_no(sequence);
    message.data_mut().copy_from_slice(data);
    message.fill_checksum();
}

/// Fills in an Ethernet header before `content_len` zero bytes.
fn ethernet(
    frame: &mut Vec<u8>,
    source: Mac,
    destination: Mac,
    kind: EthernetProtocol,
    content_len: usize,
) {
    frame.clear();
    frame.resize(frame::HEADER_LEN + content_len, 0);
    let mut header = EthernetFrame::new_unchecked(frame.as_mut_slice());
    header.set_dst_addr(EthernetAddress(destination));
    header.set_src_addr(EthernetAddress(source));
    header.set_ethertype(kind);
}

/// Fills in the Ethernet and IPv4 headers and gives the `content_len` zero bytes behind them.
fn ipv4<'a>(
    frame: &'a mut Vec<u8>,
    header: &Ipv4Header,
    protocol: IpProtocol,
    content_len: usize,
) -> &'a mut [u8] {
    let len = IPV4_HEADER_LEN + content_len;
    ethernet(
        frame,
        header.source_mac,
        header.destination_mac,
        EthernetProtocol::Ipv4,
        len,
    );
    let packet = &mut frame[frame::HEADER_LEN..];
    packet[1] = header.tos;
    packet[6..8].copy_from_slice(&header.fragment.to_be_bytes());
    let mut fields = Ipv4Packet::new_unchecked(&mut *packet);
    fields.set_version(4);
    fields.set_header_len(IPV4_HEADER_LEN as u8);
    fields.set_total_len(len as u16);
    fields.set_ident(header.identification);
    fields.set_hop_limit(header.ttl);
    fields.set_next_header(protocol);
    fields.set_src_addr(header.source);
    fields.set_dst_addr(header.destination);
    fields.fill_checksum();
    &mut packet[IPV4_HEADER_LEN..]
}
