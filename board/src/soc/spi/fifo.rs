//! One of the block's two FIFOs: bytes, each with the instant from which the far side sees it.

use crate::time::Instant;

/// SPI1 has 16 bytes each way (hardware of the STM32H7; EMB spi/mod.rs relies on it not being less).
pub const CAPACITY: usize = 16;

/// Bytes in order of arrival.
#[derive(Clone, Debug)]
pub struct Fifo {
    bytes: [(u8, Instant); CAPACITY],
    head: usize,
    len: usize,
}

impl Default for Fifo {
    fn default() -> Self {
        Self {
            bytes: [(0, Instant::ZERO); CAPACITY],
            head: 0,
            len: 0,
        }
    }
}

impl Fifo {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn free(&self) -> usize {
        CAPACITY - self.len
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends a byte that is seen from `at` on; false if there is no room.
    pub fn push(&mut self, byte: u8, at: Instant) -> bool {
        if self.len == CAPACITY {
            return false;
        }
        self.bytes[(self.head + self.len) % CAPACITY] = (byte, at);
        self.len += 1;
        true
    }

    /// Takes the oldest byte and the instant from which it is seen.
    pub fn pop(&mut self) -> Option<(u8, Instant)> {
        if self.len == 0 {
            return None;
        }
        let front = self.bytes[self.head];
        self.head = (self.head + 1) % CAPACITY;
        self.len -= 1;
        Some(front)
    }

    /// Takes the oldest byte if it is seen at `now`.
    pub fn pop_seen(&mut self, now: Instant) -> Option<u8> {
        if self.len == 0 || self.bytes[self.head].1 > now {
            return None;
        }
        self.pop().map(|(byte, _)| byte)
    }

    /// Bytes that are seen at `now`.
    pub fn seen(&self, now: Instant) -> usize {
        let unseen = (0..self.len).rev().take_while(|n| self.at(*n) > now);
        self.len - unseen.count()
    }

    /// When the next byte will be seen that is not at `now`.
    pub fn next_seen(&self, now: Instant) -> Instant {
        match self.seen(now) {
            seen if seen < self.len => self.at(seen),
            _ => Instant::NEVER,
        }
    }

    fn at(&self, n: usize) -> Instant {
        self.bytes[(self.head + n) % CAPACITY].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ns(ns: u64) -> Instant {
        Instant::from_ns(ns)
    }

    #[test]
    fn bytes_come_out_in_order_and_not_before_they_are_seen() {
        let mut fifo = Fifo::default();
        for round in 0..3 {
            for n in 0..16 {
                assert!(fifo.push(n, ns(n.into())), "{round}");
            }
            assert!(!fifo.push(16, ns(16)));
            assert_eq!(fifo.seen(ns(3)), 4);
            assert_eq!(fifo.next_seen(ns(3)), ns(4));
            assert_eq!(fifo.next_seen(ns(15)), Instant::NEVER);
            for n in 0..4 {
                assert_eq!(fifo.pop_seen(ns(3)), Some(n));
            }
            assert_eq!(fifo.pop_seen(ns(3)), None);
            assert_eq!(fifo.pop(), Some((4, ns(4))));
            assert_eq!((fifo.len(), fifo.free()), (11, 5));
            while fifo.pop().is_some() {}
        }
    }
}
