//! How fast the board runs under a 1 kHz stream of 100-byte datagrams.
//!
//! `cargo run --release -p board --example echo_speed -- FIRMWARE.elf [SECONDS] [no-skip]`

use std::error::Error;
use std::net::SocketAddrV4;

use board::time::{Instant, Span};
use board::{Board, BoardConfig, Stop};

/// The firmware's echo port.
const ECHO_PORT: u16 = 7;
const PERIOD: Span = Span::from_ms(1);
/// Time enough to boot and get a lease.
const BOOT: Span = Span::from_ms(3_000);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .ok_or("usage: echo_speed FIRMWARE.elf [SECONDS] [no-skip]")?;
    let seconds: u64 = arguments.next().map_or(Ok(10), |text| text.parse())?;
    let config = BoardConfig {
        idle_skip: arguments.next().is_none(),
        ..BoardConfig::default()
    };
    let mut board = Board::new(config, &std::fs::read(path)?)?;
    while board.run_until(Instant::ZERO + BOOT)? == Stop::HostEvent {}
    let address = board.lease().ok_or("no lease")?;
    let socket = board.host().bind_udp(40_000)?;

    let before = board.stats();
    let started = std::time::Instant::now();
    let mut next = board.now();
    let mut echoed = 0u64;
    for _ in 0..seconds * 1_000 {
        let to = SocketAddrV4::new(address, ECHO_PORT);
        board.host().send_udp(socket, to, &[0x55; 100])?;
        next = next + PERIOD;
        while board.run_until(next)? == Stop::HostEvent {
            while board.host().recv_udp(socket).is_some() {
                echoed += 1;
            }
        }
    }
    let wall = started.elapsed().as_secs_f64();
    let after = board.stats();
    let instructions = after.instructions - before.instructions;
    let busy = after.cycles - before.cycles - (after.sleep_cycles - before.sleep_cycles);
    println!(
        "echoed {echoed} in {wall:.2} s: {:.0} times real time",
        seconds as f64 / wall
    );
    println!(
        "{:.0} million instructions/s",
        instructions as f64 / wall / 1e6
    );
    println!("{} instructions a packet", instructions / (seconds * 1_000));
    println!("{} busy cycles a packet", busy / (seconds * 1_000));
    println!("{after:#?}");
    Ok(())
}
