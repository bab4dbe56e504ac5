//! The 100BASE-TX wire and the host on its far end.
