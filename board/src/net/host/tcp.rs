//! The host's TCP sockets.

use std::net::SocketAddrV4;

pub use smoltcp::socket::tcp::State as TcpState;

use super::{Host, SendError};

/// One of the host's TCP sockets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TcpHandle(usize);

/// Why the host cannot listen on a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListenError {
    #[error("TCP port 0 cannot be listened on")]
    PortZero,
}

impl Host {
    /// Waits for one connection to `port`. Several sockets may wait on the same port.
    pub fn tcp_listen(&mut self, port: u16) -> Result<TcpHandle, ListenError> {
        self.stack.tcp_listen(port).map(TcpHandle)
    }

    /// Begins to connect to `to`, from a port that no other connection of this host has had.
    pub fn tcp_connect(&mut self, to: SocketAddrV4) -> Result<TcpHandle, SendError> {
        self.check_room(*to.ip())?;
        self.stack.tcp_connect(to).map(TcpHandle)
    }

    /// Takes as many of `bytes` as there is room for and tells how many; none unless the connection is
    /// established and open in this direction.
    pub fn tcp_send(&mut self, handle: TcpHandle, bytes: &[u8]) -> usize {
        self.stack.tcp_send(handle.0, bytes)
    }

    /// Takes at most `limit` of the bytes that were received. What is not taken closes the window.
    pub fn tcp_recv(&mut self, handle: TcpHandle, limit: usize) -> Vec<u8> {
        self.stack.tcp_recv(handle.0, limit)
    }

    /// Ends the connection in this direction, after what was sent before.
    pub fn tcp_close(&mut self, handle: TcpHandle) {
        self.stack.tcp_close(handle.0);
    }

    /// Breaks the connection off with a reset.
    pub fn tcp_abort(&mut self, handle: TcpHandle) {
        self.stack.tcp_abort(handle.0);
    }

    /// Forgets a connection, whatever its state: nothing of it is sent any more.
    ///
    /// # Panics
    /// A handle that was given up before; so do all others that take one.
    pub fn tcp_give_up(&mut self, handle: TcpHandle) {
        self.stack.tcp_give_up(handle.0);
    }

    pub fn tcp_state(&self, handle: TcpHandle) -> TcpState {
        self.stack.tcp_state(handle.0)
    }
}
