//! Properties that hold whatever a firmware does to the registers.

use proptest::prelude::*;

use crate::bus::{Bus, Width};
use crate::soc::testbed::Testbed;

/// Peripherals by base address and the length that is poked at.
const BLOCKS: [(u32, u32); 16] = [
    (0x4000_0000, 0x70),   // TIM2
    (0x4001_3000, 0x54),   // SPI1
    (0x4002_0000, 0xD0),   // DMA1
    (0x4002_0400, 0xD0),   // DMA2
    (0x4002_0800, 0x88),   // DMAMUX1
    (0x4002_8000, 0x1170), // ETH
    (0x5200_2000, 0x10),   // FLASH
    (0x5800_0000, 0xB0),   // EXTI
    (0x5800_0400, 0x30),   // SYSCFG
    (0x5802_0000, 0x28),   // GPIOA
    (0x5802_1800, 0x28),   // GPIOG
    (0x5802_4400, 0x34),   // RCC: oscillators and clock tree
    (0x5802_4400, 0x120),
    (0x5802_44D4, 0x24), // RCC: enables
    (0x5802_4800, 0x2C), // PWR
    (0x5C00_1000, 0x58), // DBGMCU
];

#[derive(Clone, Debug)]
enum Act {
    Load(u32, Width),
    Store(u32, Width, u32),
    /// Let this many core cycles pass, running what is due.
    Pass(u64),
}

fn width() -> impl Strategy<Value = Width> {
    prop_oneof![
        1 => Just(Width::Byte),
        1 => Just(Width::Half),
        6 => Just(Width::Word),
    ]
}

/// An aligned address in a block.
fn place(block: usize) -> impl Strategy<Value = (u32, Width)> {
    (any::<prop::sample::Index>(), width()).prop_map(move |(index, width)| {
        let (base, len) = BLOCKS[block];
        let offset = index.index(len as usize) as u32;
        (base + offset / width.bytes() * width.bytes(), width)
    })
}

/// Few bits set, few bits clear, or anything.
fn value() -> impl Strategy<Value = u32> {
    prop_oneof![
        (0..32u32, 0..32u32).prop_map(|(a, b)| 1 << a | 1 << b),
        (0..32u32).prop_map(|bit| !(1 << bit)),
        0..8u32,
        0..0x200u32,
        any::<u32>(),
    ]
}

fn act(block: usize) -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => place(block).prop_map(|(address, width)| Act::Load(address, width)),
        6 => (place(block), value()).prop_map(|((address, width), value)| Act::Store(address, width, value)),
        2 => (0..200_000u64).prop_map(Act::Pass),
    ]
}

/// One block is the subject, so that its registers meet; some acts go elsewhere.
fn acts() -> impl Strategy<Value = Vec<Act>> {
    (0..BLOCKS.len(), 0..BLOCKS.len()).prop_flat_map(|(subject, other)| {
        let act = prop_oneof![5 => act(subject), 1 => act(other)];
        prop::collection::vec(act, 1..150)
    })
}

/// All clock gates open, so that stores arrive, and TIM2 counting.
fn testbed() -> Testbed {
    let mut testbed = Testbed::default();
    for enable in (0xD4..0xF8).step_by(4) {
        testbed.store(0x5802_4400 + enable, u32::MAX);
    }
    testbed.store(0x4000_0000, 1);
    testbed
}

fn pass(testbed: &mut Testbed, cycles: u64) {
    let end = testbed.cycle + cycles;
    while testbed.soc.next_event_cycle() <= end {
        testbed.cycle = testbed.cycle.max(testbed.soc.next_event_cycle());
        testbed.soc.run_events(testbed.cycle);
    }
    testbed.cycle = end;
}

proptest! {
    /// A load that calls itself stable gives the same value until the next event: on that rests the
    /// skipping of loops that poll.
    #[test]
    fn stable_registers_change_only_by_stores_and_events(
        acts in acts(),
        wait in 1..1_000_000u64,
    ) {
        let mut testbed = testbed();
        let mut now = testbed.now();
        for act in acts {
            match act {
                Act::Pass(cycles) => pass(&mut testbed, cycles),
                Act::Store(address, width, value) => {
                    let _ = testbed.soc.store(address, width, value, testbed.cycle);
                    pass(&mut testbed, 0);
                }
                Act::Load(address, width) => {
                    let first = testbed.soc.load(address, width, testbed.cycle);
                    let later = (testbed.cycle + wait).min(testbed.soc.next_event_cycle() - 1);
                    if let Ok(first) = first && first.stable && later > testbed.cycle {
                        testbed.cycle = later;
                        let second = testbed.soc.load(address, width, testbed.cycle);
                        prop_assert_eq!(Ok(first), second, "{:#010x}", address);
                    }
                }
            }
            prop_assert!(testbed.now() >= now, "time went back");
            now = testbed.now();
        }
    }
}
