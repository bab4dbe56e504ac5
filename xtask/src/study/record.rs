//! The result file of one workload on one build, kept up to date as trials end.

use std::path::PathBuf;

use crate::results::{
    Measurement, Provenance, ResultSet, SchemaVersion, Subject, Trial, TrialFile, WorkloadName,
    read_json, write_json,
};

/// The trials planned for one result file, and those of them that are done.
#[derive(Debug)]
pub struct Record<M: Measurement> {
    path: PathBuf,
    plan: Vec<M::Options>,
    file: TrialFile<M>,
    /// Whether the file on disk holds something else.
    stale: bool,
}

impl<M: Measurement> Record<M> {
    /// Opens the record of `workload` on `subject`; trials that are no longer planned, or come from
    /// other inputs, are left out.
    ///
    /// # Errors
    /// When there is a file that this program cannot use.
    pub fn open(
        set: &ResultSet,
        subject: &Subject,
        workload: WorkloadName,
        plan: Vec<M::Options>,
    ) -> anyhow::Result<Self> {
        let path = set.trials(&subject.variant.id, &subject.build.name, workload);
        let found: Option<TrialFile<M>> = read_json(&path)?;
        let mut file = TrialFile {
            schema: SchemaVersion,
            provenance: Provenance::Emulated,
            set: set.name,
            workload,
            variant: subject.variant.clone(),
            build: subject.build.clone(),
            inputs: subject.inputs.clone(),
            planned_trials: plan.len() as u64,
            trials: Vec::new(),
        };
        if let Some(found) = &found
            && found.set == file.set
            && found.workload == workload
            && found.inputs == file.inputs
        {
            file.trials.clone_from(&found.trials);
            file.trials.retain(|trial| plan.contains(trial.options()));
        }
        Ok(Self {
            stale: found.as_ref() != Some(&file),
            path,
            plan,
            file,
        })
    }

    /// The parameters of the planned trials.
    pub fn plan(&self) -> &[M::Options] {
        &self.plan
    }

    /// The workload of every trial.
    pub fn workload(&self) -> WorkloadName {
        self.file.workload
    }

    /// The trial with these options that was measured from the same inputs.
    pub fn measured(&self, options: &M::Options) -> Option<&Trial<M>> {
        let mut trials = self.file.trials.iter();
        trials.find(|trial| trial.options() == options && trial.measured().is_some())
    }

    /// Takes a trial that ended, in the place of an earlier one with its options, and writes the file.
    pub fn put(&mut self, trial: Trial<M>) -> anyhow::Result<()> {
        let trials = &mut self.file.trials;
        trials.retain(|earlier| earlier.options() != trial.options());
        trials.push(trial);
        let place = |trial: &Trial<M>| self.plan.iter().position(|plan| plan == trial.options());
        trials.sort_by_key(place);
        write_json(&self.path, &self.file)?;
        self.stale = false;
        Ok(())
    }

    /// Writes the file unless it already holds this, which it does after every [`put`](Self::put).
    pub fn settle(&mut self) -> anyhow::Result<()> {
        if self.stale && !self.file.trials.is_empty() {
            write_json(&self.path, &self.file)?;
            self.stale = false;
        }
        Ok(())
    }
}
