mod framing;
mod macraw;
mod registers;
mod rig;
mod udp;
