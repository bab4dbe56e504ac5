//! Any bytes at all as source whose lines are counted; the README has the commands.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    xtask::fuzzing::ncloc(bytes);
});
