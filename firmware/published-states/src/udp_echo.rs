//! UDP echo over embassy-net with the published socket's memory.

use embassy_net::Stack;
use embassy_net::udp::{PacketMetadata, UdpSocket};
use static_cell::ConstStaticCell;

use crate::WORK_BUFFER_BYTES;

/// RFC 862.
const PORT: u16 = 7;

/// Datagrams that may wait in each direction.
const SLOTS: usize = 4;
/// Payload bytes that may wait in each direction, for whatever number of datagrams.
const STORAGE_BYTES: usize = if cfg!(feature = "four-frames") {
    4 * WORK_BUFFER_BYTES
} else {
    WORK_BUFFER_BYTES
};

/// Echoes for ever, once there is an address.
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

    stack.wait_config_up().await;
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
        if let Ok((length, sender)) = socket.recv_from(buffer).await {
            socket.send_to(&buffer[..length], sender).await.ok();
        }
    }
}
