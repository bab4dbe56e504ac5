//! When code that comes from no cache and no TCM has been fetched.
//!
//! The part fetches ahead in a straight line while the core executes or waits for data, until its queue is
//! full. A taken branch or an exception empties the queue, and the core waits for the unit it goes to.

use super::op::Fetch;

/// What of the code is fetched.
#[derive(Clone, Copy, Debug)]
pub struct FetchQueue {
    /// Address behind the last unit that was executed from; not aligned after a branch: no unit is.
    end: u32,
    /// The cycle at which fetching the unit at `end` could begin at the earliest.
    since: u64,
}

impl Default for FetchQueue {
    fn default() -> Self {
        Self {
            end: Self::NOWHERE,
            since: 0,
        }
    }
}

impl FetchQueue {
    const NOWHERE: u32 = 1;

    /// The program goes on elsewhere: what was fetched is of no use.
    #[inline(always)]
    pub fn flush(&mut self) {
        self.end = Self::NOWHERE;
    }

    /// Core cycles that the core waits at cycle `now` until the units of `fetch` are there.
    #[inline(always)]
    pub fn wait(&mut self, fetch: Fetch, now: u64) -> u64 {
        let mut at = now;
        for n in 0..fetch.units {
            at = self.take(fetch, fetch.unit + 8 * u32::from(n), at);
        }
        at - now
    }

    /// The cycle at which the unit at `unit`, wanted at `now`, is there.
    #[inline(always)]
    fn take(&mut self, fetch: Fetch, unit: u32, now: u64) -> u64 {
        let end = unit.wrapping_add(8);
        if self.end == end {
            return now;
        }
        let cycles = u64::from(fetch.cycles);
        let begun = if self.end == unit {
            let ahead = u64::from(fetch.ahead_units) * cycles;
            self.since.max(now.saturating_sub(ahead))
        } else {
            now
        };
        self.end = end;
        self.since = begun + cycles;
        now.max(self.since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(unit: u32, units: u8) -> Fetch {
        Fetch {
            unit,
            units,
            cycles: 10,
            ahead_units: 4,
        }
    }

    #[test]
    fn straight_code_waits_for_its_units_one_after_the_other() {
        let mut queue = FetchQueue::default();
        assert_eq!(queue.wait(units(0x100, 1), 1_000), 10);
        // Two cycles of work, eight of waiting.
        assert_eq!(queue.wait(units(0x108, 1), 1_012), 8);
        assert_eq!(queue.wait(units(0x110, 2), 1_023), 17);
    }

    #[test]
    fn a_unit_is_fetched_once_as_long_as_nothing_leads_away() {
        let mut queue = FetchQueue::default();
        assert_eq!(queue.wait(units(0x100, 1), 0), 10);
        assert_eq!(queue.wait(units(0x100, 1), 12), 0);
        queue.flush();
        assert_eq!(queue.wait(units(0x100, 1), 12), 10);
    }

    #[test]
    fn a_long_wait_for_data_fills_the_queue_and_no_more() {
        let mut queue = FetchQueue::default();
        queue.wait(units(0x100, 1), 0);
        let now = 10_000;
        assert_eq!(queue.wait(units(0x108, 4), now), 0);
        assert_eq!(queue.wait(units(0x128, 1), now), 10);
    }

    #[test]
    fn a_branch_pays_for_the_unit_it_goes_to() {
        let mut queue = FetchQueue::default();
        queue.wait(units(0x100, 1), 0);
        assert_eq!(queue.wait(units(0x200, 1), 500), 10);
        // Forward into the next unit, as if the queue had been emptied.
        queue.flush();
        assert_eq!(queue.wait(units(0x208, 1), 510), 10);
    }
}
