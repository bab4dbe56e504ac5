//! What happens next inside the chip: one slot for each kind of event, each pending at most once.

use super::{ChipContext, W5500};
use crate::schedule::Event;
use crate::time::Instant;

/// Sockets of the chip.
const SOCKETS: usize = 8;

/// The kinds of event, in the order in which simultaneous ones happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deadline {
    /// The link comes up.
    Link,
    /// The shortest pause of INTn is over.
    Interrupt,
    /// A received frame becomes visible.
    Receive,
    /// A socket's SEND goes on: its last bit has left, or an ARP answer is overdue; or a TCP connection
    /// has waited long enough.
    Send(u8),
}

const SLOTS: usize = 3 + SOCKETS;

impl Deadline {
    fn slot(self) -> usize {
        match self {
            Self::Link => 0,
            Self::Interrupt => 1,
            Self::Receive => 2,
            Self::Send(n) => 3 + usize::from(n),
        }
    }

    fn of_slot(slot: usize) -> Self {
        match slot {
            0 => Self::Link,
            1 => Self::Interrupt,
            2 => Self::Receive,
            _ => Self::Send((slot - 3) as u8),
        }
    }
}

/// When each kind of event is due.
#[derive(Clone, Debug)]
pub(super) struct Deadlines {
    due: [Instant; SLOTS],
}

impl Deadlines {
    /// Nothing but the link.
    pub fn starting(link: Instant) -> Self {
        let mut due = [Instant::NEVER; SLOTS];
        due[Deadline::Link.slot()] = link;
        Self { due }
    }

    fn next(&self) -> Instant {
        self.due.iter().copied().min().unwrap_or(Instant::NEVER)
    }

    /// Takes the earliest that is due at `now`.
    pub fn take(&mut self, now: Instant) -> Option<Deadline> {
        let next = self.next();
        if next > now {
            return None;
        }
        let slot = self.due.iter().position(|due| *due == next)?;
        self.due[slot] = Instant::NEVER;
        Some(Deadline::of_slot(slot))
    }
}

impl W5500 {
    /// Makes `deadline` due at `at`, in place of any earlier arrangement for it.
    pub(super) fn arm(&mut self, deadline: Deadline, at: Instant, ctx: &mut ChipContext) {
        let due = &mut self.deadlines.due[deadline.slot()];
        if *due != at {
            *due = at;
            self.schedule_next(ctx);
        }
    }

    /// Tells the board when the chip wants [`Event::W5500`].
    pub(super) fn schedule_next(&self, ctx: &mut ChipContext) {
        let next = self.deadlines.next();
        if ctx.schedule.due(Event::W5500) != next {
            ctx.schedule.set(Event::W5500, next);
        }
    }
}
