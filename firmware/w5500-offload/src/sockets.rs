//! What each socket of the chip does.

use embassy_time::Instant;
use static_cell::ConstStaticCell;
use w5500_address::{Address, Change, DHCP_SOCKET};
use w5500_hl::Error;
use w5500_hl::ll::net::Eui48Addr;
use w5500_hl::ll::{Registers, Sn};
use w5500_udp_server::UdpServer;

use crate::bus::{BusError, Chip};

const MAC_ADDRESS: Eui48Addr = Eui48Addr::new(0x02, 0x00, 0x00, 0x00, 0x72, 0x03);

const ECHO_SOCKET: Sn = Sn::Sn1;
/// RFC 862.
const ECHO_PORT: u16 = 7;
#[cfg(feature = "profiling")]
const TELEMETRY_SOCKET: Sn = Sn::Sn2;

/// The payload of a full Ethernet frame; the chip reassembles no fragments.
const MAX_PAYLOAD_BYTES: usize = 1472;

/// The chip's sockets in use.
pub struct Sockets {
    chip: Chip,
    address: Address,
    echo: UdpServer,
    #[cfg(feature = "profiling")]
    telemetry: UdpServer,
    buffer: &'static mut [u8],
}

impl Sockets {
    /// Binds the servers' sockets; the address follows with the ticks.
    pub fn open(mut chip: Chip) -> Result<Self, BusError> {
        static BUFFER: ConstStaticCell<[u8; MAX_PAYLOAD_BYTES]> =
            ConstStaticCell::new([0; MAX_PAYLOAD_BYTES]);

        chip.set_shar(&MAC_ADDRESS)?;
        Ok(Self {
            address: Address::new(MAC_ADDRESS),
            echo: UdpServer::bind(&mut chip, ECHO_SOCKET, ECHO_PORT)?,
            #[cfg(feature = "profiling")]
            telemetry: UdpServer::bind(&mut chip, TELEMETRY_SOCKET, profiling::PORT)?,
            chip,
            buffer: BUFFER.take(),
        })
    }

    /// Looks at the link and at DHCP's timers.
    pub fn tick(&mut self) -> Result<(), Error<BusError>> {
        let change = self.address.poll(&mut self.chip, now_secs(), self.buffer)?;
        report(change);
        Ok(())
    }

    /// Serves the sockets that interrupt.
    pub fn serve(&mut self) -> Result<(), Error<BusError>> {
        let raised = self.chip.sir()?;
        if raised & ECHO_SOCKET.bitmask() != 0 {
            let given_up = self.echo.serve(&mut self.chip, self.buffer, echo)?;
            if given_up > 0 {
                defmt::warn!("transmitter busy, {} replies given up", given_up);
            }
        }
        if raised & DHCP_SOCKET.bitmask() != 0 {
            let change = self
                .address
                .serve(&mut self.chip, now_secs(), self.buffer)?;
            report(change);
        }
        #[cfg(feature = "profiling")]
        if raised & TELEMETRY_SOCKET.bitmask() != 0 {
            self.telemetry
                .serve(&mut self.chip, self.buffer, answer_telemetry)?;
        }
        Ok(())
    }
}

fn echo(_: &mut [u8], length: usize) -> usize {
    if length == 0 {
        defmt::warn!("empty datagram dropped");
    }
    length
}

#[cfg(feature = "profiling")]
fn answer_telemetry(buffer: &mut [u8], length: usize) -> usize {
    let Some(reply) = profiling::answer(&buffer[..length]) else {
        return 0;
    };
    buffer[..reply.len()].copy_from_slice(&reply);
    reply.len()
}

fn report(change: Option<Change>) {
    match change {
        Some(Change::LinkUp) => defmt::info!("link up"),
        Some(Change::LinkDown) => defmt::info!("link down"),
        Some(Change::Leased(address)) => defmt::info!("lease {}", address),
        Some(Change::Fallback(address)) => defmt::info!("no lease, static {}", address),
        None => {}
    }
}

fn now_secs() -> u32 {
    Instant::now().as_secs() as u32
}
