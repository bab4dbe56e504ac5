//! The host program of harness, firmware and lwIP: which files GCC compiles, and with what arguments.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::build::c::libraries::{Library, locate};
use crate::build::c::{Image, definitions};
use crate::files;
use crate::metadata::Study;
use crate::test::plant::Plant;

/// The host's compiler.
pub const GCC: &str = "gcc";

/// For compiling and linking. Addresses fit the 32 bits that a descriptor has for them.
pub const SANITIZERS: [&str; 4] = [
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-pie",
    "-no-pie",
];

/// The firmware's files that any machine can run. Its driver of descriptors is compiled as part of the
/// harness's other side of it.
const FIRMWARE: [&str; 6] = [
    "src/bring-up/interface.c",
    "src/bring-up/network.c",
    "src/bring-up/port/system.c",
    "src/profiling/load.c",
    "src/profiling/telemetry.c",
    "src/server/echo.c",
];
const DRIVER: &str = "fuzz/dma.c";
const INCLUDED_DRIVER: &str = "src/bring-up/ethernet_dma.c";

/// What lwIP needs besides for its counts of memory in use.
const COUNTS: &str = "src/core/stats.c";

/// The harness's headers, which take the place of the firmware's.
const HEADERS: &str = "fuzz/host";

/// Instruments each basic block, for coverage.
const TRACED: &str = "-fsanitize-coverage=trace-pc";

const WARNINGS: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];

/// Where the linker script would have put sections, so that telemetry reports 16, 32 and 64 bytes.
const SECTIONS: [&str; 6] = [
    "-Wl,--defsym=_data_start=0x1000",
    "-Wl,--defsym=_data_end=0x1010",
    "-Wl,--defsym=_bss_start=0x2000",
    "-Wl,--defsym=_bss_end=0x2020",
    "-Wl,--defsym=_dma_used_start=0x3000",
    "-Wl,--defsym=_dma_used_end=0x3040",
];

/// A source file that becomes an object.
struct Unit {
    source: PathBuf,
    object: PathBuf,
    arguments: Vec<String>,
}

/// The program as it is built in a folder.
pub struct Program {
    folder: PathBuf,
    variant: PathBuf,
    units: Vec<Unit>,
}

impl Program {
    /// What the program is made of, from the variant's build that has telemetry.
    pub fn of(study: &Study, folder: &Path) -> anyhow::Result<Self> {
        let selected = study.select(Some("c-lwip-rmii"), Some("profiling"))?;
        let (variant, build) = *selected
            .first()
            .context("the C variant has no such build")?;
        let sources = variant.c.as_ref().context("the C variant has no sources")?;
        let image = Image {
            study,
            variant,
            build,
            sources,
            folder: variant.folder.clone(),
        };
        let libraries = locate(sources)?;
        let mut program = Self {
            folder: folder.to_path_buf(),
            variant: variant.folder.clone(),
            units: Vec::new(),
        };
        program.add_all(&image, &libraries)?;
        Ok(program)
    }

    fn add_all(&mut self, image: &Image, libraries: &[Library]) -> anyhow::Result<()> {
        let common = common_arguments(image, libraries);
        let traced = [&common[..], &[TRACED.to_string()]].concat();
        for library in libraries {
            let sources = library.sources.sources.iter().map(PathBuf::as_path);
            for source in sources.chain([Path::new(COUNTS)]) {
                self.add(library.folder.join(source), &traced, &["-w"]);
            }
        }
        for source in FIRMWARE {
            self.add(self.variant.join(source), &traced, &WARNINGS);
        }
        // It has addresses as the DMA does, in 32 bits.
        let driver = [&WARNINGS[..], &["-Wno-pointer-to-int-cast"]].concat();
        self.add(self.variant.join(DRIVER), &traced, &driver);
        for source in harness(&self.variant)? {
            self.add(source, &common, &WARNINGS);
        }
        Ok(())
    }

    /// The object's name tells its source apart from others of the same name.
    fn add(&mut self, source: PathBuf, common: &[String], more: &[&str]) {
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        let object = format!("{}-{name}.o", self.units.len());
        let more = more.iter().map(ToString::to_string);
        self.units.push(Unit {
            source,
            object: self.folder.join(object),
            arguments: common.iter().cloned().chain(more).collect(),
        });
    }

    /// Compiles everything.
    pub fn compile(&self) -> anyhow::Result<()> {
        self.units.iter().try_for_each(|unit| unit.compile())
    }

    /// Links the objects, and returns the program's path.
    pub fn link(&self) -> anyhow::Result<PathBuf> {
        let objects = self.units.iter().map(|unit| unit.object.clone());
        link(objects.collect(), self.folder.join("fuzz"))
    }

    /// The program with a bug in one file; the objects of the others must be there.
    pub fn with(&self, plant: &Plant) -> anyhow::Result<PathBuf> {
        let original = self.file(plant)?;
        let folder = self.folder.join("planted");
        let copy = folder.join(plant.file);
        let parent = copy.parent().unwrap_or(&folder);
        std::fs::create_dir_all(parent)
            .with_context(|| format!("cannot make {}", parent.display()))?;
        let text = plant.put_into(&files::read_text(&original)?)?;
        files::write(&copy, text.as_bytes())?;
        let mut objects = Vec::new();
        for unit in &self.units {
            let planted = unit.with_copy(&original, &copy, &folder);
            if let Some(planted) = &planted {
                planted.compile()?;
            }
            objects.push(planted.map_or(unit.object.clone(), |planted| planted.object));
        }
        link(objects, folder.join("fuzz"))
    }

    /// The file that a bug is for: the firmware's, or a library's.
    fn file(&self, plant: &Plant) -> anyhow::Result<PathBuf> {
        let own = self.variant.join(plant.file);
        let units = self.units.iter().map(|unit| unit.source.clone());
        let mut files = units.chain([own.clone()]);
        files
            .find(|file| file.ends_with(plant.file) && file.exists())
            .with_context(|| format!("{} is nowhere", plant.file))
    }
}

impl Unit {
    /// The unit that the `copy` of a file becomes part of, if the file is part of this one: its source, or
    /// the driver, which is included from the first folder that has it.
    fn with_copy(&self, original: &Path, copy: &Path, folder: &Path) -> Option<Self> {
        let includes = self.source.ends_with(DRIVER) && original.ends_with(INCLUDED_DRIVER);
        if self.source != original && !includes {
            return None;
        }
        let source = if includes { &self.source } else { copy };
        let first = format!("-I{}", folder.join("src").display());
        Some(Self {
            source: source.to_path_buf(),
            object: folder.join("planted.o"),
            arguments: [&[first], &self.arguments[..]].concat(),
        })
    }

    fn compile(&self) -> anyhow::Result<()> {
        let status = Command::new(GCC)
            .args(&self.arguments)
            .arg("-c")
            .arg(&self.source)
            .arg("-o")
            .arg(&self.object)
            .status()
            .with_context(|| format!("cannot run {GCC}"))?;
        let source = self.source.display();
        ensure!(
            status.success(),
            "{GCC} does not compile {source}, as said above"
        );
        Ok(())
    }
}

fn link(objects: Vec<PathBuf>, program: PathBuf) -> anyhow::Result<PathBuf> {
    let status = Command::new(GCC)
        .args(SANITIZERS)
        .args(SECTIONS)
        .args(objects)
        .arg("-o")
        .arg(&program)
        .status()
        .with_context(|| format!("cannot run {GCC}"))?;
    ensure!(
        status.success(),
        "{GCC} does not link the harness, as said above"
    );
    Ok(program)
}

/// The harness's headers come first, so that they take the place of the firmware's.
fn common_arguments(image: &Image, libraries: &[Library]) -> Vec<String> {
    let options = ["-std=gnu11", "-g", "-O1", "-fno-omit-frame-pointer"];
    let options = options.into_iter().chain(SANITIZERS).map(String::from);
    let own = [Path::new(HEADERS)].into_iter();
    let own = own.chain(image.sources.include.iter().map(PathBuf::as_path));
    let own = own.map(|place| format!("-I{}", image.folder.join(place).display()));
    let libraries = libraries.iter().flat_map(|library| {
        let folders = library.sources.include.iter();
        folders.map(|place| format!("-isystem{}", library.folder.join(place).display()))
    });
    let definitions = definitions(image);
    options
        .chain(own)
        .chain(libraries)
        .chain(definitions)
        .collect()
}

/// The harness's sources but for the one that includes the firmware's driver.
fn harness(variant: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let folder = variant.join("fuzz");
    let cannot_list = || format!("cannot list {}", folder.display());
    let mut found = Vec::new();
    for entry in folder.read_dir().with_context(cannot_list)? {
        let path = entry.with_context(cannot_list)?.path();
        let is_source = path.extension().is_some_and(|extension| extension == "c");
        if is_source && !path.ends_with(DRIVER) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
