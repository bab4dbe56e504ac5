//! How well a sender kept its schedule.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::counts::{BrokenIdentity, at_most, equal};
use crate::stream::{OFFERED_MIN_PERCENT, PACED_BURST_MAX};
use crate::{LatencyHistogram, Nanos, Ratio, Undefined};

/// Pacing error and bursts of a flow as it is sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pacing {
    /// How far behind its schedule each datagram was sent.
    pub(crate) error: LatencyHistogram,
    /// The actual instants of the first and the last send.
    pub(crate) sends: Option<(Nanos, Nanos)>,
    /// The most datagrams sent without a wait between them.
    pub(crate) largest_burst: u64,
    burst: u64,
}

impl Pacing {
    /// A datagram due at `due` was sent at `now`.
    pub(crate) fn sent(&mut self, due: Nanos, now: Nanos) {
        self.error.record(now.since(due));
        self.sends = Some((self.sends.map_or(now, |(first, _)| first), now));
        self.burst += 1;
        self.largest_burst = self.largest_burst.max(self.burst);
    }

    /// The sender is ahead of its schedule and waits: the burst is over.
    pub(crate) fn waited(&mut self) {
        self.burst = 0;
    }

    /// What is kept of it, instants counted from `start`.
    pub(crate) fn record(self, start: Nanos) -> PacingRecord {
        PacingRecord {
            tries: self.error.count(),
            first_try_ns: self.sends.map(|(first, _)| first.since(start)),
            last_try_ns: self.sends.map(|(_, last)| last.since(start)),
            largest_burst: self.largest_burst,
            error: self.error,
        }
    }
}

/// How a sender kept a fixed-rate schedule. Datagrams that the host's own stack refused, as it
/// does while its link is down, were tried like any other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PacingRecord {
    /// Datagrams tried, whether the network stack took or refused them.
    pub tries: u64,
    /// From the schedule's start to the first try; absent when there was none.
    pub first_try_ns: Option<Nanos>,
    /// From the schedule's start to the last try; absent when there was none.
    pub last_try_ns: Option<Nanos>,
    /// The most datagrams tried back to back because all were due.
    pub largest_burst: u64,
    /// How far behind its schedule each datagram was tried.
    pub error: LatencyHistogram,
}

impl PacingRecord {
    /// Checks the identities that bind the record to a flow of `planned` datagrams.
    pub(crate) fn check(&self, planned: u64) -> Result<(), BrokenIdentity> {
        equal("planned = pacing.tries", planned, self.tries)?;
        equal(
            "pacing.tries = count(pacing.error)",
            self.tries,
            self.error.count(),
        )?;
        at_most(
            "pacing.largest_burst <= pacing.tries",
            self.largest_burst,
            self.tries,
        )?;
        let ends = [self.first_try_ns, self.last_try_ns];
        let present = ends.iter().flatten().count() as u64;
        equal(
            "first and last try exist when some were tried",
            present,
            2 * self.tries.min(1),
        )?;
        let [first, last] = ends.map(|instant| instant.unwrap_or_default().0);
        at_most("first_try_ns <= last_try_ns", first, last)
    }

    /// The achieved offered load in datagrams a second at a target of `rate_hz`: tries over the
    /// time to one period after the last.
    pub fn offered_rate_hz(&self, rate_hz: u64) -> Result<Ratio, Undefined> {
        let period = Nanos(Nanos::SECOND.0.div_ceil(rate_hz));
        let window = self.last_try_ns.map_or(Nanos::ZERO, |last| last + period);
        let numerator = u128::from(self.tries) * u128::from(Nanos::SECOND.0);
        Ratio::new(numerator, window.0, "no datagram was tried")
    }

    /// Why a trial at a target of `rate_hz` is void: less than [`OFFERED_MIN_PERCENT`] of it was
    /// offered.
    pub(crate) fn void_reason(&self, rate_hz: u64) -> Option<String> {
        let Ok(offered) = self.offered_rate_hz(rate_hz) else {
            return Some("no datagram was tried".to_owned());
        };
        let target = u128::from(rate_hz) * u128::from(OFFERED_MIN_PERCENT);
        (offered.numerator * 100 < target * offered.denominator)
            .then(|| offered_missed(offered.scaled(1), rate_hz))
    }

    /// Whether datagrams left in bursts longer than [`PACED_BURST_MAX`].
    pub fn in_bursts(&self) -> bool {
        self.largest_burst > PACED_BURST_MAX
    }
}

/// The reason that stands for a rate that was missed.
pub(crate) fn offered_missed(offered_hz: u128, rate_hz: u64) -> String {
    format!(
        "{offered_hz}/s were offered in place of {rate_hz}/s, less than {OFFERED_MIN_PERCENT} %"
    )
}
