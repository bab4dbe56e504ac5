//! What a study on hardware needs before anything is erased: images that fit, and who measures them.

use anyhow::{Context, ensure};

use super::debug_probe::{TARGET, flash_map};
use super::failure::{Failure, FailureKind};
use super::image::{FlashImage, flash_of};
use super::probe::ProbeInfo;
use super::record::Image;
use super::{HardwareStudy, host};
use crate::build::build;
use crate::metadata::Study;
use crate::results::hardware::{HardwareInputs, ProbeUsed, TestBench};
use crate::setup;
use crate::study::plan::Plan;
use crate::study::prepare::{build_subject, image_inputs, variant_subject};
use crate::study::sources;
use crate::trial::Ports;
use crate::{files, paths};

/// Builds what is selected and checks each image against the chip's flash.
///
/// # Errors
/// No toolchain, a build that fails, or an image that does not fit.
pub fn images(study: &HardwareStudy, probe: &ProbeInfo) -> anyhow::Result<Vec<Image>> {
    let HardwareStudy {
        set,
        study,
        selected,
        install,
        ..
    } = study;
    let toolchain = setup::toolchain(study, selected, *install)?;
    let bench = TestBench {
        chip: TARGET.to_owned(),
        probe: probe_used(probe),
        host: host::host(),
    };
    let harness_sha256 = sources::hardware_harness_sha256(paths::root())?;
    let probe_map = flash_map()?;
    let mut images = Vec::new();
    for &(variant, of) in *selected {
        let firmware = build(study, &toolchain, variant, of)?;
        let elf = files::read(&firmware.elf)?;
        let flash = FlashImage::read(&elf).and_then(|flash| {
            flash.check(&study.regions, &probe_map)?;
            Ok(flash)
        });
        let flash = flash.map_err(|error| {
            let path = firmware.elf.display();
            let message = format!("image does not fit: {path}: {error:#}; nothing was erased");
            Failure::new(FailureKind::ImageDoesNotFit, message)
        })?;
        let (variant, of_build) = (variant_subject(variant), build_subject(of));
        images.push(Image {
            plan: Plan::of(set.name, &variant, &of_build),
            variant,
            build: of_build,
            inputs: HardwareInputs {
                image: image_inputs(&firmware),
                bench: bench.clone(),
                harness_sha256: harness_sha256.clone(),
            },
            elf,
            flash,
            ports: Ports::of(study, of),
        });
    }
    Ok(images)
}

/// The flash that the chip has, in KiB, by the study's table of regions.
///
/// # Errors
/// A table that no chip with a flash size register of 16 bits has.
pub fn flash_kib(study: &Study) -> anyhow::Result<u16> {
    let flash = flash_of(&study.regions);
    let bytes: u64 = flash.iter().map(|range| range.end - range.start).sum();
    ensure!(bytes.is_multiple_of(1024), "flash of {bytes} bytes");
    u16::try_from(bytes / 1024).with_context(|| format!("flash of {bytes} bytes"))
}

fn probe_used(probe: &ProbeInfo) -> ProbeUsed {
    ProbeUsed {
        name: probe.name.clone(),
        usb: format!("{:04x}:{:04x}", probe.vendor_id, probe.product_id),
        serial: probe.serial.clone(),
    }
}
