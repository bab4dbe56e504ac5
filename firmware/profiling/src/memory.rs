//! How much RAM the firmware reserves and uses, from the linker's symbols and the painted stack.

use core::ptr;

use cortex_m_rt::STACK_PAINT_VALUE;

unsafe extern "C" {
    /// One past the highest byte of the stack, where it begins.
    static _stack_start: u32;
    /// The lowest byte the stack may reach.
    static _stack_end: u32;
    static __sdata: u32;
    static __edata: u32;
    static __sbss: u32;
    static __ebss: u32;
    static __suninit: u32;
    static __euninit: u32;
}

/// Bytes reserved for the stack.
pub(crate) fn stack_capacity_bytes() -> u32 {
    distance_bytes(&raw const _stack_end, &raw const _stack_start)
}

/// Bytes of the stack that lost the paint they got at reset.
pub(crate) fn stack_high_water_bytes() -> u32 {
    let end = &raw const _stack_end;
    let words = stack_capacity_bytes() as usize / size_of::<u32>();
    let untouched = (0..words)
        // SAFETY: the words lie within the stack; volatile, since the compiler knows nothing of
        // what other frames wrote there.
        .take_while(|&word| unsafe { ptr::read_volatile(end.add(word)) } == STACK_PAINT_VALUE)
        .count();
    ((words - untouched) * size_of::<u32>()) as u32
}

/// Bytes of data, bss and uninitialised statics.
pub(crate) fn static_ram_bytes() -> u32 {
    distance_bytes(&raw const __sdata, &raw const __edata)
        + distance_bytes(&raw const __sbss, &raw const __ebss)
        + distance_bytes(&raw const __suninit, &raw const __euninit)
}

fn distance_bytes(from: *const u32, to: *const u32) -> u32 {
    (to.addr() - from.addr()) as u32
}
