//! The 100BASE-TX wire and its far end: a host, or a port that leads out of the emulation.
//!
//! Nothing here knows what sends and receives on the board's side: the part's Ethernet MAC and a chip
//! on a shield use the same [`wire::Wire`].

pub mod external;
pub mod fault;
pub mod frame;
pub mod host;
mod network;
pub mod pcap;
#[cfg(test)]
pub mod test_frames;
pub mod wire;

pub use network::Network;
