//! Identities as they are checked: how many held, and which did not.

use super::super::node::{Misshapen, Node};
use super::super::report::Kind;

/// What came of the identities of one file.
#[derive(Debug, Default)]
pub struct Book {
    /// How many identities held.
    pub held: u64,
    /// How many histograms were gone through.
    pub histograms: u64,
    /// How many trials were.
    pub trials: u64,
    pub broken: Vec<Broken>,
}

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub kind: Kind,
    pub pointer: String,
    pub message: String,
}

impl Book {
    /// Requires `left = right`.
    pub fn equal(&mut self, at: &Node, identity: &str, left: u128, right: u128) {
        self.require(at, identity, left, right, left == right);
    }

    /// Requires `left <= right`.
    pub fn at_most(&mut self, at: &Node, identity: &str, left: u128, right: u128) {
        self.require(at, identity, left, right, left <= right);
    }

    /// Requires `condition`, which `left` and `right` are the two sides of.
    pub fn require(&mut self, at: &Node, identity: &str, left: u128, right: u128, holds: bool) {
        if holds {
            self.held += 1;
        } else {
            let message = format!("{identity} does not hold: {left} against {right}");
            self.breaks(Kind::Identity, at, message);
        }
    }

    /// Requires something that has no two sides.
    pub fn holds(&mut self, at: &Node, identity: &str, holds: bool) {
        if holds {
            self.held += 1;
        } else {
            self.breaks(Kind::Identity, at, format!("{identity} does not hold"));
        }
    }

    /// Something is wrong at this place.
    pub fn breaks(&mut self, kind: Kind, at: &Node, message: String) {
        self.broken.push(Broken {
            kind,
            pointer: at.pointer.clone(),
            message,
        });
    }

    /// The file is not of the shape that all results have.
    pub fn misshapen(&mut self, misshapen: Misshapen) {
        self.broken.push(Broken {
            kind: Kind::Schema,
            pointer: misshapen.pointer,
            message: misshapen.problem,
        });
    }
}
