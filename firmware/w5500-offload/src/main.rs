//! UDP echo with Rust/Embassy over the W5500's hardware sockets.

#![no_std]
#![no_main]

mod bus;
mod sockets;

#[cfg(not(feature = "profiling"))]
use embassy_executor::Executor;
use embassy_executor::Spawner;
use embassy_futures::select::{Either, select};
use embassy_stm32::Peripherals;
use embassy_time::{Duration, Ticker};
#[cfg(feature = "profiling")]
use profiling::Executor;
use static_cell::StaticCell;

use bring_up_w5500_spi::Shield;
use sockets::Sockets;

/// How often the link is looked at; as embassy-net-wiznet does.
const TICK: Duration = Duration::from_millis(500);

#[cortex_m_rt::entry]
fn main() -> ! {
    static EXECUTOR: StaticCell<Executor> = StaticCell::new();

    let peripherals = platform::init();
    EXECUTOR
        .init(Executor::new())
        .run(|spawner| start(spawner, peripherals))
}

fn start(spawner: Spawner, peripherals: Peripherals) {
    let shield = bring_up_w5500_spi::shield(peripherals);
    spawner.spawn(serve(shield).expect("the server is started once"));
}

#[embassy_executor::task]
async fn serve(shield: Shield) -> ! {
    let mut interrupt = shield.interrupt;
    let chip = bus::chip(shield.spi, shield.chip_select).await;
    let mut sockets = Sockets::open(chip).expect("the bus works, or the chip had not answered");
    let mut ticker = Ticker::every(TICK);
    loop {
        // The tick first: at full load INTn may be low whenever it is looked at.
        let done = match select(ticker.next(), interrupt.wait_for_low()).await {
            Either::First(()) => sockets.tick(),
            Either::Second(()) => sockets.serve(),
        };
        if let Err(error) = done {
            defmt::error!("{}", error);
        }
    }
}
