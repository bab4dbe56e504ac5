use proptest::prelude::*;

use super::fixture::{image, reference};
use super::*;

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Account::of(&bytes, &regions());
    }

    #[test]
    fn a_damaged_image_never_panics(
        changes in prop::collection::vec((0..2000_usize, any::<u8>()), 1..8)
    ) {
        let mut bytes = image(&reference());
        for (offset, value) in changes {
            let offset = offset % bytes.len();
            bytes[offset] = value;
        }
        let _ = Account::of(&bytes, &regions());
    }
}

#[test]
fn every_truncated_image_is_refused() {
    let whole = image(&reference());
    for length in 0..whole.len() {
        refusal(&whole[..length]);
    }
}
