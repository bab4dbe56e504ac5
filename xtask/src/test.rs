//! `cargo xtask test`: everything CI runs, in one command.

mod c_fuzz;
mod datagrams;
mod debug_probe;
mod determinism;
mod elsewhere;
mod loopback;
mod measured;
mod plant;
mod published_states;
mod reproducible;
mod scenarios;
mod served;
mod sizes;
mod stale_line;
mod steps;
mod tail_pointer;
mod tap;
mod tshark;
mod wire;
mod workloads;

use std::time::Instant;

use anyhow::ensure;
use clap::ValueEnum;

use crate::cli::Outcome;
use crate::metadata::Study;
use crate::output;
use crate::setup::{self, InstallArgs};
use steps::Context;

/// Run everything CI runs; a step that fails does not keep the next from running.
#[derive(clap::Args)]
pub struct TestArgs {
    /// Run only this step; may be given more than once. By default all run but oracle and
    /// reproducible-all.
    #[arg(long, value_name = "STEP")]
    only: Vec<Step>,
    /// How many malformed frames c-fuzz feeds the firmware in C.
    #[arg(long, value_name = "COUNT", default_value_t = c_fuzz::INPUTS)]
    fuzz_inputs: u64,
    #[command(flatten)]
    install: InstallArgs,
}

/// A step of the test run, in the order they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Step {
    /// Formatting of both workspaces.
    Fmt,
    /// Lints of the host workspace, warnings as errors.
    Clippy,
    /// Lints of the firmware, warnings as errors.
    FirmwareClippy,
    /// Every firmware build, its sizes, whether binutils finds the same, and its lines.
    Firmware,
    /// Whether the firmware that is cheap to build comes out the same in another folder.
    Reproducible,
    /// The same of every firmware build: compiles for minutes, and so runs only when it is asked
    /// for.
    ReproducibleAll,
    /// Tests of the host workspace.
    HostTests,
    /// Tests of the firmware packages that build for the host.
    FirmwareTests,
    /// The firmware in C on the host with sanitizers, fed malformed frames.
    CFuzz,
    /// A small study from end to end.
    Study,
    /// Whether the small study gives the same bytes again with another number of trials at once, and that
    /// of release builds without skipping idle loops.
    Determinism,
    /// Whether tshark finds nothing wrong with the frames on the wire of every firmware build.
    Wire,
    /// What every firmware of an SPI device does with datagrams that arrive within one interrupt.
    Scenarios,
    /// Whether every firmware in a published state is in the state that it says.
    PublishedStates,
    /// Whether every variant on the part's own Ethernet block keeps DMA and data cache apart, and what it
    /// does with a stale line.
    StaleLine,
    /// Whether a receiver that stalls is said to stall, in a copy of the firmware in C with a fault put
    /// into its driver.
    TailPointer,
    /// Whether every variant answers two senders apart, and treats empty datagrams as it says.
    Datagrams,
    /// Whether a debug probe could write every firmware build, and whether every log says the board's
    /// address the way that a study on hardware understands.
    DebugProbe,
    /// Whether every workload of the bench comes out as it must on the firmware in C, and every variant
    /// comes back after a reset, a lost link and another address.
    Workloads,
    /// Whether clients on this machine reach a firmware in real time, each its own replies.
    Serve,
    /// Whether ping, arping, tshark and the bench reach every variant over a TAP device, and count the
    /// same; skipped where this user may not make a network namespace.
    Tap,
    /// The core against another one, on random programs and on every release build: compiles a code
    /// generator for minutes, and so runs only when it is asked for.
    Oracle,
    /// Whether the committed document is what the committed results give.
    Render,
    /// Whether nothing is wrong with the committed results, documents and published figures.
    Audit,
}

impl TestArgs {
    /// Runs the steps and then says which of them failed.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let study = Study::load()?;
        let toolchain = setup::toolchain_and_test_tools(&study, self.install)?;
        let context = Context::new(study, toolchain, self.fuzz_inputs)?;
        let steps = Step::value_variants().iter().copied();
        let steps = steps.filter(|step| self.runs(*step));
        let summary = run_steps(steps, |step| context.run(step), output::note);
        output::print(&summary.lines)?;
        summary.verdict()?;
        Ok(Outcome::Done)
    }

    fn runs(&self, step: Step) -> bool {
        if self.only.is_empty() {
            !matches!(step, Step::Oracle | Step::ReproducibleAll)
        } else {
            self.only.contains(&step)
        }
    }
}

/// How the steps ended.
#[derive(Debug, Default)]
struct Summary {
    /// A line for each step.
    lines: String,
    /// The names of the steps that failed.
    failed: Vec<String>,
}

impl Summary {
    /// An error that names the steps that failed.
    fn verdict(&self) -> anyhow::Result<()> {
        ensure!(self.failed.is_empty(), "failed: {}", self.failed.join(", "));
        Ok(())
    }
}

/// Runs every step, with a line to `say` before and after it.
fn run_steps(
    steps: impl Iterator<Item = Step>,
    run: impl Fn(Step) -> anyhow::Result<()>,
    say: impl Fn(&str),
) -> Summary {
    let mut summary = Summary::default();
    for step in steps {
        let name = name(step);
        say(&format!("test: {name} ..."));
        let start = Instant::now();
        let result = run(step);
        let seconds = start.elapsed().as_secs_f64();
        let verdict = match result {
            Ok(()) => "ok".to_string(),
            Err(error) => {
                summary.failed.push(name.clone());
                format!("FAILED: {error:#}")
            }
        };
        let line = format!("test: {name} {verdict} ({seconds:.1} s)");
        say(&line);
        summary.lines += &format!("{line}\n");
    }
    summary
}

fn name(step: Step) -> String {
    let value = step.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_string())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use anyhow::bail;

    use super::*;

    #[test]
    fn a_failure_does_not_hide_the_next_step_or_the_next_failure() {
        let ran = RefCell::new(Vec::new());
        let steps = [Step::Fmt, Step::Clippy, Step::Study];
        let run = |step| {
            ran.borrow_mut().push(step);
            match step {
                Step::Clippy => Ok(()),
                _ => bail!("no"),
            }
        };
        let summary = run_steps(steps.into_iter(), run, |_| {});
        assert_eq!(ran.into_inner(), steps);
        assert_eq!(summary.lines.lines().count(), 3);
        assert!(summary.lines.starts_with("test: fmt FAILED: no ("));
        let error = summary.verdict().unwrap_err();
        assert_eq!(error.to_string(), "failed: fmt, study");
    }

    #[test]
    fn the_longest_steps_run_only_when_they_are_asked_for() {
        let arguments = |only: &[Step]| TestArgs {
            only: only.to_vec(),
            fuzz_inputs: c_fuzz::INPUTS,
            install: InstallArgs { no_install: true },
        };
        let all = Step::value_variants().iter().copied();
        let by_default = all.filter(|step| arguments(&[]).runs(*step)).count();
        assert_eq!(by_default, Step::value_variants().len() - 2);
        for step in [Step::Oracle, Step::ReproducibleAll] {
            assert!(!arguments(&[]).runs(step));
            assert!(arguments(&[step]).runs(step));
            assert!(!arguments(&[step]).runs(Step::Study));
        }
    }

    #[test]
    fn a_run_without_failures_is_no_error() {
        let summary = run_steps([Step::Render].into_iter(), |_| Ok(()), |_| {});
        assert!(summary.verdict().is_ok());
    }
}
