//! DMA1 and DMA2, as far as SPI1 uses them (PAC dma_v1, EMB dma/dma_bdma.rs).
//!
//! A stream moves single bytes between memory and SPI1 when SPI1 asks for it. A beat takes no time of
//! its own: SPI1's FIFO hides it, and the next byte is an SCK period at least eight times as long away.
//! Bytes are moved when somebody can see that they were, so memory is read and written no later than
//! the transfer's half or end, its count or flags are looked at. The stream's own FIFO only holds data
//! back and is left out.

mod stream;

#[cfg(test)]
mod tests;

use crate::bus::{AccessError, Width};
use crate::irq::{IrqLines, line};
use crate::memory::Memory;
use crate::soc::context::{RegisterValue, merge, unmodelled};
use crate::soc::dmamux::Dmamux;
use stream::{Direction, Stream, cr};

const STREAMS: usize = 8;

const ISR: [u32; 2] = [0x00, 0x04];
const IFCR: [u32; 2] = [0x08, 0x0C];
const FIRST_STREAM: u32 = 0x10;
const STREAM_LEN: u32 = 0x18;
const END: u32 = FIRST_STREAM + STREAM_LEN * STREAMS as u32;

/// Registers of a stream, from its first.
mod offset {
    pub const CR: u32 = 0x00;
    pub const NDTR: u32 = 0x04;
    pub const PAR: u32 = 0x08;
    pub const M0AR: u32 = 0x0C;
    pub const M1AR: u32 = 0x10;
    pub const FCR: u32 = 0x14;
}

/// Where the flags of a register's four streams begin.
const FLAGS_SHIFT: [u32; 4] = [0, 6, 16, 22];
const FLAGS: u8 = 0x3D;

/// The requests that are modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    Spi1Rx,
    Spi1Tx,
}

impl Request {
    const ALL: [Self; 2] = [Self::Spi1Rx, Self::Spi1Tx];

    /// The number by which DMAMUX1 knows it (EMB, generated from ST's files).
    const fn id(self) -> u8 {
        match self {
            Self::Spi1Rx => 37,
            Self::Spi1Tx => 38,
        }
    }

    /// The data register that it asks to be read or written.
    const fn register(self) -> u32 {
        match self {
            Self::Spi1Rx => 0x4001_3030,
            Self::Spi1Tx => 0x4001_3020,
        }
    }

    const fn direction(self) -> Direction {
        match self {
            Self::Spi1Rx => Direction::PeripheralToMemory,
            Self::Spi1Tx => Direction::MemoryToPeripheral,
        }
    }
}

/// Both controllers.
#[derive(Clone, Debug, Default)]
pub struct Dma {
    streams: [Stream; 2 * STREAMS],
    /// The running stream that serves each request.
    serving: [Option<u8>; 2],
    /// Something changed since it was last shown and armed.
    changed: bool,
}

impl Dma {
    pub fn load(
        &mut self,
        controller: usize,
        offset: u32,
        width: Width,
    ) -> Result<RegisterValue, AccessError> {
        let value = match place(offset) {
            Some(Place::Flags(half)) => RegisterValue {
                value: self.flags(controller, half),
                stable: !self.is_moving(),
            },
            Some(Place::Clear(_)) => RegisterValue::stable(0),
            Some(Place::Stream(n, register)) => {
                self.load_stream(controller * STREAMS + n, register)
            }
            None => return unmodelled(block(controller), offset),
        };
        Ok(value.lane(offset, width))
    }

    fn load_stream(&self, n: usize, register: u32) -> RegisterValue {
        let stream = &self.streams[n];
        match register {
            offset::CR => RegisterValue::stable(stream.control),
            offset::NDTR => RegisterValue {
                value: stream.left,
                stable: !stream.runs(),
            },
            offset::PAR => RegisterValue::stable(stream.peripheral),
            offset::M0AR => RegisterValue::stable(stream.memory[0]),
            offset::M1AR => RegisterValue::stable(stream.memory[1]),
            _ => RegisterValue::stable(stream.fifo),
        }
    }

    pub fn store(
        &mut self,
        controller: usize,
        offset: u32,
        width: Width,
        value: u32,
        mux: &Dmamux,
    ) -> Result<(), AccessError> {
        self.changed = true;
        match place(offset) {
            Some(Place::Flags(_)) => Ok(()),
            Some(Place::Clear(half)) => {
                self.clear_flags(controller, half, merge(0, offset, width, value));
                Ok(())
            }
            Some(Place::Stream(n, register)) => {
                let n = controller * STREAMS + n;
                let old = self.load_stream(n, register).value;
                let value = merge(old, offset, width, value);
                let stored = self.store_stream(n, register, value, mux);
                stored.ok_or(AccessError::Unmodelled {
                    block: block(controller),
                    offset,
                })
            }
            None => unmodelled(block(controller), offset),
        }
    }

    /// `None` where the value asks for something that is not modelled.
    fn store_stream(&mut self, n: usize, register: u32, value: u32, mux: &Dmamux) -> Option<()> {
        let stream = &mut self.streams[n];
        let idle = !stream.runs();
        match register {
            offset::CR => {
                if idle && value & cr::EN != 0 {
                    let request = request(n, stream.peripheral, value, mux)?;
                    if self.serving[request as usize].is_some() {
                        return None;
                    }
                }
                stream.store_control(value);
                self.connect(mux);
            }
            offset::NDTR if idle => stream.left = value & 0xFFFF,
            offset::PAR if idle => stream.peripheral = value,
            offset::M0AR if idle => stream.memory[0] = value,
            offset::M1AR if idle => stream.memory[1] = value,
            offset::FCR if idle => stream.store_fifo(value),
            _ => {}
        }
        Some(())
    }

    /// Finds the stream for each request anew.
    pub fn connect(&mut self, mux: &Dmamux) {
        self.changed = true;
        self.serving = Request::ALL.map(|request| {
            (0..2 * STREAMS as u8).find(|&n| {
                let n = usize::from(n);
                let Stream {
                    left,
                    peripheral,
                    control,
                    ..
                } = self.streams[n];
                let runs = self.streams[n].runs() && left > 0;
                runs && self::request(n, peripheral, control, mux) == Some(request)
            })
        });
    }

    /// Puts a controller's registers back to their reset values.
    pub fn reset(&mut self, controller: usize, mux: &Dmamux) {
        self.streams[controller * STREAMS..][..STREAMS].fill(Stream::default());
        self.connect(mux);
    }

    /// Whether a stream waits for `request`.
    #[inline]
    pub fn serves(&self, request: Request) -> bool {
        self.serving[request as usize].is_some()
    }

    /// Bytes that the stream of `request` still has to move.
    pub fn left(&self, request: Request) -> usize {
        self.serving[request as usize].map_or(0, |n| self.streams[usize::from(n)].left as usize)
    }

    /// Bytes until the stream of `request` has something to show.
    pub fn until_flag(&self, request: Request) -> Option<u64> {
        let n = self.serving[request as usize]?;
        Some(self.streams[usize::from(n)].until_flag().into())
    }

    /// Hands SPI1's next received byte to its stream.
    pub fn take(&mut self, byte: u8, memory: &mut Memory) {
        if let Some(n) = self.serving[Request::Spi1Rx as usize] {
            self.streams[usize::from(n)].write(byte, memory);
            self.conclude(Request::Spi1Rx, n);
        }
    }

    /// The next byte for SPI1 to send.
    pub fn give(&mut self, memory: &mut Memory) -> Option<u8> {
        let n = self.serving[Request::Spi1Tx as usize]?;
        let byte = self.streams[usize::from(n)].read(memory);
        self.conclude(Request::Spi1Tx, n);
        byte
    }

    /// Sees after a byte whether it had an effect beside being moved.
    #[inline]
    fn conclude(&mut self, request: Request, n: u8) {
        let stream = &self.streams[usize::from(n)];
        self.changed |= stream.flags != 0;
        if !stream.runs() {
            self.serving[request as usize] = None;
        }
    }

    /// What SPI1 will ask for has changed.
    pub fn touch(&mut self) {
        self.changed = true;
    }

    /// Whether something changed since the last call.
    #[inline]
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Whether a stream moves bytes.
    #[inline]
    pub fn is_moving(&self) -> bool {
        self.serving != [None; 2]
    }

    pub fn update_lines(&self, irq: &mut IrqLines) {
        for (n, stream) in self.streams.iter().enumerate() {
            irq.set(line::dma(n / STREAMS, n % STREAMS), stream.interrupts());
        }
    }

    fn flags(&self, controller: usize, half: usize) -> u32 {
        let streams = &self.streams[controller * STREAMS + half * 4..][..4];
        let flags = streams.iter().zip(FLAGS_SHIFT);
        flags.fold(0, |word, (stream, shift)| {
            word | u32::from(stream.flags) << shift
        })
    }

    fn clear_flags(&mut self, controller: usize, half: usize, bits: u32) {
        let streams = &mut self.streams[controller * STREAMS + half * 4..][..4];
        for (stream, shift) in streams.iter_mut().zip(FLAGS_SHIFT) {
            stream.flags &= !((bits >> shift) as u8 & FLAGS);
        }
    }
}

/// The request that a stream about to start would serve; `None` if it asks for something else than to
/// move bytes for SPI1.
fn request(n: usize, peripheral: u32, control: u32, mux: &Dmamux) -> Option<Request> {
    Request::ALL.into_iter().find(|request| {
        request.id() == mux.request(n)
            && request.register() == peripheral
            && request.direction() == Direction::of(control)
            && control & cr::REFUSED == 0
    })
}

const fn block(controller: usize) -> &'static str {
    ["DMA1", "DMA2"][controller]
}

enum Place {
    /// LISR or HISR.
    Flags(usize),
    /// LIFCR or HIFCR.
    Clear(usize),
    /// A stream's register.
    Stream(usize, u32),
}

fn place(offset: u32) -> Option<Place> {
    let word = offset & !3;
    if let Some(half) = ISR.iter().position(|isr| *isr == word) {
        return Some(Place::Flags(half));
    }
    if let Some(half) = IFCR.iter().position(|ifcr| *ifcr == word) {
        return Some(Place::Clear(half));
    }
    (FIRST_STREAM..END).contains(&word).then(|| {
        let inside = word - FIRST_STREAM;
        Place::Stream((inside / STREAM_LEN) as usize, inside % STREAM_LEN)
    })
}
