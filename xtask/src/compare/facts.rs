//! What is compared of a result set: one fact a line.

use bench::{Counts, LatencyHistogram, Nanos, Ratio, StreamResult, Undefined};

use crate::results::{
    BoardModel, BuildResults, LinesFile, SizeFile, StudyResults, Trial, TrialFile, WorkloadName,
};
use crate::show::Headline;

/// What a fact is about, which decides how a change of it is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Flash,
    Ram,
    /// A part of flash, RAM or lines, whose sum is judged.
    Part,
    Lines,
    Rtt,
    /// Rates and goodput.
    Rate,
    Cpu,
    Stack,
    Spi,
    Outage,
    /// Things that went wrong.
    Errors,
    /// Things that went well.
    Successes,
    /// A trial without figures.
    Failure,
    /// What figures follow from.
    Input,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Lower,
    Higher,
}

impl Kind {
    /// Which way is better; `None` where neither is.
    pub const fn direction(self) -> Option<Direction> {
        match self {
            Self::Rate | Self::Successes => Some(Direction::Higher),
            Self::Part | Self::Failure | Self::Input => None,
            _ => Some(Direction::Lower),
        }
    }
}

/// A figure in base units, or a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// With the name of its unit; equal when the quotients are.
    Figure(Ratio, &'static str),
    Text(String),
}

/// One thing that a set says.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The variant and build; empty for what all have in common.
    pub subject: String,
    pub measure: String,
    pub kind: Kind,
    pub value: Value,
}

impl Fact {
    /// What it is about.
    pub fn name(&self) -> (String, String) {
        (self.subject.clone(), self.measure.clone())
    }
}

/// Everything that is compared of a set, in the order of its tables.
pub fn of_set(results: &StudyResults) -> Vec<Fact> {
    let builds = results.variants.iter().flat_map(|variant| {
        let id = variant.subject.id.clone();
        let named = move |build| (format!("{id} "), build);
        variant.builds.iter().map(named)
    });
    let mut facts = Facts::default();
    let mut board = None;
    for (variant, build) in builds {
        facts.subject = format!("{variant}{}", build.subject.name);
        board = board.or_else(|| board_of(build));
        facts.of_build(build);
    }
    facts.subject.clear();
    if let Some(board) = board {
        facts.of_board(board);
    }
    facts.facts
}

/// The board of a build's trials, which all trials of a set have in common.
fn board_of(build: &BuildResults) -> Option<&BoardModel> {
    fn of<M: crate::results::Measurement>(file: &Option<TrialFile<M>>) -> Option<&BoardModel> {
        file.as_ref().map(|file| &file.inputs.board)
    }
    of(&build.functional)
        .or_else(|| of(&build.stream))
        .or_else(|| of(&build.sweep))
        .or_else(|| of(&build.burst))
}

#[derive(Default)]
struct Facts {
    subject: String,
    facts: Vec<Fact>,
}

impl Facts {
    fn add(&mut self, kind: Kind, measure: impl Into<String>, value: Value) {
        self.facts.push(Fact {
            subject: self.subject.clone(),
            measure: measure.into(),
            kind,
            value,
        });
    }

    fn figure(&mut self, kind: Kind, measure: impl Into<String>, value: u64, unit: &'static str) {
        let value = Ratio {
            numerator: value.into(),
            denominator: 1,
        };
        self.add(kind, measure, Value::Figure(value, unit));
    }

    fn ratio(
        &mut self,
        kind: Kind,
        measure: impl Into<String>,
        value: Result<Ratio, Undefined>,
        unit: &'static str,
    ) {
        if let Ok(value) = value {
            self.add(kind, measure, Value::Figure(reduced(value), unit));
        }
    }

    fn span(&mut self, kind: Kind, measure: impl Into<String>, value: Option<Nanos>) {
        if let Some(value) = value {
            self.figure(kind, measure, value.0, "ns");
        }
    }

    fn rtt(&mut self, of: &str, rtt: &LatencyHistogram) {
        for (name, rank) in [("p50", 500), ("p99", 990), ("p99.9", 999), ("max", 1_000)] {
            self.span(
                Kind::Rtt,
                format!("{of} RTT {name}"),
                rtt.percentile(rank, 1_000),
            );
        }
    }

    fn errors(&mut self, of: &str, counts: &Counts) {
        let measure = format!("{of} error events");
        self.figure(Kind::Errors, measure, counts.error_events(), "");
    }

    fn of_board(&mut self, board: &BoardModel) {
        for (name, text) in [
            ("board model", &board.version),
            ("board sources", &board.fingerprint),
            ("cost table", &board.cost_table),
        ] {
            self.add(Kind::Input, name, Value::Text(text.clone()));
        }
        for (group, figures) in &board.parameters {
            for (name, &figure) in figures {
                self.figure(Kind::Input, format!("{group} {name}"), figure, "");
            }
        }
    }

    fn of_build(&mut self, build: &BuildResults) {
        let toolchain = Value::Text(build.image.toolchain.clone());
        self.add(Kind::Input, "toolchain", toolchain);
        if let Some(size) = &build.size {
            self.of_size(size);
        }
        if let Some(lines) = &build.lines {
            self.of_lines(lines);
        }
        self.of_steady(build);
        self.of_searches(build);
    }

    fn of_size(&mut self, size: &SizeFile) {
        let sections = size.sections;
        self.figure(Kind::Flash, "flash", sections.flash_bytes(), "B");
        self.figure(Kind::Ram, "static RAM", sections.static_ram_bytes(), "B");
        for (name, bytes) in [
            ("vector table", sections.vector_table_bytes),
            ("text", sections.text_bytes),
            ("rodata", sections.rodata_bytes),
            ("data", sections.data_bytes),
            ("bss", sections.bss_bytes),
            ("uninit", sections.uninit_bytes),
            ("reserved", sections.reserved_bytes),
        ] {
            self.figure(Kind::Part, name, bytes, "B");
        }
    }

    fn of_lines(&mut self, lines: &LinesFile) {
        let mut roles = std::collections::BTreeMap::new();
        for file in &lines.files {
            *roles.entry(&file.role).or_insert(0) += file.code_lines;
        }
        self.figure(Kind::Lines, "lines", roles.values().sum(), "");
        for (role, lines) in roles {
            self.figure(Kind::Part, format!("lines of {role}"), lines, "");
        }
    }

    /// The measurements of a file with their names; failures become facts.
    fn measured<'a, M: Headline>(
        &mut self,
        file: &'a Option<TrialFile<M>>,
    ) -> Vec<(String, &'a M)> {
        let trials = file.iter().flat_map(|file| {
            let trials = file.trials.iter();
            trials.map(|trial| (M::name(trial.options(), file.workload), trial))
        });
        let mut measured = Vec::new();
        for (name, trial) in trials {
            match trial {
                Trial::Measured(trial) => measured.push((name, &trial.result)),
                Trial::Failed(failed) => {
                    let message = Value::Text(failed.message.clone());
                    self.add(Kind::Failure, format!("{name} failed"), message);
                }
            }
        }
        measured
    }

    fn of_steady(&mut self, build: &BuildResults) {
        for (name, result) in self.measured(&build.functional) {
            let intact = result.sizes.iter().map(|size| size.intact).sum();
            self.figure(Kind::Successes, format!("{name} intact"), intact, "");
        }
        for (name, result) in self.measured(&build.stream) {
            self.errors(&name, &result.counts);
            self.rtt(&name, &result.rtt);
            self.of_telemetry(&name, result);
        }
        self.of_sweep(&build.sweep);
        self.of_sweep(&build.large_sweep);
        for (name, result) in self.measured(&build.burst) {
            let whole = result.whole_bursts;
            self.figure(Kind::Successes, format!("{name} whole"), whole, "");
            self.errors(&name, &result.counts);
        }
        for (name, result) in self.measured(&build.traffic) {
            let (transactions, bytes) = (
                result.transactions_per_datagram(),
                result.bytes_per_datagram(),
            );
            let measure = |what: &str| format!("{name} SPI {what} a datagram");
            self.ratio(Kind::Spi, measure("transactions"), transactions, "");
            self.ratio(Kind::Spi, measure("bytes"), bytes, "B");
        }
    }

    fn of_telemetry(&mut self, name: &str, result: &StreamResult) {
        let Some(telemetry) = result.telemetry.and_then(|record| record.at_end) else {
            return;
        };
        let cycles = telemetry.busy_cycles_per_valid(result.counts.valid);
        let measure = |what: &str| format!("{name} {what}");
        self.ratio(Kind::Cpu, measure("CPU share"), telemetry.cpu_share(), "1");
        self.ratio(Kind::Cpu, measure("busy cycles a datagram"), cycles, "");
        let stack = telemetry.stack_high_water_bytes.into();
        self.figure(Kind::Stack, measure("stack"), stack, "B");
    }

    /// The highest rate up to which all are clean, 0 when the lowest is not.
    fn of_sweep(&mut self, file: &Option<TrialFile<StreamResult>>) {
        self.measured(file);
        let Some(file) = file else {
            return;
        };
        let clean = file.trials.iter().map_while(|trial| {
            let result = &trial.measured()?.result;
            result.is_clean().then_some(result.options.rate_hz)
        });
        let measure = format!("{} clean up to", file.workload);
        self.figure(Kind::Rate, measure, clean.last().unwrap_or(0), "Hz");
    }

    fn of_searches(&mut self, build: &BuildResults) {
        for (name, result) in self.measured(&build.latency) {
            for size in &result.sizes {
                let name = format!("{name} {} B", size.payload_bytes);
                self.errors(&name, &size.counts);
                self.rtt(&name, &size.rtt);
            }
        }
        for (_, result) in self.measured(&build.throughput) {
            for (index, size) in result.sizes.iter().enumerate() {
                let name = format!("{} {} B", WorkloadName::Throughput, size.payload_bytes);
                let found = result.zero_loss(index).map_or(0, |found| found.rate_hz);
                self.figure(Kind::Rate, format!("{name} zero loss"), found, "Hz");
                if let Some((_, goodput)) = size.peak() {
                    let measure = format!("{name} peak goodput");
                    self.ratio(Kind::Rate, measure, Ok(goodput), "bit/s");
                }
            }
        }
        for (name, result) in self.measured(&build.soak) {
            self.errors(&name, &result.counts);
            self.rtt(&name, &result.rtt());
        }
        for (name, result) in self.measured(&build.recovery) {
            let outage = result.outage.as_ref().and_then(|outage| outage.length());
            self.span(Kind::Outage, format!("{name} outage"), outage);
            let besides = result.missing_outside();
            self.figure(Kind::Errors, format!("{name} missing besides"), besides, "");
            let back = u64::from(result.recovered());
            self.figure(Kind::Successes, format!("{name} back in time"), back, "");
        }
    }
}

/// The same quotient in its lowest terms, so that equal ones are equal and products stay small.
fn reduced(ratio: Ratio) -> Ratio {
    let (mut a, mut b) = (ratio.numerator, ratio.denominator);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Ratio {
        numerator: ratio.numerator / a.max(1),
        denominator: ratio.denominator / a.max(1),
    }
}
