//! Drives the workloads in virtual time against a scripted echo, with no network at all.

mod background;
mod burst;
mod burst_result;
mod cases;
mod datagram;
mod device_faults;
mod functional;
mod histogram;
mod ledger_model;
mod long_runs;
mod outcome;
mod rtt_series;
mod scripted_echo;
mod stream;
mod stream_result;
mod stream_schedule;
mod sweep;
mod telemetry;
mod verdict;
