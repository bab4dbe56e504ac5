//! Transfers of SPI1 by DMA, as embassy-stm32's asynchronous operations make them.

use crate::bus::{AccessError, Bus, Width};
use crate::irq::line;
use crate::soc::spi::tests::master::{CSTART, Master, RXDR, SPE, SPI1, TXDR};

const DMA1: u32 = 0x4002_0000;
const LISR: u32 = DMA1;
const LIFCR: u32 = DMA1 + 0x08;
const DMAMUX1: u32 = 0x4002_0800;
const BUFFER: u32 = 0x2400_1000;

const EN: u32 = 1;
/// TEIE, TCIE, MINC.
const READ: u32 = 1 << 2 | 1 << 4 | 1 << 10;
const WRITE: u32 = READ | 1 << 6;
const HTIE: u32 = 1 << 3;

const TEIF: u32 = 1 << 3;
const HTIF: u32 = 1 << 4;
const TCIF: u32 = 1 << 5;
/// Stream 1's flags lie this much higher.
const SECOND: u32 = 6;

const FRAME: u64 = 64;
const START: u64 = 2;
const SEEN: u64 = 2;

/// Stream 0 reads SPI1, stream 1 writes it.
fn program(master: &mut Master, stream: u32, memory: u32, count: u32, control: u32) {
    let at = DMA1 + 0x10 + 0x18 * stream;
    let (request, register) = [(37, RXDR), (38, TXDR)][stream as usize];
    master.bed.store(DMAMUX1 + 4 * stream, request);
    master.bed.store(LIFCR, 0x3D << (6 * stream));
    master.bed.store(at + 0x08, register);
    master.bed.store(at + 0x0C, memory);
    master.bed.store(at + 0x04, count);
    master.bed.store(at + 0x14, 0);
    master.bed.store(at, control);
    master.bed.store(at, control | EN);
}

fn put(master: &mut Master, address: u32, bytes: &[u8]) {
    assert!(master.bed.soc.memory_mut().program(address, bytes));
}

fn bytes(master: &Master, address: u32, len: u32) -> Vec<u8> {
    master
        .bed
        .soc
        .memory()
        .slice(address, len)
        .unwrap()
        .to_vec()
}

/// Starts SPI1 with the requests of CFG1 and a TSIZE.
fn go(master: &mut Master, receiver: bool, size: u32, requests: u32) -> u64 {
    master.bed.modify(SPI1, SPE, 0);
    let comm = if receiver { 0b10 << 17 } else { 0 };
    master.bed.modify(SPI1 + 0x0C, 0b11 << 17, comm);
    master.bed.store(SPI1 + 0x04, size);
    master.bed.modify(SPI1 + 0x08, 0b11 << 14, requests);
    master.bed.modify(SPI1, 0, SPE);
    master.bed.modify(SPI1, 0, CSTART);
    master.bed.cycle
}

const RX: u32 = 1 << 14;
const TX: u32 = 1 << 15;

/// Runs to the first event at which the line is high; gives its cycle.
fn until_line(master: &mut Master, line: usize) -> u64 {
    for _ in 0..4 {
        if master.bed.line(line) {
            return master.bed.cycle;
        }
        master.bed.step();
    }
    panic!("line {line} stays low");
}

#[test]
fn the_chip_answers_by_dma() {
    let mut master = Master::ready();
    master.open();
    put(&mut master, BUFFER, &[0x00, 0x39, 0x00]);
    master.select(true);

    // embassy's write: three bytes fit into the FIFO at once, so the stream is done before they are.
    program(&mut master, 1, BUFFER, 3, WRITE);
    go(&mut master, false, 0, TX);
    assert_eq!(master.bed.load(LISR), (TCIF | HTIF) << SECOND);
    assert!(master.bed.line(line::dma(0, 1)));
    assert_eq!(master.bed.load(DMA1 + 0x28) & EN, 0);
    master.wait_cycle_by_cycle(1 << 12);

    // embassy's read: a receiver with a size.
    program(&mut master, 0, BUFFER + 16, 1, READ);
    let started = go(&mut master, true, 1, RX);
    assert_eq!(
        until_line(&mut master, line::dma(0, 0)),
        started + START + FRAME + SEEN
    );
    assert_eq!(bytes(&master, BUFFER + 16, 2), [0x04, 0]);
    master.bed.store(LIFCR, 0x3D);
    assert!(!master.bed.line(line::dma(0, 0)));
    master.select(false);
}

#[test]
fn a_transfer_moves_both_ways_and_is_over_when_the_last_byte_is_in_memory() {
    let mut master = Master::ready();
    master.open();
    master.select(true);
    // SHAR and what follows it, 3 + 100 bytes; the answer comes beside the request.
    let mut request = vec![0; 103];
    request[1] = 0x09;
    put(&mut master, BUFFER, &request);
    program(&mut master, 0, BUFFER + 0x100, 103, READ);
    program(&mut master, 1, BUFFER, 103, WRITE);
    let started = go(&mut master, false, 0, RX | TX);
    // 16 bytes wait in the FIFO and one is on the wire when the last comes from memory.
    assert_eq!(
        until_line(&mut master, line::dma(0, 1)),
        started + START + (103 - 17) * FRAME
    );
    assert_eq!(
        until_line(&mut master, line::dma(0, 0)),
        started + START + 103 * FRAME + SEEN
    );
    let version = bytes(&master, BUFFER + 0x100 + 3 + 0x30, 1);
    assert_eq!(version, [0x04], "VERSIONR is 0x30 after SHAR");
    assert_eq!(master.bed.soc.spi_bytes(), 103);
    assert_eq!(master.status() & 1 << 6, 0, "no overrun");
}

#[test]
fn count_and_half_follow_the_bytes() {
    let mut master = Master::ready();
    master.open();
    program(&mut master, 0, BUFFER, 9, READ | HTIE);
    let started = go(&mut master, true, 9, RX);
    for done in 0..9 {
        let now = started + START + done * FRAME + SEEN;
        master.pass(now - master.bed.cycle);
        assert_eq!(u64::from(master.bed.load(DMA1 + 0x14)), 9 - done);
        assert_eq!(master.bed.line(line::dma(0, 0)), done >= 5, "{done}");
        assert_eq!(master.bed.load(LISR), if done >= 5 { HTIF } else { 0 });
    }
    assert_eq!(until_line(&mut master, line::dma(0, 0)), master.bed.cycle);
    master.pass(FRAME);
    assert_eq!(master.bed.load(LISR), HTIF | TCIF);
    assert_eq!(bytes(&master, BUFFER, 9), [0xFF; 9], "nobody is selected");
}

#[test]
fn a_write_alone_overruns_the_receiver_and_that_is_all() {
    let mut master = Master::ready();
    master.open();
    program(&mut master, 1, BUFFER, 40, WRITE);
    let started = go(&mut master, false, 0, TX);
    assert_eq!(
        until_line(&mut master, line::dma(0, 1)),
        started + START + (40 - 17) * FRAME
    );
    assert_eq!(
        master.wait_cycle_by_cycle(1 << 12),
        started + START + 40 * FRAME + SEEN
    );
    assert_ne!(master.status() & 1 << 6, 0);
    assert_eq!(master.bed.soc.spi_bytes(), 40);
}

#[test]
fn memory_that_dma_cannot_reach_is_a_transfer_error() {
    for (stream, control, lost) in [(0, READ, 0), (1, WRITE, SECOND)] {
        let mut master = Master::ready();
        master.open();
        program(&mut master, stream, 0x2000_0000, 4, control);
        let requests = if stream == 0 { RX } else { TX };
        go(&mut master, stream == 0, 4, requests);
        master.pass(10 * FRAME);
        assert_eq!(master.bed.load(LISR), TEIF << lost);
        assert!(master.bed.line(line::dma(0, stream as usize)));
        assert_eq!(master.bed.load(DMA1 + 0x10 + 0x18 * stream) & EN, 0);
        assert_eq!(master.bed.load(DMA1 + 0x14 + 0x18 * stream), 4);
    }
}

#[test]
fn a_stream_switched_off_keeps_its_count_and_is_complete() {
    let mut master = Master::ready();
    master.open();
    program(&mut master, 0, BUFFER, 9, READ);
    go(&mut master, true, 9, RX);
    master.pass(START + 4 * FRAME + SEEN);
    master.bed.modify(DMA1 + 0x10, EN, 0);
    assert_eq!(master.bed.load(DMA1 + 0x14), 5);
    assert_eq!(master.bed.load(LISR) & TCIF, TCIF);
    master.pass(20 * FRAME);
    assert_eq!(master.bed.load(DMA1 + 0x14), 5);
}

#[test]
fn transfers_that_spi1_does_not_ask_for_are_refused_by_name() {
    let refused = |request: u32, register: u32, control: u32| {
        let mut master = Master::ready();
        master.bed.store(DMAMUX1, request);
        master.bed.store(DMA1 + 0x18, register);
        master.bed.store(DMA1 + 0x14, 8);
        let cycle = master.bed.cycle;
        let stored = (master.bed.soc).store(DMA1 + 0x10, Width::Word, control | EN, cycle);
        let (block, offset) = ("DMA1", 0x10);
        assert_eq!(stored, Err(AccessError::Unmodelled { block, offset }));
        assert_eq!(master.bed.load(DMA1 + 0x10), 0);
    };
    refused(0, RXDR, READ); // no request
    refused(37, TXDR, READ); // not the register that asks
    refused(38, TXDR, READ); // the wrong way
    refused(37, RXDR, READ | 1 << 8); // circular
    refused(37, RXDR, READ | 1 << 11); // 16 bits
    refused(37, RXDR, READ | 1 << 21); // bursts
    refused(37, RXDR, 1 << 7); // memory to memory
}

#[test]
fn synchronised_requests_are_refused_by_name() {
    let mut master = Master::ready();
    let cycle = master.bed.cycle;
    let stored = master
        .bed
        .soc
        .store(DMAMUX1 + 8, Width::Word, 1 << 16 | 37, cycle);
    let (block, offset) = ("DMAMUX1", 8);
    assert_eq!(stored, Err(AccessError::Unmodelled { block, offset }));
    // Events of a channel are accepted: they trigger nothing without synchronisation.
    master.bed.store(DMAMUX1 + 8, 1 << 9 | 37);
    assert_eq!(master.bed.load(DMAMUX1 + 8), 1 << 9 | 37);
    assert_eq!(master.bed.load(DMAMUX1 + 0x80), 0);
}
