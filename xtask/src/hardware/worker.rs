//! A thread that owns something which blocks, so that nobody waits longer than a deadline for it.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use bench::Nanos;

/// What the thread is asked to do with its state.
type Task<S> = Box<dyn FnOnce(&mut S) + Send>;

/// The thread; it ends when this is dropped and its last task is done.
pub struct Worker<S> {
    tasks: Sender<Task<S>>,
    /// Whether a task has not come back: what it works on is of no use any more.
    stuck: bool,
}

/// The task had not ended in time, or an earlier one had not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedOut;

impl<S: 'static> Worker<S> {
    /// Starts a thread with the state that `new` makes in it.
    pub fn start(new: impl FnOnce() -> S + Send + 'static) -> Self {
        let (tasks, queue) = mpsc::channel::<Task<S>>();
        thread::spawn(move || {
            let mut state = new();
            for task in queue {
                task(&mut state);
            }
        });
        Self {
            tasks,
            stuck: false,
        }
    }

    /// Has `task` done and waits for its answer.
    ///
    /// # Errors
    /// When it takes longer than `within`; the thread is left to itself then.
    pub fn ask<T: Send + 'static>(
        &mut self,
        within: Nanos,
        task: impl FnOnce(&mut S) -> T + Send + 'static,
    ) -> Result<T, TimedOut> {
        if self.stuck {
            return Err(TimedOut);
        }
        let (answer, answered) = mpsc::sync_channel(1);
        let task = move |state: &mut S| {
            // Nobody listens any more once the deadline has passed.
            let _ = answer.send(task(state));
        };
        let sent = self.tasks.send(Box::new(task));
        sent.expect("the thread ends after its tasks");
        match answered.recv_timeout(Duration::from_nanos(within.0)) {
            Ok(answer) => Ok(answer),
            Err(RecvTimeoutError::Timeout) => {
                self.stuck = true;
                Err(TimedOut)
            }
            Err(RecvTimeoutError::Disconnected) => panic!("the thread of the debug probe panicked"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_that_does_not_come_back_is_left_and_so_is_its_thread() {
        let mut worker = Worker::start(|| 1);
        let long = Nanos::from_secs(60);
        assert_eq!(worker.ask(long, |state| *state + 1), Ok(2));
        let (release, released) = mpsc::channel::<()>();
        let blocked = worker.ask(Nanos::from_millis(1), move |_| released.recv());
        assert_eq!(blocked, Err(TimedOut));
        assert_eq!(worker.ask(long, |state| *state), Err(TimedOut));
        drop(release);
    }
}
