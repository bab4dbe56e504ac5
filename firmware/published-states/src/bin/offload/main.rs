//! The published states of Rust and Embassy over the W5500's hardware sockets.

#![no_std]
#![no_main]

mod sockets;

use bring_up_w5500_spi::Shield;
use embassy_executor::Spawner;
#[cfg(not(feature = "polled"))]
use embassy_futures::select::{Either, select};
use embassy_time::Timer;
use published_states::Executor;
use sockets::Sockets;
use static_cell::StaticCell;

#[cortex_m_rt::entry]
fn main() -> ! {
    static EXECUTOR: StaticCell<Executor> = StaticCell::new();

    let peripherals = published_states::init();
    EXECUTOR.init(Executor::new()).run(|spawner: Spawner| {
        let shield = bring_up_w5500_spi::shield(peripherals);
        spawner.spawn(serve(shield).expect("the server is started once"));
    })
}

#[cfg(feature = "polled")]
#[embassy_executor::task]
async fn serve(shield: Shield) -> ! {
    let mut sockets = Sockets::open(shield.spi, shield.chip_select).await;
    loop {
        sockets.maintain();
        sockets.serve();
        Timer::at(published_states::next_poll()).await;
    }
}

#[cfg(not(feature = "polled"))]
#[embassy_executor::task]
async fn serve(shield: Shield) -> ! {
    let mut interrupt = shield.interrupt;
    let mut sockets = Sockets::open(shield.spi, shield.chip_select).await;
    let mut due = true;
    loop {
        if sockets.dhcp_interrupts() || due {
            sockets.maintain();
        }
        sockets.serve();
        let woken = select(interrupt.wait_for_low(), Timer::after_secs(1)).await;
        due = matches!(woken, Either::Second(()));
    }
}
