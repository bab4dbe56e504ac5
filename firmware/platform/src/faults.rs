//! What a fault leaves in the log. Panics are logged by `panic-probe`, which then raises a HardFault.

use cortex_m::peripheral::SCB;
use cortex_m_rt::{ExceptionFrame, exception};

/// Logs where the core was and why it faulted (ARMv7-M fault status registers), and stops there.
#[exception]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    // SAFETY: the SCB is always mapped; these registers have no read side effects, and nothing else
    // runs any more.
    let (hfsr, cfsr, mmfar, bfar) = unsafe {
        let scb = &*SCB::PTR;
        (
            scb.hfsr.read(),
            scb.cfsr.read(),
            scb.mmfar.read(),
            scb.bfar.read(),
        )
    };
    defmt::error!(
        "HardFault at pc {=u32:#010x}, lr {=u32:#010x}, HFSR {=u32:#010x}, CFSR {=u32:#010x}, MMFAR {=u32:#010x}, BFAR {=u32:#010x}",
        frame.pc(),
        frame.lr(),
        hfsr,
        cfsr,
        mmfar,
        bfar
    );
    loop {
        cortex_m::asm::nop();
    }
}
