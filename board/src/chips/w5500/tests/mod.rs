mod framing;
mod macraw;
mod registers;
mod rig;
