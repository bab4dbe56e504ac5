//! The Cortex-M7 core.
