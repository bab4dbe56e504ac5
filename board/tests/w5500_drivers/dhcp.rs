//! w5500-dhcp: its lease, and the faults of version 0.7.0 that the firmware works around.

use std::net::{Ipv4Addr, SocketAddrV4};

use board::net::host::HostConfig;
use board::time::Span;
use w5500_dhcp::{Client, Hostname};
use w5500_hl::ll::eh1::vdm::W5500;
use w5500_hl::ll::net::Eui48Addr;
use w5500_hl::ll::{Registers, Sn};

use crate::rig::{CHIP_MAC, Rig, Spi};

const HOSTNAME: Hostname = Hostname::new_unwrapped("conformance");
const SEED: u64 = 723;

struct Station {
    rig: Rig,
    chip: W5500<Spi>,
    client: Client<'static>,
}

impl Station {
    fn new(host: HostConfig) -> Self {
        let rig = Rig::linked(host);
        let mut chip = W5500::new(rig.spi());
        let mac = Eui48Addr::from(CHIP_MAC);
        chip.set_shar(&mac).unwrap();
        let client = Client::new(Sn::Sn0, SEED, mac, HOSTNAME);
        client.setup_socket(&mut chip).unwrap();
        Self { rig, chip, client }
    }

    /// Runs the client as its documentation says: on its interrupt, and once a second.
    fn run(&mut self, seconds: u64) {
        let end = self.rig.now() + Span::from_ms(1_000 * seconds);
        let mut ticked = None;
        while self.rig.now() < end {
            let second = (self.rig.now().as_ns() / 1_000_000_000) as u32;
            if self.rig.interrupt() || ticked != Some(second) {
                self.client.process(&mut self.chip, second).unwrap();
                ticked = Some(second);
            }
            self.rig.pass(Span::from_ms(1));
        }
    }
}

#[test]
fn the_client_gets_a_lease_and_configures_the_chip() {
    let mut station = Station::new(HostConfig::default());
    station.run(3);
    assert!(station.client.has_lease());
    let leased = station.client.leased_ip().unwrap();
    assert_eq!(station.chip.sipr().unwrap(), leased);
    assert_eq!(
        station.chip.subr().unwrap(),
        Ipv4Addr::new(255, 255, 255, 0)
    );
    let bound = station.rig.host(|host| host.leases()[0]);
    assert!(bound.bound);
    assert_eq!(bound.address, leased);
}

#[test]
fn fault_the_gateway_is_the_dhcp_server_and_not_the_router() {
    let mut host = HostConfig::default();
    host.dhcp.router = Ipv4Addr::new(192, 168, 1, 254);
    let mut station = Station::new(host);
    station.run(3);
    assert!(station.client.has_lease());
    assert_eq!(station.chip.gar().unwrap(), host.dhcp.server);
}

#[test]
fn fault_a_stray_datagram_stays_in_the_socket_and_blocks_it() {
    let mut station = Station::new(HostConfig::default());
    station.run(3);
    let address = station.client.leased_ip().expect("a lease");
    let socket = station.rig.bind(67 + 1_000);
    let stray = [0; 300];
    station
        .rig
        .send(socket, SocketAddrV4::new(address, 68), &stray);
    station.run(3);
    let left = station.chip.sn_rx_rsr(Sn::Sn0).unwrap();
    assert_eq!(usize::from(left), 8 + stray.len());
    // Whatever comes next queues up behind it.
    station
        .rig
        .send(socket, SocketAddrV4::new(address, 68), &stray);
    station.run(3);
    let left = station.chip.sn_rx_rsr(Sn::Sn0).unwrap();
    assert_eq!(usize::from(left), 2 * (8 + stray.len()));
}
