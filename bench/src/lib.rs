//! The host benchmark.
