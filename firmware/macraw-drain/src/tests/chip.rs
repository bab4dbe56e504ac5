//! The receiving half of a W5500's socket 0 in MACRAW mode, and the read of embassy-net-wiznet 0.3.

use core::cell::RefCell;
use core::convert::Infallible;
use core::future;
use std::collections::VecDeque;
use std::vec::Vec;

use embedded_hal::{digital, spi};
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::{Operation, SpiDevice};

/// A frame on the wire: it arrives `at` a half of a transaction, counted from the beginning, and
/// takes `bytes` of the buffer, the length prefix included.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    pub at: usize,
    pub bytes: u16,
}

/// The chip. Its SPI device and its INTn are both a shared reference to it.
#[derive(Default)]
pub struct Chip(RefCell<State>);

#[derive(Default)]
struct State {
    arrivals: VecDeque<Arrival>,
    halves: usize,
    buffer: VecDeque<u16>,
    interrupt: bool,
    read_pointer: u16,
    spi_bytes: usize,
}

impl Chip {
    pub fn new(mut arrivals: Vec<Arrival>) -> Self {
        arrivals.sort_by_key(|arrival| arrival.at);
        let state = State {
            arrivals: arrivals.into(),
            ..State::default()
        };
        state.arrive_into()
    }

    /// Lets time pass to the next arrival; false when there is none.
    pub fn sleep(&self) -> bool {
        let state = &mut *self.0.borrow_mut();
        let Some(next) = state.arrivals.front() else {
            return false;
        };
        state.halves = state.halves.max(next.at);
        state.arrive();
        true
    }

    pub fn frames_in_buffer(&self) -> usize {
        self.0.borrow().buffer.len()
    }

    pub fn spi_bytes(&self) -> usize {
        self.0.borrow().spi_bytes
    }
}

impl State {
    fn arrive_into(mut self) -> Chip {
        self.arrive();
        Chip(RefCell::new(self))
    }

    fn arrive(&mut self) {
        while let Some(arrival) = self.arrivals.pop_front_if(|next| next.at <= self.halves) {
            self.buffer.push_back(arrival.bytes);
            self.interrupt = true;
        }
    }

    fn half(&mut self) {
        self.halves += 1;
        self.arrive();
    }

    fn received_size(&self) -> [u8; 2] {
        self.buffer.iter().sum::<u16>().to_be_bytes()
    }

    fn read(&mut self, address: [u8; 3], data: &mut [u8]) {
        match address {
            [0, 0x26, 0x08] => {
                data[0] = self.received_size()[0];
                self.half();
                data[1] = self.received_size()[1];
            }
            [0, 0x28, 0x08] => data.copy_from_slice(&self.read_pointer.to_be_bytes()),
            [_, _, 0x18] if data.len() == 2 => {
                data.copy_from_slice(&self.buffer.front().unwrap_or(&0).to_be_bytes());
            }
            [_, _, 0x18] => {}
            _ => panic!("read of {address:?}"),
        }
    }

    fn write(&mut self, address: [u8; 3], data: &[u8]) {
        match (address, data) {
            ([0, 0x02, 0x0C], [0x04]) => self.interrupt = false,
            ([0, 0x28, 0x0C], &[high, low]) => {
                let end = u16::from_be_bytes([high, low]);
                let taken = end.wrapping_sub(self.read_pointer);
                assert_eq!(Some(taken), self.buffer.front().copied());
                self.read_pointer = end;
            }
            ([0, 0x01, 0x0C], [0x40]) => {
                self.buffer.pop_front();
            }
            _ => panic!("write of {data:?} to {address:?}"),
        }
    }
}

impl SpiDevice for &Chip {
    async fn transaction(
        &mut self,
        operations: &mut [Operation<'_, u8>],
    ) -> Result<(), Infallible> {
        let state = &mut *self.0.borrow_mut();
        match operations {
            [
                Operation::Write([a, b]),
                Operation::Write([c]),
                Operation::TransferInPlace(data),
            ] => {
                state.read([*a, *b, *c], data);
                state.spi_bytes += 3 + data.len();
            }
            [
                Operation::Write([a, b]),
                Operation::Write([c]),
                Operation::Write(data),
            ] => {
                state.write([*a, *b, *c], data);
                state.spi_bytes += 3 + data.len();
            }
            [Operation::Write([a, b, c, data @ ..])] => {
                state.write([*a, *b, *c], data);
                state.spi_bytes += 3 + data.len();
            }
            _ => panic!("{operations:?}"),
        }
        state.half();
        Ok(())
    }
}

impl spi::ErrorType for &Chip {
    type Error = Infallible;
}

impl Wait for &Chip {
    async fn wait_for_low(&mut self) -> Result<(), Infallible> {
        if !self.0.borrow().interrupt {
            future::pending::<()>().await;
        }
        Ok(())
    }

    async fn wait_for_high(&mut self) -> Result<(), Infallible> {
        unreachable!("the driver waits for low only")
    }

    async fn wait_for_rising_edge(&mut self) -> Result<(), Infallible> {
        unreachable!("the driver waits for low only")
    }

    async fn wait_for_falling_edge(&mut self) -> Result<(), Infallible> {
        unreachable!("the driver waits for low only")
    }

    async fn wait_for_any_edge(&mut self) -> Result<(), Infallible> {
        unreachable!("the driver waits for low only")
    }
}

impl digital::ErrorType for &Chip {
    type Error = Infallible;
}

/// Reads a frame in the driver's order of transactions; its bytes with the prefix, 0 for none.
pub async fn read_frame(spi: &mut impl SpiDevice) -> u16 {
    let size = loop {
        let first = read_word(spi, [0, 0x26], 0x08).await;
        if first == read_word(spi, [0, 0x26], 0x08).await {
            break first;
        }
    };
    if size == 0 {
        return 0;
    }
    write(spi, [0, 0x02], &[0x04]).await;
    let start = read_word(spi, [0, 0x28], 0x08).await;
    let bytes = read_word(spi, start.to_be_bytes(), 0x18).await;
    let mut frame = std::vec![0; usize::from(bytes) - 2];
    let frame_start = start.wrapping_add(2).to_be_bytes();
    read(spi, frame_start, 0x18, &mut frame).await;
    write(spi, [0, 0x28], &start.wrapping_add(bytes).to_be_bytes()).await;
    write(spi, [0, 0x01], &[0x40]).await;
    bytes
}

async fn read_word(spi: &mut impl SpiDevice, address: [u8; 2], control: u8) -> u16 {
    let mut word = [0; 2];
    read(spi, address, control, &mut word).await;
    u16::from_be_bytes(word)
}

async fn read(spi: &mut impl SpiDevice, address: [u8; 2], control: u8, data: &mut [u8]) {
    let control = [control];
    let operations = &mut [
        Operation::Write(&address),
        Operation::Write(&control),
        Operation::TransferInPlace(data),
    ];
    spi.transaction(operations).await.unwrap();
}

async fn write(spi: &mut impl SpiDevice, address: [u8; 2], data: &[u8]) {
    let operations = &mut [
        Operation::Write(&address),
        Operation::Write(&[0x0C]),
        Operation::Write(data),
    ];
    spi.transaction(operations).await.unwrap();
}
