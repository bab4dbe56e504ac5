//! The block driven through its registers and descriptors, as a driver drives it.

mod checksums;
mod mdio;
mod noise;
mod receive;
mod registers;
mod rig;
mod transmit;
