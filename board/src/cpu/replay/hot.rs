//! Loads from peripherals that are executed often.

/// Executions of one load after which a block of its own begins behind it.
const OFTEN: u32 = 2_000;

const PLACES: usize = 64;

/// Counts of executed loads, by the low bits of their address.
#[derive(Clone, Debug)]
pub(in crate::cpu) struct HotLoads {
    counts: Box<[(u32, u32); PLACES]>,
    found: Option<u32>,
}

impl Default for HotLoads {
    fn default() -> Self {
        Self {
            counts: Box::new([(0, 0); PLACES]),
            found: None,
        }
    }
}

impl HotLoads {
    /// Counts the load at `pc`; true when that shows it to be hot.
    #[inline]
    pub fn count(&mut self, pc: u32) -> bool {
        let (held, count) = &mut self.counts[(pc >> 1) as usize % PLACES];
        if *held != pc {
            // The other one has to be rarer to lose its place.
            *count = count.saturating_sub(1);
            if *count == 0 {
                (*held, *count) = (pc, 1);
            }
            return false;
        }
        *count = count.wrapping_add(1);
        if *count == OFTEN {
            self.found = Some(pc);
        }
        *count == OFTEN
    }

    /// The load that was found hot since the last call.
    pub fn take(&mut self) -> Option<u32> {
        self.found.take()
    }
}
