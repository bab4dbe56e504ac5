//! The host's DHCP server (RFC 2131): it hands out a few addresses in the order clients ask.

use std::net::Ipv4Addr;

use smoltcp::wire::{DhcpMessageType, DhcpPacket, DhcpRepr, EthernetAddress};

/// UDP port of a DHCP server.
pub const SERVER_PORT: u16 = 67;
/// UDP port of a DHCP client.
pub const CLIENT_PORT: u16 = 68;

/// What the server hands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DhcpConfig {
    /// The first client's address; the next ones get the addresses after it.
    pub first_address: Ipv4Addr,
    /// How many addresses there are.
    pub addresses: u8,
    pub subnet_mask: Ipv4Addr,
    /// The server's own address.
    pub server: Ipv4Addr,
    pub router: Ipv4Addr,
    pub dns: Ipv4Addr,
    pub lease_seconds: u32,
}

/// One client's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    pub mac: [u8; 6],
    pub address: Ipv4Addr,
    /// The server acknowledged it; before that it is only reserved by an offer.
    pub bound: bool,
}

/// Messages handled so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DhcpCounters {
    pub offers: u64,
    pub acknowledgements: u64,
    pub refusals: u64,
    /// Messages that are no valid request to this server, or found no free address.
    pub ignored: u64,
}

/// The server's state: its leases, oldest client first.
#[derive(Clone, Debug)]
pub struct DhcpServer {
    config: DhcpConfig,
    leases: Vec<Lease>,
    counters: DhcpCounters,
}

/// A reply and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub to: Ipv4Addr,
    pub message: Vec<u8>,
}

impl DhcpServer {
    pub fn new(config: DhcpConfig) -> Self {
        Self {
            config,
            leases: Vec::new(),
            counters: DhcpCounters::default(),
        }
    }

    /// Forgets every lease, and hands out the addresses after those it had until now: whoever asks
    /// next, or asks for its old address, gets another one.
    pub fn move_pool(&mut self) {
        let first = u32::from(self.config.first_address) + u32::from(self.config.addresses);
        self.config.first_address = Ipv4Addr::from(first);
        self.leases.clear();
    }

    pub fn leases(&self) -> &[Lease] {
        &self.leases
    }

    pub fn counters(&self) -> DhcpCounters {
        self.counters
    }

    /// Handles a client's message and gives the reply, if it deserves one.
    pub fn answer(&mut self, message: &[u8]) -> Option<Reply> {
        let reply = DhcpPacket::new_checked(message)
            .ok()
            .and_then(|packet| self.answer_packet(&packet));
        if reply.is_none() {
            self.counters.ignored += 1;
        }
        reply
    }

    fn answer_packet(&mut self, packet: &DhcpPacket<&[u8]>) -> Option<Reply> {
        let request = DhcpRepr::parse(packet).ok()?;
        match request.message_type {
            DhcpMessageType::Discover => {
                let lease = self.reserve(request.client_hardware_address)?;
                self.counters.offers += 1;
                self.reply(&request, DhcpMessageType::Offer, lease)
            }
            DhcpMessageType::Request => self.answer_request(&request),
            DhcpMessageType::Release | DhcpMessageType::Decline => {
                self.leases
                    .retain(|lease| lease.mac != request.client_hardware_address.0);
                None
            }
            _ => None,
        }
    }

    /// Acknowledges a request for the client's own address and refuses any other.
    fn answer_request(&mut self, request: &DhcpRepr) -> Option<Reply> {
        if request
            .server_identifier
            .is_some_and(|server| server != self.config.server)
        {
            return None;
        }
        let wanted = request.requested_ip.unwrap_or(request.client_ip);
        let mine = self.reserve(request.client_hardware_address)?;
        if wanted != mine {
            self.counters.refusals += 1;
            return self.reply(request, DhcpMessageType::Nak, Ipv4Addr::UNSPECIFIED);
        }
        for lease in &mut self.leases {
            lease.bound |= lease.address == mine;
        }
        self.counters.acknowledgements += 1;
        self.reply(request, DhcpMessageType::Ack, mine)
    }

    /// The address of a client, reserved now if it has none yet and one is free.
    fn reserve(&mut self, mac: EthernetAddress) -> Option<Ipv4Addr> {
        if let Some(lease) = self.leases.iter().find(|lease| lease.mac == mac.0) {
            return Some(lease.address);
        }
        let first = u32::from(self.config.first_address);
        let address = (0..u32::from(self.config.addresses))
            .map(|n| Ipv4Addr::from(first.wrapping_add(n)))
            .find(|free| self.leases.iter().all(|lease| lease.address != *free))?;
        self.leases.push(Lease {
            mac: mac.0,
            address,
            bound: false,
        });
        Some(address)
    }

    /// Builds a reply; a client that has no address yet gets it by broadcast (RFC 2131).
    fn reply(&self, request: &DhcpRepr, kind: DhcpMessageType, address: Ipv4Addr) -> Option<Reply> {
        let grants = kind != DhcpMessageType::Nak;
        let repr = DhcpRepr {
            message_type: kind,
            transaction_id: request.transaction_id,
            secs: 0,
            client_hardware_address: request.client_hardware_address,
            client_ip: Ipv4Addr::UNSPECIFIED,
            your_ip: address,
            server_ip: self.config.server,
            router: grants.then_some(self.config.router),
            subnet_mask: grants.then_some(self.config.subnet_mask),
            relay_agent_ip: request.relay_agent_ip,
            broadcast: request.broadcast,
            requested_ip: None,
            client_identifier: request.client_identifier,
            server_identifier: Some(self.config.server),
            parameter_request_list: None,
            dns_servers: grants.then(|| std::iter::once(self.config.dns).collect()),
            max_size: None,
            lease_duration: grants.then_some(self.config.lease_seconds),
            renew_duration: None,
            rebind_duration: None,
            additional_options: &[],
        };
        let mut message = vec![0; repr.buffer_len()];
        repr.emit(&mut DhcpPacket::new_unchecked(message.as_mut_slice()))
            .ok()?;
        let renews = grants && !request.client_ip.is_unspecified() && !request.broadcast;
        let to = if renews {
            request.client_ip
        } else {
            Ipv4Addr::BROADCAST
        };
        Some(Reply { to, message })
    }
}

#[cfg(test)]
mod tests;
