//! What a latency workload found, in raw integers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LatencyOptions;
use crate::counts::{BrokenIdentity, at_most, equal, sum};
use crate::outcome::{Outcome, nothing_sent};
use crate::{Corruption, Counts, LatencyHistogram};

/// What became of the datagrams of one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizeLatency {
    /// The size of the payload in bytes.
    pub payload_bytes: u64,
    /// What became of the warm-up's datagrams; part of no other figure.
    pub warm_up: Counts,
    /// What became of the measured datagrams. Late ones are those that were answered after the
    /// timeout: published counts of timeouts are late and missing together. `planned` is less than
    /// the samples asked for when the size was given up.
    pub counts: Counts,
    /// RTT of the first right copy of each valid datagram, late ones included.
    pub rtt: LatencyHistogram,
    /// Valid datagrams so late that their send instant was no longer kept: they are late, and not
    /// in `rtt`.
    pub rtt_unknown: u64,
    /// The first corrupt reply.
    pub first_corruption: Option<Corruption>,
}

/// The result of a latency workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LatencyResult {
    /// The parameters.
    pub options: LatencyOptions,
    /// One for each size, in the order of `options.payload_bytes`.
    pub sizes: Vec<SizeLatency>,
}

impl SizeLatency {
    /// Checks the identities of one size; names the first broken one.
    fn check(&self, options: &LatencyOptions) -> Result<(), BrokenIdentity> {
        self.warm_up.check()?;
        self.counts.check()?;
        let Counts {
            planned,
            valid,
            late,
            ..
        } = self.counts;
        at_most("planned <= samples", planned, options.samples)?;
        at_most(
            "warm_up.planned <= warm_up_packets",
            self.warm_up.planned,
            options.warm_up_packets,
        )?;
        let in_rtt = sum([self.rtt.count(), self.rtt_unknown]);
        equal("valid = count(rtt) + rtt_unknown", valid, in_rtt)?;
        let (surely_late, perhaps_late) = self.rtt.count_above(options.timeout_ns);
        at_most(
            "rtt above timeout <= late",
            sum([surely_late, self.rtt_unknown]),
            late,
        )?;
        at_most(
            "late <= rtt above timeout",
            late,
            sum([perhaps_late, self.rtt_unknown]),
        )
    }

    /// Datagrams without a reply within the timeout, as the published study counts timeouts.
    pub fn timeouts(&self) -> u64 {
        self.counts.late.saturating_add(self.counts.missing)
    }
}

/// Clean when every sample of every size was sent and came back whole, once and within the
/// timeout.
impl Outcome for LatencyResult {
    fn check(&self) -> Result<(), BrokenIdentity> {
        let asked = &self.options.payload_bytes;
        equal(
            "one entry a size",
            self.sizes.len() as u64,
            asked.len() as u64,
        )?;
        for (size, &payload_bytes) in self.sizes.iter().zip(asked) {
            equal(
                "entries in the order of the sizes",
                size.payload_bytes,
                payload_bytes,
            )?;
            size.check(&self.options)?;
        }
        Ok(())
    }

    fn is_clean(&self) -> bool {
        let whole = |size: &SizeLatency| {
            size.counts.valid == self.options.samples && size.counts.error_events() == 0
        };
        self.sizes.iter().all(whole)
    }

    fn void_reason(&self) -> Option<String> {
        let sent = sum(self.sizes.iter().map(|size| size.counts.sent));
        let refused = sum(self.sizes.iter().map(|size| size.counts.send_errors));
        nothing_sent(sent, refused)
    }
}
