//! `cargo xtask ncloc`: lines of code of each variant, by role.
//!
//! The files counted are the first-party ones that the compiler read for the image, as its own
//! dependency files list them; a file's role is that of its package or, in C, that which its folder is
//! named after.

mod c;
mod count;
mod counter;
mod cross_check;
mod exclude;
mod image;
mod language;
mod line;
mod listing;
mod published;
mod report;
mod role;
mod rust;
mod uncountable;
mod union;
mod unit_tests;

use std::path::PathBuf;

use anyhow::Context;
use serde::Serialize;

use crate::build::{self, BuiltFirmware, SelectionArgs, Sources};
use crate::cli::Outcome;
use crate::metadata::Study;
use crate::setup::InstallArgs;
use crate::{output, paths};

pub use count::count;
use counter::Counter;
pub use image::LineCounts;
pub use language::Language;
use role::Roles;
use uncountable::Uncountable;
use union::UnionFile;

/// Print the lines of code of each variant by role.
///
/// A line of code has a token on it, or is inside a string; documentation is comment. Counted are the
/// first-party files that the compiler read for the image, without unit tests and build scripts. A file
/// that variants share counts in each of them once. Beside the count stand what the published study's
/// rule and tokei make of the same files.
#[derive(clap::Args)]
pub struct NclocArgs {
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    install: InstallArgs,
    /// List every file once, with its lines by kind and the variants it counts in.
    #[arg(long)]
    files: bool,
    /// Print JSON, with everything the tables show, instead of tables.
    #[arg(long, conflicts_with = "files")]
    json: bool,
    /// Print the lines of a source file, each with its class, and build nothing.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "build", "files", "json"])]
    lines: Option<PathBuf>,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    /// The lines of each image.
    images: Vec<LineCounts>,
    /// Every file of them once.
    files: Vec<UnionFile>,
}

impl NclocArgs {
    /// Counts the lines of what is selected, which is built first where it is not up to date.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let text = match &self.lines {
            Some(path) => listing::of_file(path)?,
            None => self.report()?,
        };
        output::print(&text)?;
        Ok(Outcome::Done)
    }

    fn report(self) -> anyhow::Result<String> {
        let study = Study::load()?;
        let (variant, build) = (&self.selection.variant, &self.selection.build);
        let selected = study.select(variant.as_deref(), build.as_deref())?;
        let built = build::sources_of_selected(&study, selected, self.install)?;
        let mut counter = Counter::default();
        let images = built.iter().map(|image| {
            let (variant, build) = (&image.variant.id, &image.build.name);
            count_image(&mut counter, &study, variant, build, &image.sources)
        });
        let images = images.collect::<anyhow::Result<Vec<_>>>()?;
        Ok(if self.json {
            let files = union::of(&images);
            serde_json::to_string_pretty(&Report { images, files })? + "\n"
        } else if self.files {
            report::files(&images)
        } else {
            report::summary(&images)
        })
    }
}

/// Counts the first-party lines that were compiled into the image.
///
/// # Errors
///
/// When a first-party file that reached the image has no role or two, or cannot be counted.
pub fn count_lines(study: &Study, firmware: &BuiltFirmware) -> anyhow::Result<LineCounts> {
    let BuiltFirmware {
        variant,
        build,
        sources,
        ..
    } = firmware;
    count_image(&mut Counter::default(), study, variant, build, sources)
}

fn count_image(
    counter: &mut Counter,
    study: &Study,
    variant: &str,
    build: &str,
    sources: &Sources,
) -> anyhow::Result<LineCounts> {
    let workspace = paths::firmware_manifest();
    let workspace = workspace.parent().context("the firmware has no folder")?;
    let image = image::Image {
        variant,
        build,
        workspace,
        roles: &Roles::of_variant(study, study.variant(variant)?),
        sources,
    };
    image::count(counter, &image).with_context(|| format!("cannot count {variant} {build}"))
}

#[cfg(test)]
mod tests;
