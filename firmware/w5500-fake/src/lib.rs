//! UDP sockets of a W5500 in memory, for unit tests on the host: registers and buffers by SPI
//! access, OPEN, CLOSE, SEND and RECV at once. It has no wire and no time.

use std::collections::HashMap;
use std::convert::Infallible;

use w5500_hl::ll::{Registers, Sn, SnReg, SocketCommand, SocketInterrupt, SocketStatus};
use w5500_hl::net::SocketAddrV4;

const BUFFER_BYTES: u16 = 2048;

/// A datagram the driver sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The socket's number.
    pub socket: u8,
    /// The destination registers at the SEND.
    pub to: SocketAddrV4,
    /// What the transmit buffer held.
    pub payload: Vec<u8>,
}

/// One SPI transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Block select bits.
    pub block: u8,
    /// The first address.
    pub address: u16,
    /// Whether the driver wrote.
    pub write: bool,
    /// Bytes on the bus, the three of the header included.
    pub bytes: usize,
}

/// The chip, out of reset and with all sockets closed.
#[derive(Default)]
pub struct FakeChip {
    memory: HashMap<(u8, u16), u8>,
    /// What was sent, in order.
    pub sent: Vec<Sent>,
    /// What the driver did on the bus, in order.
    pub accesses: Vec<Access>,
    /// Keeps sent bytes in the transmit buffer, as during an ARP exchange, until this many looks at
    /// its registers.
    pub busy_looks: u32,
}

impl FakeChip {
    /// A datagram arrives; it must fit the free space.
    pub fn receive(&mut self, socket: Sn, from: SocketAddrV4, payload: &[u8]) {
        let length = payload.len() as u16;
        self.receive_claiming(socket, from, length, payload);
    }

    /// A datagram arrives whose header claims another length than the payload has.
    pub fn receive_claiming(
        &mut self,
        socket: Sn,
        from: SocketAddrV4,
        length: u16,
        payload: &[u8],
    ) {
        let mut bytes = from.ip().octets().to_vec();
        bytes.extend(from.port().to_be_bytes());
        bytes.extend(length.to_be_bytes());
        bytes.extend(payload);
        let start = self.register16(socket, SnReg::RX_WR0);
        assert!(self.waiting_bytes(socket) + bytes.len() as u16 <= BUFFER_BYTES);
        for (offset, byte) in bytes.iter().enumerate() {
            let address = start.wrapping_add(offset as u16) % BUFFER_BYTES;
            self.poke(socket.rx_block(), address, *byte);
        }
        let end = start.wrapping_add(bytes.len() as u16);
        self.set_register16(socket, SnReg::RX_WR0, end);
        self.update_received(socket);
        self.raise(socket, SocketInterrupt::RECV_MASK);
    }

    /// Bytes in the receive buffer, headers included.
    pub fn waiting_bytes(&self, socket: Sn) -> u16 {
        self.register16(socket, SnReg::RX_RSR0)
    }

    /// The bytes of the registers of this block that start at the address.
    pub fn peek<const N: usize>(&self, block: u8, address: u16) -> [u8; N] {
        std::array::from_fn(|at| self.byte(block, address + at as u16))
    }

    /// Sets one byte of the registers.
    pub fn poke(&mut self, block: u8, address: u16, value: u8) {
        self.memory.insert((block, address), value);
    }

    fn byte(&self, block: u8, address: u16) -> u8 {
        self.memory.get(&(block, address)).copied().unwrap_or(0)
    }

    fn register16(&self, socket: Sn, register: SnReg) -> u16 {
        u16::from_be_bytes(self.peek(socket.block(), register.addr()))
    }

    fn set_register16(&mut self, socket: Sn, register: SnReg, value: u16) {
        for (address, byte) in (register.addr()..).zip(value.to_be_bytes()) {
            self.poke(socket.block(), address, byte);
        }
    }

    fn raise(&mut self, socket: Sn, bits: u8) {
        let old = self.byte(socket.block(), SnReg::IR.addr());
        self.poke(socket.block(), SnReg::IR.addr(), old | bits);
    }

    fn update_received(&mut self, socket: Sn) {
        let end = self.register16(socket, SnReg::RX_WR0);
        let waiting = end.wrapping_sub(self.register16(socket, SnReg::RX_RD0));
        self.set_register16(socket, SnReg::RX_RSR0, waiting);
    }

    fn update_free(&mut self, socket: Sn) {
        if self.busy_looks > 0 {
            self.busy_looks -= 1;
            self.set_register16(socket, SnReg::TX_FSR0, 1);
        } else {
            self.set_register16(socket, SnReg::TX_FSR0, BUFFER_BYTES);
        }
    }

    fn command(&mut self, socket: Sn, command: u8) {
        let status = SnReg::SR.addr();
        if command == u8::from(SocketCommand::Open) {
            self.poke(socket.block(), status, SocketStatus::Udp.into());
            let end = self.register16(socket, SnReg::RX_WR0);
            self.set_register16(socket, SnReg::RX_RD0, end);
            self.update_received(socket);
        } else if command == u8::from(SocketCommand::Close) {
            self.poke(socket.block(), status, SocketStatus::Closed.into());
        } else if command == u8::from(SocketCommand::Recv) {
            self.update_received(socket);
        } else if command == u8::from(SocketCommand::Send) {
            self.send(socket);
        }
    }

    fn send(&mut self, socket: Sn) {
        let start = self.register16(socket, SnReg::TX_RD0);
        let end = self.register16(socket, SnReg::TX_WR0);
        let length = end.wrapping_sub(start);
        let payload = (0..length)
            .map(|at| self.byte(socket.tx_block(), start.wrapping_add(at) % BUFFER_BYTES))
            .collect();
        let ip: [u8; 4] = self.peek(socket.block(), SnReg::DIPR0.addr());
        let port = self.register16(socket, SnReg::DPORT0);
        self.sent.push(Sent {
            socket: socket.into(),
            to: SocketAddrV4::new(ip.into(), port),
            payload,
        });
        self.set_register16(socket, SnReg::TX_RD0, end);
    }

    /// The socket that owns the registers or buffers, and which of the three.
    fn owner(block: u8) -> Option<(Sn, u8)> {
        let socket = Sn::try_from(block / 4).ok()?;
        Some((socket, block % 4)).filter(|(_, kind)| *kind != 0)
    }
}

impl Registers for FakeChip {
    type Error = Infallible;

    fn read(&mut self, address: u16, block: u8, data: &mut [u8]) -> Result<(), Infallible> {
        self.note(block, address, false, data.len());
        let owner = Self::owner(block);
        if let Some((socket, 1)) = owner
            && address == SnReg::TX_FSR0.addr()
        {
            self.update_free(socket);
        }
        let wrap = wrap_of(owner);
        for (at, byte) in data.iter_mut().enumerate() {
            *byte = self.byte(block, address.wrapping_add(at as u16) & wrap);
        }
        Ok(())
    }

    fn write(&mut self, address: u16, block: u8, data: &[u8]) -> Result<(), Infallible> {
        self.note(block, address, true, data.len());
        let owner = Self::owner(block);
        let wrap = wrap_of(owner);
        for (at, byte) in data.iter().enumerate() {
            let at = address.wrapping_add(at as u16) & wrap;
            match owner {
                Some((socket, 1)) if at == SnReg::CR.addr() => self.command(socket, *byte),
                Some((_, 1)) if at == SnReg::IR.addr() => {
                    let left = self.byte(block, at) & !byte;
                    self.poke(block, at, left);
                }
                _ => self.poke(block, at, *byte),
            }
        }
        Ok(())
    }
}

impl FakeChip {
    fn note(&mut self, block: u8, address: u16, write: bool, data_bytes: usize) {
        self.accesses.push(Access {
            block,
            address,
            write,
            bytes: 3 + data_bytes,
        });
    }
}

/// Buffers repeat every 2 KB, registers do not.
fn wrap_of(owner: Option<(Sn, u8)>) -> u16 {
    match owner {
        Some((_, 2 | 3)) => BUFFER_BYTES - 1,
        _ => u16::MAX,
    }
}
