//! The chip as probe-rs knows it, against the study's table of regions; and images against both.

use probe_rs::config::{MemoryRegion, Registry};

use crate::hardware::debug_probe::{TARGET, flash_map};
use crate::hardware::fixture::{CONTROL_BLOCK, Firmware};
use crate::hardware::image::{FlashImage, flash_of};
use crate::metadata::{RegionKind, Study};

#[test]
fn probe_rs_knows_the_chip_and_its_flash_is_that_of_the_table() {
    let study = Study::load().unwrap();
    assert_eq!(flash_map().unwrap(), flash_of(&study.regions));
    let [flash] = flash_of(&study.regions).try_into().unwrap();
    assert_eq!(flash, 0x0800_0000..0x0810_0000);
}

#[test]
fn every_ram_of_the_probe_is_in_the_table() {
    let study = Study::load().unwrap();
    let target = Registry::from_builtin_families();
    let target = target.get_target_by_name(TARGET).unwrap();
    assert_eq!(target.name, TARGET);
    let ram = target.memory_map.iter();
    let ram: Vec<_> = ram.filter_map(MemoryRegion::as_ram_region).collect();
    assert_eq!(ram.len(), 6);
    for of_probe in ram {
        let is_it = |of_table: &&crate::metadata::Region| {
            let start = u64::from(of_table.origin);
            of_probe.range == (start..start + u64::from(of_table.length))
        };
        let of_table = study.regions.iter().find(is_it);
        let kind = of_table.map(|of_table| of_table.kind);
        assert_eq!(kind, Some(RegionKind::Ram), "{:x?}", of_probe.range);
    }
}

/// What is wrong with a firmware, by the study's table and the probe's map.
fn refusal(firmware: &Firmware) -> String {
    let image = FlashImage::read(&firmware.elf());
    let regions = Study::load().unwrap().regions;
    let checked = image.and_then(|image| image.check(&regions, &flash_map().unwrap()));
    format!("{:#}", checked.unwrap_err())
}

#[test]
fn an_image_is_its_loaded_segments_and_knows_its_log() {
    let firmware = Firmware::logging(&["link up"]).loaded_to(0x080F_FFFE, &[2, 3]);
    let image = FlashImage::read(&firmware.elf()).unwrap();
    let segments = image.segments.iter();
    let segments: Vec<_> = segments.map(|one| (one.address, one.bytes.len())).collect();
    assert_eq!(segments, [(0x0800_0000, 8), (0x080F_FFFE, 2)]);
    assert_eq!(image.control_block, Some(CONTROL_BLOCK));
    let regions = Study::load().unwrap().regions;
    image.check(&regions, &flash_map().unwrap()).unwrap();
    let silent = FlashImage::read(&Firmware::silent().elf()).unwrap();
    assert_eq!(silent.control_block, None);
}

#[test]
fn an_image_outside_flash_is_refused() {
    let beyond = Firmware::silent().loaded_to(0x080F_FFFE, &[0; 3]);
    assert_eq!(
        refusal(&beyond),
        "0x080ffffe to 0x08100001 is not in flash by the study's memory map"
    );
    let ram = Firmware::silent().loaded_to(0x2000_0000, &[0]);
    assert!(refusal(&ram).starts_with("0x20000000 to 0x20000001 is not in flash"));
    let unbootable = Firmware::silent()
        .without_vectors()
        .loaded_to(0x0802_0000, &[0; 8]);
    assert!(refusal(&unbootable).starts_with("there is no vector table"));
    let overlap = Firmware::silent().loaded_to(0x0800_0007, &[0; 2]);
    assert_eq!(refusal(&overlap), "two segments are loaded to 0x08000007");
    let nothing = Firmware::silent().without_vectors();
    assert_eq!(refusal(&nothing), "nothing in it is to be loaded");
}

#[test]
fn the_maps_have_to_agree() {
    let image = FlashImage::read(&Firmware::silent().elf()).unwrap();
    let regions = Study::load().unwrap().regions;
    let small = 0x0800_0000..0x0800_0004;
    let error = image
        .check(&regions, std::slice::from_ref(&small))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "0x08000000 to 0x08000008 is not in flash by the probe's memory map"
    );
}
