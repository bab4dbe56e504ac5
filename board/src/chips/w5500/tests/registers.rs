//! Reset values, read-only registers, bits that clear by writing, buffer sizes, reset and link.

use super::rig::*;
use crate::chips::w5500::{Parameters, PointerReadback};
use crate::time::{Instant, Span};

const COMMON_RESET: [(u16, &[u8]); 21] = [
    (0x00, &[0x00]),
    (0x01, &[0; 4]),
    (0x05, &[0; 4]),
    (0x09, &[0; 6]),
    (0x0F, &[0; 4]),
    (0x13, &[0; 2]),
    (0x15, &[0x00]),
    (0x16, &[0x00]),
    (0x17, &[0x00]),
    (0x18, &[0x00]),
    (0x19, &[0x07, 0xD0]),
    (0x1B, &[0x08]),
    (0x1C, &[0x28]),
    (0x1D, &[0x00]),
    (0x1E, &[0; 6]),
    (0x24, &[0; 2]),
    (0x26, &[0xFF; 2]),
    (0x28, &[0; 4]),
    (0x2C, &[0; 2]),
    (0x2E, &[0xB8]),
    (0x39, &[0x04]),
];

const SOCKET_RESET: [(u16, &[u8]); 17] = [
    (0x00, &[0, 0, 0, 0]),
    (0x04, &[0, 0]),
    (0x06, &[0xFF; 6]),
    (0x0C, &[0; 4]),
    (0x10, &[0; 2]),
    (0x12, &[0; 2]),
    (0x15, &[0x00, 0x80]),
    (0x1E, &[2, 2]),
    (0x20, &[0x08, 0x00]),
    (0x22, &[0, 0]),
    (0x24, &[0, 0]),
    (0x26, &[0, 0]),
    (0x28, &[0, 0]),
    (0x2A, &[0, 0]),
    (0x2C, &[0xFF]),
    (0x2D, &[0x40, 0x00]),
    (0x2F, &[0x00]),
];

fn assert_reset_values(rig: &mut Rig) {
    for (address, value) in COMMON_RESET {
        assert_eq!(
            rig.read(COMMON, address, value.len()),
            value,
            "{address:#x}"
        );
    }
    for n in 0..8 {
        for (address, value) in SOCKET_RESET {
            let read = rig.read(socket(n), address, value.len());
            assert_eq!(read, value, "socket {n} {address:#x}");
        }
    }
}

/// A chip that is awake and has no link yet.
fn awake() -> Rig {
    let mut rig = Rig::powered_on(Parameters::default(), true);
    rig.run_for(Span::from_ms(5));
    rig
}

#[test]
fn registers_have_their_reset_values() {
    assert_reset_values(&mut awake());
}

#[test]
fn both_resets_bring_the_reset_values_back() {
    let mut rig = awake();
    let scramble = |rig: &mut Rig| {
        rig.write(COMMON, 0x01, &[0x5A; 0x14]);
        rig.write(COMMON, 0x16, &[0xFF]);
        rig.write(COMMON, 0x18, &[0xFF; 16]);
        for n in 0..8 {
            rig.write(socket(n), 0x04, &[0x5A; 0x1A]);
            rig.write(socket(n), 0x1E, &[1, 1]);
            rig.write(socket(n), SN_IMR, &[0x11; 4]);
        }
    };
    scramble(&mut rig);
    rig.write(COMMON, 0x00, &[0x80]);
    assert_reset_values(&mut rig);
    scramble(&mut rig);
    rig.with(|chip, ctx| chip.reset(ctx));
    rig.run_for(Span::from_ms(2));
    assert_reset_values(&mut rig);
}

#[test]
fn mr_rst_reads_one_until_the_reset_is_over_and_writes_before_are_lost() {
    let mut rig = Rig::with_parameters(Parameters {
        software_reset: Span::from_us(100),
        ..Parameters::default()
    });
    rig.write(COMMON, 0x00, &[0x80]);
    assert_eq!(rig.byte(COMMON, 0x00), 0x80);
    rig.write(COMMON, 0x0F, &[1, 2]);
    assert_eq!(rig.counters().writes_during_reset, 2);
    assert_eq!(rig.byte(COMMON, 0x39), 0x04);
    rig.run_for(Span::from_us(100));
    assert_eq!(rig.byte(COMMON, 0x00), 0x00);
    assert_eq!(rig.read(COMMON, 0x0F, 2), [0, 0]);
    assert!(rig.network.wire.carrier());
}

#[test]
fn a_software_reset_can_take_the_link_along() {
    let mut rig = Rig::with_parameters(Parameters {
        software_reset_restarts_link: true,
        ..Parameters::default()
    });
    rig.write(COMMON, 0x00, &[0x80]);
    assert!(!rig.network.wire.carrier());
    rig.run_for(Parameters::default().link_up);
    assert!(rig.network.wire.carrier());
}

#[test]
fn read_only_registers_stay_and_writes_to_them_are_counted() {
    let mut rig = awake();
    for (block, address, len) in [
        (COMMON, 0x17, 1),
        (COMMON, 0x28, 6),
        (COMMON, 0x39, 1),
        (socket(3), 0x03, 1),
        (socket(3), 0x20, 4),
        (socket(3), 0x26, 2),
        (socket(3), 0x2A, 2),
    ] {
        let before = rig.read(block, address, len);
        let counted = rig.counters().read_only_writes;
        rig.write(block, address, &vec![0xA5; len]);
        assert_eq!(rig.read(block, address, len), before, "{address:#x}");
        assert_eq!(rig.counters().read_only_writes, counted + len as u64);
    }
}

#[test]
fn reserved_addresses_read_zero_and_are_counted() {
    let mut rig = awake();
    rig.write(COMMON, 0x2F, &[0xFF; 10]);
    rig.write(socket(1), 0x17, &[0xFF; 7]);
    rig.write(socket(1), 0x30, &[0xFF; 2]);
    rig.write(4 << 3, 0x0000, &[0xFF; 3]);
    assert_eq!(rig.counters().reserved_bytes, 22);
    assert_eq!(
        rig.read(COMMON, 0x2F, 11),
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4]
    );
    assert_eq!(rig.counters().reserved_bytes, 32);
    assert_eq!(rig.read(4 << 3, 0x0000, 3), [0, 0, 0]);
    assert_eq!(rig.counters().reserved_bytes, 35);
    assert_reset_values(&mut rig);
}

#[test]
fn before_it_is_awake_the_chip_hears_nothing() {
    let mut rig = Rig::powered_on(Parameters::default(), true);
    rig.write(COMMON, 0x0F, &[1, 2, 3, 4]);
    assert_eq!(rig.read(COMMON, 0x39, 1), [0xFF]);
    assert_eq!(rig.counters().early_transactions, 2);
    rig.run_until(Instant::ZERO + Parameters::default().power_up);
    assert_eq!(rig.read(COMMON, 0x39, 1), [0x04]);
    assert_eq!(rig.read(COMMON, 0x0F, 4), [0; 4]);
    assert_eq!(rig.counters().early_transactions, 2);
}

#[test]
fn the_link_comes_up_at_its_time_and_a_phy_reset_drops_it() {
    let mut rig = Rig::powered_on(Parameters::default(), true);
    let up = Instant::ZERO + Parameters::default().link_up;
    rig.run_until(Instant::from_ps(up.as_ps() - 1));
    assert!(!rig.network.wire.carrier() && !rig.chip.link_up());
    rig.run_until(up);
    assert!(rig.network.wire.carrier() && rig.chip.link_up());
    assert_eq!(rig.byte(COMMON, 0x2E), 0xBF);
    rig.write(COMMON, 0x2E, &[0x38]);
    assert!(!rig.network.wire.carrier());
    assert_eq!(rig.byte(COMMON, 0x2E), 0x38);
    rig.write(COMMON, 0x2E, &[0xB8]);
    rig.run_for(Parameters::default().link_up);
    assert!(rig.network.wire.carrier());
}

#[test]
fn a_board_reset_drops_the_link_and_keeps_the_counts() {
    let mut rig = Rig::new();
    rig.write(COMMON, 0x39, &[1]);
    let traffic = rig.chip.traffic().entries().count();
    rig.with(|chip, ctx| chip.reset(ctx));
    assert!(!rig.network.wire.carrier());
    assert_eq!(rig.counters().read_only_writes, 1);
    assert_eq!(rig.chip.traffic().entries().count(), traffic);
    rig.run_for(Parameters::default().link_up);
    assert!(rig.network.wire.carrier());
}

#[test]
fn a_pulled_cable_drops_the_link_until_it_is_plugged_in_again() {
    let mut rig = Rig::new();
    rig.with(|chip, ctx| chip.set_cable(false, ctx));
    assert!(!rig.network.wire.carrier() && !rig.chip.link_up());
    assert_eq!(rig.byte(COMMON, 0x2E), 0xB8);
    // Neither time nor a reset of the PHY brings it back.
    rig.write(COMMON, 0x2E, &[0x38]);
    rig.write(COMMON, 0x2E, &[0xB8]);
    rig.run_for(Span::from_ms(5_000));
    assert!(!rig.chip.link_up());
    rig.with(|chip, ctx| chip.set_cable(true, ctx));
    assert!(!rig.chip.link_up());
    rig.run_for(Parameters::default().link_up);
    assert!(rig.network.wire.carrier() && rig.chip.link_up());
}

#[test]
fn without_a_cable_there_is_no_link_and_the_wire_is_left_alone() {
    let mut rig = Rig::powered_on(Parameters::default(), false);
    rig.network.wire.set_carrier(true);
    rig.run_for(Span::from_ms(5_000));
    assert_eq!(rig.byte(COMMON, 0x2E), 0xB8);
    rig.with(|chip, ctx| chip.reset(ctx));
    assert!(rig.network.wire.carrier());
}

#[test]
fn tx_wr_reads_the_old_value_until_send_or_as_the_parameter_says() {
    for (readback, expected) in [(PointerReadback::Old, 0), (PointerReadback::New, 0x1234)] {
        let mut rig = Rig::macraw_with(Parameters {
            tx_wr_readback: readback,
            ..Parameters::default()
        });
        rig.write(socket(0), SN_TX_WR, &[0x12, 0x34]);
        assert_eq!(rig.half(socket(0), SN_TX_WR), expected);
        assert_eq!(rig.half(socket(0), SN_TX_FSR), 16 * 1024);
        rig.command(0, SEND);
        assert_eq!(rig.half(socket(0), SN_TX_WR), 0x1234);
    }
}

#[test]
fn rx_rd_reads_back_as_the_parameter_says() {
    for (readback, expected) in [(PointerReadback::Old, 0), (PointerReadback::New, 0x0203)] {
        let mut rig = Rig::macraw_with(Parameters {
            rx_rd_readback: readback,
            ..Parameters::default()
        });
        rig.write(socket(0), SN_RX_RD, &[0x02, 0x03]);
        assert_eq!(rig.half(socket(0), SN_RX_RD), expected);
    }
}

#[test]
fn buffers_are_as_large_as_their_size_registers_say() {
    for kb in [1, 2, 4, 8, 16_u16] {
        let mut rig = awake();
        rig.write(socket(0), SN_RXBUF_SIZE, &[kb as u8; 2]);
        assert_eq!(rig.half(socket(0), SN_TX_FSR), kb * 1024);
        for block in [tx(0), rx(0)] {
            rig.write(block, kb * 1024 - 1, &[0x11, 0x22]);
            assert_eq!(rig.byte(block, 0), 0x22, "{kb}");
            assert_eq!(rig.byte(block, kb * 1024), 0x22);
            assert_eq!(rig.byte(block, 0xFFFF), 0x11);
        }
    }
}

#[test]
fn a_buffer_of_size_zero_reads_as_the_parameter_says() {
    let mut rig = Rig::with_parameters(Parameters {
        empty_block_value: 0xEE,
        ..Parameters::default()
    });
    rig.write(socket(2), SN_TXBUF_SIZE, &[0]);
    rig.write(tx(2), 0, &[1, 2, 3]);
    assert_eq!(rig.read(tx(2), 0, 3), [0xEE; 3]);
    assert_eq!(rig.half(socket(2), SN_TX_FSR), 0);
}

#[test]
fn a_size_that_does_not_exist_is_as_large_as_the_parameter_says() {
    let mut rig = Rig::with_parameters(Parameters {
        unlisted_size_kb: 4,
        ..Parameters::default()
    });
    rig.write(socket(0), SN_TXBUF_SIZE, &[3]);
    assert_eq!(rig.half(socket(0), SN_TX_FSR), 4 * 1024);
    assert_eq!(rig.byte(socket(0), SN_TXBUF_SIZE), 3);
}

#[test]
fn a_command_reads_back_until_it_is_accepted() {
    let mut rig = Rig::with_parameters(Parameters {
        command_accept: Span::from_us(50),
        ..Parameters::default()
    });
    rig.write(socket(0), SN_MR, &[0x04]);
    rig.command(0, OPEN);
    assert_eq!(rig.byte(socket(0), SN_CR), OPEN);
    rig.command(0, CLOSE);
    assert_eq!(rig.counters().hasty_commands, 1);
    rig.run_for(Span::from_us(50));
    assert_eq!(rig.byte(socket(0), SN_CR), 0);
    rig.command(0, CLOSE);
    assert_eq!(rig.counters().hasty_commands, 1);
}

#[test]
fn commands_that_a_socket_does_not_take_are_counted() {
    let mut rig = awake();
    for (refused, (n, mode, command)) in (1..).zip([
        (0, 0x00, OPEN),
        (1, 0x04, OPEN),
        (0, 0x00, 0x77),
        (0, 0x00, SEND),
    ]) {
        rig.write(socket(n), SN_MR, &[mode]);
        rig.command(n, command);
        assert_eq!(rig.byte(socket(n), SN_SR), 0);
        assert_eq!(rig.counters().refused_commands, refused);
    }
}
