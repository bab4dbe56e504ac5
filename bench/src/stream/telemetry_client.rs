//! Asks a device for its counters, again when no reply comes.

use super::TelemetryRecord;
use crate::telemetry::{Command, REQUEST_BYTES, Telemetry};
use crate::{Endpoint, Nanos, SendOutcome};

/// A stop-and-wait client of the telemetry protocol.
#[derive(Clone, Debug)]
pub(super) struct TelemetryClient {
    server: Endpoint,
    timeout: Nanos,
    attempts: u64,
    asking: Option<Asking>,
    record: TelemetryRecord,
}

#[derive(Clone, Debug)]
struct Asking {
    request: [u8; REQUEST_BYTES],
    command: Command,
    tried: u64,
    /// When the last attempt is given up; `None` before the first.
    deadline: Option<Nanos>,
}

/// What the client wants next while it is asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClientStep {
    Send,
    WaitUntil(Nanos),
}

impl TelemetryClient {
    pub(super) fn new(server: Endpoint, timeout: Nanos, attempts: u64) -> Self {
        let record = TelemetryRecord::default();
        Self {
            server,
            timeout,
            attempts,
            asking: None,
            record,
        }
    }

    /// Starts to ask for `command`.
    pub(super) fn ask(&mut self, command: Command) {
        let request = command.encode();
        self.asking = Some(Asking {
            request,
            command,
            tried: 0,
            deadline: None,
        });
    }

    /// What to do at `now`; `None` when nothing is asked, or no longer.
    pub(super) fn next(&mut self, now: Nanos) -> Option<ClientStep> {
        let asking = self.asking.as_ref()?;
        if let Some(deadline) = asking.deadline.filter(|&deadline| now < deadline) {
            return Some(ClientStep::WaitUntil(deadline));
        }
        if asking.tried == self.attempts {
            self.asking = None;
            return None;
        }
        Some(ClientStep::Send)
    }

    /// The server and the request it is to be sent.
    pub(super) fn request(&self) -> (Endpoint, &[u8]) {
        let asking = self
            .asking
            .as_ref()
            .expect("a request is sent while one is asked");
        (self.server, &asking.request)
    }

    pub(super) fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        self.record.requests += 1;
        self.record.send_errors += u64::from(outcome == SendOutcome::Failed);
        if let Some(asking) = &mut self.asking {
            asking.tried += 1;
            asking.deadline = Some(now + self.timeout);
        }
    }

    pub(super) fn is_from(&self, from: Endpoint) -> bool {
        from == self.server
    }

    /// A datagram from the server: the reply, or something unexpected.
    pub(super) fn received(&mut self, payload: &[u8]) {
        let asked = self.asking.as_ref().filter(|asking| asking.tried > 0);
        let reply = asked.and_then(|asking| {
            let telemetry = Telemetry::decode(asking.command, payload).ok()?;
            Some((asking.command, telemetry))
        });
        match reply {
            Some((Command::ResetThenRead, telemetry)) => self.record.at_reset = Some(telemetry),
            Some((Command::Read, telemetry)) => self.record.at_end = Some(telemetry),
            None => {
                self.record.unexpected += 1;
                return;
            }
        }
        self.asking = None;
    }

    pub(super) fn into_record(self) -> TelemetryRecord {
        self.record
    }
}
