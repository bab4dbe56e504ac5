//! The memory protection unit (ARMv7-M B3.5, PM0253): which accesses its regions allow, and what the
//! data cache may keep.
//!
//! With the unit off nothing here is ever asked. With it on, every memory that lies in one region whole
//! keeps its fast path; accesses to memories that a region's edge divides, to Device memory and to what
//! a region denies are looked up one by one.

use super::Cpu;
use super::fault::Fault;
use super::scb::Scb;
use super::state::Core;
use crate::bus::Bus;
use crate::cost::CostState;
use crate::memory::{Memory, REGIONS};

const REGION_COUNT: usize = 16;

/// MPU_CTRL.
const ENABLE: u32 = 1 << 0;
const HFNMIENA: u32 = 1 << 1;
const PRIVDEFENA: u32 = 1 << 2;
/// MPU_RBAR.
const VALID: u32 = 1 << 4;
/// MPU_RASR.
const SHAREABLE: u32 = 1 << 18;
const EXECUTE_NEVER: u32 = 1 << 28;

/// The private peripheral bus is never checked.
const PRIVATE_BUS: std::ops::Range<u32> = 0xE000_0000..0xE010_0000;

/// How the core and its data cache treat a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemoryType {
    /// Device or Strongly-ordered.
    Device,
    NonCacheable,
    WriteThrough,
    WriteBack,
}

impl MemoryType {
    pub const fn is_cached(self) -> bool {
        matches!(self, Self::WriteThrough | Self::WriteBack)
    }
}

/// What a program may do at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rights {
    read: bool,
    write: bool,
}

const NONE: Rights = Rights {
    read: false,
    write: false,
};
const READ: Rights = Rights {
    read: true,
    write: false,
};
const ALL: Rights = Rights {
    read: true,
    write: true,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Attributes {
    memory_type: MemoryType,
    privileged: Rights,
    unprivileged: Rights,
    execute_never: bool,
}

/// The unit's registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Mpu {
    control: u32,
    number: u32,
    base: [u32; REGION_COUNT],
    size: [u32; REGION_COUNT],
}

impl Mpu {
    pub fn read(&self, address: u32) -> Option<u32> {
        let region = self.number as usize % REGION_COUNT;
        Some(match address {
            // MPU_TYPE: sixteen unified regions.
            0xE000_ED90 => (REGION_COUNT as u32) << 8,
            0xE000_ED94 => self.control,
            0xE000_ED98 => self.number,
            0xE000_ED9C | 0xE000_EDA4 | 0xE000_EDAC | 0xE000_EDB4 => {
                self.base[region] | self.number
            }
            0xE000_EDA0 | 0xE000_EDA8 | 0xE000_EDB0 | 0xE000_EDB8 => self.size[region],
            _ => return None,
        })
    }

    /// Stores a register; tells whether that can change what accesses do.
    pub fn write(&mut self, address: u32, value: u32) -> Option<bool> {
        let was_enabled = self.is_enabled();
        match address {
            0xE000_ED90 => {}
            0xE000_ED94 => self.control = value & (ENABLE | HFNMIENA | PRIVDEFENA),
            0xE000_ED98 => self.number = value & 0xFF,
            0xE000_ED9C | 0xE000_EDA4 | 0xE000_EDAC | 0xE000_EDB4 => {
                if value & VALID != 0 {
                    self.number = value & 15;
                }
                self.base[self.number as usize % REGION_COUNT] = value & !0x1F;
            }
            0xE000_EDA0 | 0xE000_EDA8 | 0xE000_EDB0 | 0xE000_EDB8 => {
                self.size[self.number as usize % REGION_COUNT] = value & 0x173F_FF3F;
            }
            _ => return None,
        }
        Some(was_enabled || self.is_enabled())
    }

    pub fn is_enabled(&self) -> bool {
        self.control & ENABLE != 0
    }

    /// Whether privileged code may be fetched from `address`. What only unprivileged code may not is
    /// not told apart.
    pub fn may_execute(&self, address: u32) -> bool {
        let attributes = self.attributes(address);
        !attributes.execute_never && attributes.privileged.read
    }

    /// The attributes of `address`, the unit being on: of regions that overlap the highest counts.
    fn attributes(&self, address: u32) -> Attributes {
        let region = (0..REGION_COUNT)
            .rev()
            .find(|n| self.region(*n).is_some_and(|region| region.holds(address)));
        match region {
            Some(n) => region_attributes(self.size[n]),
            None => Attributes {
                memory_type: default_memory_type(address),
                privileged: if self.control & PRIVDEFENA != 0 {
                    ALL
                } else {
                    NONE
                },
                unprivileged: NONE,
                execute_never: matches!(address >> 29, 2 | 5 | 6 | 7),
            },
        }
    }

    fn region(&self, n: usize) -> Option<Region> {
        let size = self.size[n];
        let log2 = (size >> 1 & 0x1F) + 1;
        (size & 1 != 0 && log2 >= 5).then(|| Region {
            base: self.base[n] & (u64::MAX << log2) as u32,
            log2,
            disabled: size >> 8 & 0xFF,
        })
    }

    /// The attributes of all `len` bytes at `base`, if they are the same.
    fn uniform(&self, base: u32, len: u32) -> Option<Attributes> {
        let attributes = self.attributes(base);
        let edges = (0..REGION_COUNT)
            .filter_map(|n| self.region(n))
            .flat_map(Region::edges);
        let inside = edges.filter(|edge| edge.wrapping_sub(base) < len);
        inside
            .map(|edge| self.attributes(edge))
            .all(|other| other == attributes)
            .then_some(attributes)
    }
}

/// A region that is enabled.
#[derive(Clone, Copy)]
struct Region {
    base: u32,
    log2: u32,
    /// Its eighths that do not belong to it.
    disabled: u32,
}

impl Region {
    fn holds(self, address: u32) -> bool {
        let inside = u64::from(address.wrapping_sub(self.base));
        inside >> self.log2 == 0
            && (self.log2 < 8 || self.disabled >> (inside >> (self.log2 - 3)) & 1 == 0)
    }

    /// Where attributes can change: its eighths' first addresses, and the one behind it.
    fn edges(self) -> impl Iterator<Item = u32> {
        (0..=8u64).map(move |n| self.base.wrapping_add(((n << self.log2) / 8) as u32))
    }
}

/// AP, TEX, S, C, B and XN of a region (ARMv7-M tables B3-10 to B3-15).
fn region_attributes(size: u32) -> Attributes {
    let (privileged, unprivileged) = match size >> 24 & 0b111 {
        1 => (ALL, NONE),
        2 => (ALL, READ),
        3 => (ALL, ALL),
        5 => (READ, NONE),
        6 | 7 => (READ, READ),
        _ => (NONE, NONE),
    };
    let memory_type = match (size >> 19 & 0b111, size >> 16 & 0b11) {
        (0, 0 | 1) | (2, _) => MemoryType::Device,
        (0, 0b10) => MemoryType::WriteThrough,
        (0, _) | (1, 0b11) => MemoryType::WriteBack,
        (1, _) => MemoryType::NonCacheable,
        // TEX = 1BB: C and B are the inner cache's policy.
        (_, 0) => MemoryType::NonCacheable,
        (_, 0b10) => MemoryType::WriteThrough,
        _ => MemoryType::WriteBack,
    };
    // The data cache keeps nothing that is shareable (Cortex-M7; CACR.SIWT is not modelled).
    Attributes {
        memory_type: if memory_type.is_cached() && size & SHAREABLE != 0 {
            MemoryType::NonCacheable
        } else {
            memory_type
        },
        privileged,
        unprivileged,
        execute_never: size & EXECUTE_NEVER != 0,
    }
}

/// The memory map without the unit (ARMv7-M B3.1).
fn default_memory_type(address: u32) -> MemoryType {
    match address >> 29 {
        0 | 4 => MemoryType::WriteThrough,
        1 | 3 => MemoryType::WriteBack,
        _ => MemoryType::Device,
    }
}

impl Scb {
    /// How the data cache treats `address`, were it on.
    pub fn memory_type(&self, address: u32) -> MemoryType {
        if self.mpu.is_enabled() {
            self.mpu.attributes(address).memory_type
        } else {
            default_memory_type(address)
        }
    }
}

impl Core {
    /// Whether the unit checks accesses now: it is off in HardFault and NMI unless HFNMIENA says no.
    fn is_checked(&self) -> bool {
        let mpu = &self.scb.mpu;
        mpu.is_enabled() && (mpu.control & HFNMIENA != 0 || self.execution_priority() >= 0)
    }

    /// Whether the unit lets the program at hand load or store `len` bytes at `address`.
    pub(super) fn is_allowed(&self, address: u32, len: u32, store: bool) -> bool {
        if PRIVATE_BUS.contains(&address) || !self.is_checked() {
            return true;
        }
        let privileged = self.privileged();
        [address, address.wrapping_add(len - 1)]
            .into_iter()
            .all(|at| {
                let attributes = self.scb.mpu.attributes(at);
                let rights = if privileged {
                    attributes.privileged
                } else {
                    attributes.unprivileged
                };
                if store { rights.write } else { rights.read }
            })
    }

    /// The fault of a load or store that the unit denies, or that is not aligned in what it makes
    /// Device memory.
    pub(super) fn protection_fault(&self, address: u32, len: u32, store: bool) -> Option<Fault> {
        if !self.scb.mpu.is_enabled() {
            return None;
        }
        if !self.is_allowed(address, len, store) {
            return Some(Fault::denied(address));
        }
        let is_unaligned = address & (len - 1) != 0;
        (is_unaligned && self.scb.memory_type(address) == MemoryType::Device)
            .then(|| Fault::unaligned(address))
    }

    /// What a load and a store at `address` cost beyond the instruction.
    pub(super) fn access_cycles<B: Bus>(&self, bus: &B, address: u32) -> (u32, u32) {
        if self.scb.mpu.is_enabled()
            && let Some(info) = Memory::region_at(address)
        {
            let state = self.cost_state(bus.core_cycles_per_hclk());
            let memory_type = self.scb.memory_type(address);
            return (
                (self.cost).load_cycles(info.region, for_loads(memory_type, state)),
                (self.cost).store_cycles(info.region, for_stores(memory_type, state)),
            );
        }
        bus.memory().access_cycles(address)
    }

    pub(super) fn cost_state(&self, core_cycles_per_hclk: u32) -> CostState {
        CostState {
            instruction_cache: self.scb.instruction_cache(),
            data_cache: self.scb.data_cache(),
            core_cycles_per_hclk,
        }
    }
}

fn for_loads(memory_type: MemoryType, state: CostState) -> CostState {
    CostState {
        data_cache: state.data_cache && memory_type.is_cached(),
        ..state
    }
}

/// A store that is written through costs what an uncached one does.
fn for_stores(memory_type: MemoryType, state: CostState) -> CostState {
    CostState {
        data_cache: state.data_cache && memory_type == MemoryType::WriteBack,
        ..state
    }
}

impl Cpu {
    /// Makes the fast path keep to the regions and charge by them, if the unit is on.
    pub(super) fn apply_protection<B: Bus>(&mut self, bus: &mut B, state: CostState) {
        let core = &self.core;
        if !core.scb.mpu.is_enabled() {
            return;
        }
        for info in REGIONS {
            let uniform = core.scb.mpu.uniform(info.base, info.len);
            let fast = uniform.filter(|attributes| attributes.memory_type != MemoryType::Device);
            let Some(attributes) = fast else {
                bus.memory_mut().limit_fast_path(info, false, false);
                continue;
            };
            let Rights { read, write } = attributes.privileged;
            // Handlers run privileged whatever the thread does: what differs is looked up.
            let same =
                !core.control.unprivileged || attributes.unprivileged == attributes.privileged;
            let memory_type = attributes.memory_type;
            let memory = bus.memory_mut();
            memory.limit_fast_path(info, read && same, write && same);
            memory.set_access_cycles(
                info.region,
                core.cost
                    .load_cycles(info.region, for_loads(memory_type, state)),
                core.cost
                    .store_cycles(info.region, for_stores(memory_type, state)),
                core.cost.pair_cycles(state),
            );
        }
    }
}
