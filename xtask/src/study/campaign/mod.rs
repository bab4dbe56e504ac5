//! Runs the planned trials that are not done yet, on worker threads, each on a board of its own.

use std::sync::Mutex;
use std::time::Duration;

use bench::{FunctionalResult, Nanos, StreamResult};

use super::plan::Plan;
use super::pool::run_jobs;
use super::record::Record;
use crate::adapter::EchoTarget;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::results::{ResultSet, Subject, Trial, WorkloadName};
use crate::show::Headline;
use crate::trial::{self, Ports, Runnable};

/// A firmware image to measure.
#[derive(Clone, Debug)]
pub struct Image {
    pub subject: Subject,
    pub elf: Vec<u8>,
    pub ports: Ports,
}

/// Puts an ELF image on a freshly reset board.
pub type BootBoard<'a> = dyn Fn(&[u8]) -> anyhow::Result<Box<dyn EchoTarget>> + Sync + 'a;

/// How trials are run; none of it changes what they find.
pub struct Campaign<'a> {
    pub set: &'a ResultSet,
    pub plan: &'a Plan,
    pub boot_board: &'a BootBoard<'a>,
    /// Trials at a time.
    pub workers: usize,
    /// Whether to run trials again whose results are there.
    pub fresh: bool,
    pub interrupt: &'a Interrupt,
    pub progress: &'a Progress,
}

/// How the trials of a campaign ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub measured: usize,
    /// Taken from results whose inputs are unchanged.
    pub reused: usize,
    pub failed: usize,
    /// Neither run nor reused, since the user asked to stop.
    pub left: usize,
}

/// The result files of one image.
struct ImageRecords {
    functional: Mutex<Record<FunctionalResult>>,
    stream: Mutex<Record<StreamResult>>,
    sweep: Mutex<Record<StreamResult>>,
}

/// A trial to run.
struct Job<'a> {
    name: String,
    /// About how much work it is, in datagrams.
    datagrams: u64,
    run: RunJob<'a>,
}

/// Runs the trial of that name; `None` when the user asked to stop.
type RunJob<'a> = Box<dyn FnOnce(&str) -> Option<anyhow::Result<Ended>> + Send + 'a>;

/// A trial that ended and was written.
struct Ended {
    name: String,
    headline: String,
    /// Wall time, for the display alone.
    took: Duration,
    failed: bool,
}

impl Campaign<'_> {
    /// Runs what has to be run and writes each result as its trial ends.
    ///
    /// # Errors
    /// A result file that cannot be used or written, or an image that no board takes; trials that
    /// ended before are kept.
    pub fn run(&self, images: &[Image]) -> anyhow::Result<Tally> {
        let records = images.iter().map(|image| self.records(image));
        let records = records.collect::<anyhow::Result<Vec<_>>>()?;
        let mut tally = Tally::default();
        let mut jobs = Vec::new();
        for (image, records) in images.iter().zip(&records) {
            self.add_jobs(image, &records.functional, &mut jobs, &mut tally);
            self.add_jobs(image, &records.stream, &mut jobs, &mut tally);
            self.add_jobs(image, &records.sweep, &mut jobs, &mut tally);
        }
        // The longest first, so that no worker is left alone with it at the end.
        jobs.sort_by_key(|job| std::cmp::Reverse(job.datagrams));
        self.run_all(jobs, &mut tally)?;
        for records in records {
            settle(records.functional)?;
            settle(records.stream)?;
            settle(records.sweep)?;
        }
        Ok(tally)
    }

    fn run_all(&self, jobs: Vec<Job>, tally: &mut Tally) -> anyhow::Result<()> {
        tally.left = jobs.len();
        let total = jobs.len();
        let error = Mutex::new(None);
        let run = |job: Job| {
            if self.interrupt.requested() || error.lock().expect("no panic").is_some() {
                return None;
            }
            match (job.run)(&job.name)? {
                Ok(ended) => Some(ended),
                Err(first) => {
                    error.lock().expect("no panic").get_or_insert(first);
                    None
                }
            }
        };
        run_jobs(jobs, self.workers, run, |ended: Ended| {
            tally.left -= 1;
            match ended.failed {
                true => tally.failed += 1,
                false => tally.measured += 1,
            }
            let Ended {
                name,
                headline,
                took,
                ..
            } = ended;
            let took = took.as_secs_f64();
            let number = total - tally.left;
            self.progress.line(&format!(
                "{name}: {headline} ({number} of {total}, took {took:.1} s)"
            ));
        });
        match error.into_inner().expect("no panic") {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn records(&self, image: &Image) -> anyhow::Result<ImageRecords> {
        let Plan {
            functional,
            stream,
            sweep,
        } = self.plan.clone();
        let (set, subject) = (self.set, &image.subject);
        let functional = Record::open(set, subject, WorkloadName::Functional, vec![functional])?;
        let stream = Record::open(set, subject, WorkloadName::Stream, vec![stream])?;
        let sweep = Record::open(set, subject, WorkloadName::Sweep, sweep)?;
        Ok(ImageRecords {
            functional: Mutex::new(functional),
            stream: Mutex::new(stream),
            sweep: Mutex::new(sweep),
        })
    }

    /// Adds a job for each planned trial of `record` that has to be run.
    fn add_jobs<'b, M>(
        &'b self,
        image: &'b Image,
        record: &'b Mutex<Record<M>>,
        jobs: &mut Vec<Job<'b>>,
        tally: &mut Tally,
    ) where
        M: Runnable + Headline + Send,
        M::Options: Send,
    {
        let content = record.lock().expect("no panic");
        for options in content.plan() {
            let name = format!("{} {}", image.subject, M::name(options, content.workload()));
            if !self.fresh
                && let Some(trial) = content.measured(options)
            {
                let headline = M::headline(trial);
                self.progress.line(&format!(
                    "{name}: {headline} (reused, its inputs are unchanged)"
                ));
                tally.reused += 1;
                continue;
            }
            let options = options.clone();
            jobs.push(Job {
                name,
                datagrams: M::datagrams(&options),
                run: Box::new(move |name| self.run_one(name, image, record, &options)),
            });
        }
    }

    fn run_one<M: Runnable + Headline>(
        &self,
        name: &str,
        image: &Image,
        record: &Mutex<Record<M>>,
        options: &M::Options,
    ) -> Option<anyhow::Result<Ended>> {
        let mut target = match (self.boot_board)(&image.elf) {
            Ok(target) => target,
            Err(error) => return Some(Err(error.context(format!("cannot run {}", image.subject)))),
        };
        let display = self.progress.trial(name, M::nominal_span(options));
        let go_on = |now: Nanos| {
            display.advance(now);
            !self.interrupt.requested()
        };
        let trial: Trial<M> = trial::run(target.as_mut(), image.ports, options, go_on)?;
        let ended = Ended {
            name: name.to_owned(),
            headline: M::headline(&trial),
            took: display.elapsed(),
            failed: trial.measured().is_none(),
        };
        let written = record.lock().expect("no panic").put(trial);
        Some(written.map(|()| ended))
    }
}

fn settle<M: Runnable>(record: Mutex<Record<M>>) -> anyhow::Result<()> {
    record.into_inner().expect("no panic").settle()
}

#[cfg(test)]
mod tests;
