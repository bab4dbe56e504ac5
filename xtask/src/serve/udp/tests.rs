//! Real sockets outside, a device of ours behind them. Nothing here waits for a time: only for what
//! loopback has taken to be there.

use std::net::UdpSocket as StdSocket;

use super::super::fake_device::{ADDRESS, FakeDevice};
use super::super::outside::ClientPorts;
use super::*;

const LOOPBACK: std::net::IpAddr = std::net::IpAddr::V4(Ipv4Addr::LOCALHOST);
const PORT: u16 = 7;

struct Rig {
    forward: UdpForward,
    device: FakeDevice,
    server: UdpHandle,
    ports: ClientPorts,
    now: Instant,
}

impl Rig {
    fn new() -> Self {
        let mut device = FakeDevice::new();
        let forward = Forward {
            host: 0,
            board: PORT,
        };
        Self {
            forward: UdpForward::bind(LOOPBACK, forward).unwrap(),
            server: device.device().bind_udp(PORT).unwrap(),
            device,
            ports: ClientPorts::default(),
            now: Instant::now(),
        }
    }

    fn client(&self) -> StdSocket {
        let socket = StdSocket::bind((LOOPBACK, 0)).unwrap();
        socket
            .connect(self.forward.local_address().unwrap())
            .unwrap();
        socket.set_nonblocking(true).unwrap();
        SockRef::from(&socket)
            .set_recv_buffer_size(RECEIVE_BUFFER)
            .unwrap();
        socket
    }

    fn exchange(&mut self) -> bool {
        let host = self.device.host();
        self.forward
            .exchange(host, ADDRESS, &mut self.ports, self.now)
            .unwrap()
    }

    /// Moves both ways until the device has got `count` datagrams, and has it echo each of them.
    fn echo(&mut self, count: usize) -> Vec<SocketAddrV4> {
        let mut senders = Vec::new();
        while senders.len() < count {
            self.exchange();
            self.device.step();
            let server = self.server;
            while let Some(datagram) = self.device.device().recv_udp(server) {
                let device = self.device.device();
                device
                    .send_udp(server, datagram.from, &datagram.payload)
                    .unwrap();
                senders.push(datagram.from);
            }
        }
        self.device.step();
        self.device.step();
        self.exchange();
        senders
    }
}

fn received(client: &StdSocket) -> Vec<Vec<u8>> {
    let mut buffer = [0; 2_000];
    let datagrams = std::iter::from_fn(|| {
        client
            .recv(&mut buffer)
            .ok()
            .map(|len| buffer[..len].to_vec())
    });
    datagrams.collect()
}

#[test]
fn several_clients_get_their_own_datagrams_back_of_any_size() {
    let mut rig = Rig::new();
    let clients = [(); 3].map(|()| rig.client());
    for (n, client) in clients.iter().enumerate() {
        for len in [0, 1, 1_472] {
            client.send(&vec![n as u8; len]).unwrap();
        }
    }
    let mut senders = rig.echo(9);
    senders.sort();
    senders.dedup();
    assert_eq!(senders.len(), 3, "each client has a port of its own");
    for (n, client) in clients.iter().enumerate() {
        let expected = [0, 1, 1_472].map(|len| vec![n as u8; len]);
        assert_eq!(received(client), expected);
    }
    let expected = UdpCounters {
        to_board: 9,
        to_clients: 9,
        clients: 3,
        ..UdpCounters::default()
    };
    assert_eq!(rig.forward.counters(), expected);
}

#[test]
fn a_datagram_that_does_not_fit_into_a_frame_is_counted_and_the_next_one_passes() {
    let mut rig = Rig::new();
    let client = rig.client();
    client.send(&[1; 1_473]).unwrap();
    client.send(&[2; 10]).unwrap();
    rig.echo(1);
    assert_eq!(received(&client), [vec![2; 10]]);
    assert_eq!(rig.forward.counters().too_long, 1);
}

#[test]
fn a_burst_beyond_the_transmit_queue_waits_and_none_is_lost() {
    let mut rig = Rig::new();
    let client = rig.client();
    let queue = super::super::TRANSMIT_QUEUE;
    let burst = queue + 50;
    for n in 0..burst {
        client.send(&(n as u32).to_le_bytes()).unwrap();
        // A few at a time, since the system's own buffers have ends too.
        if n % 100 == 0 {
            assert!(rig.exchange());
        }
    }
    assert!(rig.exchange());
    assert!(rig.forward.waiting.is_some());
    assert_eq!(rig.forward.counters().to_board, queue as u64);
    rig.echo(burst);
    while rig.exchange() {
        rig.device.step();
    }
    let numbers: Vec<Vec<u8>> = (0..burst as u32).map(|n| n.to_le_bytes().into()).collect();
    assert!(received(&client) == numbers);
}

#[test]
fn only_the_boards_own_port_answers_a_client() {
    let mut rig = Rig::new();
    let client = rig.client();
    client.send(b"hello").unwrap();
    let sender = rig.echo(1)[0];
    let other = rig.device.device().bind_udp(PORT + 1).unwrap();
    rig.device
        .device()
        .send_udp(other, sender, b"spoof")
        .unwrap();
    rig.device.step();
    rig.exchange();
    assert_eq!(received(&client), [b"hello"]);
    assert_eq!(rig.forward.counters().foreign, 1);
}

#[test]
fn idle_clients_are_forgotten_and_no_more_than_the_most_are_remembered() {
    let mut rig = Rig::new();
    let first = rig.client();
    first.send(b"a").unwrap();
    let before = rig.echo(1)[0];
    rig.now += CLIENT_IDLE;
    rig.exchange();
    assert_eq!(
        rig.forward.clients.len(),
        1,
        "idle no longer than it may be"
    );
    rig.now += Duration::from_nanos(1);
    rig.exchange();
    assert_eq!(rig.forward.counters().forgotten, 1);
    first.send(b"b").unwrap();
    assert_ne!(
        rig.echo(1)[0],
        before,
        "a late reply reaches no other client"
    );
    assert_eq!(received(&first), [b"a", b"b"]);

    for _ in 0..MAX_CLIENTS {
        rig.now += Duration::from_millis(1);
        rig.client().send(b"c").unwrap();
        rig.echo(1);
    }
    assert_eq!(rig.forward.clients.len(), MAX_CLIENTS);
    assert_eq!(rig.forward.counters().forgotten, 2);
    let is_first = |client: &Client| client.address == first.local_addr().unwrap();
    assert!(
        !rig.forward.clients.iter().any(is_first),
        "it was idle longest"
    );
}

#[test]
fn a_port_in_use_is_one_clear_line() {
    let taken = StdSocket::bind((LOOPBACK, 0)).unwrap();
    let forward = Forward {
        host: taken.local_addr().unwrap().port(),
        board: PORT,
    };
    let error = UdpForward::bind(LOOPBACK, forward).err().expect("an error");
    let port = forward.host;
    assert!(format!("{error:#}").starts_with(&format!("cannot bind UDP 127.0.0.1:{port}: ")));
}
