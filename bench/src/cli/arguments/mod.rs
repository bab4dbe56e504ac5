//! The parameters of each workload as command-line arguments, with the published study's defaults.
//!
//! One struct a workload; [`into_options`](StreamArgs::into_options) gives what the state machine
//! takes. They are shared by every command that runs a workload, whatever it runs it on.

mod burst;
mod functional;
mod latency;
mod memory;
mod recovery;
mod soak;
mod span;
mod stream;
mod sweep;
mod throughput;

pub use burst::BurstArgs;
pub use functional::FunctionalArgs;
pub use latency::LatencyArgs;
pub use memory::{Ledgered, TooManyDatagrams};
pub use recovery::{DisturbanceArg, RecoveryArgs};
pub use soak::{SizeArg, SizeArgError, SoakArgs};
pub use span::{Span, SpanError};
pub use stream::StreamArgs;
pub use sweep::SweepArgs;
pub use throughput::ThroughputArgs;

#[cfg(test)]
mod searching_tests;

#[cfg(test)]
mod tests {
    use clap::Args;

    use super::*;
    use crate::{BurstOptions, FunctionalOptions, StreamOptions};

    pub(super) fn parse<A: Args>(line: &str) -> A {
        let command = A::augment_args(clap::Command::new("bench").no_binary_name(true));
        let matches = command.try_get_matches_from(line.split_whitespace());
        A::from_arg_matches(&matches.unwrap()).unwrap()
    }

    #[test]
    fn without_arguments_the_published_study_is_asked() {
        assert_eq!(
            parse::<StreamArgs>("").into_options(),
            StreamOptions::default()
        );
        assert_eq!(
            parse::<BurstArgs>("").into_options(),
            BurstOptions::default()
        );
        assert_eq!(
            parse::<FunctionalArgs>("").into_options(),
            FunctionalOptions::default()
        );
    }

    #[test]
    fn every_argument_reaches_its_option() {
        let stream = "--seed 1 --rate-hz 2 --payload-bytes 30 --duration 4s --warm-up-packets 5 \
                      --drain 6ms --late-threshold 7us --interval 8ns --telemetry-timeout 9ms \
                      --telemetry-attempts 10 --background-hz 11 --background-payload-bytes 12 \
                      --background-group 239.1.2.3:14";
        let expected = StreamOptions {
            seed: 1,
            rate_hz: 2,
            payload_bytes: 30,
            duration_ns: crate::Nanos::from_secs(4),
            warm_up_packets: 5,
            drain_ns: crate::Nanos::from_millis(6),
            late_threshold_ns: crate::Nanos::from_micros(7),
            interval_ns: crate::Nanos(8),
            telemetry_timeout_ns: crate::Nanos::from_millis(9),
            telemetry_attempts: 10,
            background_hz: 11,
            background_payload_bytes: 12,
            background_group: "239.1.2.3:14".parse().unwrap(),
        };
        assert_eq!(parse::<StreamArgs>(stream).into_options(), expected);
        let burst = "--seed 1 --packets 2 --payload-bytes 30 --repeats 4 --quiet-time 5ms \
                     --settle-limit 6s --late-threshold 7us";
        let expected = BurstOptions {
            seed: 1,
            packets: 2,
            payload_bytes: 30,
            repeats: 4,
            quiet_ns: crate::Nanos::from_millis(5),
            settle_limit_ns: crate::Nanos::from_secs(6),
            late_threshold_ns: crate::Nanos::from_micros(7),
        };
        assert_eq!(parse::<BurstArgs>(burst).into_options(), expected);
        let functional = "--seed 1 --payload-bytes 2,3 --rounds 4 --timeout 5ms --attempts 6 \
                          --empty-dropped";
        let expected = FunctionalOptions {
            seed: 1,
            payload_bytes: vec![2, 3],
            rounds: 4,
            timeout_ns: crate::Nanos::from_millis(5),
            attempts: 6,
            empty_datagrams: crate::EmptyDatagrams::Dropped,
        };
        assert_eq!(parse::<FunctionalArgs>(functional).into_options(), expected);
    }
}
