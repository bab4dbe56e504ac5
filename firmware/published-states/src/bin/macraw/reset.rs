//! The W5500's reset pin.

use core::convert::Infallible;

use embedded_hal::digital::{ErrorType, OutputPin};

/// The shield ties RSTn to the board's NRST, so that no pin resets the chip; the driver resets it by
/// its mode register, too.
pub struct BoardReset;

impl ErrorType for BoardReset {
    type Error = Infallible;
}

impl OutputPin for BoardReset {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
