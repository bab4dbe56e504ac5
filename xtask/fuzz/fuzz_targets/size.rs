//! Any bytes at all as an ELF image to size; the README has the commands.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    xtask::fuzzing::size(bytes);
});
