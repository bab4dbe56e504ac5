//! Random SPI traffic and random frames: the chip does something, and never panics.

mod peer;
mod script;

use proptest::prelude::*;

/// What the random scripts are made of leads somewhere: a socket listens, the peer calls, and
/// acknowledges what it is answered.
#[test]
fn a_script_can_connect() {
    let open = [6, 0, 0, 7, 0, 0, 7, 0, 1];
    let call = [9, 2, 0, 3, 20];
    let acknowledge = [8, 0, 0, 0x10, 0x80, 0, 3, 20];
    let begin = [0, 1];
    let listening = [&begin[..], &open].concat();
    assert_eq!(script::play(&listening)[0], 0x14);
    let connected = [&begin[..], &open, &call, &acknowledge].concat();
    assert_eq!(script::play(&connected), [0x17, 0, 0, 0, 0, 0, 0, 0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_chip_survives_anything(bytes in prop::collection::vec(any::<u8>(), 0..2_048)) {
        script::play(&bytes);
    }

    /// Steps with plausible opcodes, so that sockets open and commands run.
    #[test]
    fn the_chip_survives_what_a_confused_driver_does(
        steps in prop::collection::vec((0..10_u8, any::<[u8; 4]>()), 0..256),
    ) {
        let bytes = steps.into_iter().flat_map(|(step, operands)| {
            std::iter::once(step).chain(operands)
        });
        script::play(&bytes.collect::<Vec<_>>());
    }
}
