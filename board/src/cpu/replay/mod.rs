//! Exact replay of stretches of code that compute the same again and again.
//!
//! A driver that polls a peripheral executes the same few dozen instructions after each look at a status
//! register: it calls a function that checks error bits, pushes and pops registers, branches. Where such a
//! stretch touches no peripheral, everything it does follows from the registers, flags and memory words it
//! reads. It is recorded once (`record`) together with those, its guards; when the core arrives with the same
//! guards, its outcome is applied at once: registers, flags, stores, cycles and instructions come out as if
//! it had been executed.
//!
//! Stretches begin behind loads from peripherals that are executed often, since nowhere else does as much
//! repeat itself. They are forgotten with the decoded code, hence whenever costs or code change.

mod effects;
mod hot;
mod record;
mod stretch;
mod symbols;
mod wait;

pub(super) use hot::HotLoads;
pub(super) use stretch::{Replay, Stretch};
pub(super) use wait::LatestLoad;
use wait::LatestReplay;

use super::state::Core;
use crate::bus::Bus;

/// Stretches kept for one place: one for each of the usual values of a status register at each of the usual
/// depths of the stack.
const STRETCHES: usize = 48;

/// Recordings made at one place before it has to show that they are of use.
const TRIALS: u32 = 96;

/// Replays that each further recording must have brought.
const WORTH: u32 = 32;

/// A place in the code at which stretches begin.
#[derive(Clone, Debug, Default)]
struct Place {
    stretches: Vec<Box<Stretch>>,
    recordings: u32,
    replays: u32,
    /// The stretch that makes room for the next.
    oldest: usize,
}

/// What a place has for the core as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    /// It was replayed; the slot of the block it leads to, zero if that is not known, and whether that is one
    /// more pass of a wait whose end nobody knows.
    Replayed { to: u32, again: bool },
    /// Its end lies behind the next event.
    TooLong,
    /// Nothing was recorded for these values.
    Unknown,
    /// Recording here is not worth it.
    Hopeless,
}

/// All places and their stretches.
#[derive(Clone, Debug, Default)]
pub(super) struct Replays {
    places: Vec<Place>,
    latest: LatestReplay,
}

impl Replays {
    /// A new place; its number is never zero.
    pub fn open(&mut self) -> u16 {
        if self.places.len() >= usize::from(u16::MAX) {
            return 0;
        }
        self.places.push(Place::default());
        self.places.len() as u16
    }

    pub fn forget_all(&mut self) {
        self.places.clear();
    }

    /// Replays so far, as far as their places were not forgotten.
    #[cfg(test)]
    pub fn count(&self) -> u32 {
        self.places.iter().map(|place| place.replays).sum()
    }

    /// Forgets what was recorded, and keeps the places.
    pub fn forget_stretches(&mut self) {
        for place in &mut self.places {
            place.stretches.clear();
            place.oldest = 0;
        }
    }

    /// Replays what place `number` has for the core's state, unless it would reach beyond cycle `stop`.
    #[inline(never)]
    pub fn replay<B: Bus>(
        &mut self,
        number: u16,
        core: &mut Core,
        bus: &mut B,
        stop: u64,
    ) -> Lookup {
        let Some(place) = self.places.get_mut(usize::from(number).wrapping_sub(1)) else {
            return Lookup::Hopeless;
        };
        for n in 0..place.stretches.len() {
            let stretch = &mut place.stretches[n];
            match stretch.replay(core, bus.memory_mut(), stop) {
                Replay::Done => {
                    place.replays = place.replays.saturating_add(1);
                    let to = stretch.to;
                    let mut again = false;
                    if let Some(pass) = stretch.pass {
                        again = !pass.skip(core, bus, stretch.cycles, stop);
                    } else if stretch.is_wait {
                        stretch.pass = self.latest.pass(number, stretch, core);
                    }
                    // The usual ones come to the front.
                    place.stretches.swap(n, n.saturating_sub(1));
                    return Lookup::Replayed { to, again };
                }
                Replay::TooLong => return Lookup::TooLong,
                Replay::Other => {}
            }
        }
        if place.recordings >= TRIALS && place.replays / WORTH < place.recordings {
            return Lookup::Hopeless;
        }
        Lookup::Unknown
    }

    /// Keeps what was recorded at `place`, if it was worth it.
    fn keep(&mut self, place: u16, stretch: Option<Stretch>) {
        let Some(place) = self.place(place) else {
            return;
        };
        place.recordings += 1;
        let Some(stretch) = stretch.map(Box::new) else {
            return;
        };
        if place.stretches.len() < STRETCHES {
            place.stretches.push(stretch);
        } else {
            place.stretches[place.oldest] = stretch;
            place.oldest = (place.oldest + 1) % STRETCHES;
        }
    }

    /// Notes that what was just replayed at `place` leads to the block at slot `to`, which starts at `pc`.
    pub fn link(&mut self, place: u16, pc: u32, to: u32) {
        if let Some(place) = self.place(place) {
            for stretch in place.stretches.iter_mut().filter(|s| s.end == pc) {
                stretch.to = to;
            }
        }
    }

    fn place(&mut self, place: u16) -> Option<&mut Place> {
        self.places.get_mut(usize::from(place).wrapping_sub(1))
    }
}
