//! The device's own counters, against themselves and against what its image is known to be.

use super::super::node::Node;
use super::{Book, Checked, NS_PER_S};

/// What the other files of a build say of its image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageFacts {
    /// Data, bss and uninit, from its ELF file.
    pub static_ram_bytes: Option<u128>,
}

/// Checks how the counters were read over a stream of `duration_ns`, of which `valid` datagrams came
/// back.
pub fn check(
    book: &mut Book,
    record: &Node,
    facts: &ImageFacts,
    duration_ns: u128,
    valid: u128,
) -> Checked {
    let (at_reset, at_end) = (record.find("at_reset"), record.find("at_end"));
    let answered = u128::from(at_reset.is_some()) + u128::from(at_end.is_some());
    let asked = record.number("requests")? + record.number("send_errors")?;
    book.at_most(record, "readings <= requests", answered, asked);
    record.number("unexpected")?;
    for reading in at_reset.iter().chain(&at_end) {
        check_reading(book, reading, facts)?;
    }
    if let (Some(before), Some(after)) = (&at_reset, &at_end) {
        for constant in ["core_hz", "stack_capacity_bytes", "static_ram_bytes"] {
            let identity = format!("{constant} at reset = at the end");
            book.equal(
                record,
                &identity,
                before.number(constant)?,
                after.number(constant)?,
            );
        }
        let used = "stack_high_water_bytes";
        let (low, high) = (before.number(used)?, after.number(used)?);
        book.at_most(record, "the stack's high water never falls", low, high);
        let window = after.number("window_cycles")?;
        let cycles = duration_ns * after.number("core_hz")? / NS_PER_S;
        book.at_most(
            record,
            "duration * core_hz <= window_cycles",
            cycles,
            window,
        );
        let echoed = after.number("echoed_datagrams")?;
        if echoed > 0 {
            book.at_most(record, "valid <= echoed_datagrams", valid, echoed);
        }
    }
    Ok(())
}

fn check_reading(book: &mut Book, reading: &Node, facts: &ImageFacts) -> Checked {
    let (busy, window) = (
        reading.number("busy_cycles")?,
        reading.number("window_cycles")?,
    );
    book.at_most(reading, "busy_cycles <= window_cycles", busy, window);
    let used = reading.number("stack_high_water_bytes")?;
    let capacity = reading.number("stack_capacity_bytes")?;
    book.at_most(
        reading,
        "stack_high_water_bytes <= stack_capacity_bytes",
        used,
        capacity,
    );
    reading.number("executor_polls")?;
    let static_ram = reading.number("static_ram_bytes")?;
    if let Some(of_elf) = facts.static_ram_bytes {
        book.equal(
            reading,
            "static_ram_bytes = that of size.json",
            static_ram,
            of_elf,
        );
    }
    Ok(())
}
