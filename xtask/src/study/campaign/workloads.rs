//! The trials that are planned for an image, by workload.

use bench::{
    BurstOptions, FunctionalOptions, LatencyOptions, RecoveryOptions, SoakOptions, StreamOptions,
    ThroughputOptions,
};

use crate::results::TrafficOptions;
use crate::study::plan::Plan;

/// The parameters of every planned trial; a workload without any leaves no file.
#[derive(Clone, Debug, Default)]
pub struct Workloads {
    pub functional: Vec<FunctionalOptions>,
    pub stream: Vec<StreamOptions>,
    pub sweep: Vec<StreamOptions>,
    pub large_sweep: Vec<StreamOptions>,
    pub burst: Vec<BurstOptions>,
    pub latency: Vec<LatencyOptions>,
    pub throughput: Vec<ThroughputOptions>,
    pub soak: Vec<SoakOptions>,
    pub recovery: Vec<RecoveryOptions>,
    pub traffic: Vec<TrafficOptions>,
}

impl From<Plan> for Workloads {
    fn from(plan: Plan) -> Self {
        Self {
            functional: vec![plan.functional],
            stream: vec![plan.stream],
            sweep: plan.sweep,
            large_sweep: plan.large_sweep,
            burst: plan.burst,
            latency: vec![plan.latency],
            throughput: plan.throughput,
            soak: vec![plan.soak],
            recovery: plan.recovery,
            traffic: plan.traffic,
        }
    }
}
