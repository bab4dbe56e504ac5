//! What every workload's result says of itself, whatever it measured.

use crate::counts::sum;
use crate::pacing::offered_missed;
use crate::{BrokenIdentity, BurstResult, Counts, FunctionalResult, StreamResult, SweepResult};

/// The outcome of a run, which is what a script asks for: do the figures hold together, is the run
/// clean, and does it say anything at all?
///
/// The trait is named for the last two questions: a result is what was counted, its outcome is
/// what that comes to. Its three answers are independent. A result whose identities do not hold
/// was tampered with or miscounted and is no result. A void run says nothing of the device. One
/// that is neither is clean or shows what went wrong.
pub trait Outcome {
    /// Checks every identity that binds the counters, histograms and parameters of the result.
    ///
    /// # Errors
    /// The first identity that does not hold.
    fn check(&self) -> Result<(), BrokenIdentity>;

    /// Whether the run is not void and nothing went wrong in it; each result says what that is.
    fn is_clean(&self) -> bool;

    /// Why the run says nothing of the device, in one line; `None` for a run that counts.
    fn void_reason(&self) -> Option<String>;
}

/// Clean when every size became what the options say.
impl Outcome for FunctionalResult {
    fn check(&self) -> Result<(), BrokenIdentity> {
        self.check()
    }

    fn is_clean(&self) -> bool {
        self.passed()
    }

    fn void_reason(&self) -> Option<String> {
        let tried = self.sizes.iter().map(|size| (size.sent, size.send_errors));
        let (sent, refused) = tried.unzip::<u64, u64, Vec<_>, Vec<_>>();
        nothing_sent(sum(sent), sum(refused))
    }
}

/// Clean when at least [`OFFERED_MIN_PERCENT`](crate::stream::OFFERED_MIN_PERCENT) of the rate was offered and there is no error
/// event; void when less was offered.
impl Outcome for StreamResult {
    fn check(&self) -> Result<(), BrokenIdentity> {
        self.check()
    }

    fn is_clean(&self) -> bool {
        self.is_clean()
    }

    fn void_reason(&self) -> Option<String> {
        self.is_void().then(|| {
            let offered = self
                .offered_rate_hz()
                .map_or(0, |offered| offered.scaled(1));
            offered_missed(offered, self.options.rate_hz)
        })
    }
}

/// Clean when the stream at every rate is; void when the stream at any rate is, since the range
/// of clean rates then ends at the sender rather than at the device.
impl Outcome for SweepResult {
    fn check(&self) -> Result<(), BrokenIdentity> {
        self.check()
    }

    fn is_clean(&self) -> bool {
        self.steps.iter().all(StreamResult::is_clean)
    }

    fn void_reason(&self) -> Option<String> {
        self.steps.iter().find_map(Outcome::void_reason)
    }
}

/// Clean when every burst is whole and there is no error event. There is no rate to be missed.
impl Outcome for BurstResult {
    fn check(&self) -> Result<(), BrokenIdentity> {
        self.check()
    }

    fn is_clean(&self) -> bool {
        self.counts.sent > 0 && self.counts.error_events() == 0
    }

    fn void_reason(&self) -> Option<String> {
        none_sent(&self.counts)
    }
}

/// The reason that stands for a flow of which the host's own stack took nothing.
pub(crate) fn none_sent(counts: &Counts) -> Option<String> {
    nothing_sent(counts.sent.into(), counts.send_errors.into())
}

/// The same for counts over several flows.
pub(crate) fn nothing_sent(sent: u128, refused: u128) -> Option<String> {
    (sent == 0).then(|| format!("no datagram was sent, the host refused {refused}"))
}
