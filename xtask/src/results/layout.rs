//! Where the results of a study lie, and the documents rendered from them.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::WorkloadName;

/// How much a study measures. Results of one size never stand in for those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SetName {
    /// An hour of stream, ten seconds a rate: what is committed.
    Full,
    /// Thirty seconds of stream, three seconds a rate.
    Quick,
    /// A second or less of each, to try the pipeline.
    Smoke,
}

/// The results of one study and the documents that show them.
#[derive(Clone, Debug)]
pub struct ResultSet {
    pub name: SetName,
    folder: PathBuf,
    documents: PathBuf,
}

impl ResultSet {
    /// The place of a set in the checkout at `root`.
    ///
    /// Only the full set has its documents at the root; the others keep them beside their results, so
    /// that a quick look never changes a committed file.
    pub fn in_checkout(root: &Path, name: SetName) -> Self {
        let results = root.join("results");
        match name {
            SetName::Full => Self {
                name,
                folder: results.join("emulated"),
                documents: root.to_owned(),
            },
            SetName::Quick => Self::in_folder(name, &results.join("emulated-quick")),
            SetName::Smoke => Self::in_folder(name, &root.join("target/study-smoke")),
        }
    }

    /// The place in the checkout at `root` of a set that was measured on hardware.
    pub fn on_hardware(root: &Path, name: SetName) -> Self {
        let folder = match name {
            SetName::Full => "results/hardware",
            SetName::Quick => "results/hardware-quick",
            SetName::Smoke => "target/study-smoke-hardware",
        };
        Self::in_folder(name, &root.join(folder))
    }

    /// What is measured to compare the emulated board with published figures, in the checkout at `root`.
    pub fn of_fidelity(root: &Path) -> Self {
        Self {
            name: SetName::Full,
            folder: root.join("results/fidelity"),
            documents: root.to_owned(),
        }
    }

    /// A set that lies in `folder` together with its documents.
    pub fn in_folder(name: SetName, folder: &Path) -> Self {
        Self {
            name,
            folder: folder.to_owned(),
            documents: folder.to_owned(),
        }
    }

    /// The folder of the results; a folder for each variant lies in it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The rendered document of that file name.
    pub fn document(&self, name: &str) -> PathBuf {
        self.documents.join(name)
    }

    /// The trials of one workload on one build.
    pub fn trials(&self, variant: &str, build: &str, workload: WorkloadName) -> PathBuf {
        self.build_folder(variant, build)
            .join(format!("{workload}.json"))
    }

    /// The sizes of one build.
    pub fn size(&self, variant: &str, build: &str) -> PathBuf {
        self.build_folder(variant, build).join("size.json")
    }

    /// The source lines of one build.
    pub fn lines(&self, variant: &str, build: &str) -> PathBuf {
        self.build_folder(variant, build).join("ncloc.json")
    }

    fn build_folder(&self, variant: &str, build: &str) -> PathBuf {
        self.folder.join(variant).join(build)
    }
}
