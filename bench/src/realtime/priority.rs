//! Real-time priority, for as long as it harms nobody.
//!
//! A thread that runs before all others and never sleeps starves its processor; Linux then takes
//! it off for about 50 ms of every second, in one piece (sched(7), "Limiting the CPU usage of
//! real-time"), which is a burst of a thousand datagrams at 20 kHz. So the thread sleeps at least
//! its share in pieces that fit between two datagrams, and where the schedule leaves no room for
//! that it goes without the priority.

use super::conditions::Scheduling;
use crate::Nanos;

/// The share of the time to sleep, in percent: more than the system would take.
const REST_PERCENT: u64 = 7;

/// The priority is given up when this much sleep is owed: half a second without any.
const DEBT_MAX: Nanos = Nanos::from_millis(35);

/// How often the time the thread ran is asked for.
const ACCOUNT_INTERVAL: Nanos = Nanos::from_millis(1);

/// The calling thread's priority, and how much sleep it owes for it.
#[derive(Debug)]
pub(super) struct Priority {
    scheduling: Scheduling,
    held: bool,
    debt: Nanos,
    accounted: Account,
}

/// How long the thread has existed and how much of that it ran.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    until: Nanos,
    ran: Nanos,
}

impl Priority {
    /// Asks for real-time priority for the calling thread, if `requested`.
    pub(super) fn new(requested: bool) -> Self {
        let granted = requested && system::set_real_time(true);
        Self {
            scheduling: Scheduling {
                real_time_requested: requested,
                real_time_granted: granted,
                real_time_yields: 0,
            },
            held: granted,
            debt: Nanos::ZERO,
            accounted: Account {
                until: Nanos::ZERO,
                ran: system::thread_time(),
            },
        }
    }

    /// Accounts for the time until `now`; gives the priority up, or takes it back.
    pub(super) fn keep(&mut self, now: Nanos) {
        let elapsed = now.since(self.accounted.until);
        if !self.scheduling.real_time_granted || elapsed < ACCOUNT_INTERVAL {
            return;
        }
        let ran = system::thread_time();
        let rested = elapsed.since(ran.since(self.accounted.ran));
        let owed = self.debt + Nanos(elapsed.0 * REST_PERCENT / 100);
        self.debt = owed.since(rested).min(DEBT_MAX);
        self.accounted = Account { until: now, ran };
        if self.held && self.debt == DEBT_MAX {
            self.scheduling.real_time_yields += 1;
            self.held = !system::set_real_time(false);
        } else if !self.held && self.debt == Nanos::ZERO {
            self.held = system::set_real_time(true);
        }
    }

    /// Whether the thread has to sleep at the next opportunity.
    pub(super) fn owes_rest(&self) -> bool {
        self.held && self.debt > Nanos::ZERO
    }

    /// What was asked for, and what came of it.
    pub(super) fn scheduling(&self) -> Scheduling {
        self.scheduling
    }
}

#[cfg(target_os = "linux")]
mod system {
    use nix::time::{ClockId, clock_gettime};

    use crate::Nanos;

    /// How long the calling thread has run.
    pub fn thread_time() -> Nanos {
        let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("every thread has it");
        crate::realtime::clock::nanos(time.into())
    }

    /// Puts the calling thread before all threads that are not real-time, or back among them;
    /// tells whether the system did.
    pub fn set_real_time(on: bool) -> bool {
        let (policy, priority) = if on {
            (libc::SCHED_FIFO, 1)
        } else {
            (libc::SCHED_OTHER, 0)
        };
        let parameters = libc::sched_param {
            sched_priority: priority,
        };
        // Measured: without it, pacing errors are hundreds of times as large; the README has the table.
        // SAFETY: 0 names the calling thread, and the parameters outlive the call, which only
        // reads them.
        unsafe { libc::sched_setscheduler(0, policy, &parameters) == 0 }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use crate::Nanos;

    /// Asked for only where the priority was granted.
    pub fn thread_time() -> Nanos {
        Nanos::ZERO
    }

    /// Other systems are not asked.
    pub fn set_real_time(_on: bool) -> bool {
        false
    }
}
