//! Takes an installation step.

use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use super::plan::Step;

/// Runs the step's command; package lists are updated first when they do not know the packages.
pub fn take(step: &Step) -> anyhow::Result<()> {
    let command = step.command();
    let first = run(&command);
    if first.is_ok() || !matches!(step, Step::InstallPackages { .. }) {
        return first;
    }
    let before = command.iter().take_while(|word| **word != "install");
    let update: Vec<&str> = before.copied().chain(["update"]).collect();
    crate::output::note(&format!("setup: {}", update.join(" ")));
    run(&update)?;
    run(&command)
}

/// Runs a command quietly; an error gives the line in which the command says why it failed.
fn run(command: &[&str]) -> anyhow::Result<()> {
    let (program, arguments) = command.split_first().context("an empty command")?;
    let output = Command::new(program)
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .env("RUST_BACKTRACE", "0")
        .env("RUSTUP_MAX_RETRIES", "1")
        .env_remove("RUSTUP_TOOLCHAIN")
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {program}"))?;
    if output.status.success() {
        return Ok(());
    }
    bail!("{}", reason(&String::from_utf8_lossy(&output.stderr)));
}

/// The line of a failed command's complaints that says most.
fn reason(complaints: &str) -> String {
    let mut lines = complaints.lines().map(str::trim);
    let is_error = |line: &&str| line.starts_with("error:") || line.starts_with("E:");
    let error = lines.clone().find(is_error);
    let line = error.or_else(|| lines.rfind(|line| !line.is_empty()));
    line.unwrap_or("it gave no reason").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_the_error_line_or_the_last_one() {
        let rustup = "info: downloading\nerror: component download failed\n\nCaused by:\n  x\n";
        assert_eq!(reason(rustup), "error: component download failed");
        assert_eq!(
            reason("E: Unable to locate package rustc-web\n"),
            "E: Unable to locate package rustc-web"
        );
        assert_eq!(reason("first\nlast\n\n"), "last");
        assert_eq!(reason(""), "it gave no reason");
    }

    #[test]
    fn a_failing_command_is_an_error_with_its_reason() {
        let error = run(&["sh", "-c", "echo why >&2; exit 3"]).unwrap_err();
        assert_eq!(error.to_string(), "why");
        let error = run(&["a-program-that-nobody-has"]).unwrap_err();
        assert_eq!(error.to_string(), "cannot run a-program-that-nobody-has");
    }
}
