//! `cargo xtask`: the pipeline of the trade study, one subcommand a module.

// A closed pipe makes `println!` panic; everything printed goes through `output`.
#![deny(clippy::print_stdout)]

mod build;
mod cli;
mod files;
mod hash;
mod metadata;
mod ncloc;
mod output;
mod paths;
mod setup;
mod size;
mod test;
mod toolchain;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(outcome) => outcome.exit_code(),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::print_error(&error);
            ExitCode::from(2)
        }
    }
}
