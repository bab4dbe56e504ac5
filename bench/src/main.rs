//! The program `bench`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bench::cli::main()
}
