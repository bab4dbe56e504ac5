//! Whatever the bytes are, there is an error or an answer.

use proptest::prelude::*;

use super::attribution::compiled;
use super::fixture::{image, reference};
use super::linkers::Linker;
use super::*;
use crate::size::attribution::Packages;
use crate::size::report::{Part, Report};

fn measure(bytes: &[u8]) -> Option<Report> {
    let part = Part {
        regions: regions(),
        packages: Packages::default(),
    };
    Report::of_bytes(bytes, String::new(), &part).ok()
}

/// Changes a few bytes.
fn damaged(mut bytes: Vec<u8>, changes: &[(prop::sample::Index, u8)]) -> Vec<u8> {
    for (place, value) in changes {
        let place = place.index(bytes.len());
        bytes[place] = *value;
    }
    bytes
}

fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(measure(&bytes).is_none());
    }

    #[test]
    fn a_damaged_image_never_panics(changes in changes()) {
        if let Some(report) = measure(&damaged(image(&reference()), &changes)) {
            super::attribution::shares_are_whole(&report);
        }
    }
}

#[test]
fn damaged_symbols_and_debug_information_never_panic() {
    for linker in Linker::installed() {
        let whole = compiled(&linker);
        let mut runner = proptest::test_runner::TestRunner::default();
        let result = runner.run(&changes(), |changes| {
            if let Some(report) = measure(&damaged(whole.clone(), &changes)) {
                super::attribution::shares_are_whole(&report);
            }
            Ok(())
        });
        result.unwrap();
    }
}

/// The section table comes last, so that an image that is cut short never has all of it.
#[test]
fn every_truncated_image_is_refused() {
    let images = Linker::installed().iter().map(compiled).collect::<Vec<_>>();
    for whole in images.into_iter().chain([image(&reference())]) {
        assert!(measure(&whole).is_some());
        for length in 0..whole.len() {
            assert!(measure(&whole[..length]).is_none(), "{length} bytes");
        }
    }
}
