//! DMAMUX1: which request reaches which stream of DMA1 and DMA2 (PAC dmamux_v1).

use crate::bus::{AccessError, Width};
use crate::soc::context::{RegisterValue, merge, unmodelled};

const BLOCK: &str = "DMAMUX1";

const CHANNELS: usize = 16;
const CSR: u32 = 0x80;
const CFR: u32 = 0x84;

const REQUEST: u32 = 0xFF;
const EVENT_ENABLE: u32 = 1 << 9;
const REQUEST_COUNT: u32 = 0x1F << 19;
/// Synchronisation: SOIE, SE, SPOL and SYNC_ID.
const REFUSED: u32 = 1 << 8 | 0b111 << 16 | 0x1F << 24;

/// The request multiplexer. Its channels 0 to 7 are DMA1's streams, 8 to 15 DMA2's.
#[derive(Clone, Debug, Default)]
pub struct Dmamux {
    channels: [u32; CHANNELS],
}

impl Dmamux {
    /// The number of the request that a channel passes on; zero for none.
    pub fn request(&self, channel: usize) -> u8 {
        (self.channels[channel] & REQUEST) as u8
    }

    pub fn load(&mut self, offset: u32, width: Width) -> Result<RegisterValue, AccessError> {
        let value = match (self.channels.get(offset as usize / 4), offset & !3) {
            (Some(channel), _) => *channel,
            // Nothing is ever out of step without synchronisation.
            (None, CSR | CFR) => 0,
            _ => return unmodelled(BLOCK, offset),
        };
        Ok(RegisterValue::stable(value).lane(offset, width))
    }

    pub fn store(&mut self, offset: u32, width: Width, value: u32) -> Result<(), AccessError> {
        let Some(channel) = self.channels.get_mut(offset as usize / 4) else {
            return match offset & !3 {
                CSR | CFR => Ok(()),
                _ => unmodelled(BLOCK, offset),
            };
        };
        let value = merge(*channel, offset, width, value);
        if value & REFUSED != 0 {
            return unmodelled(BLOCK, offset);
        }
        *channel = value & (REQUEST | EVENT_ENABLE | REQUEST_COUNT);
        Ok(())
    }
}
