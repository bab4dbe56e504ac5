//! The host program of harness, firmware and lwIP: which files GCC compiles, and with what arguments.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use super::plant::Plant;
use crate::build::c::libraries::{Library, locate};
use crate::build::c::{Image, definitions};
use crate::files;
use crate::metadata::Study;

/// The host's compiler.
pub const GCC: &str = "gcc";

/// For compiling and linking. Addresses fit the 32 bits that a descriptor has for them.
pub const SANITIZERS: [&str; 4] = [
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-pie",
    "-no-pie",
];

/// What the firmware has in place of the files that only its part can run; the harness has theirs. Its
/// driver of descriptors is compiled as part of `fuzz/dma.c`.
const FIRMWARE: [&str; 7] = [
    "src/bring-up/interface.c",
    "src/bring-up/network.c",
    "src/bring-up/port/system.c",
    "src/profiling/load.c",
    "src/profiling/telemetry.c",
    "src/server/echo.c",
    "fuzz/dma.c",
];

const HARNESS: [&str; 10] = [
    "fuzz/board.c",
    "fuzz/counts.c",
    "fuzz/coverage.c",
    "fuzz/frames.c",
    "fuzz/main.c",
    "fuzz/mutate.c",
    "fuzz/peers.c",
    "fuzz/probe.c",
    "fuzz/script.c",
    "fuzz/seeds.c",
];
