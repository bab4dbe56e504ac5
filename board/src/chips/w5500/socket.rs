//! A socket's registers and commands.

use std::net::Ipv4Addr;

use super::parameters::{PointerReadback, RecvPastData};
use super::registers::{Command, socket as register};
use super::send::Sends;
use super::tcp::{self, State, Tcp};
use super::{ChipContext, W5500};
use crate::time::Instant;

/// A free-running pointer that software moves: what it wrote counts from a command on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pointer {
    /// What counts.
    pub value: u16,
    pub written: u16,
}

impl Pointer {
    fn at(value: u16) -> Self {
        Self {
            value,
            written: value,
        }
    }

    fn read(self, readback: PointerReadback) -> [u8; 2] {
        match readback {
            PointerReadback::Old => self.value.to_be_bytes(),
            PointerReadback::New => self.written.to_be_bytes(),
        }
    }

    fn write(&mut self, low: bool, byte: u8) {
        let mut bytes = self.written.to_be_bytes();
        bytes[usize::from(low)] = byte;
        self.written = u16::from_be_bytes(bytes);
    }
}

/// One of the eight sockets.
#[derive(Clone, Debug)]
pub(super) struct Socket {
    /// Registers that read as written.
    bytes: [u8; register::LEN],
    /// The last command and when it is accepted.
    command: u8,
    accepted_at: Instant,
    /// Sn_IR.
    pub interrupts: u8,
    /// Sn_SR.
    pub status: u8,
    pub tx_rd: u16,
    pub tx_wr: Pointer,
    pub rx_rd: Pointer,
    pub rx_wr: u16,
    pub sends: Sends,
    /// The connection of a TCP socket; closed in the other modes.
    pub tcp: Tcp,
    /// Whose hardware address is in Sn_DHAR because an answer brought it.
    pub resolved: Option<Resolved>,
}

/// A destination whose first hop answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Resolved {
    pub destination: Ipv4Addr,
    pub at: Instant,
}

impl Default for Socket {
    fn default() -> Self {
        let mut socket = Self {
            bytes: [0; register::LEN],
            command: 0,
            accepted_at: Instant::ZERO,
            interrupts: 0,
            status: register::STATUS_CLOSED,
            tx_rd: 0,
            tx_wr: Pointer::default(),
            rx_rd: Pointer::default(),
            rx_wr: 0,
            sends: Sends::default(),
            tcp: Tcp::new(0),
            resolved: None,
        };
        socket.set(register::DHAR, &[0xFF; 6]);
        socket.set(register::TTL, &[register::TTL_RESET]);
        socket.set(register::RXBUF_SIZE, &[register::SIZE_RESET_KB; 2]);
        socket.set(register::IMR, &[0xFF]);
        socket.set(register::FRAG, &register::FRAG_RESET.to_be_bytes());
        socket
    }
}

impl Socket {
    pub fn set(&mut self, address: u16, bytes: &[u8]) {
        let address = usize::from(address);
        self.bytes[address..address + bytes.len()].copy_from_slice(bytes);
    }

    pub fn byte(&self, address: u16) -> u8 {
        self.bytes[usize::from(address)]
    }

    pub fn array<const LEN: usize>(&self, address: u16) -> [u8; LEN] {
        let address = usize::from(address);
        std::array::from_fn(|n| self.bytes[address + n])
    }

    pub fn half(&self, address: u16) -> u16 {
        u16::from_be_bytes(self.array(address))
    }

    pub fn protocol(&self) -> u8 {
        self.byte(register::MR) & register::MR_PROTOCOL
    }

    /// Whether a bit of Sn_MR is set.
    pub fn has(&self, mode_bit: u8) -> bool {
        self.byte(register::MR) & mode_bit != 0
    }

    /// RX_RSR.
    pub fn received(&self) -> u16 {
        self.rx_wr.wrapping_sub(self.rx_rd.value)
    }

    /// Bytes that can still be received into a buffer of `len`.
    pub fn rx_free(&self, len: u16) -> u16 {
        len.saturating_sub(self.received())
    }

    /// TX_FSR of a buffer of `len` bytes.
    pub fn tx_free(&self, len: u16) -> u16 {
        len.saturating_sub(self.tx_wr.value.wrapping_sub(self.tx_rd))
    }

    /// Whether reading `len` bytes from `first` on reads more than was received.
    pub fn is_past_data(&self, first: u16, len: u64) -> bool {
        let skipped = first.wrapping_sub(self.rx_rd.value);
        u64::from(skipped) + len > u64::from(self.received())
    }

    /// Whether writing `len` bytes from `first` on overwrites what is not sent yet in a buffer of
    /// `space` bytes.
    pub fn is_past_space(&self, first: u16, len: u64, space: u16) -> bool {
        let skipped = first.wrapping_sub(self.tx_rd);
        u64::from(skipped) + len > u64::from(space)
    }

    /// The pointers as OPEN leaves them.
    pub fn rewind(&mut self, pointer: u16) {
        self.tx_rd = pointer;
        self.tx_wr = Pointer::at(pointer);
        self.rx_rd = Pointer::at(pointer);
        self.rx_wr = pointer;
    }
}

impl W5500 {
    /// The byte at `address` of socket `n`'s block. The sizes of what is received and free are as they
    /// are at that byte: they can change between their two bytes.
    pub(super) fn read_socket(&self, n: u8, address: u16, now: Instant) -> u8 {
        let socket = &self.sockets[usize::from(n)];
        let half = |value: u16| value.to_be_bytes()[usize::from(address & 1)];
        let parameters = &self.parameters;
        match address {
            register::CR if now < socket.accepted_at => socket.command,
            register::CR => 0,
            register::IR => socket.interrupts,
            register::SR => socket.status,
            register::TX_FSR..register::TX_RD => half(socket.tx_free(self.tx.block(n).len())),
            register::TX_RD..register::TX_WR => half(socket.tx_rd),
            register::TX_WR..register::RX_RSR => {
                socket.tx_wr.read(parameters.tx_wr_readback)[usize::from(address & 1)]
            }
            register::RX_RSR..register::RX_RD => half(socket.received()),
            register::RX_RD..register::RX_WR => {
                socket.rx_rd.read(parameters.rx_rd_readback)[usize::from(address & 1)]
            }
            register::RX_WR..register::IMR => half(socket.rx_wr),
            _ if register::MAP.at(address).is_none() => parameters.reserved_value,
            _ => socket.byte(address),
        }
    }

    /// Writes a register that can be written.
    pub(super) fn write_socket(&mut self, n: u8, address: u16, value: u8, ctx: &mut ChipContext) {
        let socket = &mut self.sockets[usize::from(n)];
        let low = address & 1 != 0;
        match address {
            register::CR => self.write_command(n, value, ctx),
            register::IR => {
                socket.interrupts &= !value;
                self.refresh_socket_interrupt(n, ctx);
            }
            register::IMR => {
                socket.set(address, &[value]);
                self.refresh_socket_interrupt(n, ctx);
            }
            register::TX_WR..register::RX_RSR => socket.tx_wr.write(low, value),
            register::RX_RD..register::RX_WR => socket.rx_rd.write(low, value),
            register::RXBUF_SIZE | register::TXBUF_SIZE => {
                socket.set(address, &[value]);
                self.divide_buffers();
            }
            _ => socket.set(address, &[value]),
        }
    }

    /// Cuts both memories as the size registers say.
    pub(super) fn divide_buffers(&mut self) {
        let sizes = |address: u16| {
            std::array::from_fn(|n| match self.sockets[n].byte(address) {
                kb @ (0 | 1 | 2 | 4 | 8 | 16) => kb,
                _ => self.parameters.unlisted_size_kb,
            })
        };
        let (rx, tx) = (sizes(register::RXBUF_SIZE), sizes(register::TXBUF_SIZE));
        self.rx.divide(rx);
        self.tx.divide(tx);
    }

    fn write_command(&mut self, n: u8, value: u8, ctx: &mut ChipContext) {
        let socket = &mut self.sockets[usize::from(n)];
        self.counters.hasty_commands += u64::from(ctx.now < socket.accepted_at);
        socket.command = value;
        socket.accepted_at = ctx.now + self.parameters.command_accept;
        match Command::from_byte(value) {
            Some(Command::Open) => self.open(n, ctx),
            Some(Command::Close) => self.close(n, ctx),
            Some(Command::Recv) => self.recv(n, ctx),
            Some(command @ (Command::Send | Command::SendMac)) => self.send(n, command, ctx),
            Some(Command::Listen) => self.command_tcp(n, tcp::Command::Listen, ctx),
            Some(Command::Connect) => self.command_tcp(n, tcp::Command::Connect, ctx),
            Some(Command::Disconnect) => self.command_tcp(n, tcp::Command::Disconnect, ctx),
            Some(Command::SendKeep) => self.command_tcp(n, tcp::Command::KeepAlive, ctx),
            None => self.counters.refused_commands += 1,
        }
    }

    /// OPEN: the protocol in Sn_MR begins, with empty buffers.
    fn open(&mut self, n: u8, ctx: &mut ChipContext) {
        let status = match self.sockets[usize::from(n)].protocol() {
            register::PROTOCOL_TCP => State::Init as u8,
            register::PROTOCOL_UDP => register::STATUS_UDP,
            register::PROTOCOL_MACRAW if n == 0 => register::STATUS_MACRAW,
            _ => {
                self.counters.refused_commands += 1;
                return;
            }
        };
        self.drop_sends(n, ctx);
        self.sockets[usize::from(n)].tcp.close();
        if status == State::Init as u8 {
            self.open_tcp(n);
        }
        let socket = &mut self.sockets[usize::from(n)];
        socket.rewind(self.parameters.pointer_at_open);
        socket.resolved = None;
        socket.status = status;
    }

    /// CLOSE: at once; what is not on the wire yet is lost.
    fn close(&mut self, n: u8, ctx: &mut ChipContext) {
        self.drop_sends(n, ctx);
        let socket = &mut self.sockets[usize::from(n)];
        socket.tcp.close();
        socket.status = register::STATUS_CLOSED;
    }

    /// RECV: RX_RD counts from now on.
    fn recv(&mut self, n: u8, ctx: &mut ChipContext) {
        let socket = &mut self.sockets[usize::from(n)];
        let received = socket.received();
        let taken = socket.rx_rd.written.wrapping_sub(socket.rx_rd.value);
        if received == 0 {
            self.counters.recv_without_data += 1;
        }
        if taken > received {
            self.counters.recv_past_data += 1;
            if self.parameters.recv_past_data == RecvPastData::Clamped {
                socket.rx_rd.written = socket.rx_wr;
            }
        }
        socket.rx_rd.value = socket.rx_rd.written;
        if socket.tcp.state() != State::Closed {
            self.command_tcp(n, tcp::Command::Receive, ctx);
        }
    }

    /// Stores bytes that the caller knows to fit, one part after the other, in socket `n`'s buffer.
    pub(super) fn store(&mut self, n: u8, parts: [&[u8]; 2]) {
        let block = self.rx.block(n);
        let socket = &mut self.sockets[usize::from(n)];
        for part in parts {
            self.rx.copy_in(block, socket.rx_wr, part);
            socket.rx_wr = socket.rx_wr.wrapping_add(part.len() as u16);
        }
    }
}
