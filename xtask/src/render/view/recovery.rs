//! What a disturbance cost, as a template sees it.

use bench::{Disturbance, RecoveryResult};
use serde::Serialize;

use super::status::Status;
use crate::results::{BuildResults, Trial};
use crate::trace::{Formula, Place, Traced, Tree, trials};

/// One disturbance of one build.
#[derive(Serialize)]
pub struct RecoveryView {
    pub kind: &'static str,
    pub options: Tree,
    pub status: Status,
    /// Absent for a trial without figures, and for a device that did not come back.
    pub outage: Option<OutageView>,
}

/// How long a device was gone, and what it cost.
#[derive(Serialize)]
pub struct OutageView {
    /// From the last good reply before to the first one after.
    pub length_ns: Traced,
    /// Datagrams that it explains.
    pub lost: Traced,
    /// Other missing datagrams.
    pub missing_outside: Traced,
}

/// The disturbances of `build`.
pub fn of_build(build: &BuildResults) -> Vec<RecoveryView> {
    let trials = build.recovery.iter().flat_map(trials);
    trials
        .map(|(place, trial)| RecoveryView::new(&place, trial))
        .collect()
}

impl RecoveryView {
    fn new(place: &Place, trial: &Trial<RecoveryResult>) -> Self {
        let kind = match trial.options().disturbance {
            Disturbance::Reset => "reset",
            Disturbance::LinkLoss(_) => "link lost",
            Disturbance::DhcpChange => "other address",
            Disturbance::Manual => "by hand",
        };
        let (status, options, outage) = match trial {
            Trial::Measured(measured) => {
                let place = place.at("measured/result");
                let outage = OutageView::new(&place, &measured.result);
                (Status::Measured, place.at("options"), outage)
            }
            Trial::Failed(_) => (Status::Failed, place.at("failed/options"), None),
        };
        Self {
            kind,
            options: Tree::new(&options, trial.options()),
            status,
            outage,
        }
    }
}

impl OutageView {
    fn new(place: &Place, result: &RecoveryResult) -> Option<Self> {
        let outage = result.outage?;
        let first_good = place.value("outage/first_good_ns");
        let length = match outage.last_good_ns {
            Some(_) => first_good.minus(place.value("outage/last_good_ns")),
            None => first_good,
        };
        let lost = place.value("outage/lost");
        let outside: Formula = place.value("counts/missing").minus(lost.clone());
        Some(Self {
            length_ns: Traced::whole(outage.length()?.0, length),
            lost: Traced::whole(outage.lost, lost),
            missing_outside: Traced::whole(result.missing_outside(), outside),
        })
    }
}
