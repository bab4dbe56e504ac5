//! How busy the executor was since its counters were last reset.

use crate::{CyclesPerTick, Reading};

/// Counts an executor's polls and the core cycles they took.
#[derive(Clone, Copy, Debug)]
pub struct ExecutorLoad {
    ratio: CyclesPerTick,
    window_start: Reading,
    poll_start: Option<Reading>,
    /// Cycles of the unfinished poll that were spent asleep.
    slept_cycles: u64,
    busy_cycles: u64,
    polls: u64,
}

/// The load of one window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadWindow {
    /// Core cycles since the reset, asleep or not, to within one tick of the coarse clock.
    pub window_cycles: u64,
    /// Core cycles in polls, the part of an unfinished one included.
    pub busy_cycles: u64,
    /// Finished polls.
    pub polls: u64,
}

impl ExecutorLoad {
    /// An idle executor whose window starts when both clocks show zero.
    pub const fn new(ratio: CyclesPerTick) -> Self {
        let zero = Reading {
            cycle_counter: 0,
            ticks: 0,
        };
        Self {
            ratio,
            window_start: zero,
            poll_start: None,
            slept_cycles: 0,
            busy_cycles: 0,
            polls: 0,
        }
    }

    /// The executor woke and polls its tasks.
    pub fn poll_began(&mut self, now: Reading) {
        self.poll_start = Some(now);
        self.slept_cycles = 0;
    }

    /// The executor is about to sleep.
    pub fn poll_ended(&mut self, now: Reading) {
        self.busy_cycles += self.unfinished_cycles(now);
        self.polls += 1;
        self.poll_start = None;
    }

    /// The core slept within a poll for so many cycles of the cycle counter.
    pub fn slept_in_poll(&mut self, cycles: u32) {
        self.slept_cycles += u64::from(cycles);
    }

    /// Starts a new window. A poll in progress belongs to it with what is left of it.
    pub fn reset(&mut self, now: Reading) {
        self.window_start = now;
        self.poll_start = self.poll_start.map(|_| now);
        self.slept_cycles = 0;
        self.busy_cycles = 0;
        self.polls = 0;
    }

    /// The window up to now.
    pub fn window(&self, now: Reading) -> LoadWindow {
        let busy_cycles = self.busy_cycles + self.unfinished_cycles(now);
        let coarse = now.ticks_as_cycles_since(self.window_start, self.ratio);
        LoadWindow {
            // The coarse clock may lag a tick behind cycles that were counted one by one.
            window_cycles: coarse.max(busy_cycles),
            busy_cycles,
            polls: self.polls,
        }
    }

    fn unfinished_cycles(&self, now: Reading) -> u64 {
        self.poll_start.map_or(0, |start| {
            now.cycles_since(start, self.ratio) - self.slept_cycles
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRAP: u64 = 1 << 32;

    fn at(cycle: u64) -> Reading {
        Reading {
            cycle_counter: cycle as u32,
            ticks: cycle / 400,
        }
    }

    fn polled(spans: &[(u64, u64)]) -> ExecutorLoad {
        let mut load = ExecutorLoad::new(CyclesPerTick(400));
        for &(began, ended) in spans {
            load.poll_began(at(began));
            load.poll_ended(at(ended));
        }
        load
    }

    #[test]
    fn a_window_shorter_than_a_tick_holds_its_busy_cycles() {
        let mut load = ExecutorLoad::new(CyclesPerTick(400));
        load.poll_began(at(700));
        load.reset(at(810));
        let window = load.window(at(1017));
        assert_eq!((window.window_cycles, window.busy_cycles), (207, 207));
    }

    #[test]
    fn sleep_between_polls_is_not_busy() {
        let window = polled(&[(400, 1000), (4000, 4001)]).window(at(8000));
        assert_eq!(
            window,
            LoadWindow {
                window_cycles: 8000,
                busy_cycles: 601,
                polls: 2
            }
        );
    }

    #[test]
    fn sleep_within_a_poll_is_not_busy() {
        let mut load = polled(&[(0, 100)]);
        load.poll_began(at(1000));
        load.slept_in_poll(250);
        load.slept_in_poll(50);
        assert_eq!(load.window(at(1400)).busy_cycles, 200);
        load.poll_ended(at(1500));
        load.poll_began(at(2000));
        let window = load.window(at(2007));
        assert_eq!((window.busy_cycles, window.polls), (307, 2));
    }

    #[test]
    fn reset_forgets_the_sleep_of_the_poll_so_far() {
        let mut load = polled(&[]);
        load.poll_began(at(1000));
        load.slept_in_poll(250);
        load.reset(at(1400));
        load.slept_in_poll(30);
        assert_eq!(load.window(at(1500)).busy_cycles, 70);
    }

    #[test]
    fn a_poll_longer_than_the_cycle_counter_counts_whole() {
        let window = polled(&[(800, 800 + 3 * WRAP + 5)]).window(at(4 * WRAP));
        assert_eq!(window.busy_cycles, 3 * WRAP + 5);
    }

    #[test]
    fn a_window_of_an_hour_counts_whole() {
        let hour = 3600 * 400_000_000;
        assert_eq!(polled(&[]).window(at(hour)).window_cycles, hour);
    }

    #[test]
    fn a_poll_in_progress_is_busy_but_not_finished() {
        let mut load = polled(&[(0, 100)]);
        load.poll_began(at(1000));
        let window = load.window(at(1250));
        assert_eq!((window.busy_cycles, window.polls), (350, 1));
    }

    #[test]
    fn reset_within_a_poll_keeps_only_what_is_left_of_it() {
        let mut load = polled(&[(0, 100)]);
        load.poll_began(at(2000));
        load.reset(at(4000));
        assert_eq!(
            load.window(at(4000)),
            LoadWindow {
                window_cycles: 0,
                busy_cycles: 0,
                polls: 0
            }
        );
        load.poll_ended(at(4030));
        assert_eq!(
            load.window(at(8000)),
            LoadWindow {
                window_cycles: 4000,
                busy_cycles: 30,
                polls: 1
            }
        );
    }

    #[test]
    fn reset_while_asleep_leaves_nothing() {
        let mut load = polled(&[(0, 100)]);
        load.reset(at(4000));
        assert_eq!(
            load.window(at(4800)),
            LoadWindow {
                window_cycles: 800,
                busy_cycles: 0,
                polls: 0
            }
        );
    }
}
