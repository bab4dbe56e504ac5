//! How the board's virtual time follows the wall clock.
//!
//! The rules: the board never runs ahead of the wall clock, and never more than [`SLICE`] between two
//! looks at the outside. What comes from outside enters at the instant that the board has reached, never
//! at an earlier or a later one. A board that is behind runs on without pause until it has caught up; one
//! that is behind by more than [`GIVE_UP`] does not catch up: its time stood still for that long.

use std::time::Duration;

/// The longest the board runs before the outside is looked at again.
pub const SLICE: Duration = Duration::from_millis(2);
/// The most that a board is behind before the gap is taken as a standstill.
pub const GIVE_UP: Duration = Duration::from_secs(1);

/// What became of real time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lateness {
    /// The most that the board was behind the wall clock.
    pub worst: Duration,
    /// How often the board stood still, and for how long in all.
    pub standstills: u64,
    pub stood_still: Duration,
}

/// The wall clock as the board's time follows it; all times count from the start.
#[derive(Debug, Default)]
pub struct Pace {
    lateness: Lateness,
}

impl Pace {
    /// Until when a board that has reached `board` may run, now that the wall clock shows `wall`.
    pub fn limit(&self, wall: Duration, board: Duration) -> Duration {
        self.due(wall).min(board + SLICE).max(board)
    }

    /// Notes that the board has reached `board` while the wall clock shows `wall`, and gives by how much
    /// it is behind; a gap that is given up comes back as the length of the standstill.
    pub fn reached(&mut self, wall: Duration, board: Duration) -> Behind {
        let behind = self.due(wall).saturating_sub(board);
        self.lateness.worst = self.lateness.worst.max(behind);
        if behind <= GIVE_UP {
            return Behind::By(behind);
        }
        self.lateness.standstills += 1;
        self.lateness.stood_still += behind;
        Behind::StoodStill(behind)
    }

    pub fn lateness(&self) -> Lateness {
        self.lateness
    }

    /// The instant that the board ought to have reached.
    fn due(&self, wall: Duration) -> Duration {
        wall.saturating_sub(self.lateness.stood_still)
    }
}

/// How far a board is behind the wall clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// It catches up.
    By(Duration),
    /// It does not: its time stood still.
    StoodStill(Duration),
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_board_on_time_runs_to_the_present_and_a_late_one_a_slice() {
        let pace = Pace::default();
        assert_eq!(pace.limit(ms(7), ms(6)), ms(7));
        assert_eq!(pace.limit(ms(7), ms(1)), ms(3));
        assert_eq!(pace.limit(ms(7), ms(8)), ms(8), "never back");
    }

    #[test]
    fn a_small_gap_is_caught_up_and_a_large_one_is_a_standstill() {
        let mut pace = Pace::default();
        assert_eq!(pace.reached(ms(1_400), ms(400)), Behind::By(ms(1_000)));
        assert_eq!(pace.limit(ms(1_400), ms(1_399)), ms(1_400));
        let gap = ms(1_001);
        assert_eq!(pace.reached(ms(3_000), ms(1_999)), Behind::StoodStill(gap));
        // From then on the board's time is that much behind the wall clock's and on time.
        assert_eq!(pace.reached(ms(3_010), ms(2_000)), Behind::By(ms(9)));
        assert_eq!(pace.limit(ms(3_010), ms(2_008)), ms(2_009));
        let expected = Lateness {
            worst: gap,
            standstills: 1,
            stood_still: gap,
        };
        assert_eq!(pace.lateness(), expected);
    }

    proptest! {
        /// Whatever the speed of the emulation, the board is never ahead of the wall clock, never goes
        /// back, and the time it is short of is behind or stood still, to the nanosecond.
        #[test]
        fn no_time_is_lost_or_invented(costs in prop::collection::vec((0_u64..5_000, 0_u64..3_000_000), 1..200)) {
            let mut pace = Pace::default();
            let (mut wall, mut board) = (Duration::ZERO, Duration::ZERO);
            for (idle_us, work_us) in costs {
                wall += Duration::from_micros(idle_us);
                let limit = pace.limit(wall, board);
                prop_assert!(limit >= board && limit <= wall && limit - board <= SLICE);
                board = limit;
                wall += Duration::from_micros(work_us);
                let behind = match pace.reached(wall, board) {
                    Behind::By(behind) => behind,
                    Behind::StoodStill(_) => Duration::ZERO,
                };
                prop_assert!(behind <= GIVE_UP);
                prop_assert_eq!(board + behind + pace.lateness().stood_still, wall);
            }
        }
    }
}
