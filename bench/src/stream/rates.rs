//! What a stream offered and what came back, as rates over its send window.

use super::StreamOptions;
use super::result::OFFERED_MIN_PERCENT;
use crate::{Counts, Nanos, Ratio, Undefined};

/// What the rates of a stream follow from.
pub(crate) struct Rates<'a> {
    pub(crate) options: &'a StreamOptions,
    pub(crate) counts: &'a Counts,
    /// From the schedule's start to the last actual send; absent when nothing was sent.
    pub(crate) last_send_ns: Option<Nanos>,
}

impl Rates<'_> {
    /// From the schedule's start to one period after the last send; `None` when nothing was sent.
    pub(crate) fn send_window(&self) -> Option<Nanos> {
        let period = Nanos(Nanos::SECOND.0.div_ceil(self.options.rate_hz));
        self.last_send_ns.map(|last| last + period)
    }

    /// The achieved offered load in datagrams a second: sent over the send window.
    pub(crate) fn offered_hz(&self) -> Result<Ratio, Undefined> {
        self.per_second(u128::from(self.counts.sent))
    }

    /// Whether at least [`OFFERED_MIN_PERCENT`] of the target rate was offered.
    pub(crate) fn offered_is_met(&self) -> bool {
        self.offered_hz().is_ok_and(|offered| {
            let target = u128::from(self.options.rate_hz) * u128::from(OFFERED_MIN_PERCENT);
            offered.numerator * 100 >= target * offered.denominator
        })
    }

    /// Whether the rate was offered and there is no error event.
    pub(crate) fn is_clean(&self) -> bool {
        self.offered_is_met() && self.counts.error_events() == 0
    }

    /// Valid datagrams times payload, in bits a second over the send window.
    pub(crate) fn goodput_bits_per_s(&self) -> Result<Ratio, Undefined> {
        let payload_bits = u128::from(self.options.payload_bytes) * 8;
        self.per_second(u128::from(self.counts.valid) * payload_bits)
    }

    fn per_second(&self, amount: u128) -> Result<Ratio, Undefined> {
        let window = self.send_window().unwrap_or_default();
        let numerator = amount * u128::from(Nanos::SECOND.0);
        Ratio::new(numerator, window.0, "no datagram was sent")
    }
}
