//! What is remembered of a build beside its ELF file, so that its sources can be named again without
//! asking the build system.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::sources::Sources;
use crate::files;

/// The sources of an image that was built.
#[derive(Serialize, Deserialize)]
pub struct Record {
    /// When the build began: what is older was there for it to see.
    began: SystemTime,
    /// What it was made from.
    sources: Sources,
}

impl Record {
    /// The record of a build that began at that time.
    pub fn new(began: SystemTime, sources: Sources) -> Self {
        Self { began, sources }
    }

    /// Writes it to `path`.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        files::write(path, &serde_json::to_vec(self)?)
    }
}

/// The sources of the image whose record is at `path`; none when there is no record that can be read,
/// or when one of its sources, anything in the `folder` of the firmware or the `program` that builds it
/// has changed since, so that building again could give other sources.
pub fn current_sources(path: &Path, folder: &Path, program: &Path) -> Option<Sources> {
    let record: Record = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    let is_older = |path: &Path| {
        let modified = fs::metadata(path).and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| modified < record.began)
    };
    let readers = record.sources.readers();
    let are_older = readers.keys().all(|path| is_older(path)) && is_older(program);
    (are_older && all_below(folder, &is_older)).then_some(record.sources)
}

/// Whether the folder, everything in it and all below is so; a folder changes when a file is added.
fn all_below(folder: &Path, holds: &impl Fn(&Path) -> bool) -> bool {
    let Ok(entries) = folder.read_dir() else {
        return false;
    };
    let entries: Option<Vec<PathBuf>> = entries.map(|entry| Some(entry.ok()?.path())).collect();
    let of_entry = |path: PathBuf| {
        if path.is_dir() {
            all_below(&path, holds)
        } else {
            holds(&path)
        }
    };
    holds(folder) && entries.is_some_and(|entries| entries.into_iter().all(of_entry))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn set_age(path: &Path, age: Duration) {
        let file = fs::File::open(path).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }

    #[test]
    fn sources_are_known_until_firmware_or_program_changes() {
        let folder = tempfile::tempdir().unwrap();
        let [firmware, record, program] =
            ["firmware", "record", "program"].map(|name| folder.path().join(name));
        let (package, source) = (firmware.join("a"), firmware.join("a/a.c"));
        files::write(&source, b"int a;").unwrap();
        files::write(&program, b"").unwrap();
        assert_eq!(current_sources(&record, &firmware, &program), None);

        let mut sources = Sources::default();
        sources.add_compiled(folder.path(), &package, [source.clone()]);
        let began = SystemTime::now() - 50 * SECOND;
        let made = Record::new(began, sources.clone());
        made.write(&record).unwrap();
        let all = [&source, &package, &firmware, &program];
        for changed in all {
            for path in all {
                set_age(path, 100 * SECOND);
            }
            let current = current_sources(&record, &firmware, &program);
            assert_eq!(current.as_ref(), Some(&sources));
            set_age(changed, SECOND);
            assert_eq!(current_sources(&record, &firmware, &program), None);
        }
    }
}
