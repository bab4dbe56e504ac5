//! Any SPI traffic and any frames at all against the emulated W5500; the README has the commands.

#![no_main]

#[path = "../../tests/w5500_noise/peer.rs"]
mod peer;
#[path = "../../tests/w5500_noise/script.rs"]
mod script;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    script::play(bytes);
});
