//! The real-time driver, the echo server that misbehaves, and the program, over loopback.

mod cases;
mod cli;
mod driver;
mod peer;
mod program;
mod recording;
