//! What a board is built with.

use crate::chips::lan8742a::PhyTiming;
use crate::cost::CostTable;
use crate::net::host::HostConfig;
use crate::net::pcap::Capture;
use crate::net::wire::WireConfig;

/// Settings of a [`Board`](crate::Board). All but `idle_skip` and `capture` can change what happens.
#[derive(Debug)]
pub struct BoardConfig {
    /// What instructions and memory accesses cost.
    pub cost: CostTable,
    /// Jump over passes of idle loops; results are the same either way.
    pub idle_skip: bool,
    /// The part's option that allows 550 MHz at VOS0.
    pub cpu_freq_boost: bool,
    /// How long the Ethernet PHY takes.
    pub phy: PhyTiming,
    /// Length and faults of the cable.
    pub wire: WireConfig,
    /// The computer on its far end.
    pub host: HostConfig,
    /// Where the frames on the wire go.
    pub capture: Option<Capture>,
}

impl Default for BoardConfig {
    fn default() -> Self {
        Self {
            cost: CostTable::default(),
            idle_skip: true,
            cpu_freq_boost: false,
            phy: PhyTiming::default(),
            wire: WireConfig::default(),
            host: HostConfig::default(),
            capture: None,
        }
    }
}
