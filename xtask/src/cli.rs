//! The subcommands and how each one ends.
//!
//! A subcommand is a module with a clap `Args` struct and `fn run(self) -> anyhow::Result<Outcome>`;
//! adding one takes its module, a variant of [`Command`] and an arm of [`Cli::run`].

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// An Ethernet firmware trade study that anyone can run again.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Setup(crate::setup::SetupArgs),
    Build(crate::build::BuildArgs),
    Size(crate::size::SizeArgs),
    Ncloc(crate::ncloc::NclocArgs),
    Run(crate::run::RunArgs),
    Measure(crate::measure::MeasureArgs),
    Serve(crate::serve::ServeArgs),
    Study(crate::study::StudyArgs),
    Fidelity(crate::fidelity::FidelityArgs),
    Render(crate::render::RenderArgs),
    Show(crate::show::ShowArgs),
    Compare(Box<crate::compare::CompareArgs>),
    Schema(crate::schema::SchemaArgs),
    Published(crate::published::PublishedArgs),
    Audit(crate::audit::AuditArgs),
    Test(crate::test::TestArgs),
}

impl Cli {
    /// Runs the chosen subcommand.
    pub fn run(self) -> anyhow::Result<Outcome> {
        match self.command {
            Command::Setup(args) => args.run(),
            Command::Build(args) => args.run(),
            Command::Size(args) => args.run(),
            Command::Ncloc(args) => args.run(),
            Command::Run(args) => args.run(),
            Command::Measure(args) => args.run(),
            Command::Serve(args) => args.run(),
            Command::Study(args) => args.run(),
            Command::Fidelity(args) => args.run(),
            Command::Render(args) => args.run(),
            Command::Show(args) => args.run(),
            Command::Compare(args) => args.run(),
            Command::Schema(args) => args.run(),
            Command::Published(args) => args.run(),
            Command::Audit(args) => args.run(),
            Command::Test(args) => args.run(),
        }
    }
}

/// How a subcommand that met no error ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did what it was asked to do: exit status 0.
    Done,
    /// A check found something to say no to, and has said what: exit status 1.
    CheckFailed,
}

impl Outcome {
    /// The exit status; errors end with 2, which `main` gives.
    pub fn exit_code(self) -> ExitCode {
        match self {
            Self::Done => ExitCode::SUCCESS,
            Self::CheckFailed => ExitCode::from(1),
        }
    }
}
