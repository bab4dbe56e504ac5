//! From reset to the first echo: link, lease, one datagram there and back.

use std::net::SocketAddrV4;

use anyhow::{Context, bail, ensure};
use bench::{Action, Endpoint, Nanos, SendOutcome, Workload};

use crate::adapter::{DriveEnd, EchoTarget, drive};
use crate::results::{Boot, LinkMode};

/// How finely link and lease are watched for, and so how exactly their instants are known.
const WATCH_STEP: Nanos = Nanos::from_millis(1);
/// How long after reset the device may take to have a link and a lease.
const READY_WITHIN: Nanos = Nanos::from_secs(60);
/// How long one attempt at a first echo waits.
const ECHO_TIMEOUT: Nanos = Nanos::from_millis(100);
const ECHO_ATTEMPTS: u32 = 100;
/// How long the network is left alone between the first echo and the workload, so that nothing of the
/// boot is counted as the workload's.
const SETTLE: Nanos = Nanos::from_millis(100);
const ECHO_PAYLOAD: &[u8] = b"is anybody there?";

/// A device that is ready for a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ready {
    pub boot: Boot,
    /// The device's echo server.
    pub echo: Endpoint,
}

/// Brings a freshly reset device to its first echo; `None` when `go_on` said to stop.
///
/// # Errors
/// When there is no link, lease or echo in time, the link is not what trials are made at, or the device
/// cannot go on.
pub fn boot(
    target: &mut dyn EchoTarget,
    echo_port: u16,
    mut go_on: impl FnMut(Nanos) -> bool,
) -> anyhow::Result<Option<Ready>> {
    let link = format!("{} link", LinkMode::REQUIRED);
    let link_mode = loop {
        if let Some(mode) = target.link_mode() {
            break mode;
        }
        if !wait(target, &link, &mut go_on)? {
            return Ok(None);
        }
    };
    ensure!(
        link_mode == LinkMode::REQUIRED,
        "the link came up at {link_mode}, but trials are made at {}",
        LinkMode::REQUIRED
    );
    let link_up_ns = target.now();
    let address = loop {
        if let Some(address) = target.lease() {
            break address;
        }
        if !wait(target, "DHCP lease", &mut go_on)? {
            return Ok(None);
        }
    };
    let lease_ns = target.now();
    let echo = SocketAddrV4::new(address, echo_port);
    let mut first_echo = FirstEcho::new(echo);
    if drive(&mut first_echo, target, go_on)? == DriveEnd::Stopped {
        return Ok(None);
    }
    let Some(first_echo_ns) = first_echo.answered() else {
        bail!("{echo} did not echo any of {ECHO_ATTEMPTS} datagrams");
    };
    let boot = Boot {
        link_up_ns,
        link_mode,
        lease_ns,
        first_echo_ns,
    };
    Ok(Some(Ready { boot, echo }))
}

/// Lets one step pass; false when `go_on` said to stop.
fn wait(
    target: &mut dyn EchoTarget,
    what: &str,
    go_on: &mut impl FnMut(Nanos) -> bool,
) -> anyhow::Result<bool> {
    let now = target.now();
    if now >= READY_WITHIN {
        let limit_s = READY_WITHIN.0 / Nanos::SECOND.0;
        bail!("no {what} within {limit_s} s of reset");
    }
    let step = target.run_until(now + WATCH_STEP);
    step.with_context(|| format!("no {what} yet"))?;
    while target.receive().is_some() {}
    Ok(go_on(now))
}

/// Sends one datagram until it comes back, then waits for stragglers.
pub struct FirstEcho {
    echo: Endpoint,
    attempts_left: u32,
    resend_at: Nanos,
    answered: Option<Nanos>,
}

impl FirstEcho {
    /// One that asks this echo server.
    pub fn new(echo: Endpoint) -> Self {
        Self {
            echo,
            attempts_left: ECHO_ATTEMPTS,
            resend_at: Nanos::ZERO,
            answered: None,
        }
    }

    /// When the datagram came back, if it did.
    pub fn answered(&self) -> Option<Nanos> {
        self.answered
    }
}

impl Workload for FirstEcho {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        if let Some(answered) = self.answered {
            let settled = answered + SETTLE;
            return if now < settled {
                Action::WaitUntil(settled)
            } else {
                Action::Done
            };
        }
        if now < self.resend_at {
            return Action::WaitUntil(self.resend_at);
        }
        if self.attempts_left == 0 {
            return Action::Done;
        }
        Action::Send {
            to: self.echo,
            payload: ECHO_PAYLOAD,
        }
    }

    fn sent(&mut self, now: Nanos, _outcome: SendOutcome) {
        self.attempts_left -= 1;
        self.resend_at = now + ECHO_TIMEOUT;
    }

    fn received(&mut self, now: Nanos, from: Endpoint, payload: &[u8]) {
        if from == self.echo && payload == ECHO_PAYLOAD && self.answered.is_none() {
            self.answered = Some(now);
        }
    }
}
