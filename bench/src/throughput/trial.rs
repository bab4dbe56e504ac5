//! One trial of a throughput workload: a stream by its counters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::search::{Finding, Purpose};
use crate::counts::{BrokenIdentity, at_most, equal};
use crate::pacing::offered_missed;
use crate::stream::Rates;
use crate::{Counts, LatencyHistogram, Nanos, Ratio, StreamOptions, StreamResult, Undefined};

/// The device saturates when at least this share of what was sent is missing, in thousandths, as
/// in the published study,
pub const SATURATED_LOSS_PER_MILLE: u128 = 1;

/// or when no more than this share of what was planned came back, in percent.
pub const SATURATED_GOODPUT_PERCENT: u128 = 90;

/// One trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThroughputTrial {
    /// What it was made for.
    pub purpose: Purpose,
    /// What was sent and what came back.
    pub stream: TrialStream,
}

/// What a search asks of a stream: how much was offered, and how much came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrialStream {
    /// The parameters.
    pub options: StreamOptions,
    /// What became of the warm-up's datagrams; part of no figure.
    pub warm_up: Counts,
    /// What became of the measured datagrams.
    pub counts: Counts,
    /// From the schedule's start to the last actual send; absent when nothing was sent.
    pub last_send_ns: Option<Nanos>,
    /// The most datagrams sent back to back because all were due.
    pub largest_burst: u64,
    /// RTT of the first right copy of each valid datagram, from its actual send; only of trials that
    /// confirm a rate, since that of the others is the one of a device at its limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rtt: Option<LatencyHistogram>,
}

impl ThroughputTrial {
    /// The trial that `stream` was made for.
    pub(super) fn new(purpose: Purpose, stream: StreamResult) -> Self {
        let confirms = purpose == Purpose::Verify && stream.is_clean();
        Self {
            purpose,
            stream: TrialStream {
                rtt: confirms.then_some(stream.rtt),
                options: stream.options,
                warm_up: stream.warm_up,
                counts: stream.counts,
                last_send_ns: stream.last_send_ns,
                largest_burst: stream.largest_burst,
            },
        }
    }

    pub(super) fn check(&self) -> Result<(), BrokenIdentity> {
        self.stream.check()?;
        let confirms = self.purpose == Purpose::Verify && self.stream.is_clean();
        equal(
            "rtt is kept of trials that confirm a rate",
            u64::from(self.stream.rtt.is_some()),
            u64::from(confirms),
        )
    }

    /// What the trial came to.
    pub(super) fn finding(&self) -> Finding {
        let stream = &self.stream;
        if stream.is_void() {
            return Finding::Void;
        }
        if stream.is_clean() {
            return Finding::Clean;
        }
        let counts = &stream.counts;
        let [missing, sent, valid, planned] =
            [counts.missing, counts.sent, counts.valid, counts.planned].map(u128::from);
        let loses = missing > 0 && missing * 1_000 >= sent * SATURATED_LOSS_PER_MILLE;
        let lags = valid * 100 <= planned * SATURATED_GOODPUT_PERCENT;
        match loses || lags {
            true => Finding::Saturated,
            false => Finding::Lossy,
        }
    }
}

impl TrialStream {
    fn rates(&self) -> Rates<'_> {
        Rates {
            options: &self.options,
            counts: &self.counts,
            last_send_ns: self.last_send_ns,
        }
    }

    /// The achieved offered load in datagrams a second.
    pub fn offered_rate_hz(&self) -> Result<Ratio, Undefined> {
        self.rates().offered_hz()
    }

    /// Valid datagrams times payload, in bits a second over the send window.
    pub fn goodput_bits_per_s(&self) -> Result<Ratio, Undefined> {
        self.rates().goodput_bits_per_s()
    }

    /// Whether the trial says nothing about the device, because the sender missed its target.
    pub fn is_void(&self) -> bool {
        !self.rates().offered_is_met()
    }

    /// Whether the rate was offered and there is no error event.
    pub fn is_clean(&self) -> bool {
        self.rates().is_clean()
    }

    /// Why the trial is void.
    pub(super) fn void_reason(&self) -> Option<String> {
        self.is_void().then(|| {
            let offered = self.offered_rate_hz();
            let offered_hz = offered.map_or(0, |offered| offered.scaled(1));
            offered_missed(offered_hz, self.options.rate_hz)
        })
    }

    fn check(&self) -> Result<(), BrokenIdentity> {
        self.warm_up.check()?;
        self.counts.check()?;
        let Counts {
            planned,
            sent,
            valid,
            ..
        } = self.counts;
        equal(
            "planned = rate * duration",
            planned,
            self.options.planned_packets(),
        )?;
        equal(
            "warm_up.planned = warm_up_packets",
            self.warm_up.planned,
            self.options.warm_up_packets,
        )?;
        equal(
            "last send exists when some were sent",
            u64::from(self.last_send_ns.is_some()),
            sent.min(1),
        )?;
        at_most("largest_burst <= sent", self.largest_burst, sent)?;
        self.rtt.as_ref().map_or(Ok(()), |rtt| {
            at_most("count(rtt) <= valid", rtt.count(), valid)
        })
    }
}
