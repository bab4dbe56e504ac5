//! `cargo xtask`: the pipeline of the trade study, one subcommand a module.

// A closed pipe makes `println!` panic; everything printed goes through `output`.
#![deny(clippy::print_stdout)]

mod adapter;
mod build;
mod cli;
mod dependencies;
mod files;
mod hash;
mod interrupt;
mod metadata;
mod ncloc;
mod output;
mod paths;
mod pool;
mod progress;
mod render;
mod results;
mod run;
mod setup;
mod show;
mod size;
mod study;
mod test;
mod toolchain;
mod trial;

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
