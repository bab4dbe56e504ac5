//! UDP echo over any embassy-net stack: every datagram goes back to where it came from, empty ones
//! included.

#![no_std]

use embassy_net::Stack;
use embassy_net::udp::{PacketMetadata, UdpSocket};
use static_cell::ConstStaticCell;

/// The echo service's port, RFC 862.
pub const PORT: u16 = 7;

/// Datagrams that may wait in each direction.
const SLOTS: usize = 4;
/// Payload bytes that may wait in each direction: four full frames.
const STORAGE_BYTES: usize = 6144;
/// More than the 1472 bytes of payload that fit an Ethernet frame.
const WORK_BUFFER_BYTES: usize = 1536;

/// Echoes for ever.
#[embassy_executor::task]
pub async fn serve(stack: Stack<'static>) -> ! {
    static RX_SLOTS: ConstStaticCell<[PacketMetadata; SLOTS]> =
        ConstStaticCell::new([PacketMetadata::EMPTY; SLOTS]);
    static TX_SLOTS: ConstStaticCell<[PacketMetadata; SLOTS]> =
        ConstStaticCell::new([PacketMetadata::EMPTY; SLOTS]);
    static RX_STORAGE: ConstStaticCell<[u8; STORAGE_BYTES]> =
        ConstStaticCell::new([0; STORAGE_BYTES]);
    static TX_STORAGE: ConstStaticCell<[u8; STORAGE_BYTES]> =
        ConstStaticCell::new([0; STORAGE_BYTES]);
    static WORK_BUFFER: ConstStaticCell<[u8; WORK_BUFFER_BYTES]> =
        ConstStaticCell::new([0; WORK_BUFFER_BYTES]);

    let mut socket = UdpSocket::new(
        stack,
        RX_SLOTS.take(),
        RX_STORAGE.take(),
        TX_SLOTS.take(),
        TX_STORAGE.take(),
    );
    socket
        .bind(PORT)
        .expect("the socket is new and the port is not zero");

    let buffer = WORK_BUFFER.take();
    loop {
        // A datagram that cannot be received whole or answered is lost, as UDP may lose any.
        if let Ok((length, sender)) = socket.recv_from(buffer).await {
            socket.send_to(&buffer[..length], sender).await.ok();
        }
    }
}
