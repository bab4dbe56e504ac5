//! A firmware's way from reset to its first interrupt or sleep: recorded on the board, replayed on rigless's
//! core with the board's answers to every peripheral access.

use std::collections::BTreeSet;

use board::BoardConfig;
use board::bus::{AccessError, Bus, Loaded, Width};
use board::cpu::{Cpu, Exit, Options};
use board::elf::Firmware;
use board::irq::IrqLines;
use board::memory::{Memory, REGIONS, Region, RegionInfo};
use board::soc::{Soc, SocConfig};
use rigless::emulator::{Access, AccessKind, CoreBus, Exit as TheirExit, Queued};
use rigless::time::VirtualNanos;

use super::theirs::{HostMemory, cortex_m7};

/// One access to a peripheral; `value` is what was loaded or stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peripheral {
    pub store: bool,
    pub address: u32,
    pub bytes: u32,
    pub value: u32,
}

/// What a core did from reset on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootRun {
    pub instructions: u64,
    pub r: [u32; 16],
    pub accesses: Vec<Peripheral>,
    /// Contents of every RAM, one after the other.
    pub ram: Vec<u8>,
    /// Offsets in `ram` that DMA wrote to, which a replay does not repeat.
    pub written_by_dma: BTreeSet<usize>,
}

impl BootRun {
    /// One line for each byte of RAM that differs and that DMA did not write, `other` second.
    pub fn ram_differences(&self, other: &Self) -> Vec<String> {
        let addresses = rams().flat_map(|info| info.base..info.base + info.len);
        let bytes = self.ram.iter().zip(&other.ram);
        addresses
            .zip(bytes)
            .enumerate()
            .filter(|(at, (_, (a, b)))| a != b && !self.written_by_dma.contains(at))
            .map(|(_, (address, (a, b)))| format!("[{address:08x}]: {a:02x} and {b:02x}"))
            .collect()
    }
}

/// The board's part, with every access noted.
struct Recorder {
    soc: Soc,
    accesses: Vec<Peripheral>,
    /// Contents of every RAM before the part could write to it.
    before: Vec<u8>,
    /// Offsets in all RAMs that the part itself wrote to.
    written_by_part: BTreeSet<usize>,
}

impl Recorder {
    /// Lets the part run and notes which bytes of RAM it changes: its DMA, not the core.
    fn noting_dma<T>(&mut self, run: impl FnOnce(&mut Soc) -> T) -> T {
        let mut at = 0;
        for info in rams() {
            let ram = self.soc.memory().slice(info.base, info.len).expect("a RAM");
            self.before[at..at + ram.len()].copy_from_slice(ram);
            at += ram.len();
        }
        let result = run(&mut self.soc);
        let mut at = 0;
        for info in rams() {
            let ram = self.soc.memory().slice(info.base, info.len).expect("a RAM");
            let before = &self.before[at..at + ram.len()];
            if before != ram {
                let changed = (0..ram.len()).filter(|&i| ram[i] != before[i]);
                self.written_by_part.extend(changed.map(|i| at + i));
            }
            at += ram.len();
        }
        result
    }
}

impl Bus for Recorder {
    fn memory(&self) -> &Memory {
        self.soc.memory()
    }

    fn memory_mut(&mut self) -> &mut Memory {
        self.soc.memory_mut()
    }

    fn load(&mut self, address: u32, width: Width, cycle: u64) -> Result<Loaded, AccessError> {
        let loaded = self.soc.load(address, width, cycle)?;
        self.accesses.push(Peripheral {
            store: false,
            address,
            bytes: width.bytes(),
            value: loaded.value,
        });
        Ok(loaded)
    }

    fn store(
        &mut self,
        address: u32,
        width: Width,
        value: u32,
        cycle: u64,
    ) -> Result<u32, AccessError> {
        self.accesses.push(Peripheral {
            store: true,
            address,
            bytes: width.bytes(),
            value,
        });
        self.noting_dma(|soc| soc.store(address, width, value, cycle))
    }

    fn next_event_cycle(&self) -> u64 {
        self.soc.next_event_cycle()
    }

    fn run_events(&mut self, cycle: u64) {
        self.noting_dma(|soc| soc.run_events(cycle));
    }

    fn take_pause_request(&mut self) -> bool {
        self.soc.take_pause_request()
    }

    fn irq_lines(&mut self) -> &mut IrqLines {
        self.soc.irq_lines()
    }

    fn clock_epoch(&self) -> u32 {
        self.soc.clock_epoch()
    }

    fn core_cycles_per_hclk(&self) -> u32 {
        self.soc.core_cycles_per_hclk()
    }
}

fn rams() -> impl Iterator<Item = RegionInfo> {
    REGIONS.into_iter().filter(|info| info.writable)
}

fn ram_of(memory: &Memory) -> Vec<u8> {
    rams()
        .flat_map(|info| memory.slice(info.base, info.len).expect("a RAM").to_vec())
        .collect()
}

fn memory_with(elf: &[u8]) -> Memory {
    let mut memory = Memory::default();
    Firmware::parse(elf)
        .expect("a firmware")
        .program(&mut memory);
    memory
}

/// Runs the board's core until an exception is taken, it sleeps, or `limit` instructions are done.
pub fn record_boot(elf: &[u8], limit: u64) -> BootRun {
    let config = BoardConfig::default();
    let soc = Soc::new(
        SocConfig {
            cost: config.cost.clone(),
            cpu_freq_boost: config.cpu_freq_boost,
            rtt_control_block: None,
            jack: config.jack,
            phy: config.phy,
            w5500: config.w5500,
            wire: config.wire,
            host: config.host,
        },
        memory_with(elf),
    );
    let options = Options {
        idle_skip: false,
        ..Options::default()
    };
    let mut cpu = Cpu::new(config.cost, options);
    let mut bus = Recorder {
        soc,
        accesses: Vec::new(),
        before: vec![0; rams().map(|info| info.len as usize).sum()],
        written_by_part: BTreeSet::new(),
    };
    cpu.reset(&mut bus, Firmware::BOOT_ADDRESS);
    loop {
        let before = (cpu.instructions(), registers(&cpu), bus.accesses.len());
        let exit = cpu.run(&mut bus, cpu.cycle() + 1);
        assert!(!matches!(exit, Exit::Stopped(_)), "{exit:?}");
        let excepted = cpu.xpsr() & 0x1FF != 0;
        if !excepted && !cpu.asleep() && cpu.instructions() < limit {
            continue;
        }
        // Where the step took an exception, what counts is the state before it.
        let (instructions, r, accesses) = if excepted {
            before
        } else {
            (cpu.instructions(), registers(&cpu), bus.accesses.len())
        };
        bus.accesses.truncate(accesses);
        let ram = ram_of(bus.soc.memory());
        return BootRun {
            instructions,
            r,
            accesses: bus.accesses,
            ram: without_dead_stack(ram, r[13]),
            written_by_dma: bus.written_by_part,
        };
    }
}

/// The contents of RAM without what lies just below the stack pointer, where the board's core stacked the
/// exception that ended the run.
fn without_dead_stack(mut ram: Vec<u8>, stack_pointer: u32) -> Vec<u8> {
    const DEAD_BYTES: u32 = 256;
    let mut start = 0;
    for info in rams() {
        for address in stack_pointer - DEAD_BYTES..stack_pointer {
            if (info.base..info.base + info.len).contains(&address) {
                ram[start + (address - info.base) as usize] = 0;
            }
        }
        start += info.len as usize;
    }
    ram
}

fn registers(cpu: &Cpu) -> [u32; 16] {
    std::array::from_fn(|n| cpu.register(n))
}

/// Answers with what the board answered, as long as the accesses are the same.
struct Replay {
    recorded: std::vec::IntoIter<Peripheral>,
    accesses: Vec<Peripheral>,
}

impl CoreBus for Replay {
    fn access(&mut self, access: Access, _: bool) -> Option<u64> {
        let store = access.kind == AccessKind::Write;
        let recorded = self.recorded.next()?;
        self.accesses.push(Peripheral {
            store,
            address: access.address as u32,
            bytes: access.width.bytes(),
            value: if store {
                access.value as u32
            } else {
                recorded.value
            },
        });
        Some(recorded.value.into())
    }

    fn time(&self, instructions: u64) -> VirtualNanos {
        VirtualNanos(instructions)
    }

    fn queued(&mut self) -> Vec<Queued> {
        Vec::new()
    }
}

/// Runs rigless's core for as many instructions as `recorded` has.
pub fn replay_boot(elf: &[u8], recorded: &BootRun) -> BootRun {
    let memory = memory_with(elf);
    let mut processor = cortex_m7(Some(Firmware::BOOT_ADDRESS));
    let mapped: Vec<_> = REGIONS
        .into_iter()
        .filter(|info| info.region != Region::System)
        .map(|info| {
            let mut host = HostMemory::new(info.len);
            host.write(0, memory.slice(info.base, info.len).expect("a region"));
            // SAFETY: page-aligned, never moved, dropped after the processor (below), and touched
            // between runs alone.
            unsafe { processor.map(info.base.into(), info.len.into(), host.at, info.writable) };
            (info, host)
        })
        .collect();
    processor.boot(Firmware::BOOT_ADDRESS.into(), &|address, _| {
        memory.load_u32(address as u32).map(u64::from)
    });
    let mut bus = Replay {
        recorded: recorded.accesses.clone().into_iter(),
        accesses: Vec::new(),
    };
    while processor.retired() < recorded.instructions {
        let left = recorded.instructions - processor.retired();
        let (exit, ran) = processor.run(left.min(1 << 20) as u32, &mut bus);
        if ran == 0 && exit != TheirExit::Returned {
            break;
        }
    }
    let word = |n| {
        let bytes = processor.gdb_register(n).expect("a register");
        u32::from_le_bytes(bytes.try_into().expect("four bytes"))
    };
    let r: [u32; 16] = std::array::from_fn(word);
    let instructions = processor.retired();
    drop(processor);
    let ram = mapped
        .iter()
        .filter(|(info, _)| info.writable)
        .flat_map(|(_, host)| host.bytes())
        .collect();
    BootRun {
        instructions,
        r,
        accesses: bus.accesses,
        ram: without_dead_stack(ram, r[13]),
        written_by_dma: BTreeSet::new(),
    }
}
