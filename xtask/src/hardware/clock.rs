//! The time that deadlines are kept by.

use std::time::{Duration, Instant};

use bench::Nanos;

/// A clock that can be waited on.
pub trait Clock {
    /// Time since the clock was started.
    fn now(&self) -> Nanos;

    /// Lets `span` pass.
    fn sleep(&self, span: Nanos);
}

/// The host's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct HostClock(Instant);

impl HostClock {
    /// A clock that starts now.
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for HostClock {
    fn now(&self) -> Nanos {
        Nanos(u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }

    fn sleep(&self, span: Nanos) {
        std::thread::sleep(Duration::from_nanos(span.0));
    }
}
