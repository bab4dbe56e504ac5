//! The transactions that the published firmware made with the chip.

use bring_up_w5500_spi::Bus;
use embassy_stm32::gpio::Output;
use embassy_time::{Instant, Timer};
use embedded_hal::spi::ErrorType;
use embedded_hal_bus::spi::{ExclusiveDevice, NoDelay};
use published_states::WORK_BUFFER_BYTES;
use static_cell::ConstStaticCell;
use w5500_dhcp::{Client, Hostname};
use w5500_hl::io::Write;
use w5500_hl::ll::eh1::vdm::W5500;
use w5500_hl::ll::net::Eui48Addr;
use w5500_hl::ll::{Mode, Registers, Sn, SocketInterruptMask, VERSION};
use w5500_hl::net::SocketAddrV4;
use w5500_hl::{Error, Udp};

/// That of the variant it stands for.
const MAC_ADDRESS: Eui48Addr = Eui48Addr::new(0x02, 0x00, 0x00, 0x00, 0x72, 0x03);
const HOSTNAME: Hostname<'static> = Hostname::new_unwrapped("nucleo-h723zg");
/// The client draws transaction numbers from it.
const SEED: u64 = 0x0200_0000_7203;

const DHCP_SOCKET: Sn = Sn::Sn0;
const ECHO_SOCKET: Sn = Sn::Sn1;
#[cfg(feature = "profiling")]
const TELEMETRY_SOCKET: Sn = Sn::Sn2;
/// RFC 862.
const ECHO_PORT: u16 = 7;

type Device = ExclusiveDevice<Bus, Output<'static>, NoDelay>;
type Chip = W5500<Device>;
type BusError = <Device as ErrorType>::Error;

/// The chip and what is known of it.
pub struct Sockets {
    chip: Chip,
    dhcp: Client<'static>,
    is_bound: bool,
    buffer: &'static mut [u8],
}

impl Sockets {
    /// Resets the chip and prepares to ask for an address.
    ///
    /// # Panics
    /// When no W5500 answers.
    pub async fn open(spi: Bus, chip_select: Output<'static>) -> Self {
        static BUFFER: ConstStaticCell<[u8; WORK_BUFFER_BYTES]> =
            ConstStaticCell::new([0; WORK_BUFFER_BYTES]);

        let Ok(device) = ExclusiveDevice::new_no_delay(spi, chip_select);
        let mut chip = W5500::new(device);
        on_the_bus(chip.set_mr(Mode::DEFAULT.rst()));
        Timer::after_millis(100).await;
        assert!(on_the_bus(chip.version()) == VERSION, "no W5500 answers");
        on_the_bus(chip.set_shar(&MAC_ADDRESS));
        let dhcp = Client::new(DHCP_SOCKET, SEED, MAC_ADDRESS, HOSTNAME);
        on_the_bus(dhcp.setup_socket(&mut chip));
        Self {
            chip,
            dhcp,
            is_bound: false,
            buffer: BUFFER.take(),
        }
    }

    /// Whether something arrived for DHCP.
    #[cfg(not(feature = "polled"))]
    pub fn dhcp_interrupts(&mut self) -> bool {
        on_the_bus(self.chip.sir()) & DHCP_SOCKET.bitmask() != 0
    }

    /// Lets DHCP act, and binds the servers once there is a lease.
    pub fn maintain(&mut self) {
        let now_secs = Instant::now().as_secs() as u32;
        if self.dhcp.process(&mut self.chip, now_secs).is_err() {
            defmt::warn!("DHCP failed");
        }
        let Some(address) = self.dhcp.leased_ip().filter(|_| !self.is_bound) else {
            return;
        };
        on_the_bus(self.bind(ECHO_SOCKET, ECHO_PORT));
        #[cfg(feature = "profiling")]
        on_the_bus(self.bind(TELEMETRY_SOCKET, profiling::PORT));
        self.is_bound = true;
        defmt::info!("link up");
        defmt::info!("lease {}", address);
    }

    fn bind(&mut self, socket: Sn, port: u16) -> Result<(), BusError> {
        self.chip.udp_bind(socket, port)?;
        if cfg!(feature = "polled") {
            return Ok(());
        }
        let enabled = self.chip.simr()?;
        self.chip.set_simr(enabled | socket.bitmask())?;
        let mask = SocketInterruptMask::ALL_MASKED.unmask_recv();
        self.chip.set_sn_imr(socket, mask)
    }

    /// Echoes one datagram if one waits.
    #[cfg(feature = "polled")]
    pub fn serve(&mut self) {
        if self.is_bound {
            self.echo_one();
        }
    }

    /// Echoes every datagram that waits.
    #[cfg(not(feature = "polled"))]
    pub fn serve(&mut self) {
        if !self.is_bound {
            return;
        }
        self.clear_interrupt(ECHO_SOCKET);
        while self.echo_one() {}
        #[cfg(feature = "profiling")]
        self.answer_telemetry();
    }

    #[cfg(not(feature = "polled"))]
    fn clear_interrupt(&mut self, socket: Sn) {
        let raised = on_the_bus(self.chip.sn_ir(socket));
        if raised.any_raised() {
            on_the_bus(self.chip.set_sn_ir(socket, raised));
        }
    }

    /// Whether there was a datagram.
    fn echo_one(&mut self) -> bool {
        match self.chip.udp_recv_from(ECHO_SOCKET, self.buffer) {
            Ok((length, sender)) => {
                let payload = &self.buffer[..length.into()];
                // A SEND of nothing never completes on this chip.
                if !payload.is_empty() {
                    on_the_bus(send(&mut self.chip, ECHO_SOCKET, payload, sender));
                }
                true
            }
            Err(Error::WouldBlock) => false,
            Err(_) => true,
        }
    }

    #[cfg(feature = "profiling")]
    fn answer_telemetry(&mut self) {
        self.clear_interrupt(TELEMETRY_SOCKET);
        let request = &mut self.buffer[..16];
        if let Ok((length, sender)) = self.chip.udp_recv_from(TELEMETRY_SOCKET, request)
            && let Some(reply) = profiling::answer(&request[..length.into()])
        {
            on_the_bus(send(&mut self.chip, TELEMETRY_SOCKET, &reply, sender));
        }
    }
}

/// The destination goes to the chip with every datagram.
fn send(
    chip: &mut Chip,
    socket: Sn,
    payload: &[u8],
    to: SocketAddrV4,
) -> Result<(), Error<BusError>> {
    let mut writer = chip.udp_writer(socket)?;
    writer.write_all(payload)?;
    Ok(writer.udp_send_to(&to)?)
}

/// As in the published firmware, a bus that fails ends it.
fn on_the_bus<T, E>(done: Result<T, E>) -> T {
    match done {
        Ok(value) => value,
        Err(_) => defmt::panic!("the W5500 does not do as it is told"),
    }
}
