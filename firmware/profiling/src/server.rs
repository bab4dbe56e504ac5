//! Answers telemetry requests over embassy-net.

use embassy_net::Stack;
use embassy_net::udp::{PacketMetadata, UdpSocket};
use profiling_model::{REPLY_BYTES, REQUEST_BYTES};
use static_cell::ConstStaticCell;

use crate::telemetry::{PORT, answer};

/// Answers for ever; a datagram that is not a request gets no answer.
#[embassy_executor::task]
pub async fn serve(stack: Stack<'static>) -> ! {
    static RX_SLOTS: ConstStaticCell<[PacketMetadata; 1]> =
        ConstStaticCell::new([PacketMetadata::EMPTY]);
    static TX_SLOTS: ConstStaticCell<[PacketMetadata; 1]> =
        ConstStaticCell::new([PacketMetadata::EMPTY]);
    static RX_STORAGE: ConstStaticCell<[u8; REPLY_BYTES]> = ConstStaticCell::new([0; REPLY_BYTES]);
    static TX_STORAGE: ConstStaticCell<[u8; REPLY_BYTES]> = ConstStaticCell::new([0; REPLY_BYTES]);

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

    let mut request = [0; REQUEST_BYTES];
    loop {
        let Ok((length, sender)) = socket.recv_from(&mut request).await else {
            continue;
        };
        if let Some(reply) = answer(&request[..length]) {
            socket.send_to(&reply, sender).await.ok();
        }
    }
}
