//! What a run came to, as JSON for scripts; people read the [`Summary`].

mod figures;
mod workloads;

use serde::Serialize;
use serde_json::{Map, Value};

pub use figures::Figures;

use super::summary::Summary;
use crate::Endpoint;
use crate::realtime::Conditions;

/// A result that can be reported.
pub trait Reported: Summary + Serialize {
    /// The figures that scripts look at first, flow by flow, all derived from the result.
    fn figures(&self) -> Vec<Figures>;
}

/// The report of one run.
#[derive(Debug, Serialize)]
pub struct Report<'a, R> {
    workload: &'static str,
    board: Endpoint,
    bench_version: &'static str,
    /// Whether nothing went wrong and the run is not void.
    clean: bool,
    /// Why the run says nothing of the board; null for a run that counts.
    void: Option<String>,
    /// Figures derived from `result`; one that does not exist is null.
    figures: Vec<Map<String, Value>>,
    /// What was asked of the host, and what it gave.
    conditions: &'a Conditions,
    /// The parameters as asked, and every raw count.
    result: &'a R,
}

impl<'a, R: Reported> Report<'a, R> {
    /// The report of `result`.
    pub fn new(
        workload: &'static str,
        board: Endpoint,
        result: &'a R,
        conditions: &'a Conditions,
    ) -> Self {
        Self {
            workload,
            board,
            bench_version: env!("CARGO_PKG_VERSION"),
            clean: result.is_clean(),
            void: result.void_reason(),
            figures: result
                .figures()
                .into_iter()
                .map(Figures::into_map)
                .collect(),
            conditions,
            result,
        }
    }

    /// Whether the run is clean.
    pub fn is_clean(&self) -> bool {
        self.clean && self.void.is_none()
    }

    /// The report as JSON.
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a report is plain data");
        text.push('\n');
        text
    }
}
