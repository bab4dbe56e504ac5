//! What must be known of a DHCP reply before the client sees it (RFC 2131 §2, RFC 2132).

use w5500_dhcp::ll::net::Ipv4Addr;

const BOOTREPLY: u8 = 2;
const MAGIC_COOKIE: [u8; 4] = [0x63, 0x82, 0x53, 0x63];
const OPTIONS_AT: usize = 240;

const PAD: u8 = 0;
const ROUTER: u8 = 3;
const MESSAGE_TYPE: u8 = 53;
const END: u8 = 255;

/// A whole reply of a DHCP server.
#[derive(Clone, Copy)]
pub(crate) struct Message<'a> {
    options: &'a [u8],
}

/// The replies that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Offer,
    Acknowledgement,
    Other,
}

impl<'a> Message<'a> {
    /// `None` for anything but a reply with options.
    pub fn parse(payload: &'a [u8]) -> Option<Self> {
        let (fixed, options) = payload.split_at_checked(OPTIONS_AT)?;
        let is_reply = fixed[0] == BOOTREPLY && fixed.ends_with(&MAGIC_COOKIE);
        is_reply.then_some(Self { options })
    }

    /// The message type option.
    pub fn kind(&self) -> Option<Kind> {
        match self.option(MESSAGE_TYPE)? {
            [2] => Some(Kind::Offer),
            [5] => Some(Kind::Acknowledgement),
            _ => Some(Kind::Other),
        }
    }

    /// The first address of the router option.
    pub fn router(&self) -> Option<Ipv4Addr> {
        let first = self.option(ROUTER)?.first_chunk::<4>()?;
        Some((*first).into())
    }

    fn option(&self, wanted: u8) -> Option<&'a [u8]> {
        let mut rest = self.options;
        loop {
            rest = match rest {
                [PAD, rest @ ..] => rest,
                [END, ..] => return None,
                [code, length, rest @ ..] => {
                    let (value, rest) = rest.split_at_checked((*length).into())?;
                    if *code == wanted {
                        return Some(value);
                    }
                    rest
                }
                _ => return None,
            };
        }
    }
}
