mod framing;
mod host;
mod macraw;
mod registers;
mod rig;
mod tcp;
mod udp;
