//! The measurements a trial can make with one workload.

use bench::{Burst, BurstResult, FunctionalGate, FunctionalResult, Nanos, Stream, StreamResult};

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
