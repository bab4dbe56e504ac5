//! The extension's register file and FPSCR.

/// FPSCR bits that exist (ARMv7-M ARM, A2.5.3): N Z C V AHP DN FZ RMode, IDC IXC UFC OFC DZC IOC.
pub const FPSCR_MASK: u32 = 0xF7C0_009F;

/// S0 to S31, which overlay D0 to D15, and FPSCR.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FpuRegs {
    pub s: [u32; 32],
    pub fpscr: u32,
}

impl FpuRegs {
    /// D`index`, 0 to 15.
    #[inline]
    pub fn d(&self, index: u8) -> u64 {
        let low = usize::from(index) * 2;
        u64::from(self.s[low]) | u64::from(self.s[low + 1]) << 32
    }

    #[inline]
    pub fn set_d(&mut self, index: u8, value: u64) {
        let low = usize::from(index) * 2;
        self.s[low] = value as u32;
        self.s[low + 1] = (value >> 32) as u32;
    }

    /// S`index` or D`index`, as bits.
    #[inline]
    pub fn get(&self, double: bool, index: u8) -> u64 {
        if double {
            self.d(index)
        } else {
            u64::from(self.s[usize::from(index)])
        }
    }

    /// Sets S`index` or D`index`.
    #[inline]
    pub fn set(&mut self, double: bool, index: u8, value: u64) {
        if double {
            self.set_d(index, value);
        } else {
            self.s[usize::from(index)] = value as u32;
        }
    }

    /// What VMSR does: writes the bits of FPSCR that exist.
    pub fn write_fpscr(&mut self, value: u32) {
        self.fpscr = value & FPSCR_MASK;
    }

    /// What a new floating-point context does: FPSCR's control fields come from `fpdscr`, condition and
    /// exception flags stay (ARMv7-M ARM, B1.5.7).
    pub fn start_context(&mut self, fpdscr: u32) {
        const CONTROL_FIELDS: u32 = 0x07C0_0000;
        self.fpscr = self.fpscr & !CONTROL_FIELDS | fpdscr & CONTROL_FIELDS;
    }

    /// FPSCR's N, Z, C, V in the places they have in APSR, for `VMRS APSR_nzcv, FPSCR`.
    pub const fn nzcv(&self) -> u32 {
        self.fpscr & 0xF000_0000
    }
}
