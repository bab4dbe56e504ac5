//! Chips beside the part.
