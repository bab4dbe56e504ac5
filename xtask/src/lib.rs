//! `cargo xtask`: the pipeline of the trade study, one subcommand a module.
//!
//! A library so that the fuzz targets reach the parsers of files from elsewhere; `main.rs` is the
//! program.

// A closed pipe makes `println!` panic; everything printed goes through `output`.
#![deny(clippy::print_stdout)]

mod adapter;
mod audit;
mod build;
mod cli;
mod compare;
mod dependencies;
mod fidelity;
mod files;
pub mod fuzzing;
mod hardware;
mod hash;
mod interrupt;
mod measure;
mod metadata;
mod ncloc;
mod output;
mod paths;
mod plot;
mod pool;
mod progress;
mod published;
mod render;
mod results;
mod run;
mod schema;
mod serve;
mod setup;
mod show;
mod size;
mod study;
mod test;
mod toolchain;
mod trace;
mod trial;

use std::process::ExitCode;

use clap::Parser;

/// Runs the subcommand that the command line names.
pub fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(outcome) => outcome.exit_code(),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::print_error(&error);
            ExitCode::from(hardware::exit_status(&error).unwrap_or(2))
        }
    }
}
