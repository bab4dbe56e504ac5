//! Drives the workloads in virtual time against a scripted echo, with no network at all.

mod background;
mod burst;
mod burst_result;
mod cases;
mod datagram;
mod device_faults;
mod functional;
mod histogram;
mod interleavings;
mod latency;
mod ledger_model;
mod long_runs;
mod outcome;
mod recovery;
mod rtt_series;
mod scripted_echo;
mod soak;
mod stream;
mod stream_result;
mod stream_schedule;
mod sweep;
mod telemetry;
mod throughput;
mod verdict;
