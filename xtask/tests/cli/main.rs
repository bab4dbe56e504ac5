//! The command line from outside: the program runs as a user runs it.

mod bad_input;
mod measure;
mod privileges;
mod published;
mod render;
mod run;
mod study;

use std::process::Command;

/// How a run of xtask ended.
struct Ended {
    status: i32,
    stdout: String,
    stderr: String,
}

fn xtask(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments).env("RUST_BACKTRACE", "1");
    command
}

fn end_of(command: &mut Command) -> Ended {
    let output = command.output().unwrap();
    Ended {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs xtask, which must refuse, and gives its one line.
#[track_caller]
fn refusal(command: &mut Command) -> String {
    let ended = end_of(command);
    assert_eq!(
        (ended.status, ended.stdout.as_str()),
        (2, ""),
        "{}",
        ended.stderr
    );
    let line = ended.stderr.trim_end();
    assert_eq!(line.lines().count(), 1, "{line}");
    line.strip_prefix("error: ").unwrap().to_string()
}
