//! A data cache with contents: what core and DMA see of a line that the other wrote.

use super::{CODE, Machine, RAM};
use crate::bus::Width;
use crate::data_cache::{CacheHazards, CacheModel};

const CCR: u32 = 0xE000_ED14;
const DCIMVAC: u32 = 0xE000_EF5C;
const DCISW: u32 = 0xE000_EF60;
const DCCMVAC: u32 = 0xE000_EF68;
const DCCIMVAC: u32 = 0xE000_EF70;
const DCCISW: u32 = 0xE000_EF74;

const OLD: u32 = 0x1111_1111;
const NEW: u32 = 0x2222_2222;

/// `ldr r1, [r0]; bkpt #1`
const LOAD: [u16; 2] = [0x6801, 0xBE01];
/// `str r1, [r0]; bkpt #1`
const STORE: [u16; 2] = [0x6001, 0xBE01];
/// `str r1, [r2]; ldr r1, [r0]; bkpt #1`
const MAINTAIN_AND_LOAD: [u16; 3] = [0x6011, 0x6801, 0xBE01];

/// A core whose data cache is on and `model`, with OLD in RAM.
fn machine(model: CacheModel) -> Machine {
    let mut machine = Machine::new(&LOAD);
    machine.bus.memory.set_cache_model(model);
    machine.bus.memory.store_u32(RAM, OLD);
    let core = &mut machine.cpu.core;
    core.ppb_store(CCR, Width::Word, 0x200 | 1 << 16, 0, 0)
        .expect("modelled");
    machine
}

/// Runs `code` with r0 = RAM and the others given; r1 after it.
fn run(machine: &mut Machine, code: &[u16], registers: &[(usize, u32)]) -> u32 {
    machine.bus.memory.program(CODE, &super::bytes_of(code));
    machine.set(&[(0, RAM), (15, CODE)]);
    machine.set(registers);
    machine.cpu.core.stop = None;
    assert_eq!(machine.run_to_breakpoint(), 1);
    machine.r(1)
}

fn load(machine: &mut Machine) -> u32 {
    run(machine, &LOAD, &[])
}

fn store(machine: &mut Machine, value: u32) {
    run(machine, &STORE, &[(1, value)]);
}

/// Stores `value` to a register of cache maintenance, then loads.
fn load_after(machine: &mut Machine, register: u32, value: u32) -> u32 {
    run(machine, &MAINTAIN_AND_LOAD, &[(1, value), (2, register)])
}

fn dma_read(machine: &mut Machine) -> u32 {
    let bytes = machine.bus.memory.dma_read(RAM, 4).expect("memory");
    u32::from_le_bytes(bytes.try_into().expect("a word"))
}

fn dma_write(machine: &mut Machine, value: u32) {
    let written = machine.bus.memory.dma_write(RAM, &value.to_le_bytes());
    written.expect("memory");
}

fn hazards(machine: &Machine) -> CacheHazards {
    machine.bus.memory.cache_hazards()
}

#[test]
fn a_line_that_dma_wrote_is_old_until_it_is_invalidated() {
    for (model, seen) in [
        (CacheModel::Coherent, NEW),
        (CacheModel::Checked, NEW),
        (CacheModel::Stale, OLD),
    ] {
        let mut machine = machine(model);
        assert_eq!(load(&mut machine), OLD);
        dma_write(&mut machine, NEW);
        assert_eq!(load(&mut machine), seen, "{model:?}");
        assert_eq!(load(&mut machine), seen, "{model:?}");
        let used = u64::from(model != CacheModel::Coherent);
        assert_eq!(hazards(&machine).stale_lines_used, used, "once a line");
        assert_eq!(
            hazards(&machine).first_stale_line,
            (used > 0).then_some(RAM)
        );
        assert_eq!(load_after(&mut machine, DCIMVAC, RAM + 28), NEW);
        assert_eq!(hazards(&machine).stale_lines_used, used);
    }
}

#[test]
fn an_invalidation_in_time_leaves_no_hazard() {
    for register in [DCIMVAC, DCCIMVAC] {
        let mut machine = machine(CacheModel::Stale);
        load(&mut machine);
        dma_write(&mut machine, NEW);
        assert_eq!(load_after(&mut machine, register, RAM), NEW);
        assert_eq!(hazards(&machine), CacheHazards::default());
    }
}

#[test]
fn sets_are_maintained_whole() {
    for (register, value, seen) in [
        (DCISW, 0, NEW),
        (DCCISW, 3 << 30, NEW),
        (DCISW, 1 << 5, OLD),
    ] {
        let mut machine = machine(CacheModel::Stale);
        load(&mut machine);
        dma_write(&mut machine, NEW);
        assert_eq!(load_after(&mut machine, register, value), seen);
    }
}

#[test]
fn dma_reads_what_was_there_until_the_line_is_cleaned() {
    for (model, read) in [(CacheModel::Checked, NEW), (CacheModel::Stale, OLD)] {
        let mut machine = machine(model);
        store(&mut machine, NEW);
        assert_eq!(dma_read(&mut machine), read);
        assert_eq!(hazards(&machine).dirty_lines_read, 1);
        assert_eq!(hazards(&machine).first_dirty_line, Some(RAM));
        assert_eq!(load_after(&mut machine, DCCMVAC, RAM), NEW);
        assert_eq!(dma_read(&mut machine), NEW);
        assert_eq!(hazards(&machine).dirty_lines_read, 1);
    }
}

#[test]
fn of_a_line_that_both_wrote_maintenance_decides() {
    for (register, seen) in [(DCIMVAC, NEW), (DCCIMVAC, OLD + 1), (DCCMVAC, OLD + 1)] {
        let mut machine = machine(CacheModel::Stale);
        store(&mut machine, OLD + 1);
        dma_write(&mut machine, NEW);
        assert_eq!(hazards(&machine).dirty_lines_overwritten, 1);
        assert_eq!(load_after(&mut machine, register, RAM), seen);
        assert_eq!(dma_read(&mut machine), seen);
        assert_eq!(hazards(&machine).stale_lines_used, 0);
    }
}

#[test]
fn what_the_cache_does_not_keep_is_never_stale() {
    // A non-cacheable region, a shareable one, one that is written through, and the cache off.
    const WRITE_THROUGH: u32 = 0b10 << 16;
    for (region, ccr, read) in [
        (Some(1 << 19), 0x1_0200, NEW),
        (Some(WRITE_THROUGH | 1 << 18), 0x1_0200, NEW),
        (Some(WRITE_THROUGH), 0x1_0200, NEW),
        (None, 0x200, NEW),
        (None, 0x1_0200, OLD),
    ] {
        let mut machine = machine(CacheModel::Stale);
        let core = &mut machine.cpu.core;
        let mut poke = |address, value| core.ppb_store(address, Width::Word, value, 0, 0);
        poke(CCR, ccr).expect("modelled");
        if let Some(attributes) = region {
            poke(0xE000_ED9C, RAM | 1 << 4).expect("modelled");
            poke(0xE000_EDA0, 3 << 24 | attributes | 18 << 1 | 1).expect("modelled");
            poke(0xE000_ED94, 0b101).expect("modelled");
        }
        store(&mut machine, NEW);
        assert_eq!(dma_read(&mut machine), read);
        let dirty = u64::from(read == OLD);
        assert_eq!(hazards(&machine).dirty_lines_read, dirty);
    }
}

#[test]
fn watching_changes_no_timing() {
    let [coherent, checked] = [CacheModel::Coherent, CacheModel::Checked].map(|model| {
        let mut machine = machine(model);
        store(&mut machine, NEW);
        load(&mut machine);
        (machine.cpu.cycle(), machine.cpu.instructions())
    });
    assert_eq!(coherent, checked);
}
