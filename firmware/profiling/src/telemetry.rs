//! Answers telemetry requests over UDP.

use embassy_net::Stack;
use embassy_net::udp::{PacketMetadata, UdpSocket};
use platform::CORE_HZ;
use profiling_model::{Command, REPLY_BYTES, REQUEST_BYTES, Reply};
use static_cell::ConstStaticCell;

use crate::{executor, memory};

/// The telemetry service's port.
pub const PORT: u16 = 5001;

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
        if let Some(command) = Command::parse(&request[..length]) {
            socket
                .send_to(&answer(command).to_bytes(), sender)
                .await
                .ok();
        }
    }
}

fn answer(command: Command) -> Reply {
    // Scanning the stack takes long: it comes first, so that a new window does not contain it.
    let stack_high_water_bytes = memory::stack_high_water_bytes();
    if command == Command::ResetThenRead {
        executor::reset_load();
    }
    Reply {
        command,
        load: executor::load(),
        core_hz: CORE_HZ,
        stack_capacity_bytes: memory::stack_capacity_bytes(),
        stack_high_water_bytes,
        static_ram_bytes: memory::static_ram_bytes(),
        echoed_datagrams: 0,
    }
}
