//! What happens next on the board: one slot for each kind of event, each pending at most once.
//!
//! Slots instead of a heap keep the order of simultaneous events fixed (by slot), which makes a run
//! reproducible, and make rescheduling and cancelling a plain store.

use crate::time::Instant;

/// The kinds of event, in the order in which simultaneous ones happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The Ethernet MAC finished sending a frame or its DMA has the next step to do.
    EthTx,
    /// The Ethernet receive DMA has a frame to move or a descriptor to close.
    EthRx,
    /// The Ethernet software reset is over.
    EthReset,
    /// A management (MDIO) transaction ends.
    Mdio,
    /// The PHY's own state changes: reset over, autonegotiation done.
    Phy,
    /// The W5500's own state changes: a command or a frame is done, a timer runs out.
    W5500,
    /// SPI1's status changes while somebody waits for it.
    Spi1,
    /// A DMA stream reaches a point that somebody can see.
    Dma,
    /// The last bit of a frame reaches the board.
    WireToBoard,
    /// The last bit of a frame reaches the host.
    WireToHost,
    /// The host's stack wants to be polled.
    Host,
    /// TIM2 overflows or matches a compare register.
    Tim2,
    /// An oscillator or PLL becomes ready.
    Rcc,
    /// The core's regulator has settled.
    Pwr,
    /// The I/O compensation cell becomes ready.
    Syscfg,
    /// The debug probe reads the firmware's log buffer.
    Rtt,
    /// Whoever runs the core has to look at it: its clock changed, or it must not go on.
    Pause,
}

const EVENTS: [Event; 17] = [
    Event::EthTx,
    Event::EthRx,
    Event::EthReset,
    Event::Mdio,
    Event::Phy,
    Event::W5500,
    Event::Spi1,
    Event::Dma,
    Event::WireToBoard,
    Event::WireToHost,
    Event::Host,
    Event::Tim2,
    Event::Rcc,
    Event::Pwr,
    Event::Syscfg,
    Event::Rtt,
    Event::Pause,
];

/// When each event is due.
#[derive(Clone, Debug)]
pub struct Schedule {
    due: [Instant; EVENTS.len()],
    next: Instant,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            due: [Instant::NEVER; EVENTS.len()],
            next: Instant::NEVER,
        }
    }
}

impl Schedule {
    /// Makes `event` due at `at`, in place of any earlier arrangement for it.
    pub fn set(&mut self, event: Event, at: Instant) {
        let before = std::mem::replace(&mut self.due[event as usize], at);
        if at <= self.next {
            self.next = at;
        } else if before == self.next {
            self.next = self.due.iter().copied().min().unwrap_or(Instant::NEVER);
        }
    }

    pub fn cancel(&mut self, event: Event) {
        self.set(event, Instant::NEVER);
    }

    /// When `event` is due, or [`Instant::NEVER`].
    pub fn due(&self, event: Event) -> Instant {
        self.due[event as usize]
    }

    /// When the earliest event is due, or [`Instant::NEVER`].
    pub fn next(&self) -> Instant {
        self.next
    }

    /// Takes the earliest event that is due at `now` or before, with its due time.
    pub fn take(&mut self, now: Instant) -> Option<(Event, Instant)> {
        if self.next > now {
            return None;
        }
        let at = self.next;
        let event = EVENTS.into_iter().find(|event| self.due(*event) == at)?;
        self.cancel(event);
        Some((event, at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_and_then_by_slot() {
        let mut schedule = Schedule::default();
        schedule.set(Event::Tim2, Instant::from_ns(5));
        schedule.set(Event::Mdio, Instant::from_ns(5));
        schedule.set(Event::Host, Instant::from_ns(3));
        schedule.set(Event::Rcc, Instant::from_ns(9));
        schedule.cancel(Event::Rcc);
        let order: Vec<_> = std::iter::from_fn(|| schedule.take(Instant::from_ns(10))).collect();
        assert_eq!(
            order,
            [
                (Event::Host, Instant::from_ns(3)),
                (Event::Mdio, Instant::from_ns(5)),
                (Event::Tim2, Instant::from_ns(5)),
            ]
        );
        assert_eq!(schedule.next(), Instant::NEVER);
    }

    #[test]
    fn nothing_is_taken_before_it_is_due() {
        let mut schedule = Schedule::default();
        schedule.set(Event::EthTx, Instant::from_ns(5));
        assert_eq!(schedule.take(Instant::from_ps(4_999)), None);
    }

    #[test]
    fn the_list_of_slots_follows_the_enum() {
        for (slot, event) in EVENTS.into_iter().enumerate() {
            assert_eq!(event as usize, slot);
        }
    }
}
