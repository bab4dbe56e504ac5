//! An emulated NUCLEO-H723ZG.
