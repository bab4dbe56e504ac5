//! The board's IPv4 address: a DHCP lease, or a fixed address where no server answers.

use embassy_net::{ConfigV4, Ipv4Address, Ipv4Cidr, Stack, StaticConfigV4};
use embassy_time::{Duration, WithTimeout};

/// Counted from the moment the link comes up.
const DHCP_TIMEOUT: Duration = Duration::from_secs(30);
const FALLBACK: Ipv4Cidr = Ipv4Cidr::new(Ipv4Address::new(192, 168, 0, 10), 24);

/// Acquires an address each time the link comes up, and logs both.
#[embassy_executor::task]
pub(crate) async fn acquire(stack: Stack<'static>) -> ! {
    loop {
        stack.wait_link_up().await;
        defmt::info!("link up");
        lease_or_fallback(stack).await;
        stack.wait_link_down().await;
        defmt::info!("link down");
        stack.set_config_v4(ConfigV4::Dhcp(Default::default()));
    }
}

async fn lease_or_fallback(stack: Stack<'static>) {
    if stack
        .wait_config_up()
        .with_timeout(DHCP_TIMEOUT)
        .await
        .is_err()
    {
        stack.set_config_v4(ConfigV4::Static(StaticConfigV4 {
            address: FALLBACK,
            gateway: None,
            dns_servers: Default::default(),
        }));
        defmt::info!("no lease, static {}", FALLBACK);
    } else if let Some(config) = stack.config_v4() {
        defmt::info!("lease {}", config.address);
    }
}
