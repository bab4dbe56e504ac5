//! UDP echo with Rust/Embassy over the W5500 in MACRAW mode.

#![no_std]
#![no_main]

#[cfg(not(feature = "profiling"))]
use embassy_executor::Executor;
use embassy_executor::Spawner;
use embassy_net::StackResources;
use embassy_stm32::Peripherals;
#[cfg(feature = "profiling")]
use profiling::Executor;
use static_cell::{ConstStaticCell, StaticCell};

const MAC_ADDRESS: [u8; 6] = [0x02, 0x00, 0x00, 0x00, 0x72, 0x02];

/// DHCP and echo; profiling builds answer telemetry besides.
const SOCKETS: usize = if cfg!(feature = "profiling") { 3 } else { 2 };

#[cortex_m_rt::entry]
fn main() -> ! {
    static EXECUTOR: StaticCell<Executor> = StaticCell::new();

    let peripherals = platform::init();
    EXECUTOR.init(Executor::new()).run(|spawner| {
        spawner.spawn(start(spawner, peripherals).expect("the firmware is started once"));
    })
}

#[embassy_executor::task]
async fn start(spawner: Spawner, peripherals: Peripherals) {
    static RESOURCES: ConstStaticCell<StackResources<SOCKETS>> =
        ConstStaticCell::new(StackResources::new());

    let resources = RESOURCES.take();
    let stack = bring_up_w5500_macraw::start(spawner, peripherals, MAC_ADDRESS, resources).await;
    spawner.spawn(udp_echo_server::serve(stack).expect("the server is started once"));
    #[cfg(feature = "profiling")]
    spawner.spawn(profiling::serve(stack).expect("telemetry is started once"));
}
