//! Runs a firmware for some virtual milliseconds and prints its log and the board's counters.
//!
//! `cargo run --release -p board --example boot -- FIRMWARE.elf [MILLISECONDS [JACK]]`, where JACK is the
//! network device that the cable is plugged into: `stm32-mac` or `w5500`.

use std::error::Error;
use std::process::ExitCode;

use board::time::{Instant, Span};
use board::{Board, BoardConfig, NetworkDevice};

fn main() -> ExitCode {
    match boot() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn boot() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .ok_or("usage: boot FIRMWARE.elf [MILLISECONDS [JACK]]")?;
    let milliseconds = arguments.next().map_or(Ok(2_000), |text| text.parse())?;

    let jack = arguments
        .next()
        .map_or(Ok(NetworkDevice::default()), |text| text.parse())?;
    let config = BoardConfig {
        jack,
        ..BoardConfig::default()
    };

    let mut board = Board::new(config, &std::fs::read(path)?)?;
    let end = Instant::ZERO + Span::from_ms(milliseconds);
    let outcome = loop {
        match board.run_until(end) {
            Ok(board::Stop::HostEvent) => {}
            Ok(board::Stop::TimeReached) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    for line in board.log().lines() {
        println!("{line}");
    }
    println!("{:#?}", board.stats());
    println!("link: {:?}, lease: {:?}", board.link_mode(), board.lease());
    println!(
        "SCK: {:?} Hz, W5500: {:#?}",
        board.sck_hz(),
        board.w5500().counters()
    );
    Ok(outcome?)
}
