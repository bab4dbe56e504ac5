//! One run of one workload on one freshly reset board.

mod boot;
mod device;
mod traffic;
mod workload;

use bench::{Endpoint, Nanos, Targets};

use crate::adapter::EchoTarget;
use crate::metadata::{Build, Study};
use crate::results::{Failed, Measured, Trial};

pub use boot::{FirstEcho, Ready, boot};
pub use device::Device;
pub use workload::Runnable;

/// Where the firmware listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ports {
    pub echo: u16,
    /// The telemetry server; `None` for a build without one.
    pub telemetry: Option<u16>,
}

impl Ports {
    /// The ports of one build.
    pub fn of(study: &Study, build: &Build) -> Self {
        let telemetry = build.has_telemetry().then_some(study.telemetry_port);
        Self {
            echo: study.echo_port,
            telemetry,
        }
    }
}

/// Boots `target`, runs the workload that `options` describe, and closes its ledger.
///
/// A device that cannot go on, or never becomes ready, is a failed trial rather than an error.
/// `go_on` sees the virtual time since reset; when it says to stop there is no trial.
pub fn run<M: Runnable>(
    target: &mut dyn EchoTarget,
    ports: Ports,
    options: &M::Options,
    go_on: impl FnMut(Nanos) -> bool,
) -> Option<Trial<M>> {
    match measure(target, ports, options, go_on) {
        Ok(measured) => measured.map(|measured| Trial::Measured(Box::new(measured))),
        Err(error) => Some(Trial::Failed(Failed {
            options: options.clone(),
            at_ns: target.now(),
            message: one_line(&format!("{error:#}")),
        })),
    }
}

fn measure<M: Runnable>(
    target: &mut dyn EchoTarget,
    ports: Ports,
    options: &M::Options,
    mut go_on: impl FnMut(Nanos) -> bool,
) -> anyhow::Result<Option<Measured<M>>> {
    let Some(ready) = boot(target, ports.echo, &mut go_on)? else {
        return Ok(None);
    };
    let on_device = |port| Endpoint::new(*ready.echo.ip(), port);
    let targets = Targets {
        echo: ready.echo,
        telemetry: ports.telemetry.map(on_device),
    };
    let mut device = Device {
        target,
        targets,
        go_on: &mut go_on,
    };
    let Some(result) = M::measure(options, &mut device)? else {
        return Ok(None);
    };
    result.check()?;
    Ok(Some(Measured {
        boot: ready.boot,
        result,
    }))
}

fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod workload_tests;
