//! A whole result set in memory, as documents and summaries are made from it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use bench::{
    BurstResult, FunctionalResult, LatencyResult, RecoveryResult, SoakResult, StreamResult,
    ThroughputResult,
};

use super::file::{LinesFile, SizeFile, TrialFile, WorkloadName};
use super::layout::{ResultSet, SetName};
use super::measurement::Measurement;
use super::store::read_json;
use super::subject::{BoardModel, BuildSubject, ImageInputs, VariantSubject};
use super::traffic::TrafficResult;

/// Every result of a set; variants in the order of the tables.
#[derive(Clone, Debug)]
pub struct StudyResults {
    pub set: SetName,
    pub variants: Vec<VariantResults>,
}

/// Every result of one variant; builds for comparison last, those with fewer features first.
#[derive(Clone, Debug)]
pub struct VariantResults {
    pub subject: VariantSubject,
    pub builds: Vec<BuildResults>,
}

/// Every result of one build; what was not measured is absent.
#[derive(Clone, Debug)]
pub struct BuildResults {
    pub subject: BuildSubject,
    pub image: ImageInputs,
    pub size: Option<SizeFile>,
    pub lines: Option<LinesFile>,
    pub functional: Option<TrialFile<FunctionalResult>>,
    pub stream: Option<TrialFile<StreamResult>>,
    pub sweep: Option<TrialFile<StreamResult>>,
    pub large_sweep: Option<TrialFile<StreamResult>>,
    pub burst: Option<TrialFile<BurstResult>>,
    pub latency: Option<TrialFile<LatencyResult>>,
    pub throughput: Option<TrialFile<ThroughputResult>>,
    pub soak: Option<TrialFile<SoakResult>>,
    pub recovery: Option<TrialFile<RecoveryResult>>,
    pub traffic: Option<TrialFile<TrafficResult>>,
}

/// What a result file says it is about; files that are neighbours must agree.
#[derive(Clone, Debug)]
struct Claim {
    path: PathBuf,
    set: SetName,
    variant: VariantSubject,
    build: (BuildSubject, ImageInputs),
    board: Option<BoardModel>,
}

impl StudyResults {
    /// Reads every result of `set`.
    ///
    /// # Errors
    /// A file that is damaged, of another schema, in a place that is not its own, or whose counters
    /// contradict each other; files of one build from different ELF files; trials from different
    /// boards.
    pub fn read(set: &ResultSet) -> anyhow::Result<Self> {
        let mut claims = Vec::new();
        let mut variants = Vec::new();
        for id in folders_in(set.folder())? {
            variants.extend(VariantResults::read(set, &id, &mut claims)?);
        }
        variants.sort_by_cached_key(|variant| (variant.subject.order, variant.subject.id.clone()));
        let mut boards = claims.iter().filter(|claim| claim.board.is_some());
        let first = boards.next();
        for claim in boards {
            ensure!(
                Some(&claim.board) == first.map(|first| &first.board),
                "{} was measured on another emulated board than its neighbours; run `cargo xtask study` to measure again",
                claim.path.display()
            );
        }
        Ok(Self {
            set: set.name,
            variants,
        })
    }
}

impl VariantResults {
    fn read(set: &ResultSet, id: &str, claims: &mut Vec<Claim>) -> anyhow::Result<Option<Self>> {
        let first = claims.len();
        let mut builds = Vec::new();
        for name in folders_in(&set.folder().join(id))? {
            builds.extend(BuildResults::read(set, id, &name, claims)?);
        }
        builds.sort_by_cached_key(|build: &BuildResults| {
            let BuildSubject {
                scope,
                features,
                name,
                ..
            } = &build.subject;
            (*scope, features.len(), name.clone())
        });
        let Some((claim, others)) = claims[first..].split_first() else {
            return Ok(None);
        };
        ensure!(
            claim.variant.id == id,
            "{} is in another variant's place",
            claim.path.display()
        );
        for other in others {
            ensure!(
                other.variant == claim.variant,
                "{} describes its variant otherwise than {}; run `cargo xtask study` to measure again",
                other.path.display(),
                claim.path.display()
            );
        }
        Ok(Some(Self {
            subject: claim.variant.clone(),
            builds,
        }))
    }
}

impl BuildResults {
    fn read(
        set: &ResultSet,
        variant: &str,
        name: &str,
        claims: &mut Vec<Claim>,
    ) -> anyhow::Result<Option<Self>> {
        let first = claims.len();
        let size: Option<SizeFile> = read_json(&set.size(variant, name))?;
        claims.extend(size.as_ref().map(|file| Claim {
            path: set.size(variant, name),
            set: file.set,
            variant: file.variant.clone(),
            build: (file.build.clone(), file.image.clone()),
            board: None,
        }));
        let lines: Option<LinesFile> = read_json(&set.lines(variant, name))?;
        claims.extend(lines.as_ref().map(|file| Claim {
            path: set.lines(variant, name),
            set: file.set,
            variant: file.variant.clone(),
            build: (file.build.clone(), file.image.clone()),
            board: None,
        }));
        let mut trials = TrialReader {
            set,
            variant,
            build: name,
            claims,
        };
        let functional = trials.read(WorkloadName::Functional)?;
        let stream = trials.read(WorkloadName::Stream)?;
        let sweep = trials.read(WorkloadName::Sweep)?;
        let large_sweep = trials.read(WorkloadName::LargeSweep)?;
        let burst = trials.read(WorkloadName::Burst)?;
        let latency = trials.read(WorkloadName::Latency)?;
        let throughput = trials.read(WorkloadName::Throughput)?;
        let soak = trials.read(WorkloadName::Soak)?;
        let recovery = trials.read(WorkloadName::Recovery)?;
        let traffic = trials.read(WorkloadName::Traffic)?;
        let Some((claim, others)) = claims[first..].split_first() else {
            return Ok(None);
        };
        for other in others {
            ensure!(
                other.build == claim.build,
                "{} comes from another ELF file than {}; run `cargo xtask study` to measure again",
                other.path.display(),
                claim.path.display()
            );
        }
        let (subject, image) = claim.build.clone();
        ensure!(
            subject.name == name,
            "{} is in another build's place",
            claim.path.display()
        );
        ensure!(
            claims[first..].iter().all(|claim| claim.set == set.name),
            "{} is of another set of results",
            set.folder().join(variant).join(name).display()
        );
        Ok(Some(Self {
            subject,
            image,
            size,
            lines,
            functional,
            stream,
            sweep,
            large_sweep,
            burst,
            latency,
            throughput,
            soak,
            recovery,
            traffic,
        }))
    }
}

/// Reads the trials of one build and notes what they claim to be.
struct TrialReader<'a> {
    set: &'a ResultSet,
    variant: &'a str,
    build: &'a str,
    claims: &'a mut Vec<Claim>,
}

impl TrialReader<'_> {
    fn read<M: Measurement>(
        &mut self,
        workload: WorkloadName,
    ) -> anyhow::Result<Option<TrialFile<M>>> {
        let path = self.set.trials(self.variant, self.build, workload);
        let Some(file) = read_json::<TrialFile<M>>(&path)? else {
            return Ok(None);
        };
        ensure!(
            file.workload == workload,
            "{} is in another workload's place",
            path.display()
        );
        file.check()
            .with_context(|| format!("{} contradicts itself", path.display()))?;
        self.claims.push(Claim {
            path,
            set: file.set,
            variant: file.variant.clone(),
            build: (file.build.clone(), file.inputs.image.clone()),
            board: Some(file.inputs.board.clone()),
        });
        Ok(Some(file))
    }
}

/// The names of the folders in `folder`, sorted; none when it does not exist.
pub fn folders_in(folder: &Path) -> anyhow::Result<Vec<String>> {
    let cannot_list = || format!("cannot list {}", folder.display());
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(cannot_list),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.with_context(cannot_list)?;
        if entry.path().is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}
