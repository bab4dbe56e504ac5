//! Whatever is written and whatever arrives, the block neither panics nor stops the clock.

use proptest::prelude::*;

use super::rig::*;
use crate::bus::Width;
use crate::time::Span;

/// Register offsets, biased to the ones that move something.
fn offsets() -> impl Strategy<Value = u32> {
    prop_oneof![
        Just(MACCR),
        Just(0x008),
        Just(0x200),
        Just(0xD00),
        Just(RXQOMR),
        Just(DMACCR),
        Just(CTXCR),
        Just(CRXCR),
        Just(TX_TAIL),
        Just(RX_TAIL),
        Just(0x1114),
        Just(0x111C),
        Just(0x112C),
        Just(0x1130),
        Just(CSR),
        (0_u32..0x500).prop_map(|word| word * 4),
    ]
}

fn values() -> impl Strategy<Value = u32> {
    prop_oneof![
        any::<u32>(),
        any::<u8>().prop_map(|n| 0x3000_0000 + u32::from(n) * 16),
        any::<u8>().prop_map(u32::from),
        Just(0x1FFF_FFF0),
        Just(u32::MAX),
    ]
}

#[derive(Clone, Debug)]
enum Step {
    Store(u32, Width, u32),
    Load(u32, Width),
    Word(u32, u32),
    Frame(Vec<u8>),
    Wait(u64),
}

fn width() -> impl Strategy<Value = Width> {
    prop_oneof![Just(Width::Byte), Just(Width::Half), Just(Width::Word)]
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (offsets(), width(), values()).prop_map(|(at, width, value)| Step::Store(at, width, value)),
        1 => (offsets(), width()).prop_map(|(at, width)| Step::Load(at, width)),
        3 => (0_u32..512, values()).prop_map(|(word, value)| Step::Word(0x3000_0000 + word * 4, value)),
        2 => proptest::collection::vec(any::<u8>(), 0..1_600).prop_map(Step::Frame),
        1 => (14_usize..100, any::<u8>()).prop_map(|(len, tag)| Step::Frame(frame_to_board(len, tag))),
        2 => (0_u64..200).prop_map(Step::Wait),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn random_stores_and_frames_never_panic(steps in proptest::collection::vec(steps(), 0..60)) {
        let mut rig = Rig::started(4);
        for step in steps {
            match step {
                Step::Store(at, width, value) => {
                    let _ = rig.with(|eth, ctx| eth.store(at, width, value, ctx));
                }
                Step::Load(at, width) => {
                    let _ = rig.with(|eth, ctx| eth.load(at, width, ctx));
                }
                Step::Word(at, value) => {
                    rig.memory.store_u32(at, value);
                }
                Step::Frame(frame) => rig.deliver_raw(&frame),
                Step::Wait(us) => rig.run_for(Span::from_us(us)),
            }
        }
        rig.settle();
    }
}
