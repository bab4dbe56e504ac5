//! Worker threads that run jobs in any order and report each one as it ends.

use std::collections::VecDeque;
use std::sync::Mutex;

/// Runs `run` on every job, on `workers` threads, until the jobs are used up or `run` says to stop.
///
/// `run` gives `None` to stop: its worker takes no more jobs. `done` gets every other answer, one at a
/// time, in the order in which the jobs end.
pub fn run_jobs<Job, Answer>(
    jobs: Vec<Job>,
    workers: usize,
    run: impl Fn(Job) -> Option<Answer> + Sync,
    done: impl FnMut(Answer) + Send,
) where
    Job: Send,
{
    let workers = workers.min(jobs.len());
    let queue = Mutex::new(VecDeque::from(jobs));
    let done = Mutex::new(done);
    let next = || queue.lock().expect("no worker panicked").pop_front();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(job) = next() {
                    let Some(answer) = run(job) else { return };
                    (done.lock().expect("no worker panicked"))(answer);
                }
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_run_once_whatever_the_number_of_workers() {
        for workers in [1, 2, 7] {
            let mut sum = 0;
            run_jobs((1..=100).collect(), workers, Some, |job: u64| sum += job);
            assert_eq!(sum, 5050);
        }
    }

    #[test]
    fn a_worker_told_to_stop_takes_no_more_jobs() {
        let mut ended = Vec::new();
        let run = |job| (job < 3).then_some(job);
        run_jobs((0..10).collect(), 1, run, |job| ended.push(job));
        assert_eq!(ended, [0, 1, 2]);
    }
}
