//! Whether the workloads of the bench come out as they must on real firmware.

use std::path::Path;

use anyhow::{Context, ensure};
use bench::cli::summary::Summary;
use bench::{
    BurstOptions, BurstResult, Disturbance, FunctionalOptions, FunctionalResult, LatencyOptions,
    LatencyResult, Nanos, RecoveryOptions, RecoveryResult, SoakOptions, SoakResult, StreamOptions,
    StreamResult, SweepOptions, SweepResult, ThroughputOptions, ThroughputResult,
};
use board::{BoardConfig, NetworkDevice};

use crate::adapter::emulated::EmulatedBoard;
use crate::metadata::{Build, Study, Variant};
use crate::results::Trial;
use crate::trial::{self, Ports, Runnable};
use crate::{files, output};

/// How long a lost link is lost.
const LINK_LOSS: Nanos = Nanos::from_secs(2);
/// The longest that any variant may be gone beyond the time its link is.
const BACK_WITHIN: Nanos = Nanos::from_secs(5);

/// An image and the board it runs on.
struct Image<'a> {
    elf: Vec<u8>,
    jack: NetworkDevice,
    ports: Ports,
    variant: &'a Variant,
}

/// Runs the firmware through every disturbance, and that in C through every other workload, too.
///
/// # Errors
/// When a workload that must be clean is not, or a disturbed device is not back in time.
pub fn check(study: &Study, variant: &Variant, of: &Build, elf: &Path) -> anyhow::Result<()> {
    let image = Image {
        elf: files::read(elf)?,
        jack: variant.network_device,
        ports: Ports::of(study, of),
        variant,
    };
    if variant.c.is_some() {
        image.undisturbed()?;
    }
    image.disturbed()
}

impl Image<'_> {
    /// Makes one measurement on a board of its own, and checks its identities.
    fn measure<M: Runnable>(&self, options: &M::Options) -> anyhow::Result<M> {
        let config = BoardConfig {
            jack: self.jack,
            ..BoardConfig::default()
        };
        let mut target = EmulatedBoard::new(&self.elf, config)?;
        match trial::run::<M>(&mut target, self.ports, options, |_| true) {
            Some(Trial::Measured(measured)) => Ok(measured.result),
            Some(Trial::Failed(failed)) => anyhow::bail!(failed.message),
            None => anyhow::bail!("the trial was stopped"),
        }
    }

    fn clean<M: Runnable + Summary>(&self, options: &M::Options) -> anyhow::Result<M> {
        let result = self.measure::<M>(options)?;
        ensure!(result.is_clean(), "{}", result.summary().trim_end());
        Ok(result)
    }

    /// Loads far below what the firmware in C can do leave no trace.
    fn undisturbed(&self) -> anyhow::Result<()> {
        let short = StreamOptions {
            duration_ns: Nanos::from_millis(500),
            drain_ns: Nanos::from_millis(100),
            ..StreamOptions::default()
        };
        self.clean::<FunctionalResult>(&FunctionalOptions {
            rounds: 2,
            empty_datagrams: self.variant.empty_datagrams,
            ..FunctionalOptions::default()
        })?;
        self.clean::<StreamResult>(&short)?;
        self.clean::<SweepResult>(&SweepOptions {
            rates_hz: vec![1_000, 2_000],
            stream: short.clone(),
        })?;
        self.clean::<BurstResult>(&BurstOptions {
            repeats: 3,
            packets: 2,
            ..BurstOptions::default()
        })?;
        self.clean::<SoakResult>(&SoakOptions {
            duration_ns: Nanos::from_secs(2),
            interval_ns: Nanos::from_millis(500),
            ..SoakOptions::default()
        })?;
        let latency = self.clean::<LatencyResult>(&LatencyOptions {
            samples: 50,
            drain_ns: Nanos::from_millis(100),
            ..LatencyOptions::default()
        })?;
        let medians = latency.sizes.iter().map(|size| size.rtt.percentile(1, 2));
        ensure!(
            medians.is_sorted(),
            "larger datagrams take less time: {}",
            latency.summary().trim_end()
        );
        let throughput = self.clean::<ThroughputResult>(&ThroughputOptions {
            payload_bytes: vec![64],
            start_bits_per_s: 500_000,
            ceiling_bits_per_s: 2_000_000,
            verify_ns: Nanos::SECOND,
            stream: short,
            ..ThroughputOptions::default()
        })?;
        ensure!(
            throughput.sizes[0].trials.len() == 4,
            "three loads that double and one that confirms are not all: {}",
            throughput.summary().trim_end()
        );
        output::note(&format!("{}: every workload is clean", self.variant.id));
        Ok(())
    }

    fn disturbed(&self) -> anyhow::Result<()> {
        let reset = self.recovery(Disturbance::Reset, Nanos::ZERO)?;
        self.recovery(Disturbance::LinkLoss(LINK_LOSS), LINK_LOSS)?;
        let moved = self.recovery(Disturbance::DhcpChange, LINK_LOSS)?;
        let address = moved.outage.and_then(|outage| outage.address_after);
        let address = address.context("the device did not come back")?;
        ensure!(
            address.ip() != moved.echo.ip(),
            "it has the address that it had before: {address}"
        );
        let again = self.recovery(Disturbance::Reset, Nanos::ZERO)?;
        ensure!(again == reset, "the same reset came out otherwise");
        Ok(())
    }

    /// Disturbs the device, whose link is gone for `link_loss`.
    fn recovery(
        &self,
        disturbance: Disturbance,
        link_loss: Nanos,
    ) -> anyhow::Result<RecoveryResult> {
        let options = RecoveryOptions {
            rate_hz: 200,
            disturbance,
            before_ns: Nanos::from_millis(500),
            limit_ns: Nanos::from_secs(8),
            ..RecoveryOptions::default()
        };
        let result = self.measure::<RecoveryResult>(&options)?;
        let words = || result.summary().trim_end().to_owned();
        let length = result.outage.and_then(|outage| outage.length());
        let length = length.with_context(|| format!("after {disturbance}: {}", words()))?;
        ensure!(
            length > link_loss && length < link_loss + BACK_WITHIN,
            "after {disturbance}: {}",
            words()
        );
        output::note(&format!(
            "{}: {disturbance}: gone for {} ms",
            self.variant.id,
            length.0 / 1_000_000
        ));
        Ok(result)
    }
}
