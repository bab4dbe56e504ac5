mod framing;
mod macraw;
mod registers;
mod rig;
mod tcp;
mod udp;
