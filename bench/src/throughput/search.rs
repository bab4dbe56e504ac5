//! Which rate to try next, as a function of what the trials before came to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a trial is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// To find, at loads that double, where the device saturates.
    Rise,
    /// To narrow down the highest rate without loss.
    Bisect,
    /// To confirm the highest rate without loss by a longer trial.
    Verify,
}

/// What a trial came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// The rate was offered and there is no error event.
    Clean,
    /// There are error events, but the device keeps up.
    Lossy,
    /// The device does not keep up.
    Saturated,
    /// The rate was not offered: the trial says nothing of the device.
    Void,
}

/// What ended the search upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A trial at this rate was not clean.
    Loss {
        /// The lowest such rate, in datagrams a second.
        rate_hz: u64,
    },
    /// The sender could not offer this rate: the device may well do more.
    SenderLimited {
        /// The lowest such rate, in datagrams a second.
        rate_hz: u64,
    },
    /// The highest load allowed is clean: the device may well do more.
    Ceiling,
}

/// The highest rate without loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZeroLoss {
    /// In datagrams a second. No trial at this rate or below was other than clean.
    pub rate_hz: u64,
    /// What bounds it from above.
    pub limit: Limit,
}

/// The trials to make at one size. It is asked for the next, told what that came to, and so on.
///
/// 1. Loads double from the start until the device saturates, the sender does, or the ceiling is
///    reached. A loss alone does not end the rise: it may be a single one, and peak goodput lies
///    above it.
/// 2. The highest clean rate below every rate that is not clean is narrowed down by halves.
/// 3. The rate found is confirmed by a longer trial. Where that fails, the search goes on below it
///    by halves of longer trials alone: shorter ones have shown that they see too little.
///
/// The rate found is thus the highest one up to which every trial is clean: the cautious answer
/// where a higher rate is clean and a lower one not.
#[derive(Clone, Debug)]
pub(super) struct RateSearch {
    start: u64,
    ceiling: u64,
    resolution: u64,
    trials: Vec<(Purpose, u64, Finding)>,
}

impl RateSearch {
    /// A search between these rates in datagrams a second.
    pub(super) fn new(start: u64, ceiling: u64, resolution: u64) -> Self {
        Self {
            start,
            ceiling,
            resolution: resolution.max(1),
            trials: Vec::new(),
        }
    }

    /// The next trial; `None` when the search is over.
    pub(super) fn next(&self) -> Option<(Purpose, u64)> {
        if let Some(rate) = self.next_rise() {
            return Some((Purpose::Rise, rate));
        }
        let failed = self
            .verifications()
            .any(|(_, finding)| finding != Finding::Clean);
        let (purpose, low) = match failed {
            true => (Purpose::Verify, self.highest_verified()),
            false => (Purpose::Bisect, self.highest_clean()),
        };
        if let Some(high) = self.lowest_unclean()
            && high - low > self.resolution
        {
            return Some((purpose, low.midpoint(high)));
        }
        (low > 0 && !self.is_verified(low)).then_some((Purpose::Verify, low))
    }

    /// The trial that [`next`](Self::next) asked for came to this.
    pub(super) fn record(&mut self, finding: Finding) {
        let (purpose, rate) = self.next().expect("a trial was asked for");
        self.trials.push((purpose, rate, finding));
    }

    /// The rate found; `None` when the search is not over, or none was confirmed.
    pub(super) fn zero_loss(&self) -> Option<ZeroLoss> {
        let rate_hz = self.highest_verified();
        let lowest = |void: bool| {
            let kind = self.trials.iter().filter(|&&(_, _, finding)| {
                finding != Finding::Clean && (finding == Finding::Void) == void
            });
            kind.map(|&(_, rate, _)| rate).min()
        };
        let limit = match (lowest(false), lowest(true)) {
            (Some(loss), void) if void.is_none_or(|void| loss <= void) => {
                Limit::Loss { rate_hz: loss }
            }
            (_, Some(rate_hz)) => Limit::SenderLimited { rate_hz },
            _ => Limit::Ceiling,
        };
        (self.next().is_none() && rate_hz > 0).then_some(ZeroLoss { rate_hz, limit })
    }

    fn next_rise(&self) -> Option<u64> {
        let mut rises = self.trials.iter().filter(|trial| trial.0 == Purpose::Rise);
        match rises.next_back() {
            None => Some(self.start),
            Some((_, _, Finding::Saturated | Finding::Void)) => None,
            Some(&(_, rate, _)) => {
                let double = rate.saturating_mul(2);
                // Loads are rounded down to rates: twice one can fall just short of the ceiling.
                let is_last = double.saturating_add(self.resolution) >= self.ceiling;
                let next = if is_last { self.ceiling } else { double };
                (rate < self.ceiling).then_some(next)
            }
        }
    }

    /// The lowest rate that is not clean, whatever that is due to.
    fn lowest_unclean(&self) -> Option<u64> {
        let unclean = self.trials.iter().filter(|trial| trial.2 != Finding::Clean);
        unclean.map(|&(_, rate, _)| rate).min()
    }

    /// The highest clean rate below every one that is not clean; 0 when there is none.
    fn highest_clean(&self) -> u64 {
        let below = self.lowest_unclean().unwrap_or(u64::MAX);
        let clean = self.trials.iter().filter(|trial| trial.2 == Finding::Clean);
        let clean = clean.map(|&(_, rate, _)| rate).filter(|&rate| rate < below);
        clean.max().unwrap_or(0)
    }

    fn verifications(&self) -> impl Iterator<Item = (u64, Finding)> + '_ {
        let verify = self
            .trials
            .iter()
            .filter(|trial| trial.0 == Purpose::Verify);
        verify.map(|&(_, rate, finding)| (rate, finding))
    }

    /// The highest confirmed rate below every one that is not clean; 0 when there is none.
    fn highest_verified(&self) -> u64 {
        let below = self.lowest_unclean().unwrap_or(u64::MAX);
        let clean = self
            .verifications()
            .filter(|&(_, finding)| finding == Finding::Clean);
        let clean = clean.map(|(rate, _)| rate).filter(|&rate| rate < below);
        clean.max().unwrap_or(0)
    }

    fn is_verified(&self, rate: u64) -> bool {
        self.verifications()
            .any(|verified| verified == (rate, Finding::Clean))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a search to its end over a device that does what `react` says.
    fn search(react: impl Fn(Purpose, u64) -> Finding) -> RateSearch {
        let mut search = RateSearch::new(100, 10_000, 50);
        while let Some((purpose, rate)) = search.next() {
            search.record(react(purpose, rate));
            assert!(search.trials.len() < 100, "the search ends");
        }
        search
    }

    fn rates(search: &RateSearch, purpose: Purpose) -> Vec<u64> {
        let made = search.trials.iter().filter(|trial| trial.0 == purpose);
        made.map(|&(_, rate, _)| rate).collect()
    }

    /// A device that does `knee` and no more.
    fn device(knee: u64) -> impl Fn(Purpose, u64) -> Finding {
        move |_, rate| match rate <= knee {
            true => Finding::Clean,
            false => Finding::Saturated,
        }
    }

    #[test]
    fn loads_double_then_the_knee_is_bisected_and_confirmed() {
        let search = search(device(1_040));
        assert_eq!(rates(&search, Purpose::Rise), [100, 200, 400, 800, 1_600]);
        assert_eq!(
            rates(&search, Purpose::Bisect),
            [1_200, 1_000, 1_100, 1_050]
        );
        assert_eq!(rates(&search, Purpose::Verify), [1_000]);
        let limit = Limit::Loss { rate_hz: 1_050 };
        let rate_hz = 1_000;
        assert_eq!(search.zero_loss(), Some(ZeroLoss { rate_hz, limit }));
    }

    #[test]
    fn a_clean_ceiling_is_no_knee() {
        let search = search(device(u64::MAX));
        let top = rates(&search, Purpose::Rise);
        assert_eq!(top[top.len() - 2..], [6_400, 10_000]);
        assert_eq!(rates(&search, Purpose::Bisect), [0u64; 0]);
        let found = search.zero_loss().unwrap();
        assert_eq!((found.rate_hz, found.limit), (10_000, Limit::Ceiling));
    }

    #[test]
    fn the_ceiling_is_not_missed_by_less_than_the_resolution() {
        let mut search = RateSearch::new(976, 3_906, 97);
        while search.next().is_some() {
            search.record(Finding::Clean);
        }
        assert_eq!(rates(&search, Purpose::Rise), [976, 1_952, 3_906]);
    }

    #[test]
    fn a_sender_that_cannot_is_no_loss() {
        let search = search(|_, rate| match rate <= 3_000 {
            true => Finding::Clean,
            false => Finding::Void,
        });
        let found = search.zero_loss().unwrap();
        assert!((2_950..=3_000).contains(&found.rate_hz), "{found:?}");
        let Limit::SenderLimited { rate_hz } = found.limit else {
            panic!("{found:?}")
        };
        assert!(rate_hz > 3_000 && rate_hz - found.rate_hz <= 50);
    }

    #[test]
    fn a_rate_that_fails_the_longer_trial_sends_the_search_below() {
        let search = search(|purpose, rate| match purpose {
            Purpose::Verify if rate > 500 => Finding::Lossy,
            _ => device(1_040)(purpose, rate),
        });
        let found = search.zero_loss().unwrap();
        assert!((450..=500).contains(&found.rate_hz), "{found:?}");
        let verified = rates(&search, Purpose::Verify);
        assert_eq!(verified, [1_000, 500, 750, 625, 562, 531]);
        assert_eq!(rates(&search, Purpose::Bisect).len(), 4);
    }

    #[test]
    fn a_rate_that_no_longer_trial_confirms_is_none() {
        let search = search(|purpose, rate| match purpose {
            Purpose::Verify => Finding::Lossy,
            _ => device(1_040)(purpose, rate),
        });
        assert_eq!(search.zero_loss(), None);
        let halves = [1_000, 500, 250, 125, 62, 31];
        assert_eq!(rates(&search, Purpose::Verify), halves);
    }

    #[test]
    fn a_single_loss_on_the_way_does_not_end_the_rise() {
        let search = search(|_, rate| match rate {
            400 => Finding::Lossy,
            rate if rate <= 3_200 => Finding::Clean,
            _ => Finding::Saturated,
        });
        assert_eq!(rates(&search, Purpose::Rise).last(), Some(&6_400));
        let found = search.zero_loss().unwrap();
        assert!(found.rate_hz < 400, "{found:?}");
        assert_eq!(found.limit, Limit::Loss { rate_hz: 400 });
    }

    #[test]
    fn a_device_that_does_nothing_has_no_rate() {
        let search = search(|_, _| Finding::Saturated);
        assert_eq!(search.zero_loss(), None);
        assert_eq!(rates(&search, Purpose::Bisect), [50]);
    }
}
