//! Source lines, flash and RAM: ratios of the comparison, and how the table was made.

use super::{Checker, Exact, Side, quotient};

const COMPARED: &str = "c-versus-rust";

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    for quantity in [
        "bringup_ncloc",
        "total_ncloc",
        "flash_bytes",
        "static_ram_bytes",
        "zero_error_max_khz",
    ] {
        let [c, rust] = both(checker, quantity)?;
        let printed = checker.figure(COMPARED, quantity, "c_over_rust_ratio")?;
        if let Some(ratio) = quotient(c.figure.value, rust.figure.value) {
            checker.follows(
                "ratio-is-of-the-figures-beside-it",
                printed,
                ratio,
                &[c, rust],
            );
        }
    }
    for quantity in ["server_ncloc", "rtt_p50_ms", "rtt_p99_ms"] {
        let [c, rust] = both(checker, quantity)?;
        let printed = checker.figure(COMPARED, quantity, "c_lower_percent")?;
        if let Some(ratio) = quotient(c.figure.value, rust.figure.value) {
            let share = Exact::from_integer(1) - ratio;
            checker.follows(
                "ratio-is-of-the-figures-beside-it",
                printed,
                share,
                &[c, rust],
            );
        }
    }
    one_build_a_heading(checker)?;
    performance_is_not_smaller(checker)?;
    unchanged_growth(checker)
}

fn both<'a>(checker: &Checker<'a>, quantity: &str) -> anyhow::Result<[super::Cited<'a>; 2]> {
    let figure = |variant| checker.figure(COMPARED, quantity, variant);
    Ok([figure("c-lwip-rmii")?, figure("embassy-rmii")?])
}

/// The heading of the size table and the switch of the script that fills it name one build.
fn one_build_a_heading(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let table = "size-measurement";
    let (heading, place) = checker.set.text(table, "heading", "measured_build")?;
    let (switch, other) = checker
        .set
        .text(table, "measuring-script-switch", "measured_build")?;
    checker.check(
        "heading-and-script-name-one-build",
        heading == switch,
        Side::said(heading, place),
        Side::said(switch, other),
    );
    let (logging, place) = checker.set.text(
        "firmware-settings",
        "w5500-offload/release",
        "success_logging",
    )?;
    checker.check(
        "heading-and-script-name-one-build",
        logging == "yes",
        Side::said("release", place),
        Side::said(
            &format!("success logging: {logging}, which is the benchmark build"),
            place,
        ),
    );
    Ok(())
}

/// Optimising for speed does not shrink static RAM.
fn performance_is_not_smaller(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    for variant in ["embassy-rmii", "w5500-macraw", "w5500-offload"] {
        for column in ["static_ram_bytes", "signed_image_bytes"] {
            let release =
                checker.figure("code-size-by-build", &format!("{variant}/release"), column)?;
            let performance = checker.figure(
                "code-size-by-build",
                &format!("{variant}/performance"),
                column,
            )?;
            checker.ordered("performance-is-not-smaller", release, performance);
        }
    }
    Ok(())
}

/// Both Embassy variants grew by the same bytes between the profiled images and the release ones.
fn unchanged_growth(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let ram = "static_ram_bytes";
    let figure = |variant: &str| -> anyhow::Result<_> {
        let release = checker.figure("code-size", &format!("{variant}/release"), ram)?;
        let profiling = checker.figure("one-hour-stream", &format!("{variant}/profiling"), ram)?;
        Ok([release, profiling])
    };
    let (native, macraw) = (figure("embassy-rmii")?, figure("w5500-macraw")?);
    let growth =
        |[release, profiling]: [super::Cited<'_>; 2]| release.figure.value - profiling.figure.value;
    checker.check(
        "socket-buffers-grew-alike",
        growth(native) == growth(macraw),
        Side::computed(format!("{} B more", growth(native)), &native),
        Side::computed(format!("{} B more", growth(macraw)), &macraw),
    );
    let slots = checker.figure("firmware-settings", "embassy-rmii/release", "udp_rx_slots")?;
    for variant in ["embassy-rmii", "w5500-macraw"] {
        for build in ["release", "performance"] {
            let row = format!("{variant}/{build}");
            let work = checker.figure("firmware-settings", &row, "work_buffer_bytes")?;
            for column in ["udp_rx_storage_bytes", "udp_tx_storage_bytes"] {
                let storage = checker.figure("firmware-settings", &row, column)?;
                let value = slots.figure.value * work.figure.value;
                checker.follows(
                    "storage-is-slots-of-a-datagram",
                    storage,
                    value,
                    &[slots, work],
                );
            }
        }
    }
    Ok(())
}
