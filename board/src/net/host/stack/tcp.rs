//! TCP in the host's stack.

use std::net::SocketAddrV4;

use smoltcp::iface::SocketHandle;
use smoltcp::socket::tcp;
use smoltcp::wire::IpEndpoint;

use super::super::SendError;
use super::super::tcp::ListenError;
use super::{GIVEN_UP, Stack, fill_gap};

/// Bytes of a connection's buffer in each direction: the largest window without a scale.
const BUFFER_LEN: usize = 65_535;
/// The first port to connect from (RFC 6335 §6: dynamic ports).
pub const FIRST_PORT: u16 = 49_152;

/// A socket, and what whoever uses it has seen of it.
pub struct TcpSocket {
    socket: SocketHandle,
    seen: Seen,
}

/// What changes when a segment brings news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    state: tcp::State,
    received: usize,
    unsent: usize,
}

impl Seen {
    fn of(socket: &tcp::Socket) -> Self {
        Self {
            state: socket.state(),
            received: socket.recv_queue(),
            unsent: socket.send_queue(),
        }
    }
}

impl Stack {
    pub fn tcp_listen(&mut self, port: u16) -> Result<usize, ListenError> {
        let mut socket = tcp_socket();
        socket.listen(port).map_err(|_| ListenError::PortZero)?;
        Ok(self.add_tcp(socket))
    }

    pub fn tcp_connect(&mut self, to: SocketAddrV4) -> Result<usize, SendError> {
        let mut socket = tcp_socket();
        let remote = IpEndpoint::new((*to.ip()).into(), to.port());
        let port = self.next_tcp_port;
        socket
            .connect(self.interface.context(), remote, port)
            .map_err(|_| SendError::Unreachable(*to.ip()))?;
        self.next_tcp_port = port.checked_add(1).unwrap_or(FIRST_PORT);
        Ok(self.add_tcp(socket))
    }

    fn add_tcp(&mut self, socket: tcp::Socket<'static>) -> usize {
        let socket = TcpSocket {
            seen: Seen::of(&socket),
            socket: self.sockets.add(socket),
        };
        fill_gap(&mut self.tcp, socket)
    }

    pub fn tcp_give_up(&mut self, index: usize) {
        let socket = self.tcp[index].take().expect(GIVEN_UP);
        self.sockets.remove(socket.socket);
    }

    pub fn tcp_send(&mut self, index: usize, bytes: &[u8]) -> usize {
        // A connection that is not open in this direction takes nothing.
        self.tcp_socket(index).send_slice(bytes).unwrap_or(0)
    }

    pub fn tcp_recv(&mut self, index: usize, limit: usize) -> Vec<u8> {
        let socket = self.tcp_socket(index);
        let mut bytes = vec![0; limit.min(socket.recv_queue())];
        let taken = socket.recv_slice(&mut bytes).unwrap_or(0);
        bytes.truncate(taken);
        bytes
    }

    pub fn tcp_close(&mut self, index: usize) {
        self.tcp_socket(index).close();
    }

    pub fn tcp_abort(&mut self, index: usize) {
        self.tcp_socket(index).abort();
    }

    pub fn tcp_state(&self, index: usize) -> tcp::State {
        let entry = self.tcp[index].as_ref().expect(GIVEN_UP);
        self.sockets.get::<tcp::Socket>(entry.socket).state()
    }

    /// Whether a connection has moved since the last call.
    pub(super) fn collect_tcp(&mut self) -> bool {
        let mut news = false;
        for entry in self.tcp.iter_mut().flatten() {
            let now = Seen::of(self.sockets.get::<tcp::Socket>(entry.socket));
            news |= entry.seen != now;
            entry.seen = now;
        }
        news
    }

    fn tcp_socket(&mut self, index: usize) -> &mut tcp::Socket<'static> {
        let handle = self.tcp[index].as_ref().expect(GIVEN_UP).socket;
        self.sockets.get_mut::<tcp::Socket>(handle)
    }
}

fn tcp_socket() -> tcp::Socket<'static> {
    let buffer = || tcp::SocketBuffer::new(vec![0; BUFFER_LEN]);
    tcp::Socket::new(buffer(), buffer())
}
