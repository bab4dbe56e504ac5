//! Real-time priority, for as long as it harms nobody.
//!
//! A thread that runs before all others and never sleeps starves its processor; Linux then takes
//! it off for about 50 ms of every second, in one piece (sched(7), "Limiting the CPU usage of
//! real-time"), which is a burst of a thousand datagrams at 20 kHz. So the thread gives the
//! priority up for its share of the time, about a millisecond in fifteen, and is an ordinary
//! thread meanwhile, though the one that goes first: on a processor that nobody else wants it
//! just runs on. To sleep instead costs more: to wake in time takes tens of microseconds.

use super::conditions::Scheduling;
use crate::Nanos;

/// The share of the time to go without the priority, in percent: more than the system would take.
const SHARE_PERCENT: u64 = 7;

/// The priority is given up when this much of the share is owed.
const DEBT_MAX: Nanos = Nanos::from_millis(1);

/// How often the time the thread ran is asked for.
const ACCOUNT_INTERVAL: Nanos = Nanos::from_micros(500);

/// The calling thread's priority, and how much time without it it owes.
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
        let first = granted && system::set_first_of_ordinary();
        Self {
            scheduling: Scheduling {
                real_time_requested: requested,
                real_time_granted: granted,
                first_of_ordinary: first,
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
        let without = match self.held {
            true => elapsed.since(ran.since(self.accounted.ran)),
            false => elapsed,
        };
        self.debt = owed(self.debt, elapsed, without);
        self.accounted = Account { until: now, ran };
        if self.held && self.debt >= DEBT_MAX {
            self.scheduling.real_time_yields += 1;
            self.held = !system::set_real_time(false);
        } else if !self.held && self.debt == Nanos::ZERO {
            self.held = system::set_real_time(true);
        }
    }

    /// What was asked for, and what came of it.
    pub(super) fn scheduling(&self) -> Scheduling {
        self.scheduling
    }
}

/// The debt after `elapsed`, of which `without` went by asleep or without the priority.
fn owed(debt: Nanos, elapsed: Nanos, without: Nanos) -> Nanos {
    let due = debt + Nanos(elapsed.0 * SHARE_PERCENT / 100);
    due.since(without)
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

    /// Gives the calling thread the largest share among ordinary threads (setpriority(2): on Linux
    /// a nice value is a thread's); tells whether the system did.
    pub fn set_first_of_ordinary() -> bool {
        // Measured: without it, on 2 cores with 8 compressors, 4 to 8 ms at p99; with it 3 to 27 us.
        // SAFETY: 0 names the calling thread; the call takes no pointer.
        unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, -20) == 0 }
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

    /// Nor for this.
    pub fn set_first_of_ordinary() -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_never_sleeps_owes_its_share_and_pays_by_going_without() {
        let millis = Nanos::from_millis;
        assert_eq!(owed(Nanos::ZERO, millis(10), Nanos::ZERO), Nanos(700_000));
        assert_eq!(owed(Nanos(700_000), millis(10), Nanos(400_000)), millis(1));
        assert_eq!(owed(millis(1), millis(1), millis(1)), Nanos(70_000));
        assert_eq!(owed(Nanos(70_000), millis(1), millis(1)), Nanos::ZERO);
        assert_eq!(owed(Nanos::ZERO, millis(1), millis(1)), Nanos::ZERO);
    }
}
