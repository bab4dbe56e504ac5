//! One of the two sets: a folder, or a git revision of the repository.

use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};
use serde::Deserialize;

use super::facts::{self, Fact};
use crate::audit::digests::{DIGESTS, files_below};
use crate::files;
use crate::results::{ResultSet, SCHEMA_VERSION, SetName, StudyResults};

/// Where the results of a revision lie.
const RESULTS: &str = "results/emulated";

/// What a set says, and what it is called.
pub struct Side {
    pub name: String,
    pub facts: Vec<Fact>,
}

/// What every result file says of itself.
#[derive(Deserialize)]
struct Head {
    schema: u64,
    set: Option<SetName>,
}

impl Side {
    /// Reads the folder of that name, or else the results of that revision of the repository at `root`.
    ///
    /// # Errors
    /// A name that is neither, no results there, or results that cannot be read or are of another schema.
    pub fn read(root: &Path, name: &str) -> anyhow::Result<Self> {
        let folder = Path::new(name);
        if folder.is_dir() {
            return Self::of_folder(folder, name);
        }
        let Some(commit) = commit(root, name)? else {
            bail!(
                "`{name}` is neither a folder nor a git revision of {}",
                root.display()
            );
        };
        let copy = tempfile::tempdir().context("cannot make a temporary folder")?;
        extract(root, &commit, copy.path()).with_context(|| format!("cannot read `{name}`"))?;
        Self::of_folder(copy.path(), name)
    }

    fn of_folder(folder: &Path, name: &str) -> anyhow::Result<Self> {
        let paths = files_below(folder)?.into_iter();
        let first = paths.into_iter().find(|path| {
            let depth = path.matches('/').count();
            depth == 2 && path.ends_with(".json") && !path.ends_with(DIGESTS)
        });
        let first = first.with_context(|| format!("`{name}` has no results"))?;
        let text = files::read_text(&folder.join(&first))?;
        let head: Head = serde_json::from_str(&text)
            .with_context(|| format!("{first} in `{name}` is no result"))?;
        ensure!(
            head.schema == SCHEMA_VERSION,
            "`{name}` has results of schema {}, this program compares those of schema {SCHEMA_VERSION}",
            head.schema
        );
        let set = head
            .set
            .with_context(|| format!("{first} in `{name}` is of no set"))?;
        let results = StudyResults::read(&ResultSet::in_folder(set, folder))?;
        Ok(Self {
            name: name.to_owned(),
            facts: facts::of_set(&results),
        })
    }
}

/// git in the repository at `root`.
fn git(root: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(root).stderr(Stdio::null());
    git
}

/// The commit that a name stands for; `None` when it stands for none.
fn commit(root: &Path, name: &str) -> anyhow::Result<Option<String>> {
    let revision = format!("{name}^{{commit}}");
    let arguments = [
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &revision,
    ];
    let output = git(root)
        .args(arguments)
        .output()
        .context("cannot run git")?;
    let found = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok((output.status.success() && !found.is_empty()).then_some(found))
}

/// Writes the results of a commit into `folder`.
fn extract(root: &Path, commit: &str, folder: &Path) -> anyhow::Result<()> {
    let listed = git(root)
        .args([
            "ls-tree",
            "-r",
            "-z",
            "--name-only",
            "--full-tree",
            commit,
            "--",
            RESULTS,
        ])
        .output()?;
    ensure!(listed.status.success(), "git cannot list its files");
    let listed = String::from_utf8(listed.stdout)?;
    let names = Vec::from_iter(listed.split_terminator('\0'));
    ensure!(!names.is_empty(), "it has no {RESULTS}");
    let mut requests = tempfile::tempfile()?;
    for name in &names {
        writeln!(requests, "{commit}:{name}")?;
    }
    let contents = contents(root, requests)?;
    let mut rest = contents.as_slice();
    for name in names {
        let (content, after) = next_content(rest).context("git gave no content of it")?;
        rest = after;
        let place = folder.join(
            name.strip_prefix(RESULTS)
                .unwrap_or(name)
                .trim_start_matches('/'),
        );
        fs::create_dir_all(place.parent().context("it has no folder")?)?;
        fs::write(place, content)?;
    }
    Ok(())
}

/// What `git cat-file --batch` says to these requests.
fn contents(root: &Path, mut requests: File) -> anyhow::Result<Vec<u8>> {
    requests.rewind()?;
    let output = git(root)
        .args(["cat-file", "--batch"])
        .stdin(requests)
        .output()?;
    ensure!(output.status.success(), "git cannot read its files");
    Ok(output.stdout)
}

/// The first content of a batch, `<object> blob <size>` in a line before it and a line feed after it,
/// and what comes then.
fn next_content(batch: &[u8]) -> Option<(&[u8], &[u8])> {
    let line_end = batch.iter().position(|&byte| byte == b'\n')?;
    let header = str::from_utf8(&batch[..line_end]).ok()?;
    let [_, "blob", size] = *Vec::from_iter(header.split(' ')).as_slice() else {
        return None;
    };
    let size: usize = size.parse().ok()?;
    let content = batch.get(line_end + 1..)?;
    Some((content.get(..size)?, content.get(size + 1..)?))
}
