//! w5500-hl's TCP, with smoltcp at the other end.

use std::net::{Ipv4Addr, SocketAddrV4};

use board::net::host::{HostConfig, TcpHandle, TcpState};
use board::time::Span;
use w5500_hl::Tcp;
use w5500_hl::ll::eh1::vdm::W5500;
use w5500_hl::ll::{Registers, Sn, SocketStatus};

use crate::rig::{CHIP, Rig, Spi};
use crate::udp::configure;

const SOCKET: Sn = Sn::Sn3;
const HOST: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 1);
/// More than all buffers on the way hold, so that windows close and open again.
const TRANSFER_LEN: usize = 50_000;

/// Both ends of one connection.
struct Pair {
    rig: Rig,
    chip: W5500<Spi>,
    host: TcpHandle,
}

impl Pair {
    /// The chip listens, the host connects.
    fn chip_listens() -> Self {
        let rig = Rig::linked(HostConfig::default());
        let mut chip = configure(&rig);
        chip.tcp_listen(SOCKET, 80).unwrap();
        let to = SocketAddrV4::new(CHIP, 80);
        let host = rig.host(|host| host.tcp_connect(to)).unwrap();
        Self { rig, chip, host }
    }

    /// The host listens, the chip connects.
    fn chip_connects() -> Self {
        let rig = Rig::linked(HostConfig::default());
        let mut chip = configure(&rig);
        let host = rig.host(|host| host.tcp_listen(8_080)).unwrap();
        let to = SocketAddrV4::new(HOST, 8_080);
        chip.tcp_connect(SOCKET, 40_000, &to).unwrap();
        Self { rig, chip, host }
    }

    fn status(&mut self) -> SocketStatus {
        self.chip.sn_sr(SOCKET).unwrap().expect("a state")
    }

    /// Waits at most a second until the chip's socket is in `status`.
    fn wait_for(&mut self, status: SocketStatus) {
        for _ in 0..1_000 {
            if self.status() == status {
                return;
            }
            self.rig.pass(Span::from_ms(1));
        }
        panic!("{:?} in place of {status:?}", self.status());
    }

    /// Sends `bytes` from the host; what the chip's driver reads.
    fn send_to_chip(&mut self, bytes: &[u8]) -> Vec<u8> {
        let (mut sent, mut received) = (0, Vec::new());
        for _ in 0..5_000 {
            sent += self
                .rig
                .host(|host| host.tcp_send(self.host, &bytes[sent..]));
            self.rig.pass(Span::from_us(500));
            let mut buffer = [0; 1_000];
            let read = self.chip.tcp_read(SOCKET, &mut buffer).unwrap();
            received.extend_from_slice(&buffer[..usize::from(read)]);
            if received.len() >= bytes.len() {
                break;
            }
        }
        received
    }

    /// Sends `bytes` from the chip; what the host reads.
    fn send_to_host(&mut self, bytes: &[u8]) -> Vec<u8> {
        let (mut sent, mut received) = (0, Vec::new());
        for _ in 0..5_000 {
            let rest = &bytes[sent..];
            let written = self.chip.tcp_write(SOCKET, &rest[..rest.len().min(700)]);
            sent += usize::from(written.unwrap());
            self.rig.pass(Span::from_us(500));
            received.extend(self.rig.host(|host| host.tcp_recv(self.host, 4_096)));
            if received.len() >= bytes.len() {
                break;
            }
        }
        received
    }
}

fn pattern() -> Vec<u8> {
    (0..TRANSFER_LEN)
        .map(|i| (i * 31 + i / 256) as u8)
        .collect()
}

#[test]
fn a_server_connects_transfers_both_ways_and_is_closed_by_its_peer() {
    let mut pair = Pair::chip_listens();
    pair.wait_for(SocketStatus::Established);
    assert!(pair.chip.sn_ir(SOCKET).unwrap().con_raised());
    assert!(pair.send_to_chip(&pattern()) == pattern(), "to the chip");
    assert!(pair.send_to_host(&pattern()) == pattern(), "to the host");
    pair.rig.host(|host| host.tcp_close(pair.host));
    pair.wait_for(SocketStatus::CloseWait);
    assert!(pair.chip.sn_ir(SOCKET).unwrap().discon_raised());
    pair.chip.tcp_disconnect(SOCKET).unwrap();
    pair.wait_for(SocketStatus::Closed);
}

#[test]
fn a_client_connects_transfers_both_ways_and_closes() {
    let mut pair = Pair::chip_connects();
    pair.wait_for(SocketStatus::Established);
    assert!(pair.send_to_host(&pattern()) == pattern(), "to the host");
    assert!(pair.send_to_chip(&pattern()) == pattern(), "to the chip");
    pair.chip.tcp_disconnect(SOCKET).unwrap();
    pair.wait_for(SocketStatus::FinWait);
    let state = |pair: &Pair| pair.rig.host(|host| host.tcp_state(pair.host));
    pair.rig.pass(Span::from_ms(10));
    assert_eq!(state(&pair), TcpState::CloseWait);
    pair.rig.host(|host| host.tcp_close(pair.host));
    pair.rig.pass(Span::from_ms(10));
    assert_eq!(state(&pair), TcpState::Closed);
    // The chip keeps the port for a while, or not: the socket is not established any more.
    assert_ne!(pair.status(), SocketStatus::Established);
}

#[test]
fn a_connection_to_nobody_times_out_and_closes() {
    let rig = Rig::linked(HostConfig::default());
    let mut chip = configure(&rig);
    let nobody = SocketAddrV4::new(Ipv4Addr::new(192, 168, 1, 250), 80);
    chip.tcp_connect(SOCKET, 40_000, &nobody).unwrap();
    // Nobody answers ARP: nine tries of 200 ms.
    rig.pass(Span::from_ms(1_700));
    assert!(!chip.sn_ir(SOCKET).unwrap().timeout_raised());
    rig.pass(Span::from_ms(200));
    assert!(chip.sn_ir(SOCKET).unwrap().timeout_raised());
    assert_eq!(chip.sn_sr(SOCKET).unwrap(), Ok(SocketStatus::Closed));
}
