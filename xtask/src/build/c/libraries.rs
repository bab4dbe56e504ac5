//! Where the sources of C libraries are: in packages that cargo has fetched.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use cargo_metadata::MetadataCommand;

use crate::metadata::{CSources, LibrarySources};
use crate::paths;

/// A library in C.
#[derive(Clone, Debug)]
pub struct Library {
    /// Its package.
    pub name: String,
    /// The folder of the package.
    pub folder: PathBuf,
    /// What of it is compiled.
    pub sources: LibrarySources,
}

/// Finds the package of each library in the version of the firmware workspace's lock file.
///
/// # Errors
///
/// Names the library whose package is not there, or there in more than one version.
pub fn locate(sources: &CSources) -> anyhow::Result<Vec<Library>> {
    let manifest = paths::firmware_manifest();
    let metadata = MetadataCommand::new()
        .manifest_path(&manifest)
        .other_options(["--locked".to_string()])
        .exec()
        .with_context(|| format!("cannot read the packages of {}", manifest.display()))?;
    let folder_of = |name: &str| {
        let packages = metadata.packages.iter();
        let mut packages = packages.filter(|package| package.name == name);
        match (packages.next(), packages.next()) {
            (Some(package), None) => {
                let folder = package.manifest_path.parent().map(PathBuf::from);
                folder.context("a package manifest without a folder")
            }
            (None, _) => bail!("the firmware has no dependency {name} to take C sources from"),
            _ => bail!("the firmware has {name} in two versions; its C sources must be of one"),
        }
    };
    let libraries = sources.libraries.iter();
    let libraries = libraries.map(|(name, sources)| {
        let folder = folder_of(name)?;
        check(&folder, sources).with_context(|| format!("C library {name}"))?;
        Ok(Library {
            name: name.clone(),
            folder,
            sources: sources.clone(),
        })
    });
    libraries.collect()
}

/// GCC passes over include folders that do not exist.
fn check(folder: &Path, sources: &LibrarySources) -> anyhow::Result<()> {
    for place in sources.include.iter().chain(&sources.sources) {
        let path = folder.join(place);
        if !path.exists() {
            bail!("{} does not exist", path.display());
        }
    }
    Ok(())
}
