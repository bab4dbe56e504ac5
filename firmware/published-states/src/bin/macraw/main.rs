//! The published states of Rust and Embassy over the W5500 in MACRAW mode, with the driver as
//! released.

#![no_std]
#![no_main]

#[cfg(feature = "polled")]
mod polled;
mod reset;

use bring_up_w5500_spi::AsyncDevice;
#[cfg(not(feature = "polled"))]
use bring_up_w5500_spi::Interrupt;
use embassy_executor::Spawner;
use embassy_net::StackResources;
use embassy_net_wiznet::chip::W5500;
use embassy_net_wiznet::{Device, Runner, State};
use embassy_stm32::Peripherals;
#[cfg(feature = "polled")]
use polled::Interrupt;
use published_states::{Executor, udp_echo};
use reset::BoardReset;
use static_cell::{ConstStaticCell, StaticCell};

/// That of the variant it stands for.
const MAC_ADDRESS: [u8; 6] = [0x02, 0x00, 0x00, 0x00, 0x72, 0x02];

/// DHCP, echo and telemetry; the published firmware had room for the third in every build.
const SOCKETS: usize = 3;

/// Frames that may wait in each direction.
const RX_FRAMES: usize = 4;
const TX_FRAMES: usize = 4;

type Driver = Runner<'static, W5500, AsyncDevice, Interrupt, BoardReset>;

#[cortex_m_rt::entry]
fn main() -> ! {
    static EXECUTOR: StaticCell<Executor> = StaticCell::new();

    let peripherals = published_states::init();
    EXECUTOR.init(Executor::new()).run(|spawner| {
        spawner.spawn(start(spawner, peripherals).expect("the firmware is started once"));
    })
}

#[embassy_executor::task]
async fn start(spawner: Spawner, peripherals: Peripherals) {
    static RESOURCES: ConstStaticCell<StackResources<SOCKETS>> =
        ConstStaticCell::new(StackResources::new());

    let (device, driver) = w5500(peripherals).await;
    spawner.spawn(run_driver(driver).expect("the driver is started once"));
    let (stack, runner) = bring_up_ip::stack(spawner, device, MAC_ADDRESS, RESOURCES.take());
    spawner.spawn(run_stack(runner).expect("the stack is started once"));
    spawner.spawn(udp_echo::serve(stack).expect("the server is started once"));
    #[cfg(feature = "profiling")]
    spawner.spawn(profiling::serve(stack).expect("telemetry is started once"));
}

async fn w5500(peripherals: Peripherals) -> (Device<'static>, Driver) {
    static STATE: ConstStaticCell<State<RX_FRAMES, TX_FRAMES>> = ConstStaticCell::new(State::new());

    let (spi, interrupt) = bring_up_w5500_spi::shield(peripherals).into_async();
    #[cfg(feature = "polled")]
    let interrupt = Interrupt::in_place_of(interrupt);
    let made = embassy_net_wiznet::new(MAC_ADDRESS, STATE.take(), spi, interrupt, BoardReset).await;
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
