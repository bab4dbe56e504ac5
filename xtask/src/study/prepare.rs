//! What a study needs before its first trial: images, their sizes, and their source lines.

use anyhow::Context;
use board::BoardConfig;

use super::campaign::Image;
use super::plan::Plan;
use super::sources;
use crate::adapter::parameters::parameters;
use crate::build::{BuiltFirmware, build};
use crate::metadata::{Build, Region, Study, Variant};
use crate::ncloc::{self, LineCounts};
use crate::results::{
    BoardModel, BuildSubject, FileLines, ImageInputs, Inputs, LinesFile, Provenance, ResultSet,
    SchemaVersion, SectionBytes, SizeFile, Subject, VariantSubject, write_json,
};
use crate::setup::{self, InstallArgs};
use crate::trial::Ports;
use crate::{files, paths, size};

/// Builds what is selected and writes sizes and source lines into `set`.
///
/// # Errors
/// No toolchain, or a build that fails.
pub fn images(
    set: &ResultSet,
    study: &Study,
    selected: &[(&Variant, &Build)],
    install: InstallArgs,
) -> anyhow::Result<Vec<Image>> {
    let toolchain = setup::toolchain(study, selected, install)?;
    let board = board_model(&BoardConfig::default());
    let harness_sha256 = sources::harness_sha256(paths::root())?;
    let mut images = Vec::new();
    for &(variant, of) in selected {
        let firmware = build(study, &toolchain, variant, of)?;
        let subject = Subject {
            variant: variant_subject(variant),
            build: build_subject(of),
            inputs: Inputs {
                image: image_inputs(&firmware),
                board: board.clone(),
                harness_sha256: harness_sha256.clone(),
            },
        };
        let elf = files::read(&firmware.elf)?;
        write_size(set, &subject, &elf, &study.regions)?;
        write_lines(set, &subject, &ncloc::count_lines(study, &firmware)?)?;
        images.push(Image {
            plan: Plan::of(set.name, &subject.variant, &subject.build).into(),
            subject,
            elf,
            ports: Ports::of(study, of),
        });
    }
    Ok(images)
}

/// The board of this program with this configuration, as results describe it.
pub fn board_model(config: &BoardConfig) -> BoardModel {
    BoardModel {
        version: board::MODEL_VERSION.to_owned(),
        fingerprint: board::MODEL_FINGERPRINT.to_owned(),
        cost_table: config.cost.version.to_owned(),
        parameters: parameters(config),
    }
}

/// The variant as results describe it.
pub fn variant_subject(variant: &Variant) -> VariantSubject {
    VariantSubject {
        id: variant.id.clone(),
        title: variant.title.clone(),
        order: variant.order.into(),
        network_device: variant.network_device,
        empty_datagrams: variant.empty_datagrams,
    }
}

/// The build as results describe it.
pub fn build_subject(build: &Build) -> BuildSubject {
    BuildSubject {
        name: build.name.clone(),
        profile: build.profile.clone(),
        features: build.features.clone(),
        core_hz: build.core_hz.into(),
        hclk_hz: build.hclk_hz.into(),
        icache: build.icache,
        dcache: build.dcache,
        scope: build.scope,
        note: build.note.clone(),
        spi_hz: build.spi_hz.map(u64::from),
    }
}

/// What the image came from, as results say it.
pub fn image_inputs(firmware: &BuiltFirmware) -> ImageInputs {
    ImageInputs {
        elf_sha256: firmware.elf_sha256.clone(),
        toolchain: firmware.toolchain.clone(),
        lock_sha256: firmware.lock_sha256.clone(),
    }
}

fn write_size(
    set: &ResultSet,
    subject: &Subject,
    elf: &[u8],
    regions: &[Region],
) -> anyhow::Result<()> {
    let size::Sizes {
        vector_table,
        text,
        rodata,
        data,
        bss,
        uninit,
        reserved,
    } = size::measure(elf, regions).with_context(|| format!("cannot size {subject}"))?;
    let file = SizeFile {
        schema: SchemaVersion,
        provenance: Provenance::Emulated,
        set: set.name,
        variant: subject.variant.clone(),
        build: subject.build.clone(),
        image: subject.inputs.image.clone(),
        sections: SectionBytes {
            vector_table_bytes: vector_table,
            text_bytes: text,
            rodata_bytes: rodata,
            data_bytes: data,
            bss_bytes: bss,
            uninit_bytes: uninit,
            reserved_bytes: reserved,
        },
    };
    write_json(&set.size(&subject.variant.id, &subject.build.name), &file)
}

fn write_lines(set: &ResultSet, subject: &Subject, counts: &LineCounts) -> anyhow::Result<()> {
    let files = counts.files.iter().map(|file| FileLines {
        path: file.path.to_string_lossy().replace('\\', "/"),
        role: file.role.to_string(),
        code_lines: file.count.code,
        tokei_code_lines: file.count.tokei.code.try_into().unwrap_or(0),
        test_lines: file.count.test_lines,
    });
    let file = LinesFile {
        schema: SchemaVersion,
        provenance: Provenance::Emulated,
        set: set.name,
        variant: subject.variant.clone(),
        build: subject.build.clone(),
        image: subject.inputs.image.clone(),
        files: files.collect(),
    };
    write_json(&set.lines(&subject.variant.id, &subject.build.name), &file)
}
