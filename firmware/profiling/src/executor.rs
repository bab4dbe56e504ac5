//! embassy's thread-mode executor with its polls counted and timed.
//!
//! An interrupt handler is timed with the poll it interrupts; one that wakes the core from sleep
//! runs before the poll it causes, and is not.

use core::cell::RefCell;
use core::marker::PhantomData;
use core::ptr;

use cortex_m::peripheral::DWT;
use critical_section::Mutex;
use embassy_executor::{Spawner, raw};
use profiling_model::{ExecutorLoad, LoadWindow};

use crate::clock;

static LOAD: Mutex<RefCell<ExecutorLoad>> =
    Mutex::new(RefCell::new(ExecutorLoad::new(clock::CYCLES_PER_TICK)));

/// The context for which embassy's pender wakes a WFE instead of pending an interrupt
/// (embassy-executor 0.10, platform/cortex_m.rs).
const THREAD_PENDER: usize = usize::MAX;

/// Stands in for [`embassy_executor::Executor`], and does the same besides measuring.
pub struct Executor {
    inner: raw::Executor,
    not_send: PhantomData<*mut ()>,
}

impl Executor {
    /// An executor without tasks.
    #[expect(
        clippy::new_without_default,
        reason = "mirrors embassy_executor::Executor"
    )]
    pub fn new() -> Self {
        Self {
            inner: raw::Executor::new(ptr::without_provenance_mut(THREAD_PENDER)),
            not_send: PhantomData,
        }
    }

    /// Runs the tasks that `init` spawns, for ever.
    pub fn run(&'static mut self, init: impl FnOnce(Spawner)) -> ! {
        clock::start();
        init(self.inner.spawner());
        loop {
            update(|load| load.poll_began(clock::now()));
            // SAFETY: the only call of `poll`, and it is not reached from within itself.
            unsafe { self.inner.poll() };
            update(|load| load.poll_ended(clock::now()));
            cortex_m::asm::wfe();
        }
    }
}

/// Sleeps until an event or interrupt, for a task that waits for the hardware within its poll. Like
/// the sleep between polls, and the handler that ends it, this does not count as busy.
///
/// Measured by the cycle counter: whether it stops in sleep or, under a debugger, goes on, what it
/// shows afterwards is what the poll's length has too much.
pub fn sleep_in_poll() {
    let before = DWT::cycle_count();
    cortex_m::asm::wfe();
    let slept = DWT::cycle_count().wrapping_sub(before);
    update(|load| load.slept_in_poll(slept));
}

/// Starts a new window of measurement.
pub(crate) fn reset_load() {
    update(|load| load.reset(clock::now()));
}

/// The load since the last reset.
pub(crate) fn load() -> LoadWindow {
    update(|load| load.window(clock::now()))
}

fn update<R>(change: impl FnOnce(&mut ExecutorLoad) -> R) -> R {
    critical_section::with(|cs| change(&mut LOAD.borrow_ref_mut(cs)))
}
