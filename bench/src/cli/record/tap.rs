//! A workload that is looked at while it runs.

use std::net::Ipv4Addr;
use std::sync::mpsc::SyncSender;

use super::window::{Identity, PacketRecord, Window};
use crate::{Action, DisturbOutcome, Endpoint, Nanos, SendOutcome, Workload};

/// Settled datagrams go to the writer in batches of this many.
pub(super) const BATCH_PACKETS: usize = 1024;

/// Passes everything on to a workload and records its datagrams.
#[derive(Debug)]
pub struct Tap<W> {
    workload: W,
    window: Window,
    /// The datagram that is being sent, if it is one to record, and where it goes.
    sending: Option<Identity>,
    echo: Option<Endpoint>,
    batch: Vec<PacketRecord>,
    writer: SyncSender<Vec<PacketRecord>>,
}

impl<W: Workload> Tap<W> {
    /// Records the datagrams from sequence number `first_measured` on for `writer`.
    pub(super) fn new(
        workload: W,
        first_measured: u64,
        writer: SyncSender<Vec<PacketRecord>>,
    ) -> Self {
        Self {
            workload,
            window: Window::new(first_measured),
            sending: None,
            echo: None,
            batch: Vec::with_capacity(BATCH_PACKETS),
            writer,
        }
    }

    /// Hands what is left to the writer and gives the workload back.
    pub fn finish(mut self) -> W {
        let (batch, window) = (&mut self.batch, &mut self.window);
        window.drain(&mut |record| batch.push(record));
        // The writer stops reading only when it failed, and then says why itself.
        let _ = self.writer.send(self.batch);
        self.workload
    }
}

impl<W: Workload> Workload for Tap<W> {
    fn next(&mut self, now: Nanos) -> Action<'_> {
        let action = self.workload.next(now);
        if let Action::Send { to, payload } = action {
            self.sending = Identity::of(payload);
            if self.sending.is_some() {
                self.echo = Some(to);
            }
        }
        action
    }

    fn sent(&mut self, now: Nanos, outcome: SendOutcome) {
        if let Some(packet) = self.sending.take() {
            let batch = &mut self.batch;
            self.window
                .sent(packet, now, outcome, |record| batch.push(record));
            if batch.len() >= BATCH_PACKETS {
                let full = std::mem::replace(batch, Vec::with_capacity(BATCH_PACKETS));
                let _ = self.writer.send(full);
            }
        }
        self.workload.sent(now, outcome);
    }

    fn received(&mut self, now: Nanos, from: Endpoint, payload: &[u8]) {
        if self.echo == Some(from)
            && let Some(packet) = Identity::of(payload)
        {
            self.window.received(packet, now);
        }
        self.workload.received(now, from, payload);
    }

    fn disturbed(&mut self, now: Nanos, outcome: DisturbOutcome) {
        self.workload.disturbed(now, outcome);
    }

    fn target_changed(&mut self, now: Nanos, address: Ipv4Addr) {
        self.workload.target_changed(now, address);
    }
}
