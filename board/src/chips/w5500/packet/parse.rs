//! Understanding frames. What is damaged, fragmented or of another kind is not understood.

use smoltcp::phy::ChecksumCapabilities;
use smoltcp::wire::{
    ArpOperation as WireOperation, ArpPacket, ArpRepr, EthernetFrame, EthernetProtocol,
    Icmpv4DstUnreachable, Icmpv4Message, Icmpv4Packet, IpProtocol, Ipv4Packet, Ipv4Repr, TcpPacket,
    TcpRepr, UdpPacket, UdpRepr,
};

use super::{
    ArpMessage, ArpOperation, Content, IcmpMessage, Ports, Received, Rejected, TcpHeader, Transport,
};

type Result<T> = std::result::Result<T, Rejected>;

/// What an ICMP error quotes of a UDP header: at least its ports.
const QUOTED_PORTS_LEN: usize = 4;

/// Understands a frame without its check sequence.
pub fn parse(frame: &[u8]) -> Result<Received<'_>> {
    let ethernet = EthernetFrame::new_checked(frame).map_err(damaged)?;
    let content = match ethernet.ethertype() {
        EthernetProtocol::Arp => Content::Arp(parse_arp(ethernet.payload())?),
        EthernetProtocol::Ipv4 => parse_ipv4(ethernet.payload())?,
        _ => return Err(Rejected::Unknown),
    };
    Ok(Received {
        source_mac: ethernet.src_addr().0,
        destination_mac: ethernet.dst_addr().0,
        content,
    })
}

fn parse_arp(message: &[u8]) -> Result<ArpMessage> {
    let packet = ArpPacket::new_checked(message).map_err(damaged)?;
    let ArpRepr::EthernetIpv4 {
        operation,
        source_hardware_addr,
        source_protocol_addr,
        target_hardware_addr,
        target_protocol_addr,
    } = ArpRepr::parse(&packet).map_err(damaged)?
    else {
        return Err(Rejected::Unknown);
    };
    Ok(ArpMessage {
        operation: match operation {
            WireOperation::Request => ArpOperation::Request,
            WireOperation::Reply => ArpOperation::Reply,
            WireOperation::Unknown(_) => return Err(Rejected::Unknown),
        },
        sender_mac: source_hardware_addr.0,
        sender_ip: source_protocol_addr,
        target_mac: target_hardware_addr.0,
        target_ip: target_protocol_addr,
    })
}

fn parse_ipv4(packet: &[u8]) -> Result<Content<'_>> {
    let packet = Ipv4Packet::new_checked(packet).map_err(damaged)?;
    let header = Ipv4Repr::parse(&packet, &ChecksumCapabilities::default()).map_err(damaged)?;
    let payload = packet.payload();
    let transport = match header.next_header {
        IpProtocol::Udp => parse_udp(&header, payload)?,
        IpProtocol::Tcp => parse_tcp(&header, payload)?,
        IpProtocol::Icmp => Transport::Icmp(parse_icmp(payload)?),
        _ => return Err(Rejected::Unknown),
    };
    Ok(Content::Ipv4 {
        source: header.src_addr,
        destination: header.dst_addr,
        transport,
    })
}

fn parse_udp<'a>(header: &Ipv4Repr, datagram: &'a [u8]) -> Result<Transport<'a>> {
    let packet = UdpPacket::new_checked(datagram).map_err(damaged)?;
    let ports = UdpRepr::parse(
        &packet,
        &header.src_addr.into(),
        &header.dst_addr.into(),
        &ChecksumCapabilities::default(),
    )
    .map_err(damaged)?;
    Ok(Transport::Udp {
        ports: Ports {
            source: ports.src_port,
            destination: ports.dst_port,
        },
        payload: packet.payload(),
    })
}

fn parse_tcp<'a>(header: &Ipv4Repr, segment: &'a [u8]) -> Result<Transport<'a>> {
    let packet = TcpPacket::new_checked(segment).map_err(damaged)?;
    let repr = TcpRepr::parse(
        &packet,
        &header.src_addr.into(),
        &header.dst_addr.into(),
        &ChecksumCapabilities::default(),
    )
    .map_err(damaged)?;
    Ok(Transport::Tcp {
        ports: Ports {
            source: repr.src_port,
            destination: repr.dst_port,
        },
        header: TcpHeader {
            sequence: repr.seq_number.0 as u32,
            acknowledgement: repr.ack_number.map(|number| number.0 as u32),
            syn: packet.syn(),
            fin: packet.fin(),
            rst: packet.rst(),
            psh: packet.psh(),
            window: repr.window_len,
            mss: repr.max_seg_size,
        },
        data: repr.payload,
    })
}

fn parse_icmp(message: &[u8]) -> Result<IcmpMessage<'_>> {
    let packet = Icmpv4Packet::new_checked(message).map_err(damaged)?;
    if !packet.verify_checksum() {
        return Err(Rejected::Damaged);
    }
    let port_unreachable = u8::from(Icmpv4DstUnreachable::PortUnreachable);
    match (packet.msg_type(), packet.msg_code()) {
        (Icmpv4Message::EchoRequest, 0) => Ok(IcmpMessage::EchoRequest {
            identifier: packet.echo_ident(),
            sequence: packet.echo_seq_no(),
            data: packet.data(),
        }),
        (Icmpv4Message::DstUnreachable, code) if code == port_unreachable => {
            parse_quoted(packet.data())
        }
        _ => Err(Rejected::Unknown),
    }
}

/// Reads the IPv4 header and the ports an ICMP error quotes. The quoted length is the original
/// packet's, of which there may be no more than eight bytes after the header (RFC 792).
fn parse_quoted(quote: &[u8]) -> Result<IcmpMessage<'_>> {
    let header_len = usize::from(quote.first().ok_or(Rejected::Damaged)? & 0x0F) * 4;
    let ports = quote.get(header_len..header_len + QUOTED_PORTS_LEN);
    let Some(ports) = ports.filter(|_| header_len >= 20) else {
        return Err(Rejected::Damaged);
    };
    let header = Ipv4Packet::new_unchecked(quote);
    if header.version() != 4 || header.next_header() != IpProtocol::Udp {
        return Err(Rejected::Unknown);
    }
    Ok(IcmpMessage::PortUnreachable {
        source: header.src_addr(),
        destination: header.dst_addr(),
        destination_port: u16::from_be_bytes([ports[2], ports[3]]),
    })
}

fn damaged(_: smoltcp::wire::Error) -> Rejected {
    Rejected::Damaged
}
