//! The server that both clients are measured against: one socket, one datagram at a time.

use std::io::{ErrorKind, Write};
use std::net::UdpSocket;

use crate::tools::Outcome;

/// The argument that makes this program the server.
pub const COMMAND: &str = "echo";
/// Look for the next datagram without sleeping.
pub const SPIN: &str = "--spin";
/// Mark each reply as sockperf's server does.
pub const FOR_SOCKPERF: &str = "--for-sockperf";

/// Where sockperf's header has the low byte of its flags, and the flag of a client: its client
/// passes over a reply that still has it.
const SOCKPERF_FLAGS: (usize, u8) = (9, 1);

/// Prints its address and echoes until it is killed.
pub fn serve(arguments: &[String]) -> Outcome<()> {
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let (spins, for_sockperf) = (has(SPIN), has(FOR_SOCKPERF));
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_nonblocking(spins)?;
    println!("{}", socket.local_addr()?);
    std::io::stdout().flush()?;
    let mut room = [0; 2048];
    loop {
        match socket.recv_from(&mut room) {
            Ok((bytes, from)) => {
                let (place, flag) = SOCKPERF_FLAGS;
                if for_sockperf && bytes > place {
                    room[place] &= !flag;
                }
                socket.send_to(&room[..bytes], from)?;
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::hint::spin_loop(),
            Err(error) => return Err(error.into()),
        }
    }
}
