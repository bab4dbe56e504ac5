//! A figure and where it comes from.

use std::cmp::Ordering;
use std::sync::Arc;

use bench::Ratio;
use minijinja::Value;
use minijinja::value::{DynObject, Object, ObjectRepr, serializing_for_value};
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use super::claim::compare;
use super::formula::Formula;

/// An exact figure in its base unit, with the formula that gives it.
///
/// A template gets it whole; in JSON it is its number, or a fraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// The figure.
    pub value: Ratio,
    /// What it follows from.
    pub formula: Formula,
}

impl Traced {
    /// A whole number.
    pub fn whole(value: impl Into<u128>, formula: Formula) -> Self {
        let value = Ratio {
            numerator: value.into(),
            denominator: 1,
        };
        Self { value, formula }
    }

    /// A quotient; `None` where there is none.
    pub fn quotient<E>(value: Result<Ratio, E>, formula: impl FnOnce() -> Formula) -> Option<Self> {
        let value = value.ok()?;
        Some(Self {
            value,
            formula: formula(),
        })
    }

    /// A whole number that no result holds, and where it stands.
    pub fn stated(value: impl Into<u128>, source: impl Into<String>) -> Self {
        let value = value.into();
        Self::whole(value, Formula::stated(value, source))
    }

    /// `self / divisor`; `None` when that is 0.
    pub fn over(&self, divisor: &Self) -> Option<Self> {
        if divisor.value.numerator == 0 {
            return None;
        }
        let value = Ratio {
            numerator: self.value.numerator * divisor.value.denominator,
            denominator: self.value.denominator * divisor.value.numerator,
        };
        let formula = self.formula.clone().over(divisor.formula.clone());
        Some(Self { value, formula })
    }

    /// How it compares with another, exactly.
    pub fn compare(&self, other: &Self) -> Ordering {
        compare(self.value, other.value)
    }
}

impl Serialize for Traced {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializing_for_value() {
            return Value::from_object(self.clone()).serialize(serializer);
        }
        if self.value.denominator == 1 {
            return serializer.serialize_u128(self.value.numerator);
        }
        let mut fraction = serializer.serialize_struct("Ratio", 2)?;
        fraction.serialize_field("numerator", &self.value.numerator)?;
        fraction.serialize_field("denominator", &self.value.denominator)?;
        fraction.end()
    }
}

impl Object for Traced {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn is_true(self: &Arc<Self>) -> bool {
        self.value.numerator != 0
    }

    fn custom_cmp(self: &Arc<Self>, other: &DynObject) -> Option<Ordering> {
        let other = other.downcast_ref::<Self>()?;
        Some(self.compare(other))
    }
}
