//! The driver's accesses to socket 0 of the W5500 that matter for draining.

use embedded_hal_async::spi::Operation;

/// Control bytes of an access to the registers of socket 0 in variable length mode
/// (W5500 data sheet 1.0.9, section 2.2.2).
const READ: u8 = 0x08;
const WRITE: u8 = 0x0C;

/// Offsets of socket registers, and a bit of the first (W5500 data sheet 1.0.9, section 4.2).
const SN_IR: u8 = 0x02;
const SN_IR_RECV: u8 = 0x04;
const SN_RX_RSR: u8 = 0x26;
const SN_RX_RD: u8 = 0x28;

/// The bytes that clear the interrupt of arrived frames, as the driver would send them.
pub(crate) const CLEAR_RECEIVED: [u8; 4] = [0, SN_IR, WRITE, SN_IR_RECV];

/// A transaction with the W5500; reads have their value once it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Clears the interrupt of arrived frames.
    ClearReceived,
    /// Bytes that wait in the receive buffer.
    ReadReceivedSize(u16),
    /// Where the oldest of these bytes is.
    ReadReadPointer(u16),
    /// Gives up the bytes before this one.
    WriteReadPointer(u16),
}

impl Access {
    /// Recognises a transaction by the three operations of which embassy-net-wiznet 0.3 makes it:
    /// address, control byte, data.
    pub fn of(operations: &[Operation<'_, u8>]) -> Option<Self> {
        let [
            Operation::Write([0, register]),
            Operation::Write([control]),
            data,
        ] = operations
        else {
            return None;
        };
        match (*control, *register, data) {
            (WRITE, SN_IR, Operation::Write([SN_IR_RECV])) => Some(Self::ClearReceived),
            (READ, SN_RX_RSR, Operation::TransferInPlace([high, low])) => {
                Some(Self::ReadReceivedSize(u16::from_be_bytes([*high, *low])))
            }
            (READ, SN_RX_RD, Operation::TransferInPlace([high, low])) => {
                Some(Self::ReadReadPointer(u16::from_be_bytes([*high, *low])))
            }
            (WRITE, SN_RX_RD, Operation::Write([high, low])) => {
                Some(Self::WriteReadPointer(u16::from_be_bytes([*high, *low])))
            }
            _ => None,
        }
    }
}
