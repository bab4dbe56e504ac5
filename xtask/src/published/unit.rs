//! Units of published figures, told by the end of a quantity's name.

use num_rational::Ratio;

/// An exact figure in its base unit: ns, B, Hz, bit/s, B/s, a fraction of one, or a plain count.
pub type Exact = Ratio<i128>;

/// The unit that a figure is printed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// How names of quantities in this unit end; empty for counts.
    suffix: &'static str,
    /// How the unit is written beside a figure; empty for counts.
    pub symbol: &'static str,
    /// The base unit; empty for counts.
    pub base: &'static str,
    /// How many base units one of it is, as a quotient.
    factor: (i128, i128),
    /// Whether a whole figure is the value itself rather than a rounded one.
    counted: bool,
}

const fn unit(
    suffix: &'static str,
    symbol: &'static str,
    base: &'static str,
    factor: (i128, i128),
    counted: bool,
) -> Unit {
    Unit {
        suffix,
        symbol,
        base,
        factor,
        counted,
    }
}

const COUNT: Unit = unit("", "", "", (1, 1), true);

/// Longer endings before the shorter ones they end in. KB stays as printed: the documents leave
/// open whether it is 1,000 or 1,024 bytes.
const UNITS: [Unit; 16] = [
    unit("_mib_per_s", "MiB/s", "B/s", (1 << 20, 1), false),
    unit("_per_s", "/s", "/s", (1, 1), false),
    unit("_mbps", "Mbit/s", "bit/s", (1_000_000, 1), false),
    unit("_bytes", "B", "B", (1, 1), true),
    unit("_kib", "KiB", "B", (1 << 10, 1), false),
    unit("_kb", "KB", "KB", (1, 1), false),
    unit("_mhz", "MHz", "Hz", (1_000_000, 1), true),
    unit("_khz", "kHz", "Hz", (1_000, 1), true),
    unit("_hz", "Hz", "Hz", (1, 1), true),
    unit("_ms", "ms", "ns", (1_000_000, 1), false),
    unit("_us", "us", "ns", (1_000, 1), false),
    unit("_s", "s", "ns", (1_000_000_000, 1), true),
    unit("_minutes", "min", "ns", (60_000_000_000, 1), true),
    unit("_percent", "%", "fraction", (1, 100), false),
    unit("_ratio", "", "", (1, 1), false),
    unit("_millions", "million", "", (1_000_000, 1), false),
];

impl Unit {
    /// The unit of the quantity called `name`, and the name without it.
    pub fn of(name: &str) -> (Self, &str) {
        for unit in UNITS {
            if let Some(base) = name.strip_suffix(unit.suffix) {
                return (unit, base);
            }
        }
        (COUNT, name)
    }

    /// One of it in base units.
    pub fn factor(self) -> Exact {
        Exact::new(self.factor.0, self.factor.1)
    }

    /// How far the value may be from a figure printed with `digits` after the point: half a step,
    /// and nothing for a whole count.
    pub fn half_step(self, digits: u32) -> Exact {
        if self.counted && digits == 0 {
            return Exact::from_integer(0);
        }
        self.factor() / (2 * 10_i128.pow(digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_name_is_its_unit() {
        let cases = [
            ("rtt_p50_ms", "ms", "rtt_p50"),
            ("receive_mib_per_s", "MiB/s", "receive"),
            ("plateau_valid_per_s", "/s", "plateau_valid"),
            ("duration_s", "s", "duration"),
            ("loss_percent", "%", "loss"),
            ("missing", "", "missing"),
            ("rx_buffers", "", "rx_buffers"),
        ];
        for (name, symbol, base) in cases {
            let (unit, rest) = Unit::of(name);
            assert_eq!((unit.symbol, rest), (symbol, base), "{name}");
        }
    }

    #[test]
    fn a_measured_figure_may_be_half_a_step_off_and_a_count_may_not() {
        let (ms, _) = Unit::of("rtt_p50_ms");
        assert_eq!(ms.half_step(3), Exact::from_integer(500));
        let (percent, _) = Unit::of("loss_percent");
        assert_eq!(percent.half_step(0), Exact::new(1, 200));
        let (bytes, _) = Unit::of("flash_bytes");
        assert_eq!(bytes.half_step(0), Exact::from_integer(0));
    }
}
