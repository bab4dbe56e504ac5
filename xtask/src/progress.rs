//! How far the trials are: bars on a terminal, now and then a plain line elsewhere.
//!
//! Wall time appears here and nowhere else; no result depends on it.

use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use bench::Nanos;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::output;

/// How long a plain display is silent between two lines about one trial.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);
/// How long a bar stays as it is.
const BAR_INTERVAL: Duration = Duration::from_millis(200);

/// The display of a whole study.
#[derive(Clone)]
pub struct Progress(Display);

#[derive(Clone)]
enum Display {
    Bars(MultiProgress),
    Lines,
    #[cfg(test)]
    Nothing,
}

impl Progress {
    /// Bars when standard error is a terminal, plain lines when it is not.
    pub fn new() -> Self {
        Self(match std::io::stderr().is_terminal() {
            true => Display::Bars(MultiProgress::new()),
            false => Display::Lines,
        })
    }

    /// Shows nothing.
    #[cfg(test)]
    pub fn silent() -> Self {
        Self(Display::Nothing)
    }

    /// Writes one line that stays.
    pub fn line(&self, text: &str) {
        match &self.0 {
            Display::Bars(bars) => bars.suspend(|| output::note(text)),
            Display::Lines => output::note(text),
            #[cfg(test)]
            Display::Nothing => {}
        }
    }

    /// Shows a trial that starts now and lasts `length` of virtual time.
    pub fn trial(&self, name: &str, length: Nanos) -> TrialProgress {
        let bar = match &self.0 {
            Display::Bars(bars) => Some(bars.add(bar(name, length))),
            _ => {
                self.line(&format!("{name}: started"));
                None
            }
        };
        let now = Instant::now();
        TrialProgress {
            name: name.to_owned(),
            length,
            started: now,
            progress: self.clone(),
            bar,
            shown: Cell::new(now),
        }
    }
}

fn bar(name: &str, length: Nanos) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix:44} [{bar:24}] {msg}")
        .expect("the template of the bar is right")
        .progress_chars("=> ");
    ProgressBar::new(length.0)
        .with_style(style)
        .with_prefix(name.to_owned())
}

/// The display of one trial; it goes away when dropped.
pub struct TrialProgress {
    name: String,
    length: Nanos,
    started: Instant,
    progress: Progress,
    bar: Option<ProgressBar>,
    shown: Cell<Instant>,
}

impl TrialProgress {
    /// Wall time since the trial started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The trial has reached `elapsed` of virtual time since its start.
    pub fn advance(&self, elapsed: Nanos) {
        let interval = match self.bar {
            Some(_) => BAR_INTERVAL,
            None => PLAIN_INTERVAL,
        };
        if self.shown.get().elapsed() < interval {
            return;
        }
        self.shown.set(Instant::now());
        let status = status(elapsed, self.length, self.started.elapsed());
        match &self.bar {
            Some(bar) => {
                bar.set_position(elapsed.0);
                bar.set_message(status);
            }
            None => self.progress.line(&format!("{}: {status}", self.name)),
        }
    }
}

impl Drop for TrialProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Virtual time, speed against real time and the time left at that speed.
fn status(elapsed: Nanos, length: Nanos, wall: Duration) -> String {
    let (virtual_s, length_s) = (elapsed.0 as f64 / 1e9, length.0 as f64 / 1e9);
    let speed = virtual_s / wall.as_secs_f64();
    let left_s = (length_s - virtual_s).max(0.0) / speed;
    format!("{virtual_s:.1} of {length_s:.0} s virtual, {speed:.1} x real time, {left_s:.0} s left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_gives_virtual_time_speed_and_time_left() {
        let status = status(
            Nanos::from_secs(90),
            Nanos::from_secs(3600),
            Duration::from_secs(5),
        );
        assert_eq!(
            status,
            "90.0 of 3600 s virtual, 18.0 x real time, 195 s left"
        );
    }
}
