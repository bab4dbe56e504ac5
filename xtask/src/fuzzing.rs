//! What the fuzz targets in `xtask/fuzz` feed with any bytes at all.

use crate::metadata::{Region, RegionKind};
use crate::{ncloc, size};

/// Sizes the bytes as an ELF image with symbols and debug information: an error or an answer, never a
/// panic.
pub fn size(bytes: &[u8]) {
    let region = |name: &str, origin, length, kind| Region {
        name: name.to_string(),
        origin,
        length,
        kind,
    };
    let regions = [
        region("FLASH", 0x0800_0000, 0x10_0000, RegionKind::Flash),
        region("DTCM", 0x2000_0000, 0x2_0000, RegionKind::Ram),
    ];
    let part = size::Part {
        regions: regions.to_vec(),
        packages: size::Packages::default(),
    };
    let _ = size::Report::of_bytes(bytes, String::new(), &part);
}

/// Counts the lines of the bytes in each language: an error, or counts that add up.
pub fn ncloc(bytes: &[u8]) {
    for language in ncloc::Language::ALL {
        if let Ok(count) = ncloc::count(bytes, language) {
            let parts = count.code + count.comment + count.blank + count.test_lines;
            assert_eq!(parts, count.lines, "{language:?}");
        }
    }
}
