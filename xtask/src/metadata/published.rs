//! The variants as they were when the published study took its figures.

use std::path::Path;

use anyhow::{Context, ensure};

use super::schema::{PublishedStateSchema, PublishedStatesSchema, Scope};
use super::{Build, Variant, variant_of};

/// A variant as it was at some commit of the published study.
///
/// It is built and run like a build of the variant, and is none: the study does not measure it, and
/// its lines are not counted.
#[derive(Clone, Debug)]
pub struct PublishedState {
    /// The variant it stands for, with the package that the state is built from and no builds.
    pub variant: Variant,
    /// How it is built; the name is that of the state.
    pub build: Build,
    /// The commit of the published study, and which of its figures were taken there.
    pub published: String,
    /// How often the firmware looks for a datagram, in microseconds; `None` when an interrupt tells it.
    pub poll_us: Option<u32>,
    /// What the UDP socket stores in each direction, in bytes of payload; `None` in hardware sockets.
    pub udp_storage_bytes: Option<u32>,
}

/// The states that the package in `folder` declares.
pub fn states(
    schema: PublishedStatesSchema,
    package: &str,
    folder: &Path,
    variants: &[Variant],
) -> anyhow::Result<Vec<PublishedState>> {
    let mut states = Vec::new();
    for (id, of_variant) in schema.states {
        let original = variant_of(variants, &id).with_context(|| format!("package {package}"))?;
        for (name, schema) in of_variant {
            ensure!(
                original.builds.iter().all(|build| build.name != name),
                "package {package}: {id} has a build {name}, so that no state of it can be called that"
            );
            let variant = Variant {
                package: package.to_owned(),
                folder: folder.to_owned(),
                c: None,
                builds: Vec::new(),
                ..original.clone()
            };
            states.push(state(variant, name, schema));
        }
    }
    Ok(states)
}

fn state(variant: Variant, name: String, schema: PublishedStateSchema) -> PublishedState {
    PublishedState {
        variant,
        build: Build {
            name,
            profile: schema.profile,
            features: schema.features,
            core_hz: schema.core_hz,
            hclk_hz: schema.hclk_hz,
            icache: schema.icache,
            dcache: schema.dcache,
            scope: Scope::Comparison,
            note: schema.note,
            spi_hz: schema.spi_hz,
        },
        published: schema.published,
        poll_us: schema.poll_us,
        udp_storage_bytes: schema.udp_storage_bytes,
    }
}
