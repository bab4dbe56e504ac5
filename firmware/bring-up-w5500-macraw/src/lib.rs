//! Brings up embassy-net over the W5500 as a MAC: whole frames pass its socket 0 in MACRAW mode.

#![no_std]

mod reset;

use bring_up_w5500_spi::{AsyncDevice, Interrupt};
use embassy_executor::Spawner;
use embassy_net::{Stack, StackResources};
use embassy_net_wiznet::chip::W5500;
use embassy_net_wiznet::{Device, Runner, State};
use embassy_stm32::Peripherals;
use reset::BoardReset;
use static_cell::ConstStaticCell;

/// Frames that may wait in each direction.
const RX_FRAMES: usize = 4;
const TX_FRAMES: usize = 4;

#[cfg(feature = "as-released")]
type Driver = Runner<'static, W5500, AsyncDevice, Interrupt, BoardReset>;
#[cfg(not(feature = "as-released"))]
type Driver = Runner<
    'static,
    W5500,
    macraw_drain::Spi<'static, AsyncDevice>,
    macraw_drain::Interrupt<'static, Interrupt>,
    BoardReset,
>;

/// Starts the chip and the network stack; the address follows in the background.
///
/// `resources` needs one socket for DHCP besides those of the application.
///
/// # Panics
/// When no W5500 answers.
pub async fn start<const SOCKETS: usize>(
    spawner: Spawner,
    peripherals: Peripherals,
    mac_address: [u8; 6],
    resources: &'static mut StackResources<SOCKETS>,
) -> Stack<'static> {
    let (device, driver) = w5500(peripherals, mac_address).await;
    spawner.spawn(run_driver(driver).expect("the driver is started once"));
    let (stack, runner) = bring_up_ip::stack(spawner, device, mac_address, resources);
    spawner.spawn(run_stack(runner).expect("the stack is started once"));
    stack
}

async fn w5500(peripherals: Peripherals, mac_address: [u8; 6]) -> (Device<'static>, Driver) {
    static STATE: ConstStaticCell<State<RX_FRAMES, TX_FRAMES>> = ConstStaticCell::new(State::new());

    let (spi, interrupt) = bring_up_w5500_spi::shield(peripherals).into_async();
    #[cfg(not(feature = "as-released"))]
    let (spi, interrupt) = {
        use core::cell::Cell;
        use static_cell::StaticCell;

        static FRAMES_LEFT: StaticCell<Cell<bool>> = StaticCell::new();
        macraw_drain::drain(spi, interrupt, FRAMES_LEFT.init(Cell::new(false)))
    };
    let made = embassy_net_wiznet::new(mac_address, STATE.take(), spi, interrupt, BoardReset).await;
    made.unwrap_or_else(|_| defmt::panic!("no W5500 answers"))
}

#[embassy_executor::task]
async fn run_driver(driver: Driver) -> ! {
    driver.run().await
}

#[embassy_executor::task]
async fn run_stack(mut runner: embassy_net::Runner<'static, Device<'static>>) -> ! {
    runner.run().await
}
