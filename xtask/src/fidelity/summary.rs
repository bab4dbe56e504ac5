//! How far emulated figures are from published ones.

use bench::Ratio;

use super::cite::{largest, reduced};
use super::comparisons::{Burst, Compared, Kind, Knee, Role};
use crate::trace::{Condition, Formula, Relation, Traced};

/// How far a prediction should be off at most, as a share of what was published.
const AIM: Ratio = Ratio {
    numerator: 1,
    denominator: 5,
};
const AIM_SOURCE: &str = "the aim: nine in ten predictions within a fifth";
/// How far a knee may be off.
const KNEE_STEP_HZ: u64 = 1_000;
/// The least share of bursts that came back whole for a burst to count as absorbed; the published runs lost
/// single datagrams to host and network.
const ABSORBED: Ratio = Ratio {
    numerator: 99,
    denominator: 100,
};
const ABSORBED_SOURCE: &str = "absorbed: all bursts but one in a hundred at most";

/// The errors of several figures.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Summary {
    pub count: Traced,
    pub median_error: Traced,
    /// How many are within the aim.
    pub within_aim: Traced,
    /// The largest error.
    pub worst_error: Traced,
    /// Which figure has it, by its place among all.
    #[serde(skip)]
    pub worst: usize,
}

/// How many of several answers are right.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Score {
    pub count: Traced,
    pub right: Traced,
}

impl Compared {
    /// Whether the emulated figure is the larger one.
    pub fn is_above(&self) -> bool {
        self.emulated.compare(&self.published).is_gt()
    }

    /// The difference as a share of the published figure.
    pub fn error(&self) -> Traced {
        let (published, emulated) = (&self.published, &self.emulated);
        let (larger, smaller) = match self.is_above() {
            true => (emulated, published),
            false => (published, emulated),
        };
        let [a, b, p] = [larger, smaller, published].map(|one| one.value);
        let difference = a.numerator * b.denominator - b.numerator * a.denominator;
        let over = reduced(difference, a.denominator * b.denominator);
        let formula = larger.formula.clone().minus(smaller.formula.clone());
        Traced {
            value: reduced(
                over.numerator * p.denominator,
                over.denominator * p.numerator,
            ),
            formula: formula.over(published.formula.clone()),
        }
    }
}

impl Summary {
    /// The summary of the figures that `belongs`; `None` when there are none.
    pub fn of(figures: &[Compared], belongs: impl Fn(&Compared) -> bool) -> Option<Self> {
        let chosen = figures.iter().enumerate().filter(|(_, one)| belongs(one));
        let (places, errors): (Vec<_>, Vec<_>) = chosen.map(|(at, one)| (at, one.error())).unzip();
        let worst_error = largest(&errors)?;
        let worst = errors
            .iter()
            .position(|error| error.value == worst_error.value)?;
        let nothing = || Formula::stated(0_u64, "any error");
        let aim = || Formula::Stated {
            value: AIM,
            source: AIM_SOURCE.to_owned(),
        };
        let case = |error: &Traced, relation, right| {
            vec![Condition::new(error.formula.clone(), relation, right)]
        };
        let is_within = |error: &&Traced| {
            error.value.numerator * AIM.denominator <= AIM.numerator * error.value.denominator
        };
        let cases = |relation, right: &dyn Fn() -> Formula| {
            let cases = errors.iter().map(|error| case(error, relation, right()));
            Formula::Count(cases.collect())
        };
        Some(Self {
            count: Traced::whole(errors.len() as u64, cases(Relation::AtLeast, &nothing)),
            median_error: median(&errors),
            within_aim: Traced::whole(
                errors.iter().filter(is_within).count() as u64,
                cases(Relation::AtMost, &aim),
            ),
            worst: places[worst],
            worst_error,
        })
    }

    /// The figures of one role.
    pub fn of_role(figures: &[Compared], role: Role) -> Option<Self> {
        Self::of(figures, |one| one.role == role)
    }

    /// The predictions of one kind.
    pub fn of_predicted(figures: &[Compared], kind: Kind) -> Option<Self> {
        Self::of(figures, |one| {
            one.role == Role::Predicted && one.kind == kind
        })
    }
}

/// The middle one, or the mean of the middle two.
fn median(figures: &[Traced]) -> Traced {
    let mut sorted: Vec<_> = figures.iter().map(|one| one.value).collect();
    sorted.sort_by(|a, b| crate::trace::compare(*a, *b));
    let (lower, upper) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
    let sum = lower.numerator * upper.denominator + upper.numerator * lower.denominator;
    Traced {
        value: reduced(sum, 2 * lower.denominator * upper.denominator),
        formula: Formula::Median(figures.iter().map(|one| one.formula.clone()).collect()),
    }
}

impl Knee {
    /// Whether both are within one step of the sweep.
    pub fn is_right(&self) -> bool {
        let [a, b] = [&self.published, &self.emulated].map(|one| one.value.numerator);
        a.abs_diff(b) <= u128::from(KNEE_STEP_HZ)
    }

    fn condition(&self) -> Condition {
        let (larger, smaller) = match self.emulated.compare(&self.published).is_gt() {
            true => (&self.emulated, &self.published),
            false => (&self.published, &self.emulated),
        };
        let apart = larger.formula.clone().minus(smaller.formula.clone());
        let step = Formula::stated(KNEE_STEP_HZ, "one step of the sweep");
        Condition::new(apart, Relation::AtMost, step)
    }
}

impl Burst {
    /// Whether both came back whole, or neither.
    pub fn is_right(&self) -> bool {
        is_absorbed(&self.published) == is_absorbed(&self.emulated)
    }

    /// What holds of both when the answer is right.
    fn conditions(&self) -> Vec<Condition> {
        let relation = match is_absorbed(&self.published) {
            true => Relation::AtLeast,
            false => Relation::Less,
        };
        let limit = || Formula::Stated {
            value: ABSORBED,
            source: ABSORBED_SOURCE.to_owned(),
        };
        let sides = [&self.published, &self.emulated];
        let sides = sides.map(|side| Condition::new(side.formula.clone(), relation, limit()));
        sides.into()
    }
}

/// Whether hardly a burst lost a datagram.
pub fn is_absorbed(share: &Traced) -> bool {
    !crate::trace::compare(share.value, ABSORBED).is_lt()
}

/// How many knees are right.
pub fn knees(knees: &[Knee]) -> Score {
    let cases = knees.iter().map(|knee| vec![knee.condition()]);
    score(knees.iter().map(Knee::is_right), cases.collect())
}

/// How many bursts are right.
pub fn bursts(bursts: &[Burst]) -> Score {
    let cases = bursts.iter().map(Burst::conditions);
    score(bursts.iter().map(Burst::is_right), cases.collect())
}

fn score(right: impl ExactSizeIterator<Item = bool>, cases: Vec<Vec<Condition>>) -> Score {
    let count = right.len() as u64;
    let unconditioned = cases.iter().map(|_| Vec::new()).collect();
    Score {
        count: Traced::whole(count, Formula::Count(unconditioned)),
        right: Traced::whole(
            right.filter(|right| *right).count() as u64,
            Formula::Count(cases),
        ),
    }
}
