//! Real sockets outside, a device with TCP of ours behind them.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream as StdStream;

use mio::Poll;

use super::super::fake_device::{ADDRESS, FakeDevice};
use super::*;

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const PORT: u16 = 80;
/// Steps of a millisecond within which everything here happens.
const STEPS: usize = 20_000;

struct Rig {
    forward: TcpForward,
    device: FakeDevice,
    poll: Poll,
    now: Instant,
}

impl Rig {
    fn new() -> Self {
        let forward = Forward {
            host: 0,
            board: PORT,
        };
        Self {
            forward: TcpForward::bind(LOOPBACK, forward).unwrap(),
            device: FakeDevice::new(),
            poll: Poll::new().unwrap(),
            now: Instant::now(),
        }
    }

    fn client(&self) -> StdStream {
        let client = StdStream::connect(self.forward.local_address().unwrap()).unwrap();
        client.set_nonblocking(true).unwrap();
        client
    }

    fn step(&mut self) {
        let host = self.device.host();
        let registry = self.poll.registry();
        self.forward
            .exchange(host, ADDRESS, registry, self.now)
            .unwrap();
        self.device.step();
    }

    /// Steps until `is_done`.
    fn run(&mut self, mut is_done: impl FnMut(&mut FakeDevice) -> bool) {
        for _ in 0..STEPS {
            self.step();
            if is_done(&mut self.device) {
                return;
            }
        }
        panic!("not done after {STEPS} steps");
    }
}

/// Takes what is there; tells whether the stream has ended.
fn read_into(client: &mut StdStream, bytes: &mut Vec<u8>) -> bool {
    match client.read_to_end(bytes) {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::WouldBlock);
            false
        }
    }
}

/// A device that echoes what each of its connections sends, and ends when the other end does.
fn echo(device: &mut FakeDevice, connections: &[TcpHandle]) {
    for &connection in connections {
        let device = device.device();
        let bytes = device.tcp_recv(connection, 4_096);
        assert_eq!(device.tcp_send(connection, &bytes), bytes.len());
        if bytes.is_empty() && device.tcp_state(connection) == TcpState::CloseWait {
            device.tcp_close(connection);
        }
    }
}

#[test]
fn two_clients_send_100_kb_each_and_get_them_back_with_the_end_of_the_stream() {
    let mut rig = Rig::new();
    let listening = [(); 2].map(|()| rig.device.device().tcp_listen(PORT).unwrap());
    let mut clients = [(); 2].map(|()| rig.client());
    let sent = [0_u8, 1].map(|n| {
        let bytes = (0..100_000_u32).map(|byte| (byte / 7) as u8 ^ n);
        bytes.collect::<Vec<u8>>()
    });
    let mut unsent = [0; 2];
    let mut received = [Vec::new(), Vec::new()];
    let mut ended = [false; 2];
    rig.run(|device| {
        echo(device, &listening);
        for (n, client) in clients.iter_mut().enumerate() {
            if let Ok(len) = client.write(&sent[n][unsent[n]..]) {
                unsent[n] += len;
                if len > 0 && unsent[n] == sent[n].len() {
                    client.shutdown(Shutdown::Write).unwrap();
                }
            }
            ended[n] |= read_into(client, &mut received[n]);
        }
        ended == [true; 2]
    });
    assert!(received == sent);
    let expected = TcpCounters {
        accepted: 2,
        bytes_to_board: 200_000,
        bytes_to_clients: 200_000,
        ..TcpCounters::default()
    };
    assert_eq!(rig.forward.counters(), expected);
    // The host waits out TIME-WAIT, then nothing of the connections is left.
    for _ in 0..STEPS {
        rig.step();
    }
    assert!(rig.forward.connections.is_empty());
}

#[test]
fn a_port_that_the_board_does_not_listen_on_ends_the_connection() {
    let mut rig = Rig::new();
    let mut client = rig.client();
    let mut nothing = Vec::new();
    rig.run(|_| read_into(&mut client, &mut nothing));
    assert!(nothing.is_empty());
    rig.step();
    assert_eq!(rig.forward.counters().refused, 1);
    assert!(rig.forward.connections.is_empty());
}

#[test]
fn a_board_that_speaks_first_and_ends_is_heard_to_its_last_byte() {
    let mut rig = Rig::new();
    let listening = rig.device.device().tcp_listen(PORT).unwrap();
    let mut client = rig.client();
    rig.run(|device| device.device().tcp_state(listening) == TcpState::Established);
    assert_eq!(
        rig.device.device().tcp_send(listening, b"220 ready\r\n"),
        11
    );
    rig.device.device().tcp_close(listening);
    let mut received = Vec::new();
    rig.run(|_| read_into(&mut client, &mut received));
    assert_eq!(received, b"220 ready\r\n");
    drop(client);
    rig.run(|device| device.device().tcp_state(listening) == TcpState::Closed);
}

#[test]
fn a_connection_on_which_nothing_moves_is_broken_off_on_both_sides() {
    let mut rig = Rig::new();
    let listening = rig.device.device().tcp_listen(PORT).unwrap();
    let mut client = rig.client();
    rig.run(|device| device.device().tcp_state(listening) == TcpState::Established);
    rig.step();
    rig.now += CONNECTION_IDLE;
    rig.step();
    assert_eq!(
        rig.forward.counters().idle,
        0,
        "idle no longer than it may be"
    );
    rig.now += Duration::from_nanos(1);
    rig.run(|device| device.device().tcp_state(listening) == TcpState::Closed);
    let mut nothing = Vec::new();
    rig.run(|_| read_into(&mut client, &mut nothing));
    assert!(nothing.is_empty());
    assert_eq!(rig.forward.counters().idle, 1);
    assert!(rig.forward.connections.is_empty());
}

#[test]
fn a_port_in_use_is_one_clear_line() {
    let rig = Rig::new();
    let port = rig.forward.local_address().unwrap().port();
    let forward = Forward {
        host: port,
        board: PORT,
    };
    let error = TcpForward::bind(LOOPBACK, forward).err().expect("an error");
    assert!(format!("{error:#}").starts_with(&format!("cannot bind TCP 127.0.0.1:{port}: ")));
}
