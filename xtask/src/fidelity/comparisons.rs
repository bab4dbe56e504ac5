//! What is compared: each published figure that the board decides, with the emulated one.
//!
//! Which figures fitted the model and which it predicts is declared here, before anything is measured.

use anyhow::Context;

use super::cite::{Citations, Sweep, knee, largest, peak};
use super::measured::Emulated;
use super::states::{
    C_RELEASE, GENERALS, HOURS, ICACHE, MACRAW_CONTROL, RMII_CONTROL, STAGES, State,
};
use crate::trace::Traced;

/// Whether a figure had a part in fitting the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Fitted,
    Predicted,
}

/// What a figure measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Core cycles that the executor is busy for each valid datagram of the hour.
    Cycles,
    /// The median round trip of a stream, in ns.
    Rtt,
    /// The median round trip of single datagrams, in ns.
    Latency,
    /// Datagrams a second that are answered when more are sent.
    Plateau,
    /// The highest goodput of a search, in bit/s.
    Goodput,
}

/// A published figure beside the emulated one.
#[derive(Clone, Debug)]
pub struct Compared {
    pub kind: Kind,
    pub role: Role,
    pub state: State,
    /// The rate in Hz or the payload in bytes, where there are several.
    pub at: Option<Traced>,
    pub published: Traced,
    pub emulated: Traced,
}

/// An answer that is right or wrong, with both figures.
#[derive(Clone, Debug)]
pub struct Knee {
    pub state: State,
    pub published: Traced,
    pub emulated: Traced,
}

/// A burst: the share of those that came back whole.
#[derive(Clone, Debug)]
pub struct Burst {
    pub state: State,
    pub packets: Traced,
    pub payload_bytes: Traced,
    /// Both as shares of all bursts.
    pub published: Traced,
    pub emulated: Traced,
}

/// Everything that is compared.
pub struct Comparisons {
    pub figures: Vec<Compared>,
    pub knees: Vec<Knee>,
    pub bursts: Vec<Burst>,
}

const HOUR: &str = "one-hour-stream";
const SHORT: &str = "matched-30s-stream";
const TRIALS: &str = "native-rmii-trials";
const SWEEP_30_S: &str = "rate-sweep-30s";
const SWEEP_3_S: &str = "rate-sweep-3s";

/// The published sweeps of firmware that can be built again, with its state.
pub const SWEEPS: [(Sweep, State); 5] = [
    (sweep(SWEEP_30_S, "embassy-rmii/profiling"), HOURS[0]),
    (sweep(SWEEP_30_S, "w5500-macraw/profiling"), HOURS[1]),
    (sweep(SWEEP_30_S, "w5500-offload/profiling"), HOURS[2]),
    (sweep(SWEEP_3_S, "c-lwip-rmii/release"), C_RELEASE),
    (sweep(SWEEP_3_S, "embassy-rmii/release"), RMII_CONTROL),
];

const fn sweep(table: &'static str, column: &'static str) -> Sweep {
    Sweep { table, column }
}

const KHZ_1: u64 = 1_000;
const KHZ_2: u64 = 2_000;
const KHZ_15: u64 = 15_000;
const KHZ_20: u64 = 20_000;

impl Comparisons {
    /// Puts what was measured beside what was published.
    ///
    /// # Errors
    /// A figure that is missing on either side.
    pub fn new(published: &Citations, emulated: &Emulated) -> anyhow::Result<Self> {
        let sides = Sides {
            published,
            emulated,
        };
        let mut figures = sides.hour()?;
        figures.extend(sides.streams()?);
        figures.extend(sides.latency()?);
        figures.extend(sides.plateaus()?);
        figures.extend(sides.goodput()?);
        Ok(Self {
            figures,
            knees: sides.knees()?,
            bursts: sides.bursts()?,
        })
    }
}

/// Both sides.
struct Sides<'a> {
    published: &'a Citations<'a>,
    emulated: &'a Emulated,
}

impl Sides<'_> {
    /// The hour: cycles fitted, and one of the round trips.
    fn hour(&self) -> anyhow::Result<Vec<Compared>> {
        let mut figures = Vec::new();
        for state in HOURS {
            let row = format!("{}/profiling", state.variant);
            figures.push(Compared {
                kind: Kind::Cycles,
                role: Role::Fitted,
                state,
                at: None,
                published: self.published.cell(HOUR, &row, "cycles_per_valid")?,
                emulated: self.emulated.cycles_per_valid(state)?,
            });
            let role = match state == HOURS[2] {
                true => Role::Fitted,
                false => Role::Predicted,
            };
            figures.push(self.rtt(role, state, KHZ_1, (HOUR, &row))?);
        }
        Ok(figures)
    }

    fn streams(&self) -> anyhow::Result<Vec<Compared>> {
        let icache = "embassy-rmii/performance/icache/1-khz/30-s";
        let icache_15 = "embassy-rmii/performance/icache/15-khz/30-s";
        let c_15 = "c-lwip-rmii/release/15-khz/30-s/in-stream-report";
        Ok(vec![
            self.rtt(
                Role::Fitted,
                C_RELEASE,
                KHZ_1,
                (SHORT, "c-lwip-rmii/release"),
            )?,
            self.rtt(Role::Predicted, C_RELEASE, KHZ_15, (TRIALS, c_15))?,
            self.rtt(
                Role::Predicted,
                RMII_CONTROL,
                KHZ_1,
                (SHORT, "embassy-rmii/release"),
            )?,
            self.rtt(
                Role::Predicted,
                MACRAW_CONTROL,
                KHZ_1,
                (SHORT, "w5500-macraw/release"),
            )?,
            self.rtt(Role::Fitted, ICACHE, KHZ_1, (TRIALS, icache))?,
            self.rtt(Role::Predicted, ICACHE, KHZ_15, (TRIALS, icache_15))?,
        ])
    }

    fn rtt(
        &self,
        role: Role,
        state: State,
        rate_hz: u64,
        (table, row): (&str, &str),
    ) -> anyhow::Result<Compared> {
        let stream = self.emulated.stream_at(state, rate_hz)?;
        Ok(Compared {
            kind: Kind::Rtt,
            role,
            state,
            at: Some(stream.step.rate_hz),
            published: self.published.cell(table, row, "rtt_p50_ms")?,
            emulated: stream.rtt_p50_ns.context("no datagram came back")?,
        })
    }

    fn latency(&self) -> anyhow::Result<Vec<Compared>> {
        let mut figures = Vec::new();
        for state in GENERALS {
            for size in self.emulated.latency(state)? {
                let payload = size.payload_bytes.value.numerator;
                let row = format!("{}/{payload}-B", state.variant);
                figures.push(Compared {
                    kind: Kind::Latency,
                    role: Role::Predicted,
                    state,
                    published: self.published.cell("latency", &row, "rtt_p50_ms")?,
                    emulated: size.rtt_p50_ns.context("no datagram came back")?,
                    at: Some(size.payload_bytes),
                });
            }
        }
        Ok(figures)
    }

    /// The most that comes back of sweeps, and what comes back at the highest rate of each stage.
    fn plateaus(&self) -> anyhow::Result<Vec<Compared>> {
        let mut figures = Vec::new();
        let mut add = |state, at, published: Option<Traced>, emulated: Option<Traced>| {
            figures.push(Compared {
                kind: Kind::Plateau,
                role: Role::Predicted,
                state,
                at,
                published: published.context("a published sweep without a datagram")?,
                emulated: emulated.context("an emulated sweep without a datagram")?,
            });
            anyhow::Ok(())
        };
        // Beyond its knee nearly all that MACRAW answers is late, and the most it answers is published by
        // itself.
        for (sweep, state) in [SWEEPS[0], SWEEPS[2], SWEEPS[4]] {
            let emulated = peak(&self.emulated.sweep(state)?);
            add(state, None, peak(&self.published.sweep(sweep)?), emulated)?;
        }
        let macraw =
            self.published
                .cell("macraw-stages", "release-control", "plateau_valid_per_s")?;
        let emulated = largest(&self.emulated.valid_per_second(MACRAW_CONTROL)?);
        add(MACRAW_CONTROL, None, Some(macraw), emulated)?;
        let two = Sweep {
            table: SWEEP_30_S,
            column: "w5500-macraw/profiling",
        };
        let late = self.published.answered_at_2_khz(two)?;
        let valid = self.emulated.valid_per_second_at(HOURS[1], KHZ_2)?;
        add(HOURS[1], Some(valid.0), Some(late), Some(valid.1))?;
        for state in STAGES {
            let stream = self.emulated.stream_at(state, KHZ_20)?.step;
            let published = self.published.stage_at(state.name, &stream.rate_hz)?;
            add(
                state,
                Some(stream.rate_hz.clone()),
                published,
                stream.clean_per_second(),
            )?;
        }
        Ok(figures)
    }

    fn goodput(&self) -> anyhow::Result<Vec<Compared>> {
        let mut figures = Vec::new();
        for state in GENERALS {
            for (payload_bytes, peak) in self.emulated.goodput(state)? {
                let row = format!("{}/{}-B", state.variant, payload_bytes.value.numerator);
                figures.push(Compared {
                    kind: Kind::Goodput,
                    role: Role::Predicted,
                    state,
                    at: Some(payload_bytes),
                    published: self
                        .published
                        .cell("throughput", &row, "peak_goodput_mbps")?,
                    emulated: peak,
                });
            }
        }
        Ok(figures)
    }

    fn knees(&self) -> anyhow::Result<Vec<Knee>> {
        let mut knees = Vec::new();
        for (sweep, state) in SWEEPS {
            let published = knee(&self.published.sweep(sweep)?);
            let emulated = knee(&self.emulated.sweep(state)?);
            knees.push(Knee {
                state,
                published: published.context("a published sweep without a clean rate")?,
                emulated: emulated.context("an emulated sweep without a clean rate")?,
            });
        }
        Ok(knees)
    }

    fn bursts(&self) -> anyhow::Result<Vec<Burst>> {
        let mut bursts = Vec::new();
        for state in GENERALS {
            for burst in self.emulated.bursts(state)? {
                let [packets, payload] =
                    [&burst.packets, &burst.payload_bytes].map(|figure| figure.value.numerator);
                let row = format!("{}/{payload}-B/{packets}-packets", state.variant);
                let column = "complete_bursts_percent";
                bursts.push(Burst {
                    state,
                    published: self.published.cell("burst", &row, column)?,
                    packets: burst.packets,
                    payload_bytes: burst.payload_bytes,
                    emulated: burst.whole_share,
                });
            }
        }
        Ok(bursts)
    }
}
