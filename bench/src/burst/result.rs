//! What a burst workload found, in raw integers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::BurstOptions;
use crate::counts::{BrokenIdentity, at_most, equal, sum};
use crate::rtt_series::RttSeries;
use crate::tail::Tail;
use crate::{Corruption, Counts, LatencyHistogram, Nanos, Verdict};

/// The result of one burst workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BurstResult {
    /// The parameters.
    pub options: BurstOptions,
    /// What became of the warm-up's datagram; part of no figure.
    pub warm_up: Counts,
    /// What became of the datagrams of all bursts.
    pub counts: Counts,
    /// Bursts of which every datagram is valid.
    pub whole_bursts: u64,
    /// The fewest valid datagrams of a burst.
    pub answered_min: u64,
    /// The most valid datagrams of a burst.
    pub answered_max: u64,
    /// How many bursts had 0, 1, 2, ... valid datagrams, up to `options.packets`.
    pub answered: Vec<u64>,
    /// RTT of the first right copy of each valid datagram, from its actual send.
    pub rtt: LatencyHistogram,
    /// The same by the twentieth of the bursts that was under way when it came.
    pub rtt_over_time: RttSeries,
    /// From the first send of a burst to the last first right copy of its datagrams; whole bursts
    /// only.
    pub absorb_time: LatencyHistogram,
    /// From the start of the first burst to the last send; absent when nothing was sent.
    pub last_send_ns: Option<Nanos>,
    /// The end of the run, its instant counted from the start of the first burst.
    pub tail: Tail,
    /// The first corrupt reply.
    pub first_corruption: Option<Corruption>,
}

impl BurstResult {
    /// Checks every identity of the counters and between counters, bursts and histograms; names
    /// the first broken one.
    ///
    /// # Errors
    /// The first identity that does not hold.
    pub fn check(&self) -> Result<(), BrokenIdentity> {
        self.warm_up.check()?;
        self.counts.check()?;
        let planned = self.options.planned_packets();
        equal("planned = packets * repeats", self.counts.planned, planned)?;
        self.check_bursts()?;
        self.check_times()
    }

    fn check_bursts(&self) -> Result<(), BrokenIdentity> {
        let BurstOptions {
            packets, repeats, ..
        } = self.options;
        let sizes = self.answered.len() as u64;
        equal(
            "one place in answered for 0 to packets replies",
            sizes,
            u128::from(packets) + 1,
        )?;
        let bursts = sum(self.answered.iter().copied());
        equal("repeats = sum(answered)", repeats, bursts)?;
        let by_replies = (0u64..).zip(&self.answered);
        let valid = by_replies
            .clone()
            .map(|(replies, &bursts)| u128::from(replies) * u128::from(bursts))
            .sum::<u128>();
        equal("valid = replies of all bursts", self.counts.valid, valid)?;
        at_most("whole_bursts <= repeats", self.whole_bursts, repeats)?;
        let whole = self.answered.last().copied().unwrap_or(0);
        equal(
            "whole_bursts = bursts of packets replies",
            self.whole_bursts,
            whole,
        )?;
        let mut some = by_replies
            .filter(|&(_, &bursts)| bursts > 0)
            .map(|(replies, _)| replies);
        let fewest = some.next().unwrap_or(0);
        equal(
            "answered_min = fewest of answered",
            self.answered_min,
            fewest,
        )?;
        let most = some.last().unwrap_or(fewest);
        equal("answered_max = most of answered", self.answered_max, most)
    }

    fn check_times(&self) -> Result<(), BrokenIdentity> {
        let Counts {
            sent, valid, late, ..
        } = self.counts;
        equal("valid = count(rtt)", valid, self.rtt.count())?;
        let (surely_late, perhaps_late) = self.rtt.count_above(self.options.late_threshold_ns);
        at_most("rtt above threshold <= late", surely_late, late)?;
        at_most("late <= rtt above threshold", late, perhaps_late)?;
        self.rtt_over_time.check(&self.rtt)?;
        let absorbed = self.absorb_time.count();
        equal(
            "whole_bursts = count(absorb_time)",
            self.whole_bursts,
            absorbed,
        )?;
        let last_send = self.last_send_ns.iter().count() as u64;
        equal(
            "last_send_ns exists when some were sent",
            last_send,
            sent.min(1),
        )?;
        self.tail.check(&self.counts)
    }

    /// What the result says of the device, in words.
    pub fn verdict(&self) -> Verdict {
        Verdict::new(
            &self.counts,
            self.tail,
            self.last_send_ns,
            self.first_corruption,
            &self.rtt_over_time,
        )
    }
}
