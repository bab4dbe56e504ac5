//! What a recovery workload found, in raw integers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Outage, RecoveryOptions};
use crate::counts::{BrokenIdentity, at_most, check_missing_ends, equal, sum};
use crate::outcome::Outcome;
use crate::{
    Corruption, Counts, DisturbOutcome, Disturbance, Endpoint, LatencyHistogram, Nanos,
    PacingRecord,
};

/// That the driver was asked for the disturbance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disturbed {
    /// When, from the start of the measured schedule.
    pub at_ns: Nanos,
    /// What it answered.
    pub outcome: DisturbOutcome,
}

/// The result of one recovery workload. Instants count from the start of the measured schedule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecoveryResult {
    /// The parameters.
    pub options: RecoveryOptions,
    /// What became of the warm-up's datagrams; part of no figure.
    pub warm_up: Counts,
    /// What became of the measured datagrams, those of the outage included. `planned` is less than
    /// asked for when the disturbance was refused, which ends the stream.
    pub counts: Counts,
    /// RTT of the first right copy of each valid datagram, from its actual send.
    pub rtt: LatencyHistogram,
    /// Valid datagrams whose send instant was no longer kept; they are late, and not in `rtt`.
    pub rtt_unknown: u64,
    /// Where the device listened at first.
    pub echo: Endpoint,
    /// The disturbance; absent when the workload was closed before it.
    pub disturbed: Option<Disturbed>,
    /// When the driver told last that the device listens elsewhere; absent when it did not.
    pub target_changed_ns: Option<Nanos>,
    /// How long the device was gone; absent when it was not.
    pub outage: Option<Outage>,
    /// How the sender kept its schedule.
    pub pacing: PacingRecord,
    /// The first missing datagram, counted from 0 at the first measured one.
    pub first_missing: Option<u64>,
    /// The last missing datagram, counted alike.
    pub last_missing: Option<u64>,
    /// The first corrupt reply.
    pub first_corruption: Option<Corruption>,
}

impl RecoveryResult {
    /// Whether the device answers again at the end of the time limit, or was never gone.
    pub fn recovered(&self) -> bool {
        self.outage
            .is_none_or(|outage| outage.first_good_ns.is_some())
    }

    /// Missing datagrams that the outage does not explain.
    pub fn missing_outside(&self) -> u64 {
        let lost = self.outage.map_or(0, |outage| outage.lost);
        self.counts.missing.saturating_sub(lost)
    }

    fn begun(&self) -> bool {
        let outcome = self.disturbed.map(|disturbed| disturbed.outcome);
        outcome == Some(DisturbOutcome::Begun)
    }
}

/// Clean when the device recovered in the time limit, no datagram is missing but those of the
/// outage, and none came twice, damaged or from elsewhere. Datagrams that the host refused, or
/// that came late or out of order because they were held back, are the outage's.
///
/// Void when the disturbance was refused, when a manual one was not seen, and when less than 98 %
/// of the rate was tried.
impl Outcome for RecoveryResult {
    fn check(&self) -> Result<(), BrokenIdentity> {
        self.warm_up.check()?;
        self.counts.check()?;
        let asked = self.options.planned_packets();
        at_most(
            "planned <= rate * (before + limit)",
            self.counts.planned,
            asked,
        )?;
        if self.begun() {
            equal(
                "planned = rate * (before + limit)",
                self.counts.planned,
                asked,
            )?;
        }
        let in_rtt = sum([self.rtt.count(), self.rtt_unknown]);
        equal(
            "valid = count(rtt) + rtt_unknown",
            self.counts.valid,
            in_rtt,
        )?;
        self.pacing.check(self.counts.planned)?;
        check_missing_ends(&self.counts, self.first_missing, self.last_missing)?;
        let seen = u64::from(self.outage.is_some());
        at_most(
            "an outage follows a disturbance",
            seen,
            u64::from(self.begun()),
        )?;
        self.outage.map_or(Ok(()), |outage| {
            outage.check(self.counts.missing, self.options.gap_min_ns)
        })
    }

    fn is_clean(&self) -> bool {
        let Counts {
            duplicate,
            corrupt,
            foreign,
            ..
        } = self.counts;
        self.void_reason().is_none()
            && self.recovered()
            && self.missing_outside() == 0
            && sum([duplicate, corrupt, foreign]) == 0
    }

    fn void_reason(&self) -> Option<String> {
        if !self.begun() {
            return Some("the disturbance was not made: nothing here can make it".to_owned());
        }
        if self.options.disturbance == Disturbance::Manual && self.outage.is_none() {
            return Some("no outage was seen: nobody disturbed the device in time".to_owned());
        }
        self.pacing.void_reason(self.options.rate_hz)
    }
}
