//! A second smoltcp stack in the board's place, echoing UDP port 7, and the loop that runs both.

use std::collections::VecDeque;
use std::net::Ipv4Addr;

use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::phy::{ChecksumCapabilities, Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::socket::{dhcpv4, icmp, udp};
use smoltcp::time::Instant as StackInstant;
use smoltcp::wire::{EthernetAddress, Icmpv4Packet, Icmpv4Repr, IpCidr, Ipv4Cidr};

use super::{BOARD, HostConfig};
use crate::net::Network;
use crate::net::frame;
use crate::net::test_frames::padded_with_fcs;
use crate::net::wire::{Direction, WireConfig};
use crate::schedule::{Event, Schedule};
use crate::time::{Instant, Span};

pub const MAC: [u8; 6] = [0x02, 0, 0, 0, 0x72, 0x01];
const PING_IDENT: u16 = 1;

/// What the client was given.
#[derive(Clone, Debug)]
pub struct ClientLease {
    pub address: Ipv4Cidr,
    pub router: Option<Ipv4Addr>,
    pub dns_servers: Vec<Ipv4Addr>,
}

pub struct Station {
    interface: Interface,
    sockets: SocketSet<'static>,
    device: Queues,
    echo: SocketHandle,
    icmp: SocketHandle,
    dhcp: Option<SocketHandle>,
    lease: Option<ClientLease>,
    pub ping_answers: Vec<u16>,
}

#[derive(Default)]
struct Queues {
    received: VecDeque<Vec<u8>>,
    sent: VecDeque<Vec<u8>>,
}

struct Received(Vec<u8>);
struct Sent<'a>(&'a mut VecDeque<Vec<u8>>);

impl RxToken for Received {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, read: F) -> R {
        read(&self.0)
    }
}

impl TxToken for Sent<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, build: F) -> R {
        let mut frame = vec![0; len];
        let result = build(&mut frame);
        self.0.push_back(padded_with_fcs(&frame));
        result
    }
}

impl Device for Queues {
    type RxToken<'t> = Received;
    type TxToken<'t> = Sent<'t>;

    fn receive(&mut self, _: StackInstant) -> Option<(Received, Sent<'_>)> {
        let frame = self.received.pop_front()?;
        Some((Received(frame), Sent(&mut self.sent)))
    }

    fn transmit(&mut self, _: StackInstant) -> Option<Sent<'_>> {
        Some(Sent(&mut self.sent))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = frame::MAX_LEN;
        capabilities
    }
}

impl Station {
    pub fn fixed() -> Self {
        let mut station = Self::new();
        station.set_address(Ipv4Cidr::new(BOARD, 24));
        station
    }

    pub fn dhcp() -> Self {
        let mut station = Self::new();
        station.dhcp = Some(station.sockets.add(dhcpv4::Socket::new()));
        station
    }

    fn new() -> Self {
        let mut device = Queues::default();
        let config = Config::new(EthernetAddress(MAC).into());
        let interface = Interface::new(config, &mut device, StackInstant::from_micros(0));
        let mut sockets = SocketSet::new(Vec::new());
        let buffer = || udp::PacketBuffer::new(vec![udp::PacketMetadata::EMPTY; 4], vec![0; 6_000]);
        let mut echo = udp::Socket::new(buffer(), buffer());
        echo.bind(7).unwrap();
        let buffer =
            || icmp::PacketBuffer::new(vec![icmp::PacketMetadata::EMPTY; 4], vec![0; 6_000]);
        let mut ping = icmp::Socket::new(buffer(), buffer());
        ping.bind(icmp::Endpoint::Ident(PING_IDENT)).unwrap();
        Self {
            interface,
            echo: sockets.add(echo),
            icmp: sockets.add(ping),
            sockets,
            device,
            dhcp: None,
            lease: None,
            ping_answers: Vec::new(),
        }
    }

    pub fn lease(&self) -> Option<ClientLease> {
        self.lease.clone()
    }

    pub fn ping(&mut self, to: Ipv4Addr, sequence: u16) {
        let request = Icmpv4Repr::EchoRequest {
            ident: PING_IDENT,
            seq_no: sequence,
            data: &[1, 2, 3],
        };
        let socket = self.sockets.get_mut::<icmp::Socket>(self.icmp);
        let buffer = socket.send(request.buffer_len(), to.into()).unwrap();
        request.emit(
            &mut Icmpv4Packet::new_unchecked(buffer),
            &ChecksumCapabilities::default(),
        );
    }

    fn set_address(&mut self, address: Ipv4Cidr) {
        self.interface.update_ip_addrs(|addresses| {
            *addresses = std::iter::once(IpCidr::Ipv4(address)).collect();
        });
    }

    /// Handles what was received, echoes, and gives when it wants to be polled again.
    fn poll(&mut self, now: Instant) -> Option<Instant> {
        let now = StackInstant::from_micros((now.as_ps() / 1_000_000) as i64);
        self.interface
            .poll(now, &mut self.device, &mut self.sockets);
        let echo = self.sockets.get_mut::<udp::Socket>(self.echo);
        while let Ok((payload, meta)) = echo.recv() {
            let payload = payload.to_vec();
            echo.send_slice(&payload, meta.endpoint).unwrap();
        }
        let ping = self.sockets.get_mut::<icmp::Socket>(self.icmp);
        while let Ok((message, _)) = ping.recv() {
            let packet = Icmpv4Packet::new_checked(message).unwrap();
            self.ping_answers.push(packet.echo_seq_no());
        }
        if let Some(dhcp) = self.dhcp {
            let event = self.sockets.get_mut::<dhcpv4::Socket>(dhcp).poll();
            if let Some(dhcpv4::Event::Configured(config)) = event {
                let address = config.address;
                self.lease = Some(ClientLease {
                    address,
                    router: config.router,
                    dns_servers: config.dns_servers.iter().copied().collect(),
                });
                self.set_address(address);
            }
        }
        self.interface
            .poll(now, &mut self.device, &mut self.sockets);
        let at = self.interface.poll_at(now, &self.sockets)?;
        let us = at.total_micros().max(now.total_micros() + 1) as u64;
        Some(Instant::from_ns(us * 1_000))
    }
}

/// The network and the station on one schedule. The station's timer uses TIM2's slot.
pub struct Bench {
    pub network: Network,
    pub schedule: Schedule,
    pub station: Station,
    pub events: u64,
    now: Instant,
}

impl Bench {
    pub fn new(station: Station) -> Self {
        Self::facing(HostConfig::default(), station)
    }

    pub fn facing(host: HostConfig, station: Station) -> Self {
        let mut network = Network::new(WireConfig::default(), host);
        network.wire.set_carrier(true);
        Self {
            network,
            schedule: Schedule::default(),
            station,
            events: 0,
            now: Instant::ZERO,
        }
    }

    pub fn now(&self) -> Instant {
        self.now
    }

    pub fn run_until(&mut self, until: Instant) {
        self.network.flush(self.now, &mut self.schedule);
        self.run_station();
        while let Some((event, at)) = self.schedule.take(until) {
            self.now = at;
            self.events += 1;
            match event {
                Event::WireToBoard => {
                    while let Some(frame) =
                        self.network
                            .wire
                            .receive(Direction::ToBoard, at, &mut self.schedule)
                    {
                        let content = frame[..frame.len() - frame::FCS_LEN].to_vec();
                        self.station.device.received.push_back(content);
                        self.network.wire.recycle(frame);
                    }
                    self.run_station();
                }
                Event::Tim2 => self.run_station(),
                other => self.network.on_event(other, at, &mut self.schedule),
            }
        }
        self.now = until;
    }

    /// Lets both ends learn each other's hardware address.
    pub fn warm_up(&mut self, board: Ipv4Addr) {
        self.network.host().ping(board, 0, &[]).unwrap();
        self.run_until(self.now + Span::from_ms(1));
        self.network.host().recv_ping().unwrap();
    }

    fn run_station(&mut self) {
        let next = self.station.poll(self.now);
        self.schedule
            .set(Event::Tim2, next.unwrap_or(Instant::NEVER));
        while let Some(frame) = self.station.device.sent.pop_front() {
            self.network
                .wire
                .send(Direction::ToHost, &frame, self.now, &mut self.schedule);
        }
    }
}
