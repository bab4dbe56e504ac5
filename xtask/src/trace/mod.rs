//! Where a figure comes from: which results it follows from, and by what formula.
//!
//! A document's figure is worked out twice. Its value comes from the results as typed data and with the
//! functions of the crates that measured them; beside it stands a formula over places in the result
//! files, as data. Whoever doubts the figure evaluates the formula on the files themselves, with code of
//! their own: a wrong field, a wrong column or a wrong function then shows as a difference.

mod claim;
mod formula;
mod place;
mod traced;
mod tree;

pub use claim::{CheckedClaim, Relation, Tolerance, compare};
pub use formula::{Candidate, Condition, Formula, Input, Rule};
pub use place::{Place, measured, trials};
pub use traced::Traced;
pub use tree::Tree;
