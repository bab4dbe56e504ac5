//! What the fuzz targets in `xtask/fuzz` feed with any bytes at all.

use crate::metadata::{Region, RegionKind};
use crate::size;

/// Sizes the bytes as an ELF image: an error or an answer, never a panic.
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
    let _ = size::measure(bytes, &regions);
}
