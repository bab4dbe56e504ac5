//! How long a device was gone, by the good replies that came before and after.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::counts::{BrokenIdentity, at_most, equal};
use crate::{Endpoint, Nanos};

/// The time for which a device was gone, as the instants of its replies tell it; `lost` over the
/// rate tells the same in another way. RFC 6201 is about such times.
///
/// It lasts from the last good reply before the first gap that ends after the disturbance to the
/// first good reply after the last gap: a device that comes back for a moment and goes again is
/// gone once, with two gaps. A good reply is the first right copy of a datagram. Instants count
/// from the start of the measured schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outage {
    /// The last good reply before; absent when there was none since the schedule's start.
    pub last_good_ns: Option<Nanos>,
    /// The first good reply after; absent when the device did not come back in the time limit.
    pub first_good_ns: Option<Nanos>,
    /// How many times no good reply came for the shortest gap or longer.
    pub gaps: u64,
    /// Missing datagrams after the one answered last before, as far as they were due when the first
    /// good reply after came.
    pub lost: u64,
    /// Where the first good reply after came from: another address than before when DHCP gave one.
    pub address_after: Option<Endpoint>,
}

impl Outage {
    /// Its length; `None` when the device did not come back. When there was no reply before, it
    /// counts from the schedule's start.
    pub fn length(&self) -> Option<Nanos> {
        let from = self.last_good_ns.unwrap_or_default();
        self.first_good_ns.map(|first| first.since(from))
    }

    pub(super) fn check(&self, missing: u64, gap_min: Nanos) -> Result<(), BrokenIdentity> {
        at_most("1 <= outage.gaps", 1u64, self.gaps)?;
        at_most("outage.lost <= missing", self.lost, missing)?;
        let present = u64::from(self.address_after.is_some());
        equal(
            "address_after exists with first_good_ns",
            present,
            u64::from(self.first_good_ns.is_some()),
        )?;
        if let Some(length) = self.length() {
            let shortest = gap_min.0.saturating_mul(self.gaps);
            at_most("gaps * gap_min_ns <= outage", shortest, length.0)?;
        }
        Ok(())
    }
}

/// Watches good replies for gaps.
#[derive(Clone, Debug)]
pub(super) struct OutageWatch {
    gap_min: Nanos,
    disturbed: bool,
    last_good: Option<Good>,
    before: Option<Good>,
    after: Option<Good>,
    gaps: u64,
}

/// A good reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Good {
    /// When it came, from the start of the schedule.
    pub(super) at: Nanos,
    /// The datagram it answers, counted from 0.
    pub(super) index: u64,
    pub(super) from: Endpoint,
}

impl OutageWatch {
    pub(super) fn new(gap_min: Nanos) -> Self {
        Self {
            gap_min,
            disturbed: false,
            last_good: None,
            before: None,
            after: None,
            gaps: 0,
        }
    }

    /// The disturbance began: a gap that ends from now on counts.
    pub(super) fn disturbed(&mut self) {
        self.disturbed = true;
    }

    pub(super) fn good(&mut self, good: Good) {
        if self.disturbed && self.silence(good.at) >= self.gap_min {
            self.begin_gap();
            self.after = Some(good);
        }
        self.last_good = Some(good);
    }

    /// The schedule ended at `end`; `missing` are the datagrams that are missing, each with its index
    /// and when it was due from the start of the schedule.
    pub(super) fn finish(
        mut self,
        end: Nanos,
        missing: impl Iterator<Item = (u64, Nanos)>,
    ) -> Option<Outage> {
        if self.disturbed && self.silence(end) >= self.gap_min {
            self.begin_gap();
            self.after = None;
        }
        if self.gaps == 0 {
            return None;
        }
        let from = self.before.map(|good| good.index);
        let until = self.after.map_or(end, |good| good.at);
        let lost = missing.filter(|&(index, due)| Some(index) > from && due <= until);
        Some(Outage {
            last_good_ns: self.before.map(|good| good.at),
            first_good_ns: self.after.map(|good| good.at),
            gaps: self.gaps,
            lost: lost.count() as u64,
            address_after: self.after.map(|good| good.from),
        })
    }

    /// How long no good reply had come at `now`.
    fn silence(&self, now: Nanos) -> Nanos {
        now.since(self.last_good.map_or(Nanos::ZERO, |good| good.at))
    }

    /// A gap lies behind the last good reply.
    fn begin_gap(&mut self) {
        if self.gaps == 0 {
            self.before = self.last_good;
        }
        self.gaps += 1;
    }
}
