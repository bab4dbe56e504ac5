//! Drives the workloads in virtual time against a scripted echo, with no network at all.

mod burst;
mod cases;
mod datagram;
mod functional;
mod histogram;
mod ledger_model;
mod long_runs;
mod scripted_echo;
mod stream;
mod stream_result;
mod stream_schedule;
mod sweep;
mod telemetry;
