//! The measurements a trial can make with one workload.

use bench::{
    Burst, BurstResult, FunctionalGate, FunctionalResult, Latency, LatencyResult, Nanos, Recovery,
    RecoveryResult, Soak, SoakResult, Stream, StreamResult, Sweep, SweepResult, Throughput,
    ThroughputResult,
};

use super::device::Device;
use crate::results::Measurement;

/// A measurement that can be made of a device.
pub trait Runnable: Measurement {
    /// Makes the measurement that `options` describe; `None` when the device's watcher said to stop.
    ///
    /// # Errors
    /// Options that are out of range, or a device that cannot go on.
    fn measure(options: &Self::Options, device: &mut Device) -> anyhow::Result<Option<Self>>;

    /// About how long that takes, in virtual time.
    fn nominal_span(options: &Self::Options) -> Nanos;
}

impl Runnable for FunctionalResult {
    fn measure(options: &Self::Options, device: &mut Device) -> anyhow::Result<Option<Self>> {
        let gate = FunctionalGate::new(options.clone(), device.targets.echo)?;
        Ok(device.run(gate)?.map(FunctionalGate::into_result))
    }

    /// A few milliseconds for each datagram.
    fn nominal_span(options: &Self::Options) -> Nanos {
        Nanos::from_millis(2 * options.rounds * options.payload_bytes.len() as u64)
    }
}

impl Runnable for StreamResult {
    fn measure(options: &Self::Options, device: &mut Device) -> anyhow::Result<Option<Self>> {
        let stream = Stream::new(options.clone(), device.targets)?;
        Ok(device.run(stream)?.map(Stream::into_result))
    }

    fn nominal_span(options: &Self::Options) -> Nanos {
        options.nominal_span()
    }
}

impl Runnable for BurstResult {
    fn measure(options: &Self::Options, device: &mut Device) -> anyhow::Result<Option<Self>> {
        let burst = Burst::new(options.clone(), device.targets.echo)?;
        Ok(device.run(burst)?.map(Burst::into_result))
    }

    fn nominal_span(options: &Self::Options) -> Nanos {
        options.nominal_span()
    }
}

impl Runnable for LatencyResult {
    fn measure(options: &Self::Options, device: &mut Device) -> anyhow::Result<Option<Self>> {
        let latency = Latency::new(options.clone(), device.targets.echo)?;
        Ok(device.run(latency)?.map(Latency::into_result))
    }

    /// A millisecond for each datagram.
    fn nominal_span(options: &Self::Options) -> Nanos {
        options.nominal_span(Nanos::from_millis(1))
    }
}

impl Runnable for ThroughputResult {
    fn measure(options: &Self::Options, device: &mut Device) -> anyhow::Result<Option<Self>> {
        let throughput = Throughput::new(options.clone(), device.targets.echo)?;
        Ok(device.run(throughput)?.map(Throughput::into_result))
    }

    fn nominal_span(options: &Self::Options) -> Nanos {
        options.nominal_span()
    }
}

/// All rates on one board, one after another, without a reset between them.
impl Runnable for SweepResult {
    fn measure(options: &Self::Options, device: &mut Device) -> anyhow::Result<Option<Self>> {
        let sweep = Sweep::new(options.clone(), device.targets)?;
        Ok(device.run(sweep)?.map(Sweep::into_result))
    }

    fn nominal_span(options: &Self::Options) -> Nanos {
        options.nominal_span()
    }
}

impl Runnable for SoakResult {
    fn measure(options: &Self::Options, device: &mut Device) -> anyhow::Result<Option<Self>> {
        let soak = Soak::new(options.clone(), device.targets.echo)?;
        Ok(device.run(soak)?.map(Soak::into_result))
    }

    fn nominal_span(options: &Self::Options) -> Nanos {
        options.nominal_span()
    }
}

impl Runnable for RecoveryResult {
    fn measure(options: &Self::Options, device: &mut Device) -> anyhow::Result<Option<Self>> {
        let recovery = Recovery::new(options.clone(), device.targets.echo)?;
        Ok(device.run(recovery)?.map(Recovery::into_result))
    }

    fn nominal_span(options: &Self::Options) -> Nanos {
        options.nominal_span()
    }
}
