//! Runs the board in real time and moves what passes between it and outside.

use std::io::ErrorKind;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use board::time::Instant as BoardInstant;
use board::{Board, Stop};
use mio::{Events, Poll};

use super::news::News;
use super::outside::Outside;
use super::pace::{Behind, Lateness, Pace};
use crate::output;

/// How long nobody looks while something moved lately, and how long that lasts.
const SHORT_PAUSE: Duration = Duration::from_micros(50);
const STAY_AWAKE: Duration = Duration::from_millis(100);
/// How long nobody looks otherwise, unless something comes from outside; what is waited for is told in
/// milliseconds.
const LONG_PAUSE: Duration = Duration::from_millis(1);
/// A board that is this much behind says so, once until it has caught up.
const LATE: Duration = Duration::from_millis(100);

/// A board in real time.
pub struct Live<'a> {
    pub board: &'a mut Board,
    pub outside: &'a mut dyn Outside,
    /// Wakes when something comes from outside.
    pub poll: &'a mut Poll,
    /// Takes the lines that tell what the board does.
    pub say: &'a mut dyn FnMut(&str) -> anyhow::Result<()>,
}

impl Live<'_> {
    /// Runs until `go_on`, which sees the wall time since the start, says to stop.
    ///
    /// # Errors
    /// A firmware that cannot go on, or an outside that is broken.
    pub fn run(&mut self, mut go_on: impl FnMut(Duration) -> bool) -> anyhow::Result<Lateness> {
        let start = Instant::now();
        let mut pace = Pace::default();
        let mut news = News::default();
        let mut awake_until = start;
        let mut is_late = false;
        while go_on(start.elapsed()) {
            let limit = pace.limit(start.elapsed(), virtual_time(self.board));
            let active = self.run_until(limit)?;
            news.tell(self.board, self.say)?;
            let now = Instant::now();
            if active {
                awake_until = now + STAY_AWAKE;
            }
            let behind = pace.reached(start.elapsed(), virtual_time(self.board));
            is_late = tell_behind(behind, is_late);
            match behind {
                Behind::By(behind) if behind <= LONG_PAUSE => self.pause(now < awake_until)?,
                _ => {}
            }
        }
        Ok(pace.lateness())
    }

    /// Runs the board to an instant of its own; gives whether anything moved on the way.
    fn run_until(&mut self, limit: Duration) -> anyhow::Result<bool> {
        let limit = BoardInstant::from_ns(limit.as_nanos() as u64);
        let mut active = false;
        loop {
            // The firmware's log was shown as it came.
            let stop = self
                .board
                .run_until(limit)
                .map_err(|error| anyhow!("{error}"))?;
            active |= self.outside.exchange(self.board, Instant::now())?;
            if stop == Stop::TimeReached {
                return Ok(active);
            }
        }
    }

    fn pause(&mut self, awake: bool) -> anyhow::Result<()> {
        if awake {
            thread::sleep(SHORT_PAUSE);
            return Ok(());
        }
        let mut events = Events::with_capacity(16);
        match self.poll.poll(&mut events, Some(LONG_PAUSE)) {
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
            polled => polled.context("cannot wait for the outside"),
        }
    }
}

/// The board's time since power-on.
pub fn virtual_time(board: &Board) -> Duration {
    Duration::from_nanos(board.now().as_ns())
}

/// Says when the board begins to be late or stood still; gives whether it is late.
fn tell_behind(behind: Behind, was_late: bool) -> bool {
    match behind {
        Behind::StoodStill(gap) => {
            output::note(&format!(
                "serve: the emulation was {:.3} s behind real time; that long the board stood still",
                gap.as_secs_f64()
            ));
            false
        }
        Behind::By(behind) if behind > LATE && !was_late => {
            output::note(&format!(
                "serve: the emulation is {:.3} s behind real time and catches up; until then \
                 everything reaches the board that much later",
                behind.as_secs_f64()
            ));
            true
        }
        Behind::By(behind) => was_late && behind > LONG_PAUSE,
    }
}
