//! Address ranges that several sources say something about, of which the best one counts.

use std::collections::{BTreeMap, BTreeSet};

/// What one source says of a range of addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim<T> {
    /// The first address.
    pub start: u64,
    /// The address behind the last one.
    pub end: u64,
    /// What is there.
    pub what: T,
}

/// Ranges that do not overlap, in the order of their addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extents<T>(Vec<Claim<T>>);

impl<T: Clone> Extents<T> {
    /// Settles claims: where they overlap, the earlier one in the list counts.
    pub fn settle(claims: &[Claim<T>]) -> Self {
        let mut changes: BTreeMap<u64, Changes> = BTreeMap::new();
        for (rank, claim) in claims
            .iter()
            .enumerate()
            .filter(|(_, claim)| claim.start < claim.end)
        {
            changes.entry(claim.start).or_default().begin.push(rank);
            changes.entry(claim.end).or_default().end.push(rank);
        }
        let mut settled = Vec::new();
        let mut open = BTreeSet::new();
        let mut from = 0;
        for (at, change) in changes {
            if let Some(rank) = open.first() {
                let claim: &Claim<T> = &claims[*rank];
                settled.push(Claim {
                    start: from,
                    end: at,
                    what: claim.what.clone(),
                });
            }
            change.end.iter().for_each(|rank| {
                open.remove(rank);
            });
            open.extend(change.begin);
            from = at;
        }
        Self(settled)
    }

    /// The parts of a range that something is known of: their lengths, and what is there.
    pub fn within(&self, start: u64, end: u64) -> impl Iterator<Item = (u64, &T)> {
        let first = self.0.partition_point(|extent| extent.end <= start);
        let extents = self.0[first..]
            .iter()
            .take_while(move |extent| extent.start < end);
        extents.map(move |extent| {
            let length = extent.end.min(end) - extent.start.max(start);
            (length, &extent.what)
        })
    }
}

/// The claims that begin and end at an address, by their places in the list.
#[derive(Default)]
struct Changes {
    begin: Vec<usize>,
    end: Vec<usize>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn claim(start: u64, end: u64, what: char) -> Claim<char> {
        Claim { start, end, what }
    }

    #[test]
    fn the_earlier_claim_counts_and_the_later_one_fills_up() {
        let settled = Extents::settle(&[claim(4, 8, 'a'), claim(0, 12, 'b'), claim(20, 20, 'c')]);
        let within = |start, end| settled.within(start, end).collect::<Vec<_>>();
        assert_eq!(within(0, 100), [(4, &'b'), (4, &'a'), (4, &'b')]);
        assert_eq!(within(6, 9), [(2, &'a'), (1, &'b')]);
        assert_eq!(within(12, 30), []);
    }

    proptest! {
        #[test]
        fn each_address_goes_to_the_first_claim_that_holds_it(
            ranges in prop::collection::vec((0..40_u64, 0..12_u64), 0..8)
        ) {
            let claims: Vec<Claim<usize>> = ranges
                .iter()
                .enumerate()
                .map(|(what, (start, length))| Claim { start: *start, end: start + length, what })
                .collect();
            let settled = Extents::settle(&claims);
            for address in 0..60 {
                let holds = |claim: &&Claim<usize>| (claim.start..claim.end).contains(&address);
                let expected = claims.iter().find(holds).map(|claim| claim.what);
                let found = settled.within(address, address + 1).next();
                prop_assert_eq!(found.map(|(_, what)| *what), expected);
            }
        }
    }
}
