//! Brings up embassy-net over the STM32 Ethernet MAC and the LAN8742A PHY of the NUCLEO-H723ZG.

#![no_std]

use embassy_executor::Spawner;
use embassy_net::{Runner, Stack, StackResources};
use embassy_stm32::eth::{self, Ethernet, GenericPhy, PacketQueue, Sma};
use embassy_stm32::peripherals::{ETH, ETH_SMA};
use embassy_stm32::{Peripherals, bind_interrupts};
use static_cell::ConstStaticCell;

const TX_DESCRIPTORS: usize = 4;
const RX_DESCRIPTORS: usize = 4;

type Device = Ethernet<'static, ETH, GenericPhy<Sma<'static, ETH_SMA>>>;

bind_interrupts!(struct Irqs {
    ETH => eth::InterruptHandler;
});

/// Starts the MAC, the PHY and the network stack; the address follows in the background.
///
/// `resources` needs one socket for DHCP besides those of the application.
pub fn start<const SOCKETS: usize>(
    spawner: Spawner,
    peripherals: Peripherals,
    mac_address: [u8; 6],
    resources: &'static mut StackResources<SOCKETS>,
) -> Stack<'static> {
    let device = ethernet(peripherals, mac_address);
    let (stack, runner) = bring_up_ip::stack(spawner, device, mac_address, resources);
    spawner.spawn(run_stack(runner).expect("the stack is started once"));
    stack
}

/// RMII pins of the board (Zephyr, boards/st/nucleo_h723zg devicetree).
fn ethernet(p: Peripherals, mac_address: [u8; 6]) -> Device {
    static QUEUE: ConstStaticCell<PacketQueue<TX_DESCRIPTORS, RX_DESCRIPTORS>> =
        ConstStaticCell::new(PacketQueue::new());

    Ethernet::new(
        QUEUE.take(),
        p.ETH,
        Irqs,
        p.PA1,  // REF_CLK
        p.PA7,  // CRS_DV
        p.PC4,  // RXD0
        p.PC5,  // RXD1
        p.PG13, // TXD0
        p.PB13, // TXD1
        p.PG11, // TX_EN
        mac_address,
        p.ETH_SMA,
        p.PA2, // MDIO
        p.PC1, // MDC
    )
}

#[embassy_executor::task]
async fn run_stack(mut runner: Runner<'static, Device>) -> ! {
    runner.run().await
}
