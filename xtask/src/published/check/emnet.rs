//! emNet: rates that fit their Ethernet, buffers that fit their memory, response times and clocks.

use super::{Checker, Exact, Side};
use crate::published::figure::{in_unit, plain};
use crate::published::set::Cited;

/// What 100BASE-TX leaves to TCP payload: 1,460 of the 1,538 byte times of a full frame (IEEE 802.3).
const TCP_BYTES_PER_S: (i128, i128) = (12_500_000 * 1_460, 1_538);
/// The payload of a full Ethernet frame (IEEE 802.3).
const MTU_BYTES: i128 = 1_500;

/// Runs the checks.
pub fn check(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    rates(checker)?;
    memory(checker)?;
    response_times(checker)
}

/// No rate is above what TCP can carry on 100 Mbit/s.
fn rates(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    for row in [
        "arm7/socket",
        "arm7/zero-copy",
        "cortex-m3/socket",
        "cortex-m3/zero-copy",
    ] {
        for column in ["send_mib_per_s", "receive_mib_per_s"] {
            let rate = checker.figure("emnet-throughput", row, column)?;
            let ceiling = Exact::new(TCP_BYTES_PER_S.0, TCP_BYTES_PER_S.1);
            let shown = format!(
                "{} at most on 100 Mbit/s",
                in_unit(ceiling, rate.figure.unit, 2)
            );
            let right = Side::computed(shown, &[rate]);
            let holds = rate.figure.value - rate.figure.half_step() <= ceiling;
            checker.check("tcp-fits-its-ethernet", holds, Side::printed(rate), right);
        }
    }
    Ok(())
}

/// Packet buffers fit the memory set aside, and a window fits the large ones.
fn memory(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    for system in ["arm7", "cortex-m3"] {
        let of = |column| checker.set.figure("emnet-memory", system, column);
        let (small, small_bytes) = (of("small_buffers")?, of("small_buffer_bytes")?);
        let (large, extra) = (
            of("large_buffers")?,
            of("large_buffer_extra_over_mtu_bytes")?,
        );
        let (set_aside, window) = (of("alloc_size_bytes")?, of("tcp_window_segments")?);
        let used = small.figure.value * small_bytes.figure.value
            + large.figure.value * (extra.figure.value + MTU_BYTES);
        let inputs = [small, small_bytes, large, extra];
        checker.check(
            "buffers-fit-their-memory",
            used <= set_aside.figure.value,
            Side::computed(in_unit(used, set_aside.figure.unit, 0), &inputs),
            Side::printed(set_aside),
        );
        checker.ordered("a-window-fits-the-large-buffers", window, large);
    }
    let small = checker.figure("emnet-memory", "arm7", "small_buffers")?;
    let receive = checker.figure("emnet-memory", "arm7", "rx_buffers")?;
    let value = small.figure.value * 2 + 1;
    checker.follows(
        "receive-buffers-are-two-a-small-one",
        receive,
        value,
        &[small],
    );
    Ok(())
}

/// Response times scale with the clock of the CPU, within a tenth.
fn response_times(checker: &mut Checker<'_>) -> anyhow::Result<()> {
    let (_, place) = checker.set.text(
        "stated-in-words",
        "response-scales-with-clock",
        "scales_with",
    )?;
    let of = |table: &str, platform: &str, rest: &str, column| {
        checker
            .set
            .figure(table, &format!("{platform}{rest}"), column)
    };
    let responses = [
        ("emnet-ping-response", "", "ping_response_us"),
        ("emnet-tcp-response", "/socket", "tcp_response_us"),
        ("emnet-tcp-response", "/zero-copy", "tcp_response_us"),
    ];
    for (table, rest, column) in responses {
        let (slow, fast) = ("emPower-K66", "emPower-Zynq");
        let times = [
            of(table, slow, rest, column)?,
            of(table, fast, rest, column)?,
        ];
        let clocks = [
            of(table, fast, rest, "cpu_mhz")?,
            of(table, slow, rest, "cpu_mhz")?,
        ];
        let ratio = |[over, under]: [Cited<'_>; 2]| over.figure.value / under.figure.value;
        let (gain, clock) = (ratio(times), ratio(clocks));
        let off = if gain > clock {
            gain - clock
        } else {
            clock - gain
        };
        let shown = format!(
            "{} times, the clock {} times",
            plain(gain, 2),
            plain(clock, 2)
        );
        checker.check(
            "response-scales-with-the-clock",
            off * 10 <= clock,
            Side::said("scales with the clock", place),
            Side::computed(shown, &times),
        );
    }
    Ok(())
}
