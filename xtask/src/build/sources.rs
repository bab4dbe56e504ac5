//! The first-party files that an image was made from, as compilers, linker and cargo list them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The first-party files that an image was made from: those of the checkout, without what the build
/// itself put into its target folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sources {
    /// What the compiler read for the image, by the folder of the package it compiled.
    pub compiled: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    /// What the build used besides: linker scripts, build scripts and what those depend on.
    pub used: BTreeSet<PathBuf>,
}

impl Sources {
    /// Adds what the compiler read for the package in `package`, of which `checkout` holds the
    /// first-party files.
    pub fn add_compiled(
        &mut self,
        checkout: &Path,
        package: &Path,
        read: impl IntoIterator<Item = PathBuf>,
    ) {
        let read = first_party(checkout, read);
        let files = self.compiled.entry(package.to_path_buf()).or_default();
        files.extend(read);
    }

    /// Adds what else the build used.
    pub fn add_used(&mut self, checkout: &Path, used: impl IntoIterator<Item = PathBuf>) {
        self.used.extend(first_party(checkout, used));
    }

    /// Every file, with the folders of the packages that the compiler read it for.
    pub fn readers(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let mut readers: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
        for path in &self.used {
            readers.entry(path).or_default();
        }
        for (package, files) in &self.compiled {
            for path in files {
                readers.entry(path).or_default().insert(package);
            }
        }
        readers
    }
}

/// The files of the checkout among these, by one name each, whatever way the compiler came to them.
fn first_party(
    checkout: &Path,
    paths: impl IntoIterator<Item = PathBuf>,
) -> impl Iterator<Item = PathBuf> {
    let target = checkout.join("target");
    let direct = paths.into_iter().map(|path| without_detours(&path));
    let ours = checkout.to_path_buf();
    direct.filter(move |path| path.starts_with(&ours) && !path.starts_with(&target))
}

/// The path without `.` and `..`.
fn without_detours(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut direct = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                direct.pop();
            }
            other => direct.push(other),
        }
    }
    direct
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_checkout_are_first_party_and_come_once() {
        let mut sources = Sources::default();
        let read = [
            "/study/firmware/a/src/../../b/b.h",
            "/study/firmware/b/./b.h",
            "/study/target/firmware/out/generated.rs",
            "/usr/include/string.h",
        ];
        let package = Path::new("/study/firmware/a");
        sources.add_compiled(Path::new("/study"), package, read.map(PathBuf::from));
        let used = ["/study/firmware/a/memory.x", "/study/firmware/b/b.h"];
        sources.add_used(Path::new("/study"), used.map(PathBuf::from));
        let readers = sources.readers().into_iter();
        let readers: Vec<_> = readers.map(|(path, by)| (path, by.len())).collect();
        let expected = [
            (Path::new("/study/firmware/a/memory.x"), 0),
            (Path::new("/study/firmware/b/b.h"), 1),
        ];
        assert_eq!(readers, expected);
    }
}
