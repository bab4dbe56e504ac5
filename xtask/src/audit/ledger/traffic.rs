//! What a network device on SPI was asked for.

use std::collections::BTreeSet;

use super::super::node::Node;
use super::counts::Counts;
use super::{Book, Checked};

/// Bits of a byte on the wire, one a period of SCK.
const SCK_PERIODS_PER_BYTE: u128 = 8;

/// Checks the result of one measurement of SPI traffic.
pub fn check(book: &mut Book, result: &Node) -> Checked {
    let options = &result.get("options")?;
    let counts = Counts::checked(book, result, "counts")?;
    book.equal(
        result,
        "planned = packets",
        counts.planned,
        options.number("packets")?,
    );
    let window_ns = result.number("window_ns")?;
    let sck_hz = result.number_if_any("sck_hz")?;
    for window in ["entries", "idle"] {
        let window = &result.get(window)?;
        let mut places = BTreeSet::new();
        let mut total = 0;
        for row in window.items()? {
            let register = row.get("register")?.value.as_str();
            let write = row.get("write")?.value.as_bool();
            let place = (row.text("block")?, register, write);
            book.holds(&row, "one row a place and direction", places.insert(place));
            let (transactions, bytes) = (row.number("transactions")?, row.number("bytes")?);
            book.at_most(&row, "1 <= bytes + transactions", 1, bytes + transactions);
            total += bytes;
        }
        let clocked_ns = sck_hz.and_then(|sck_hz| {
            (total * SCK_PERIODS_PER_BYTE * super::NS_PER_S).checked_div(sck_hz)
        });
        match clocked_ns {
            Some(clocked_ns) => {
                book.at_most(
                    window,
                    "time on the wire <= window_ns",
                    clocked_ns,
                    window_ns,
                );
            }
            None => book.equal(window, "no bytes without a clock", total, 0),
        }
    }
    Ok(())
}
