//! Runs the planned trials that are not done yet, one after the other on the one board.

use std::net::Ipv4Addr;

use anyhow::Context;
use bench::{
    BurstResult, Disturbance, FunctionalResult, LatencyResult, Nanos, RecoveryResult, SoakResult,
    StreamResult, ThroughputResult,
};

use super::clock::Clock;
use super::network::{Network, Watcher};
use super::probe::Probe;
use super::record::{Image, Record};
use super::rig::{Firmware, Rig};
use super::trial::{self, OnNetwork};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::results::{ResultSet, WorkloadName};

/// How trials are run.
pub struct Campaign<'a, P, C, N> {
    pub rig: Rig<'a, P, C>,
    pub clock: &'a C,
    pub network: N,
    pub set: &'a ResultSet,
    /// The flash that the chip has to have.
    pub flash_kib: u16,
    /// How often a failing flash is tried again.
    pub retries: u32,
    /// Whether to run trials again whose results are there.
    pub fresh: bool,
    pub interrupt: &'a Interrupt,
    pub progress: &'a Progress,
}

/// How the trials of a campaign ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub measured: usize,
    /// Among the measured ones, those that say nothing of the board.
    pub void: usize,
    /// Taken from results whose inputs are unchanged.
    pub reused: usize,
    /// Whether the user asked to stop before the last one.
    pub interrupted: bool,
}

/// What is known of the board that an image runs on.
struct Subject<'a> {
    image: &'a Image,
    /// The address that the user gave.
    address: Option<Ipv4Addr>,
    /// Whether the image is in flash.
    programmed: bool,
}

impl<P: Probe, C: Clock, N: Network> Campaign<'_, P, C, N> {
    /// Runs what has to be run of each image, whose board has the given address if there is one, and
    /// writes each result as its trial ends.
    ///
    /// # Errors
    /// A [`super::failure::Failure`] of the board or its network, which ends the campaign, or a result
    /// file that cannot be used or written; trials that ended before are kept.
    pub fn run(&mut self, images: &[(Image, Option<Ipv4Addr>)]) -> anyhow::Result<Tally> {
        use WorkloadName as Workload;
        let mut tally = Tally::default();
        for (image, address) in images {
            let mut subject = Subject {
                image,
                address: *address,
                programmed: false,
            };
            let plan = image.plan.clone();
            let (subject, tally) = (&mut subject, &mut tally);
            let functional = vec![plan.functional];
            self.run_all::<FunctionalResult>(subject, Workload::Functional, functional, tally)?;
            for (workload, plan) in [
                (Workload::Stream, vec![plan.stream]),
                (Workload::Sweep, plan.sweep),
                (Workload::LargeSweep, plan.large_sweep),
            ] {
                self.run_all::<StreamResult>(subject, workload, plan, tally)?;
            }
            self.run_all::<BurstResult>(subject, Workload::Burst, plan.burst, tally)?;
            let latency = vec![plan.latency];
            self.run_all::<LatencyResult>(subject, Workload::Latency, latency, tally)?;
            let throughput = plan.throughput;
            self.run_all::<ThroughputResult>(subject, Workload::Throughput, throughput, tally)?;
            self.run_all::<SoakResult>(subject, Workload::Soak, vec![plan.soak], tally)?;
            let mut recovery = plan.recovery;
            recovery.retain(|options| options.disturbance == Disturbance::Reset);
            self.run_all::<RecoveryResult>(subject, Workload::Recovery, recovery, tally)?;
        }
        Ok(tally)
    }

    fn run_all<M: OnNetwork>(
        &mut self,
        subject: &mut Subject,
        workload: WorkloadName,
        plan: Vec<M::Options>,
        tally: &mut Tally,
    ) -> anyhow::Result<()> {
        let mut record: Record<M> =
            Record::open(self.set, subject.image, workload, plan, self.fresh)?;
        for options in record.plan().to_vec() {
            if tally.interrupted {
                return Ok(());
            }
            let name = format!(
                "{} {}",
                subject.image.name(),
                M::name(&options, record.workload())
            );
            if let Some(done) = record.done(&options) {
                let figures = done.result.figures();
                let line = format!("{name}: {figures} (reused, its inputs are unchanged)");
                self.progress.line(&line);
                tally.reused += 1;
                continue;
            }
            let ran = self.run_one(subject, &name, &options, &mut record);
            match ran.context(name)? {
                None => tally.interrupted = true,
                Some(Ended { void }) => {
                    tally.measured += 1;
                    tally.void += usize::from(void);
                }
            }
        }
        Ok(())
    }

    /// Runs one trial and writes its result; `None` when the user asked to stop.
    fn run_one<M: OnNetwork>(
        &mut self,
        subject: &mut Subject,
        name: &str,
        options: &M::Options,
        record: &mut Record<M>,
    ) -> anyhow::Result<Option<Ended>> {
        if self.interrupt.requested() {
            return Ok(None);
        }
        let image_name = subject.image.name();
        let firmware = Firmware {
            name: &image_name,
            elf: &subject.image.elf,
            image: &subject.image.flash,
        };
        if !subject.programmed {
            self.rig.program(&firmware, self.flash_kib, self.retries)?;
            subject.programmed = true;
        }
        let Some(started) = self.rig.start(&firmware, self.flash_kib, subject.address)? else {
            return Ok(None);
        };
        let display = self.progress.trial(name, M::nominal_span(options));
        let mut go_on = |elapsed: Nanos| {
            display.advance(elapsed);
            !self.interrupt.requested()
        };
        let mut reset = || self.rig.reset(&firmware, self.flash_kib);
        let trial = trial::run::<M>(
            &mut self.network,
            self.clock,
            &started,
            subject.image.ports,
            options,
            &mut Watcher {
                go_on: &mut go_on,
                reset: &mut reset,
            },
        )?;
        drop(display);
        let Some(trial) = trial else {
            return Ok(None);
        };
        let figures = trial.result.figures();
        let void = trial.void.clone();
        record.put(trial)?;
        let verdict = void.as_ref().map(|why| format!("void: {why}; "));
        let verdict = verdict.unwrap_or_default();
        self.progress.line(&format!("{name}: {verdict}{figures}"));
        Ok(Some(Ended {
            void: void.is_some(),
        }))
    }
}

/// A trial that ended and was written.
struct Ended {
    void: bool,
}
