//! Measures what a network device on SPI is asked for, with a stream and without.

use anyhow::Context;
use bench::{Nanos, Stream, StreamOptions, Targets};

use super::device::{Device, Silence};
use super::workload::Runnable;
use crate::results::{SpiTraffic, TrafficOptions, TrafficResult};

/// Datagrams before the measured ones, so that nothing is learnt or allocated in the window.
const WARM_UP_PACKETS: u64 = 100;
/// How long the last replies are waited for.
const DRAIN: Nanos = Nanos::from_millis(100);

impl Runnable for TrafficResult {
    fn measure(options: &TrafficOptions, device: &mut Device) -> anyhow::Result<Option<Self>> {
        // A stream of its own, so that a late reply to it is foreign to the measured one.
        let warm_up = stream(options, options.seed.wrapping_add(1), WARM_UP_PACKETS);
        if run(warm_up, device)?.is_none() {
            return Ok(None);
        }
        let start_ns = device.target.now();
        let start = traffic(device)?;
        let Some(measured) = run(stream(options, options.seed, options.packets), device)? else {
            return Ok(None);
        };
        let window_ns = device.target.now().since(start_ns);
        let middle = traffic(device)?;
        let until = device.target.now() + window_ns;
        if device.run(Silence { until })?.is_none() {
            return Ok(None);
        }
        let end = traffic(device)?;
        Ok(Some(Self {
            options: options.clone(),
            counts: measured.into_result().counts,
            sck_hz: middle.sck_hz,
            window_ns,
            entries: middle.since(&start),
            idle: end.since(&middle),
        }))
    }

    fn nominal_span(options: &TrafficOptions) -> Nanos {
        let measured = stream(options, options.seed, options.packets).nominal_span();
        stream(options, options.seed, WARM_UP_PACKETS).nominal_span() + measured + measured
    }
}

fn stream(options: &TrafficOptions, seed: u64, packets: u64) -> StreamOptions {
    let span = u128::from(packets) * u128::from(Nanos::SECOND.0);
    let span = span.div_ceil(u128::from(options.rate_hz.max(1)));
    StreamOptions {
        seed,
        rate_hz: options.rate_hz,
        payload_bytes: options.payload_bytes,
        duration_ns: Nanos(u64::try_from(span).unwrap_or(u64::MAX)),
        warm_up_packets: 0,
        drain_ns: DRAIN,
        ..StreamOptions::default()
    }
}

/// Runs a stream without asking for telemetry, which would be traffic of its own.
fn run(options: StreamOptions, device: &mut Device) -> anyhow::Result<Option<Stream>> {
    let targets = Targets {
        telemetry: None,
        ..device.targets
    };
    device.run(Stream::new(options, targets)?)
}

fn traffic(device: &Device) -> anyhow::Result<SpiTraffic> {
    let traffic = device.target.spi_traffic();
    traffic.context("the device has no network device on SPI")
}
