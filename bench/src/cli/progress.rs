//! How far a run is, for somebody who looks on.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::Nanos;

/// Runs shorter than this show nothing.
const SHOWN_FROM: Nanos = Nanos::from_secs(2);

/// How long the bar stays as it is.
const INTERVAL: Duration = Duration::from_millis(200);

/// A bar on the terminal; it goes away when dropped.
pub struct Progress(Option<(Sender<()>, JoinHandle<()>)>);

impl Progress {
    /// Shows a run of about `span` that starts now, when standard error is a terminal.
    pub fn start(name: &'static str, span: Nanos, wanted: bool) -> Self {
        if !wanted || span <= SHOWN_FROM || !std::io::stderr().is_terminal() {
            return Self(None);
        }
        let (end, ended) = channel();
        let show = move || {
            let (bar, started) = (bar(name, span), Instant::now());
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let elapsed = started.elapsed();
                bar.set_position(u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX));
                let (elapsed_s, span_s) = (elapsed.as_secs(), span.0.div_ceil(Nanos::SECOND.0));
                bar.set_message(format!("{elapsed_s} of about {span_s} s"));
            }
            bar.finish_and_clear();
        };
        Self(Some((end, std::thread::spawn(show))))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((end, shown)) = self.0.take() {
            drop(end);
            // A display that failed is no reason to lose the result.
            let _ = shown.join();
        }
    }
}

fn bar(name: &'static str, span: Nanos) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} [{bar:32}] {msg}")
        .expect("the template of the bar is right")
        .progress_chars("=> ");
    ProgressBar::new(span.0 / 1_000_000)
        .with_style(style)
        .with_prefix(name)
}
