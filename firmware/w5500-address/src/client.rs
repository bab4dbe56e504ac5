//! w5500-dhcp 0.7 with its faults kept away from it.

use w5500_dhcp::hl::io::Read;
use w5500_dhcp::hl::{Error, Udp};
use w5500_dhcp::ll::Registers;
use w5500_dhcp::ll::net::{Eui48Addr, Ipv4Addr};
use w5500_dhcp::{Client, Hostname, State};

use crate::DHCP_SOCKET;
use crate::message::{Kind, Message};

const HOSTNAME: Hostname<'static> = Hostname::new_unwrapped("nucleo-h723zg");

/// A DHCP client that is asking, or has a lease.
///
/// One fault stays: the client's DHCPREQUEST has another transaction number than the offer it
/// accepts (RFC 2131 §4.4.1). Servers answer it nevertheless, with its own number.
pub(crate) struct DhcpClient {
    client: Client<'static>,
    due_secs: u32,
}

impl DhcpClient {
    /// Opens the socket; the first call of [`Self::serve`] asks for an address.
    pub fn start<W: Registers>(chip: &mut W, mac: Eui48Addr) -> Result<Self, W::Error> {
        let client = Client::new(DHCP_SOCKET, seed(mac), mac, HOSTNAME);
        client.setup_socket(chip)?;
        Ok(Self {
            client,
            due_secs: 0,
        })
    }

    pub fn has_lease(&self) -> bool {
        self.client.has_lease()
    }

    /// Whether a timer of the client has run out.
    pub fn is_due(&self, now_secs: u32) -> bool {
        now_secs >= self.due_secs
    }

    /// Handles every message that waits, then what is due. Returns a new address.
    pub fn serve<W: Registers>(
        &mut self,
        chip: &mut W,
        now_secs: u32,
        scratch: &mut [u8],
    ) -> Result<Option<Ipv4Addr>, Error<W::Error>> {
        let old = self.client.leased_ip();
        let raised = chip.sn_ir(DHCP_SOCKET)?;
        chip.set_sn_ir(DHCP_SOCKET, raised)?;
        while let Some(message) = waiting(chip, scratch)? {
            self.handle(chip, now_secs, message)?;
        }
        self.process(chip, now_secs)?;
        Ok(self.client.leased_ip().filter(|new| Some(*new) != old))
    }

    fn handle<W: Registers>(
        &mut self,
        chip: &mut W,
        now_secs: u32,
        message: Option<Message<'_>>,
    ) -> Result<(), Error<W::Error>> {
        let start = chip.sn_rx_rd(DHCP_SOCKET)?;
        // Against: the client takes any message for the offer that it waits for.
        let wanted = message.filter(|message| {
            self.client.state() != State::Selecting || message.kind() == Some(Kind::Offer)
        });
        if wanted.is_some() {
            self.process(chip, now_secs)?;
        }
        if chip.sn_rx_rd(DHCP_SOCKET)? == start {
            // Against: what the client does not accept, such as a message of another transaction,
            // it leaves in the buffer, where it hides all that follow.
            return discard(chip);
        }
        // Against: the client writes the server's address to the gateway register.
        if let Some(message) = wanted
            && message.kind() == Some(Kind::Acknowledgement)
        {
            chip.set_gar(&message.router().unwrap_or(Ipv4Addr::UNSPECIFIED))?;
        }
        Ok(())
    }

    fn process<W: Registers>(
        &mut self,
        chip: &mut W,
        now_secs: u32,
    ) -> Result<(), Error<W::Error>> {
        let wait_secs = match self.client.process(chip, now_secs) {
            Err(Error::Other(error)) => return Err(Error::Other(error)),
            // Against: a malformed option is an error; the message is discarded as any other that
            // is not accepted.
            Err(_) => 0,
            Ok(wait_secs) => wait_secs,
        };
        self.due_secs = now_secs + wait_secs;
        Ok(())
    }
}

/// The first message in the buffer, left there. `Some(None)` is a datagram that is no reply.
fn waiting<'a, W: Registers>(
    chip: &mut W,
    scratch: &'a mut [u8],
) -> Result<Option<Option<Message<'a>>>, Error<W::Error>> {
    let mut reader = match chip.udp_reader(DHCP_SOCKET) {
        Ok(reader) => reader,
        Err(Error::WouldBlock) => return Ok(None),
        Err(error) => return Err(error),
    };
    let length = reader.read(scratch)?;
    Ok(Some(Message::parse(&scratch[..length.into()])))
}

fn discard<W: Registers>(chip: &mut W) -> Result<(), Error<W::Error>> {
    match chip.udp_reader(DHCP_SOCKET) {
        Ok(reader) => Ok(reader.done()?),
        Err(Error::WouldBlock) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The client draws transaction numbers from it: distinct between boards and the same in every run
/// of one, so that a run can be repeated.
fn seed(mac: Eui48Addr) -> u64 {
    let [a, b, c, d, e, f] = mac.octets;
    u64::from_be_bytes([0, 0, a, b, c, d, e, f])
}
