//! GPIO ports A to H, J and K (PAC gpio_v2, SVD). The STM32H723 has no port I.

use crate::bus::{AccessError, Width};
use crate::soc::context::{Context, RegisterValue, merge, unmodelled};

const BLOCK: &str = "GPIO";

/// Ports by index, A = 0; index 8 (I) exists for the numbering only.
pub const PORTS: usize = 11;

const MODER: u32 = 0x00;
const OTYPER: u32 = 0x04;
const OSPEEDR: u32 = 0x08;
const PUPDR: u32 = 0x0C;
const IDR: u32 = 0x10;
const ODR: u32 = 0x14;
const BSRR: u32 = 0x18;
const LCKR: u32 = 0x1C;
const AFRL: u32 = 0x20;
const AFRH: u32 = 0x24;

/// One port.
#[derive(Clone, Debug)]
struct Port {
    mode: u32,
    open_drain: u32,
    speed: u32,
    pull: u32,
    output: u32,
    lock: u32,
    alternate: [u32; 2],
    /// Pins that something outside drives, and the levels it drives.
    driven: u16,
    levels: u16,
    /// What the pins show at IDR.
    input: u16,
}

impl Port {
    /// Debug pins PA13 to PA15, PB3 and PB4 start as alternate functions with their pulls, all others
    /// as analog (SVD).
    fn after_reset(index: usize) -> Self {
        let (mode, speed, pull) = match index {
            0 => (0xABFF_FFFF, 0x0C00_0000, 0x6400_0000),
            1 => (0xFFFF_FEBF, 0x0000_00C0, 0x0000_0100),
            _ => (0xFFFF_FFFF, 0, 0),
        };
        let mut port = Self {
            mode,
            open_drain: 0,
            speed,
            pull,
            output: 0,
            lock: 0,
            alternate: [0; 2],
            driven: 0,
            levels: 0,
            input: 0,
        };
        port.update();
        port
    }

    fn update(&mut self) {
        self.input = (0..16).fold(0, |input, pin| input | u16::from(self.level(pin)) << pin);
    }

    fn level(&self, pin: u32) -> bool {
        const OUTPUT: u32 = 0b01;
        const ANALOG: u32 = 0b11;
        let mode = self.mode >> (2 * pin) & 3;
        let high = self.output >> pin & 1 != 0;
        let push_pull = self.open_drain >> pin & 1 == 0;
        match mode {
            ANALOG => false,
            OUTPUT if push_pull || !high => high,
            _ if self.driven >> pin & 1 != 0 => self.levels >> pin & 1 != 0,
            _ => self.pull >> (2 * pin) & 3 == 0b01,
        }
    }
}

/// All ports.
#[derive(Clone, Debug)]
pub struct Gpio {
    ports: [Port; PORTS],
}

impl Default for Gpio {
    fn default() -> Self {
        Self {
            ports: std::array::from_fn(Port::after_reset),
        }
    }
}

impl Gpio {
    /// The alternate function a pin is switched to, if it is.
    pub fn alternate(&self, port: usize, pin: u32) -> Option<u32> {
        const ALTERNATE: u32 = 0b10;
        let port = &self.ports[port];
        let selected = port.alternate[pin as usize / 8] >> (4 * (pin % 8)) & 0xF;
        (port.mode >> (2 * pin) & 3 == ALTERNATE).then_some(selected)
    }

    /// The level that the part itself drives a pin to as an output, if it does.
    pub fn drives(&self, port: usize, pin: u32) -> Option<bool> {
        const OUTPUT: u32 = 0b01;
        let port = &self.ports[port];
        let high = port.output >> pin & 1 != 0;
        let push_pull = port.open_drain >> pin & 1 == 0;
        let output = port.mode >> (2 * pin) & 3 == OUTPUT;
        (output && (push_pull || !high)).then_some(high)
    }

    pub fn load(
        &mut self,
        port: usize,
        offset: u32,
        width: Width,
        _: &mut Context,
    ) -> Result<RegisterValue, AccessError> {
        let port = &self.ports[port];
        let value = match offset & !3 {
            MODER => port.mode,
            OTYPER => port.open_drain,
            OSPEEDR => port.speed,
            PUPDR => port.pull,
            IDR => u32::from(port.input),
            ODR => port.output,
            BSRR => 0,
            LCKR => port.lock,
            AFRL => port.alternate[0],
            AFRH => port.alternate[1],
            _ => return unmodelled(BLOCK, offset),
        };
        Ok(RegisterValue::stable(value).lane(offset, width))
    }

    pub fn store(
        &mut self,
        port: usize,
        offset: u32,
        width: Width,
        value: u32,
        _: &mut Context,
    ) -> Result<(), AccessError> {
        let port = &mut self.ports[port];
        let merged = |old| merge(old, offset, width, value);
        match offset & !3 {
            MODER => port.mode = merged(port.mode),
            OTYPER => port.open_drain = merged(port.open_drain) & 0xFFFF,
            OSPEEDR => port.speed = merged(port.speed),
            PUPDR => port.pull = merged(port.pull),
            IDR => {}
            ODR => port.output = merged(port.output) & 0xFFFF,
            BSRR => {
                let bits = merged(0);
                port.output = (port.output & !(bits >> 16)) | (bits & 0xFFFF);
            }
            LCKR if merged(port.lock) == 0 => {}
            AFRL => port.alternate[0] = merged(port.alternate[0]),
            AFRH => port.alternate[1] = merged(port.alternate[1]),
            _ => return unmodelled(BLOCK, offset),
        }
        port.update();
        Ok(())
    }

    /// Puts one port's registers back to their reset values; what drives its pins stays.
    pub fn reset(&mut self, port: usize) {
        let Port { driven, levels, .. } = self.ports[port];
        self.ports[port] = Port {
            driven,
            levels,
            ..Port::after_reset(port)
        };
        self.ports[port].update();
    }

    /// Something outside drives a pin high or low, or (`None`) lets go of it.
    pub fn drive(&mut self, port: usize, pin: u32, level: Option<bool>) {
        let port = &mut self.ports[port];
        let bit = 1 << pin;
        port.driven = (port.driven & !bit) | if level.is_some() { bit } else { 0 };
        port.levels = (port.levels & !bit) | if level == Some(true) { bit } else { 0 };
        port.update();
    }

    /// The levels that a port's pins show.
    pub fn input(&self, port: usize) -> u16 {
        self.ports[port].input
    }

    /// The levels that a port's output register holds.
    pub fn output(&self, port: usize) -> u16 {
        self.ports[port].output as u16
    }
}
