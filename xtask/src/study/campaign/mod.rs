//! Runs the planned trials that are not done yet, on worker threads, each on a board of its own.

mod workloads;

use std::sync::Mutex;
use std::time::Duration;

use bench::{
    BurstResult, FunctionalResult, LatencyResult, Nanos, RecoveryResult, SoakResult, StreamResult,
    ThroughputResult,
};

use super::record::Record;
use crate::adapter::EchoTarget;
use crate::interrupt::Interrupt;
use crate::pool::run_jobs;
use crate::progress::Progress;
use crate::results::{ResultSet, Subject, TrafficResult, Trial, WorkloadName};
use crate::show::Headline;
use crate::trial::{self, Ports, Runnable};

pub use workloads::Workloads;

/// A firmware image, and what is to be measured of it.
#[derive(Clone, Debug)]
pub struct Image {
    pub subject: Subject,
    pub elf: Vec<u8>,
    pub ports: Ports,
    pub plan: Workloads,
}

/// Puts an image on a freshly reset board.
pub type BootBoard<'a> = dyn Fn(&Image) -> anyhow::Result<Box<dyn EchoTarget>> + Sync + 'a;

/// How trials are run; none of it changes what they find.
pub struct Campaign<'a> {
    pub set: &'a ResultSet,
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

/// The result file of one workload on one image, whatever it measures.
trait Records: Sync {
    /// Adds a job for each planned trial that has to be run.
    fn add_jobs<'a>(
        &'a self,
        campaign: &'a Campaign,
        image: &'a Image,
        jobs: &mut Vec<Job<'a>>,
        tally: &mut Tally,
    );

    /// Writes the file unless it already holds what it should.
    fn settle(&self) -> anyhow::Result<()>;
}

/// A trial to run.
struct Job<'a> {
    name: String,
    /// About how much work it is; see [`Headline::work`].
    work: u64,
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
            for record in records {
                record.add_jobs(self, image, &mut jobs, &mut tally);
            }
        }
        // The longest first, so that no worker is left alone with it at the end.
        jobs.sort_by_key(|job| std::cmp::Reverse(job.work));
        self.run_all(jobs, &mut tally)?;
        records.iter().flatten().try_for_each(|one| one.settle())?;
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

    /// The record of every workload that is planned for `image`.
    fn records(&self, image: &Image) -> anyhow::Result<Vec<Box<dyn Records>>> {
        use WorkloadName as Workload;
        let plan = image.plan.clone();
        Ok(vec![
            self.record::<FunctionalResult>(image, Workload::Functional, plan.functional)?,
            self.record::<StreamResult>(image, Workload::Stream, plan.stream)?,
            self.record::<StreamResult>(image, Workload::Sweep, plan.sweep)?,
            self.record::<StreamResult>(image, Workload::LargeSweep, plan.large_sweep)?,
            self.record::<BurstResult>(image, Workload::Burst, plan.burst)?,
            self.record::<LatencyResult>(image, Workload::Latency, plan.latency)?,
            self.record::<ThroughputResult>(image, Workload::Throughput, plan.throughput)?,
            self.record::<SoakResult>(image, Workload::Soak, plan.soak)?,
            self.record::<RecoveryResult>(image, Workload::Recovery, plan.recovery)?,
            self.record::<TrafficResult>(image, Workload::Traffic, plan.traffic)?,
        ])
    }

    fn record<M>(
        &self,
        image: &Image,
        workload: WorkloadName,
        plan: Vec<M::Options>,
    ) -> anyhow::Result<Box<dyn Records>>
    where
        M: Runnable + Headline + Send + 'static,
        M::Options: Send,
    {
        let record: Record<M> = Record::open(self.set, &image.subject, workload, plan)?;
        Ok(Box::new(Mutex::new(record)))
    }

    fn run_one<M: Runnable + Headline>(
        &self,
        name: &str,
        image: &Image,
        record: &Mutex<Record<M>>,
        options: &M::Options,
    ) -> Option<anyhow::Result<Ended>> {
        let mut target = match (self.boot_board)(image) {
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

impl<M> Records for Mutex<Record<M>>
where
    M: Runnable + Headline + Send,
    M::Options: Send,
{
    fn add_jobs<'a>(
        &'a self,
        campaign: &'a Campaign,
        image: &'a Image,
        jobs: &mut Vec<Job<'a>>,
        tally: &mut Tally,
    ) {
        let content = self.lock().expect("no panic");
        for options in content.plan() {
            let name = format!("{} {}", image.subject, M::name(options, content.workload()));
            if !campaign.fresh
                && let Some(trial) = content.measured(options)
            {
                let headline = M::headline(trial);
                campaign.progress.line(&format!(
                    "{name}: {headline} (reused, its inputs are unchanged)"
                ));
                tally.reused += 1;
                continue;
            }
            let options = options.clone();
            jobs.push(Job {
                name,
                work: M::work(&options),
                run: Box::new(move |name| campaign.run_one(name, image, self, &options)),
            });
        }
    }

    fn settle(&self) -> anyhow::Result<()> {
        self.lock().expect("no panic").settle()
    }
}

#[cfg(test)]
mod tests;
