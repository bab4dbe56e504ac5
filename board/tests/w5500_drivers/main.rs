//! Drivers nobody here wrote, unmodified, against the emulated W5500: they must not be able to tell it
//! from the chip.

mod dhcp;
mod macraw;
mod rig;
mod tcp;
mod udp;
