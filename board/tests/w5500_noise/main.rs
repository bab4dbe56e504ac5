//! Random SPI traffic and random frames: the chip does something, and never panics.

mod script;

use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_chip_survives_anything(bytes in prop::collection::vec(any::<u8>(), 0..2_048)) {
        script::play(&bytes);
    }

    /// Steps with plausible opcodes, so that sockets open and commands run.
    #[test]
    fn the_chip_survives_what_a_confused_driver_does(
        steps in prop::collection::vec((0..8_u8, any::<[u8; 4]>()), 0..256),
    ) {
        let bytes = steps.into_iter().flat_map(|(step, operands)| {
            std::iter::once(step).chain(operands)
        });
        script::play(&bytes.collect::<Vec<_>>());
    }
}
