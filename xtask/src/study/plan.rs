//! What a study of each size measures.

use bench::{FunctionalOptions, Nanos, StreamOptions, SweepOptions};

use crate::results::SetName;

/// Names every datagram of a study; part of each result.
const SEED: u64 = 723;

/// The workloads of every build, with their parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub functional: FunctionalOptions,
    pub stream: StreamOptions,
    /// The stream at each rate of the sweep.
    pub sweep: Vec<StreamOptions>,
}

impl Plan {
    /// The plan of a set: the published workloads, shortened for all but the full one.
    pub fn of(set: SetName) -> Self {
        let functional = FunctionalOptions {
            seed: SEED,
            ..FunctionalOptions::default()
        };
        let (stream_ns, rate_ns) = match set {
            SetName::Full => (Nanos::from_secs(3_600), Nanos::from_secs(30)),
            SetName::Quick => (Nanos::from_secs(30), Nanos::from_secs(3)),
            SetName::Smoke => (Nanos::SECOND, Nanos::from_millis(200)),
        };
        let stream = StreamOptions {
            seed: SEED,
            duration_ns: stream_ns,
            ..StreamOptions::default()
        };
        let mut sweep = SweepOptions {
            stream: StreamOptions {
                duration_ns: rate_ns,
                ..stream.clone()
            },
            ..SweepOptions::default()
        };
        if set == SetName::Smoke {
            sweep.rates_hz = vec![1_000, 5_000, 20_000];
        }
        let steps = (0..sweep.rates_hz.len()).map(|index| sweep.step(index));
        Self {
            functional,
            stream,
            sweep: steps.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_full_plan_is_the_published_one() {
        let plan = Plan::of(SetName::Full);
        assert_eq!(plan.functional.payload_bytes, [0, 1, 32, 256, 1472]);
        assert_eq!(plan.stream.planned_packets(), 3_600_000);
        assert_eq!(plan.stream.payload_bytes, 100);
        let rates: Vec<u64> = plan.sweep.iter().map(|step| step.rate_hz).collect();
        assert_eq!(rates, (1..=20).map(|khz| khz * 1_000).collect::<Vec<_>>());
        let planned: u64 = plan.sweep.iter().map(StreamOptions::planned_packets).sum();
        assert_eq!(planned, 30 * 210_000);
    }

    #[test]
    fn the_quick_plan_is_shorter_and_otherwise_the_same() {
        let (quick, full) = (Plan::of(SetName::Quick), Plan::of(SetName::Full));
        assert_eq!(quick.stream.planned_packets(), 30_000);
        assert_eq!(quick.sweep[19].planned_packets(), 60_000);
        let mut lengthened = quick.clone();
        lengthened.stream.duration_ns = full.stream.duration_ns;
        for step in &mut lengthened.sweep {
            step.duration_ns = Nanos::from_secs(30);
        }
        assert_eq!(lengthened, full);
    }
}
