//! Oscillators and PLLs: switched on by a bit, ready some time later.

use crate::time::{Instant, Span};

/// What can drive clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Hsi,
    Csi,
    Hsi48,
    Hse,
    Lsi,
    Lse,
    Pll1,
    Pll2,
    Pll3,
}

impl Source {
    /// In the order in which they depend on each other: PLLs after the oscillators that feed them.
    pub const ALL: [Self; 9] = [
        Self::Hsi,
        Self::Csi,
        Self::Hsi48,
        Self::Hse,
        Self::Lsi,
        Self::Lse,
        Self::Pll1,
        Self::Pll2,
        Self::Pll3,
    ];

    /// Bit of the ON flag in RCC_CR; the ready flag of `self` is `ready_bit` (PAC rcc_h7).
    pub const fn on_bit(self) -> Option<u32> {
        match self {
            Self::Hsi => Some(0),
            Self::Csi => Some(7),
            Self::Hsi48 => Some(12),
            Self::Hse => Some(16),
            Self::Pll1 => Some(24),
            Self::Pll2 => Some(26),
            Self::Pll3 => Some(28),
            Self::Lsi | Self::Lse => None,
        }
    }

    /// Bit of the ready flag in RCC_CR.
    pub const fn ready_bit(self) -> Option<u32> {
        match self {
            Self::Hsi => Some(2),
            Self::Csi => Some(8),
            Self::Hsi48 => Some(13),
            Self::Hse => Some(17),
            Self::Pll1 => Some(25),
            Self::Pll2 => Some(27),
            Self::Pll3 => Some(29),
            Self::Lsi | Self::Lse => None,
        }
    }

    /// Number of the PLL, from 0.
    pub const fn pll(self) -> Option<usize> {
        match self {
            Self::Pll1 => Some(0),
            Self::Pll2 => Some(1),
            Self::Pll3 => Some(2),
            _ => None,
        }
    }

    /// Time from ON to ready. Assumed: sizes recalled from the data sheet, and every part differs. They
    /// delay the start of the firmware by microseconds and nothing after it.
    pub const fn start_up(self) -> Span {
        match self {
            Self::Hsi => Span::from_ns(1_400),
            Self::Csi => Span::from_us(1),
            Self::Hsi48 => Span::from_ns(2_100),
            // A clock from outside needs no build-up, only some periods to be seen.
            Self::Hse => Span::from_us(2),
            Self::Lsi => Span::from_us(80),
            Self::Lse => Span::from_ms(2_000),
            Self::Pll1 | Self::Pll2 | Self::Pll3 => Span::from_us(50),
        }
    }
}

/// States of all sources.
#[derive(Clone, Debug)]
pub struct Sources {
    states: [State; Source::ALL.len()],
}

#[derive(Clone, Copy, Debug)]
enum State {
    Off,
    /// On, but what it needs is missing: a reference clock or a crystal.
    Waiting,
    Starting {
        ready_at: Instant,
    },
    Ready,
}

impl Sources {
    /// HSI runs, the others are off.
    pub fn after_reset() -> Self {
        let mut states = [State::Off; Source::ALL.len()];
        states[Source::Hsi as usize] = State::Ready;
        Self { states }
    }

    /// Switches `source` on (if it was off) or off.
    pub fn switch(&mut self, source: Source, on: bool) {
        let state = &mut self.states[source as usize];
        match (on, *state) {
            (false, _) => *state = State::Off,
            (true, State::Off) => *state = State::Waiting,
            (true, _) => {}
        }
    }

    /// Starts `source` if it waits for something that is there now; whether it did.
    pub fn start(&mut self, source: Source, now: Instant) -> bool {
        let state = &mut self.states[source as usize];
        let waiting = matches!(state, State::Waiting);
        if waiting {
            *state = State::Starting {
                ready_at: now + source.start_up(),
            };
        }
        waiting
    }

    /// Makes ready what has had its time at `now`.
    pub fn settle(&mut self, now: Instant) {
        for state in &mut self.states {
            if matches!(state, State::Starting { ready_at } if *ready_at <= now) {
                *state = State::Ready;
            }
        }
    }

    pub fn is_ready(&self, source: Source) -> bool {
        matches!(self.states[source as usize], State::Ready)
    }

    pub fn is_off(&self, source: Source) -> bool {
        matches!(self.states[source as usize], State::Off)
    }

    /// When the next source becomes ready, or [`Instant::NEVER`].
    pub fn next_ready(&self) -> Instant {
        let starting = self.states.iter().filter_map(|state| match state {
            State::Starting { ready_at } => Some(*ready_at),
            _ => None,
        });
        starting.min().unwrap_or(Instant::NEVER)
    }
}
