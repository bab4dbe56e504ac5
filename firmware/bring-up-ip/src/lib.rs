//! Brings up embassy-net over an Ethernet device.

#![no_std]

mod address;

use embassy_executor::Spawner;
use embassy_net::driver::Driver;
use embassy_net::{Config, Runner, Stack, StackResources};

/// Creates the network stack, which works while the caller runs the runner; the address follows in
/// the background.
///
/// `resources` needs one socket for DHCP besides those of the application.
pub fn stack<D: Driver, const SOCKETS: usize>(
    spawner: Spawner,
    device: D,
    mac_address: [u8; 6],
    resources: &'static mut StackResources<SOCKETS>,
) -> (Stack<'static>, Runner<'static, D>) {
    let (stack, runner) = embassy_net::new(
        device,
        Config::dhcpv4(Default::default()),
        resources,
        seed(mac_address),
    );
    spawner.spawn(address::acquire(stack).expect("the stack is created once"));
    (stack, runner)
}

/// The stack draws DHCP transaction numbers from it: distinct between boards and the same in every
/// run of one, so that a run can be repeated.
fn seed(mac_address: [u8; 6]) -> u64 {
    let [a, b, c, d, e, f] = mac_address;
    u64::from_be_bytes([0, 0, a, b, c, d, e, f])
}
