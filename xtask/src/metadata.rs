//! The study as the firmware workspace describes it.
//!
//! Every name, clock and port comes from `[package.metadata.study]` of a firmware package or
//! `[workspace.metadata.study]`; xtask itself knows no variant.

mod published;
mod schema;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use bench::EmptyDatagrams;
use board::NetworkDevice;
use cargo_metadata::MetadataCommand;

use crate::paths;
use schema::{BuildSchema, Language, PackageSchema, SharedSchema, StudySchema, VariantSchema};

pub use published::PublishedState;
pub use schema::{CSources, LibrarySources, MacAddress, Region, RegionKind, Role, Scope};

/// The microcontroller the emulated board has, by its ordering name.
const EMULATED_PART: &str = "STM32H723ZG";

/// The feature of builds that answer telemetry.
pub const TELEMETRY_FEATURE: &str = "profiling";

/// The whole study: the part's memory, and what is built for it.
#[derive(Clone, Debug)]
pub struct Study {
    /// The Rust target triple of the firmware.
    pub target: String,
    /// UDP port of the echo server.
    pub echo_port: u16,
    /// UDP port of the telemetry server in profiling builds.
    pub telemetry_port: u16,
    /// The part's memory.
    pub regions: Vec<Region>,
    /// The variants in the order of the tables.
    pub variants: Vec<Variant>,
    /// The packages that variants share.
    pub shared: Vec<SharedPackage>,
    /// The variants in the states of the published study, which take no part in this one.
    pub published_states: Vec<PublishedState>,
}

/// One firmware that the study compares.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its name in commands, files and tables.
    pub id: String,
    /// Its name in prose.
    pub title: String,
    /// Its place in tables.
    pub order: u32,
    /// The cargo package.
    pub package: String,
    /// The folder of the package.
    pub folder: PathBuf,
    /// The Ethernet address the firmware uses.
    pub mac_address: MacAddress,
    /// What connects the firmware to the wire.
    pub network_device: NetworkDevice,
    /// What the firmware does with a datagram that has no payload.
    pub empty_datagrams: EmptyDatagrams,
    /// What GCC compiles, where it builds the variant in cargo's place.
    pub c: Option<CSources>,
    /// The ways it is built, by name.
    pub builds: Vec<Build>,
}

/// One way of building a variant.
#[derive(Clone, Debug)]
pub struct Build {
    /// Its name, such as `release`.
    pub name: String,
    /// The cargo profile, or GCC's option that sets the level of optimisation.
    pub profile: String,
    /// The cargo features of the variant's package, or what its C sources know as features.
    pub features: Vec<String>,
    /// The core clock the firmware sets, in hertz.
    pub core_hz: u32,
    /// The bus clock the firmware sets, in hertz.
    pub hclk_hz: u32,
    /// Whether the firmware turns the instruction cache on.
    pub icache: bool,
    /// Whether the firmware turns the data cache on.
    pub dcache: bool,
    /// How much of the study it takes part in.
    pub scope: Scope,
    /// What is special about it, in one sentence for the tables.
    pub note: Option<String>,
    /// The SCK frequency that the firmware sets for its SPI, in hertz.
    pub spi_hz: Option<u32>,
}

/// A first-party package that variants share.
#[derive(Clone, Debug)]
pub struct SharedPackage {
    /// The cargo package.
    pub package: String,
    /// The folder of the package.
    pub folder: PathBuf,
    /// What its lines count as.
    pub role: Role,
    /// Whether its unit tests run on the host.
    pub host_tests: bool,
}

impl Study {
    /// Reads the study from the checkout's firmware workspace.
    pub fn load() -> anyhow::Result<Self> {
        Self::load_from(&paths::firmware_manifest())
    }

    /// Reads the study from the workspace with this manifest.
    ///
    /// # Errors
    ///
    /// Names the package whose metadata is not understood.
    pub fn load_from(manifest: &Path) -> anyhow::Result<Self> {
        let metadata = MetadataCommand::new()
            .manifest_path(manifest)
            .no_deps()
            .exec()
            .with_context(|| format!("cannot read the workspace of {}", manifest.display()))?;
        let described = metadata
            .workspace_metadata
            .get("study")
            .with_context(|| format!("{} has no [workspace.metadata.study]", manifest.display()))?;
        let described = StudySchema::parse(described)
            .with_context(|| format!("[workspace.metadata.study] of {}", manifest.display()))?;
        ensure!(
            described.part == EMULATED_PART,
            "the firmware is for {}, but the emulated board has an {EMULATED_PART}",
            described.part
        );
        let mut variants = Vec::new();
        let mut shared = Vec::new();
        let mut published = Vec::new();
        for package in metadata.workspace_packages() {
            let Some(value) = package.metadata.get("study") else {
                continue;
            };
            let name = package.name.to_string();
            let folder = package.manifest_path.parent().map(PathBuf::from);
            let folder = folder.context("a package manifest without a folder")?;
            let parsed = PackageSchema::parse(value)
                .with_context(|| format!("[package.metadata.study] of package {name}"))?;
            match parsed {
                PackageSchema::Variant(schema) => {
                    variants.push(variant(schema, name, folder)?);
                }
                PackageSchema::Shared(SharedSchema { role, host_tests }) => {
                    shared.push(SharedPackage {
                        package: name,
                        folder,
                        role,
                        host_tests,
                    });
                }
                PackageSchema::PublishedStates(schema) => published.push((schema, name, folder)),
            }
        }
        variants.sort_by(|a: &Variant, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
        let ids: BTreeSet<&str> = variants.iter().map(|variant| variant.id.as_str()).collect();
        ensure!(
            ids.len() == variants.len(),
            "two variant packages have the same id"
        );
        let addresses: BTreeSet<_> = variants.iter().map(|v: &Variant| v.mac_address).collect();
        ensure!(
            addresses.len() == variants.len(),
            "two variant packages have the same MAC address"
        );
        let published_states = published
            .into_iter()
            .map(|(schema, package, folder)| {
                published::states(schema, &package, &folder, &variants)
            })
            .collect::<anyhow::Result<Vec<_>>>()?
            .concat();
        Ok(Self {
            target: described.target,
            echo_port: described.echo_port,
            telemetry_port: described.telemetry_port,
            regions: described.regions,
            variants,
            shared,
            published_states,
        })
    }

    /// The variant of that id.
    ///
    /// # Errors
    ///
    /// Lists the known ones when there is none.
    pub fn variant(&self, id: &str) -> anyhow::Result<&Variant> {
        variant_of(&self.variants, id)
    }

    /// The published state of that name of a variant.
    ///
    /// # Errors
    ///
    /// Lists the known ones when there is none.
    pub fn published_state(&self, variant: &str, name: &str) -> anyhow::Result<&PublishedState> {
        self.variant(variant)?;
        let of_variant = self.published_states.iter();
        let of_variant: Vec<_> = of_variant.filter(|s| s.variant.id == variant).collect();
        let found = of_variant.iter().find(|state| state.build.name == name);
        found.copied().with_context(|| {
            let known = names(of_variant.iter().map(|state| &state.build.name));
            format!("{variant} has no published state {name:?}; its states are: {known}")
        })
    }

    /// The builds that match the given variant and build names, all of them when none is given.
    ///
    /// # Errors
    ///
    /// Lists the known names when one is unknown.
    pub fn select(
        &self,
        variant: Option<&str>,
        build: Option<&str>,
    ) -> anyhow::Result<Vec<(&Variant, &Build)>> {
        let variants = match variant {
            Some(id) => vec![self.variant(id)?],
            None => self.variants.iter().collect(),
        };
        let pairs = variants
            .into_iter()
            .flat_map(|variant| variant.builds.iter().map(move |build| (variant, build)));
        let pairs: Vec<_> = pairs.collect();
        let Some(name) = build else {
            return Ok(pairs);
        };
        let known: BTreeSet<&String> = pairs.iter().map(|(_, build)| &build.name).collect();
        if !known.iter().any(|known| *known == name) {
            bail!(
                "there is no build {name:?}; the builds are: {}",
                names(known.into_iter())
            );
        }
        let named = pairs.into_iter().filter(|(_, build)| build.name == name);
        Ok(named.collect())
    }
}

impl Build {
    /// Whether the firmware has a telemetry server.
    pub fn has_telemetry(&self) -> bool {
        self.features.iter().any(|name| name == TELEMETRY_FEATURE)
    }
}

fn variant(schema: VariantSchema, package: String, folder: PathBuf) -> anyhow::Result<Variant> {
    ensure!(
        !schema.builds.is_empty(),
        "package {package} is a variant without builds"
    );
    let network_device = schema.network_device.parse();
    let network_device = network_device.with_context(|| format!("package {package}"))?;
    let language = schema.language;
    ensure!(
        schema.c.is_some() == (language == Language::C),
        "package {package}: language = \"c\" and [package.metadata.study.c] go together"
    );
    let builds = schema.builds.into_iter();
    let builds = builds.map(|(name, schema)| {
        build(language, &name, schema).with_context(|| format!("build {name} of package {package}"))
    });
    let builds = builds.collect::<anyhow::Result<_>>()?;
    Ok(Variant {
        id: schema.id,
        title: schema.title,
        order: schema.order,
        package,
        folder,
        mac_address: schema.mac_address,
        network_device,
        empty_datagrams: schema.empty_datagrams,
        c: schema.c,
        builds,
    })
}

fn build(language: Language, name: &str, schema: BuildSchema) -> anyhow::Result<Build> {
    let profile = match (language, schema.profile, schema.optimization) {
        (Language::Rust, Some(profile), None) => profile,
        (Language::C, None, Some(option)) => {
            ensure!(
                option.starts_with("-O"),
                "{option:?} is no optimization; write it like -O2"
            );
            option
        }
        (Language::Rust, ..) => bail!("a build in Rust has a profile and no optimization"),
        (Language::C, ..) => bail!("a build in C has an optimization and no profile"),
    };
    Ok(Build {
        name: name.to_string(),
        profile,
        features: schema.features,
        core_hz: schema.core_hz,
        hclk_hz: schema.hclk_hz,
        icache: schema.icache,
        dcache: schema.dcache,
        scope: schema.scope,
        note: schema.note,
        spi_hz: schema.spi_hz,
    })
}

fn variant_of<'a>(variants: &'a [Variant], id: &str) -> anyhow::Result<&'a Variant> {
    let found = variants.iter().find(|variant| variant.id == id);
    found.with_context(|| {
        let known = names(variants.iter().map(|variant| &variant.id));
        format!("there is no variant {id:?}; the variants are: {known}")
    })
}

fn names<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
