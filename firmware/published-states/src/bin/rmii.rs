//! The published states of Rust and Embassy over the STM32 Ethernet MAC.

#![no_std]
#![no_main]

use embassy_executor::Spawner;
use embassy_net::StackResources;
use embassy_stm32::Peripherals;
use published_states::{Executor, udp_echo};
use static_cell::{ConstStaticCell, StaticCell};

/// That of the variant it stands for.
const MAC_ADDRESS: [u8; 6] = [0x02, 0x00, 0x00, 0x00, 0x72, 0x01];

/// DHCP, echo and telemetry; the published firmware had room for the third in every build.
const SOCKETS: usize = 3;

#[cortex_m_rt::entry]
fn main() -> ! {
    static EXECUTOR: StaticCell<Executor> = StaticCell::new();

    let peripherals = published_states::init();
    EXECUTOR
        .init(Executor::new())
        .run(|spawner| start(spawner, peripherals))
}

fn start(spawner: Spawner, peripherals: Peripherals) {
    static RESOURCES: ConstStaticCell<StackResources<SOCKETS>> =
        ConstStaticCell::new(StackResources::new());

    let stack = bring_up_rmii::start(spawner, peripherals, MAC_ADDRESS, RESOURCES.take());
    spawner.spawn(udp_echo::serve(stack).expect("the server is started once"));
    #[cfg(feature = "profiling")]
    spawner.spawn(profiling::serve(stack).expect("telemetry is started once"));
}
