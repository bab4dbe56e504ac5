//! The result file of one workload on one build on hardware, kept up to date as trials end.

use std::path::PathBuf;

use super::image::FlashImage;
use crate::results::hardware::{HardwareFile, HardwareInputs, HardwareProvenance, HardwareTrial};
use crate::results::{
    BuildSubject, Measurement, ResultSet, SchemaVersion, VariantSubject, WorkloadName, write_json,
};
use crate::study::plan::Plan;
use crate::trial::Ports;

/// A firmware image for a board, and what is to be measured of it.
#[derive(Clone, Debug)]
pub struct Image {
    pub variant: VariantSubject,
    pub build: BuildSubject,
    pub inputs: HardwareInputs,
    pub elf: Vec<u8>,
    pub flash: FlashImage,
    pub ports: Ports,
    pub plan: Plan,
}

impl Image {
    /// How messages name it.
    pub fn name(&self) -> String {
        format!("{} {}", self.variant.id, self.build.name)
    }
}

/// The trials planned for one result file, and those of them that are done.
#[derive(Debug)]
pub struct Record<M: Measurement> {
    path: PathBuf,
    plan: Vec<M::Options>,
    file: HardwareFile<M>,
}

impl<M: Measurement> Record<M> {
    /// Opens the record of `workload`; trials that are no longer planned, or come from another image,
    /// bench or harness, are left out, and all of them when `fresh`.
    ///
    /// # Errors
    /// When there is a file that this program cannot use.
    pub fn open(
        set: &ResultSet,
        image: &Image,
        workload: WorkloadName,
        plan: Vec<M::Options>,
        fresh: bool,
    ) -> anyhow::Result<Self> {
        let (variant, build) = (&image.variant, &image.build);
        let found = HardwareFile::<M>::read(set, &variant.id, &build.name, workload)?;
        let found = found.filter(|found| !fresh && found.inputs == image.inputs);
        let mut trials = found.map(|found| found.trials).unwrap_or_default();
        trials.retain(|trial| plan.contains(trial.result.options()));
        Ok(Self {
            path: set.trials(&variant.id, &build.name, workload),
            file: HardwareFile {
                schema: SchemaVersion,
                provenance: HardwareProvenance::Hardware,
                set: set.name,
                workload,
                variant: variant.clone(),
                build: build.clone(),
                inputs: image.inputs.clone(),
                planned_trials: plan.len() as u64,
                trials,
            },
            plan,
        })
    }

    /// What the file holds.
    #[cfg(test)]
    pub fn file(&self) -> &HardwareFile<M> {
        &self.file
    }

    /// The parameters of the planned trials.
    pub fn plan(&self) -> &[M::Options] {
        &self.plan
    }

    /// The workload of every trial.
    pub fn workload(&self) -> WorkloadName {
        self.file.workload
    }

    /// The trial with these options, if it is done and not void.
    pub fn done(&self, options: &M::Options) -> Option<&HardwareTrial<M>> {
        let mut trials = self.file.trials.iter();
        trials.find(|trial| trial.result.options() == options && trial.void.is_none())
    }

    /// Takes a trial that ended, in the place of an earlier one with its options, and writes the file.
    pub fn put(&mut self, trial: HardwareTrial<M>) -> anyhow::Result<()> {
        let trials = &mut self.file.trials;
        trials.retain(|earlier| earlier.result.options() != trial.result.options());
        trials.push(trial);
        let place = |trial: &HardwareTrial<M>| {
            let mut plan = self.plan.iter();
            plan.position(|options| options == trial.result.options())
        };
        trials.sort_by_key(place);
        write_json(&self.path, &self.file)
    }
}
