//! The part as the core sees it.

use crate::bus::{AccessError, Bus, Loaded, Width};
use crate::irq::IrqLines;
use crate::memory::Memory;
use crate::soc::map::Block;
use crate::soc::{Soc, peripherals};

impl Bus for Soc {
    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    fn load(&mut self, address: u32, width: Width, cycle: u64) -> Result<Loaded, AccessError> {
        let (block, offset) = self.locate(address)?;
        let cycles = self.access_cost.load(address);
        self.stats.loads += 1;
        if !self.peripherals.is_clocked(block) {
            self.note_unclocked(address);
            self.quiet = true;
            return Ok(Loaded {
                value: 0,
                cycles,
                stable: true,
            });
        }
        self.polled = peripherals::is_status_of_spi1(block, offset);
        let now = self.core_clock.instant_at(cycle);
        let (peripherals, mut ctx) = self.split(now);
        let register = peripherals.load(block, offset, width, &mut ctx)?;
        self.conclude_access();
        Ok(Loaded {
            value: register.value,
            cycles,
            stable: register.stable,
        })
    }

    fn store(
        &mut self,
        address: u32,
        width: Width,
        value: u32,
        cycle: u64,
    ) -> Result<u32, AccessError> {
        let (block, offset) = self.locate(address)?;
        let cycles = self.access_cost.store();
        self.stats.stores += 1;
        self.polled = false;
        if !self.peripherals.is_clocked(block) {
            self.note_unclocked(address);
            self.quiet = true;
            return Ok(cycles);
        }
        let now = self.core_clock.instant_at(cycle);
        let (peripherals, mut ctx) = self.split(now);
        peripherals.store(block, offset, width, value, &mut ctx)?;
        if matches!(block, Block::Rcc | Block::Pwr | Block::Flash) {
            self.apply_clocks(cycle);
            // At another frequency the same instant is another cycle.
            self.refresh_next_event();
            self.quiet = false;
        } else {
            self.conclude_access();
        }
        Ok(cycles)
    }

    fn last_access_was_quiet(&self) -> bool {
        self.quiet
    }

    fn steady_until(&self, cycle: u64) -> u64 {
        if !self.polled {
            return 0;
        }
        let loaded = self.core_clock.instant_at(cycle);
        let change = self.peripherals.spi1.next_change(loaded);
        self.core_clock.cycle_at(change)
    }

    fn count_repeated_loads(&mut self, count: u64) {
        self.stats.loads += count;
    }

    fn next_event_cycle(&self) -> u64 {
        self.next_event_cycle
    }

    fn run_events(&mut self, cycle: u64) {
        if cycle < self.next_event_cycle {
            return;
        }
        self.polled = false;
        let now = self.core_clock.instant_at(cycle);
        while let Some((event, at)) = self.schedule.take(now) {
            self.handle(event, at, cycle);
        }
        self.refresh_next_event();
    }

    fn take_pause_request(&mut self) -> bool {
        self.host_event |= self.network.take_pause_request();
        std::mem::take(&mut self.pause) || self.host_event
    }

    fn irq_lines(&mut self) -> &mut IrqLines {
        &mut self.irq
    }

    fn clock_epoch(&self) -> u32 {
        self.clock_epoch
    }

    fn core_cycles_per_hclk(&self) -> u32 {
        self.clocks.core_cycles_per_hclk()
    }
}
