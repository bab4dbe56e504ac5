//! A UDP server on one hardware socket of the W5500.

#![no_std]

use w5500_hl::io::{Seek, Write};
use w5500_hl::ll::{BufferSize, Registers, Sn, SocketInterruptMask};
use w5500_hl::net::SocketAddrV4;
use w5500_hl::{Error, Udp};

/// The socket's memory in the chip, for each direction. A datagram takes 8 bytes more than its
/// payload, so this holds three of 512 bytes or one of 1472.
const SOCKET_BUFFER: BufferSize = BufferSize::KB2;

/// How often the transmitter is looked at before a reply is given up. A look takes some 10 µs, so
/// this is longer than the longest frame and an ARP exchange take, and far shorter than the 1.8 s
/// in which the chip gives up an ARP request.
const BUSY_LOOKS: u32 = 500;

/// A bound socket and what is known about its registers.
pub struct UdpServer {
    socket: Sn,
    /// What Sn_DIPR and Sn_DPORT hold.
    destination: Option<SocketAddrV4>,
}

impl UdpServer {
    /// Binds the socket, and lets it interrupt when a datagram arrives and for nothing else.
    pub fn bind<W: Registers>(chip: &mut W, socket: Sn, port: u16) -> Result<Self, W::Error> {
        chip.set_sn_rxbuf_size(socket, SOCKET_BUFFER)?;
        chip.set_sn_txbuf_size(socket, SOCKET_BUFFER)?;
        chip.set_sn_imr(socket, SocketInterruptMask::ALL_MASKED.unmask_recv())?;
        let enabled = chip.simr()?;
        chip.set_simr(enabled | socket.bitmask())?;
        chip.udp_bind(socket, port)?;
        Ok(Self {
            socket,
            destination: None,
        })
    }

    /// Takes every datagram that waits, and sends back as many bytes of `buffer` as `answer`
    /// leaves there; none for no reply. `answer` gets the buffer and the datagram's length.
    ///
    /// Returns how many replies were given up because the transmitter stayed busy.
    pub fn serve<W: Registers>(
        &mut self,
        chip: &mut W,
        buffer: &mut [u8],
        mut answer: impl FnMut(&mut [u8], usize) -> usize,
    ) -> Result<u32, Error<W::Error>> {
        // Cleared before draining: what arrives during or after it interrupts again. The other way
        // round, the last arrival would wait for the next one.
        let raised = chip.sn_ir(self.socket)?;
        chip.set_sn_ir(self.socket, raised)?;
        let mut given_up = 0;
        loop {
            let (length, sender) = match chip.udp_recv_from(self.socket, buffer) {
                Ok(received) => received,
                Err(Error::WouldBlock) => return Ok(given_up),
                Err(error) => return Err(error),
            };
            let length = answer(buffer, length.into());
            match self.send(chip, &buffer[..length], sender) {
                Err(Error::OutOfMemory) => given_up += 1,
                sent => sent?,
            }
        }
    }

    fn send<W: Registers>(
        &mut self,
        chip: &mut W,
        payload: &[u8],
        to: SocketAddrV4,
    ) -> Result<(), Error<W::Error>> {
        // A SEND of nothing never completes on this chip.
        if payload.is_empty() {
            return Ok(());
        }
        let mut writer = chip.udp_writer(self.socket)?;
        // The chip takes no SEND, and the destination must not change, before the last one is done.
        if !is_idle(writer.stream_len()) {
            self.wait_until_sent(chip)?;
            writer = chip.udp_writer(self.socket)?;
        }
        writer.write_all(payload)?;
        if self.destination.take() == Some(to) {
            writer.send()?;
        } else {
            writer.udp_send_to(&to)?;
        }
        self.destination = Some(to);
        Ok(())
    }

    fn wait_until_sent<W: Registers>(&self, chip: &mut W) -> Result<(), Error<W::Error>> {
        for _ in 0..BUSY_LOOKS {
            if is_idle(chip.sn_tx_fsr(self.socket)?) {
                return Ok(());
            }
        }
        Err(Error::OutOfMemory)
    }
}

/// Whether all of the transmit buffer is free, which it is once everything in it has been sent.
fn is_idle(free_bytes: u16) -> bool {
    usize::from(free_bytes) == SOCKET_BUFFER.size_in_bytes()
}

#[cfg(test)]
mod tests;
