//! Which files GCC compiles and with what arguments. Nothing is looked at or run here.

use std::path::{Path, PathBuf};

use super::Image;
use super::libraries::Library;
use crate::hash::sha256_hex;
use crate::metadata::{Build, MacAddress};
use crate::toolchain::CToolchain;

/// The STM32H723's Cortex-M7 with its double-precision FPU, and the calling convention of the study's
/// Rust target.
const MACHINE: [&str; 4] = [
    "-mcpu=cortex-m7",
    "-mthumb",
    "-mfpu=fpv5-d16",
    "-mfloat-abi=hard",
];

/// Every function and object in a section of its own, so that the linker can leave it out.
const COMMON: [&str; 4] = ["-std=gnu11", "-g", "-ffunction-sections", "-fdata-sections"];

/// For first-party sources; those of libraries are as they are.
const WARNINGS: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];

/// Folders that a plan's paths start with.
pub struct Places {
    /// The checkout.
    pub checkout: PathBuf,
    /// Where objects and executables go.
    pub objects: PathBuf,
}

/// A source file to be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The source file.
    pub source: PathBuf,
    /// The object it becomes. Its path depends on compiler and arguments, so that an object which is
    /// newer than what it was made from is what compiling it again would give.
    pub object: PathBuf,
    /// GCC's arguments but for the names of the files.
    pub arguments: Vec<String>,
}

/// How an image is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What is compiled.
    pub units: Vec<Unit>,
    /// GCC's arguments for the link.
    pub link: Vec<String>,
    /// The ELF file.
    pub executable: PathBuf,
    /// The files the linker read, in make's format; the linker writes it.
    pub linker_dependencies: PathBuf,
}

impl Plan {
    /// The plan of one image, of its `own` sources and those of libraries.
    pub fn new(
        places: &Places,
        gcc: &CToolchain,
        image: &Image,
        own: &[PathBuf],
        libraries: &[Library],
    ) -> Self {
        let mut common = common_arguments(places, image.build, libraries);
        common.extend(header_folders(image, libraries));

        let mut units = Vec::new();
        for library in libraries {
            let arguments = [&common[..], &["-w".to_string()]].concat();
            let sources = library.sources.sources.iter();
            let sources = sources.map(|source| library.folder.join(source));
            let folder = object_folder(places, gcc, &arguments).join(&library.name);
            units.extend(sources.map(|source| unit(&source, &library.folder, &folder, &arguments)));
        }
        let arguments = [
            &common[..],
            &WARNINGS.map(String::from),
            &definitions(image),
        ]
        .concat();
        let folder = object_folder(places, gcc, &arguments).join(&image.variant.package);
        let own = own.iter();
        units.extend(own.map(|source| unit(source, &image.folder, &folder, &arguments)));

        let name = format!("{}-{}.elf", image.variant.id, image.build.name);
        let executable = places.objects.join("linked").join(name);
        let linker_dependencies = executable.with_extension("d");
        Self {
            link: link_arguments(image, &units, &executable, &linker_dependencies),
            units,
            executable,
            linker_dependencies,
        }
    }
}

fn unit(source: &Path, package: &Path, objects: &Path, arguments: &[String]) -> Unit {
    let name = source.strip_prefix(package).unwrap_or(source);
    Unit {
        source: source.to_path_buf(),
        object: objects.join(name).with_extension("o"),
        arguments: arguments.to_vec(),
    }
}

fn common_arguments(places: &Places, build: &Build, libraries: &[Library]) -> Vec<String> {
    let map = |from: &Path, to: &str| format!("-ffile-prefix-map={}={to}", from.display());
    // The later of two matching prefixes wins, so the outermost folder comes first.
    let checkout = map(&places.checkout, "/study");
    let libraries = libraries.iter();
    let libraries = libraries.map(|library| map(&library.folder, &format!("/{}", library.name)));
    let words = MACHINE.into_iter().chain(COMMON).map(String::from);
    let words = words.chain([build.profile.clone(), checkout]);
    words.chain(libraries).collect()
}

/// Headers of libraries count as the system's, which warnings leave out.
fn header_folders(image: &Image, libraries: &[Library]) -> Vec<String> {
    let own = image.sources.include.iter();
    let own = own.map(|place| format!("-I{}", image.folder.join(place).display()));
    let libraries = libraries.iter().flat_map(|library| {
        let folders = library.sources.include.iter();
        folders.map(|place| format!("-isystem{}", library.folder.join(place).display()))
    });
    own.chain(libraries).collect()
}

/// What the metadata says of a build, for the preprocessor.
pub fn definitions(image: &Image) -> Vec<String> {
    let Image {
        study,
        variant,
        build,
        ..
    } = image;
    let MacAddress(address) = variant.mac_address;
    let address = address.map(|byte| format!("{byte:#04x}")).join(",");
    let features = build.features.iter();
    let features =
        features.map(|name| format!("FEATURE_{}", name.to_uppercase().replace('-', "_")));
    [
        format!("CORE_HZ={}", build.core_hz),
        format!("HCLK_HZ={}", build.hclk_hz),
        format!("ICACHE={}", u8::from(build.icache)),
        format!("DCACHE={}", u8::from(build.dcache)),
        format!("MAC_ADDRESS={address}"),
        format!("ECHO_PORT={}", study.echo_port),
        format!("TELEMETRY_PORT={}", study.telemetry_port),
    ]
    .into_iter()
    .chain(features)
    .map(|definition| format!("-DSTUDY_{definition}"))
    .collect()
}

fn object_folder(places: &Places, gcc: &CToolchain, arguments: &[String]) -> PathBuf {
    let inputs = format!("{}\n{}", gcc.description, arguments.join("\n"));
    let hash = sha256_hex(inputs.as_bytes());
    places.objects.join(&hash[..16])
}

fn link_arguments(
    image: &Image,
    units: &[Unit],
    executable: &Path,
    dependencies: &Path,
) -> Vec<String> {
    let script = image.folder.join(&image.sources.linker_script);
    let options = ["-nostartfiles", "-Wl,--gc-sections", "-Wl,--fatal-warnings"];
    let words = MACHINE.into_iter().chain(options).map(String::from);
    let places = [
        "-T".to_string(),
        script.display().to_string(),
        format!("-Wl,--dependency-file={}", dependencies.display()),
    ];
    let objects = units.iter().map(|unit| unit.object.display().to_string());
    let output = ["-o".to_string(), executable.display().to_string()];
    words.chain(places).chain(objects).chain(output).collect()
}
