//! The timers to sleep by.

use std::io;
use std::time::Duration;

/// How early tokio's timer is asked to end a sleep: it counts in milliseconds, rounds up, and is
/// never early, so that up to two of them would be slept too long.
#[cfg(any(test, not(target_os = "linux")))]
const TOKIO_MARGIN: Duration = Duration::from_millis(2);

/// What ends a sleep.
pub(super) enum Timer {
    /// A timer of the kernel's: tokio's own counts in milliseconds.
    #[cfg(target_os = "linux")]
    Kernel(linux::KernelTimer),
    /// Tokio's, which every system has.
    #[cfg(any(test, not(target_os = "linux")))]
    Tokio,
}

impl Timer {
    /// The finest that the system has.
    #[cfg(target_os = "linux")]
    pub(super) fn finest() -> io::Result<Self> {
        linux::KernelTimer::new().map(Self::Kernel)
    }

    /// The finest that the system has.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn finest() -> io::Result<Self> {
        Ok(Self::Tokio)
    }

    /// Sleeps for `span`; with tokio's timer less, and not at all when it is short.
    pub(super) async fn sleep(&self, span: Duration) -> io::Result<()> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Kernel(timer) => timer.sleep(span).await,
            #[cfg(any(test, not(target_os = "linux")))]
            Self::Tokio => {
                match span.checked_sub(TOKIO_MARGIN) {
                    Some(most) => tokio::time::sleep(most).await,
                    None => tokio::task::yield_now().await,
                }
                Ok(())
            }
        }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::os::fd::{AsFd, AsRawFd, RawFd};
    use std::time::Duration;

    use nix::sys::time::TimeSpec;
    use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};
    use tokio::io::Interest;
    use tokio::io::unix::AsyncFd;

    pub struct KernelTimer(AsyncFd<RawTimer>);

    struct RawTimer(TimerFd);

    impl AsRawFd for RawTimer {
        fn as_raw_fd(&self) -> RawFd {
            self.0.as_fd().as_raw_fd()
        }
    }

    impl KernelTimer {
        pub fn new() -> io::Result<Self> {
            let flags = TimerFlags::TFD_NONBLOCK | TimerFlags::TFD_CLOEXEC;
            let timer = TimerFd::new(ClockId::CLOCK_MONOTONIC, flags)?;
            // Measured: with tokio's own timer a deadline 1 ms away is met within 1 ms at best.
            // SAFETY: `RawTimer` owns its descriptor, gives the same one each time, and closes it
            // only when dropped, which is after `AsyncFd` has let go of it.
            let timer =
                unsafe { AsyncFd::register_with_interest(RawTimer(timer), Interest::READABLE) }?;
            Ok(Self(timer))
        }

        pub async fn sleep(&self, span: Duration) -> io::Result<()> {
            let after = Expiration::OneShot(TimeSpec::from(span));
            self.0.get_ref().0.set(after, TimerSetTimeFlags::empty())?;
            let expired = |timer: &RawTimer| Ok(timer.0.wait()?);
            self.0.async_io(Interest::READABLE, expired).await
        }
    }
}
