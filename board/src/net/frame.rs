//! Ethernet frames as they travel on the wire: destination address to frame check sequence.

/// Bytes of the two addresses and the length/type field.
pub const HEADER_LEN: usize = 14;
/// Bytes of the frame check sequence.
pub const FCS_LEN: usize = 4;
/// Shortest frame without its check sequence (802.3).
pub const MIN_LEN: usize = 60;
/// Longest untagged frame without its check sequence.
pub const MAX_LEN: usize = 1514;

/// The check sequence of a frame, in the order its bytes are sent.
pub fn fcs(frame: &[u8]) -> [u8; FCS_LEN] {
    crc32fast::hash(frame).to_le_bytes()
}

/// Pads a frame to the minimum length.
pub fn pad(frame: &mut Vec<u8>) {
    if frame.len() < MIN_LEN {
        frame.resize(MIN_LEN, 0);
    }
}

/// Appends the check sequence.
pub fn append_fcs(frame: &mut Vec<u8>) {
    let fcs = fcs(frame);
    frame.extend_from_slice(&fcs);
}

/// Whether the last four bytes are the check sequence of those before them.
pub fn is_intact(frame: &[u8]) -> bool {
    match frame.split_last_chunk::<FCS_LEN>() {
        Some((content, received)) => fcs(content) == *received,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// IEEE 802.3 CRC-32 of the nine digits is the catalogue's check value 0xCBF43926.
    #[test]
    fn the_check_sequence_is_crc32_least_byte_first() {
        assert_eq!(fcs(b"123456789"), [0x26, 0x39, 0xF4, 0xCB]);
    }

    #[test]
    fn a_flipped_bit_is_found() {
        let mut frame = vec![7; 20];
        pad(&mut frame);
        append_fcs(&mut frame);
        assert_eq!(frame.len(), MIN_LEN + FCS_LEN);
        assert!(is_intact(&frame));
        frame[33] ^= 0x10;
        assert!(!is_intact(&frame));
        assert!(!is_intact(&frame[..3]));
    }
}
