//! The two 16 KB buffer memories and how they are cut into blocks for the sockets.

/// Bytes of each memory.
const MEMORY_LEN: usize = 16 * 1024;
const MEMORY_MASK: u16 = MEMORY_LEN as u16 - 1;
const KB: u16 = 1024;

/// One socket's part of a memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    base: u16,
    /// Bytes: a power of two, or 0.
    len: u16,
}

impl Block {
    pub fn len(self) -> u16 {
        self.len
    }

    /// Where the block's byte at a free-running 16-bit address is in the memory.
    fn place(self, address: u16) -> usize {
        let within = address & self.len.wrapping_sub(1);
        usize::from(self.base.wrapping_add(within) & MEMORY_MASK)
    }
}

/// A buffer memory. Blocks follow each other in the order of the sockets; where the sizes add up to more
/// than there is, they go on at the start and lie over the first ones: that is how a driver can give all
/// to socket 0 and leave the other sizes alone.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    bytes: Box<[u8; MEMORY_LEN]>,
    blocks: [Block; 8],
}

impl Buffer {
    /// A memory of zeros with blocks of `kb` each.
    pub fn new(kb: [u8; 8]) -> Self {
        let mut buffer = Self {
            bytes: Box::new([0; MEMORY_LEN]),
            blocks: [Block::default(); 8],
        };
        buffer.divide(kb);
        buffer
    }

    /// Cuts the memory into blocks of 0, 1, 2, 4, 8 or 16 KB; its content stays.
    pub fn divide(&mut self, kb: [u8; 8]) {
        let mut base = 0_u16;
        for (block, kb) in self.blocks.iter_mut().zip(kb) {
            let len = u16::from(kb) * KB;
            *block = Block { base, len };
            base = base.wrapping_add(len) & MEMORY_MASK;
        }
    }

    pub fn block(&self, socket: u8) -> Block {
        self.blocks[usize::from(socket & 7)]
    }

    #[inline]
    pub fn read(&self, block: Block, address: u16) -> u8 {
        self.bytes[block.place(address)]
    }

    #[inline]
    pub fn write(&mut self, block: Block, address: u16, byte: u8) {
        self.bytes[block.place(address)] = byte;
    }

    /// Appends `len` bytes from `address` on to `to`, wrapping inside the block.
    pub fn copy_out(&self, block: Block, address: u16, len: usize, to: &mut Vec<u8>) {
        let mut address = address;
        let mut left = len;
        while left > 0 {
            let start = block.place(address);
            let run = self.run(block, address, start).min(left);
            to.extend_from_slice(&self.bytes[start..start + run]);
            address = address.wrapping_add(run as u16);
            left -= run;
        }
    }

    /// Writes `bytes` from `address` on, wrapping inside the block.
    pub fn copy_in(&mut self, block: Block, address: u16, bytes: &[u8]) {
        let mut address = address;
        let mut rest = bytes;
        while !rest.is_empty() {
            let start = block.place(address);
            let run = self.run(block, address, start).min(rest.len());
            self.bytes[start..start + run].copy_from_slice(&rest[..run]);
            address = address.wrapping_add(run as u16);
            rest = &rest[run..];
        }
    }

    /// Bytes from `address` to the next wrap, of the block or of the memory.
    fn run(&self, block: Block, address: u16, start: usize) -> usize {
        let within = address & block.len.wrapping_sub(1);
        usize::from(block.len.saturating_sub(within)).clamp(1, MEMORY_LEN - start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_wraps_inside_its_block_whatever_the_pointer() {
        let mut buffer = Buffer::new([2; 8]);
        let block = buffer.block(3);
        let bytes: Vec<u8> = (0..2048_u16).map(|n| (n % 251) as u8).collect();
        for address in [0, 1, 2047, 2048, 0x7FFF, 0xFFFF, 0xFC00] {
            buffer.copy_in(block, address, &bytes);
            let mut back = Vec::new();
            buffer.copy_out(block, address, bytes.len(), &mut back);
            assert_eq!(back, bytes);
            for (n, byte) in (0..).zip(&bytes) {
                assert_eq!(buffer.read(block, address.wrapping_add(n)), *byte);
            }
        }
        for other in [0, 1, 2, 4, 5, 6, 7] {
            let block = buffer.block(other);
            assert!((0..2048).all(|n| buffer.read(block, n) == 0), "{other}");
        }
    }

    #[test]
    fn sixteen_kb_for_the_first_socket_lie_over_the_others() {
        let mut buffer = Buffer::new([16, 2, 2, 2, 2, 2, 2, 2]);
        let (first, second) = (buffer.block(0), buffer.block(1));
        assert_eq!((first.len(), second.len()), (16 * 1024, 2 * 1024));
        buffer.write(first, 5, 0x5A);
        assert_eq!(buffer.read(second, 5), 0x5A);
    }

    #[test]
    fn blocks_follow_each_other() {
        let mut buffer = Buffer::new([1, 0, 4, 8, 0, 0, 1, 2]);
        for n in 0..8 {
            buffer.write(buffer.block(n), 0, n + 1);
        }
        for (n, place) in [(0, 0), (2, 1), (3, 5), (6, 13), (7, 14)] {
            assert_eq!(buffer.bytes[place * 1024], n + 1, "{n}");
        }
    }
}
