//! Which package a crate belongs to that a symbol names.

use std::collections::BTreeMap;

use super::origin::Origin;
use super::packages::Packages;

/// The origins of crates by the names that symbols have for them.
#[derive(Clone, Debug, Default)]
pub struct Crates(BTreeMap<String, Origin>);

impl Crates {
    /// Notes that a crate's sources are a package's.
    pub fn add(&mut self, name: &str, origin: Origin) {
        self.0.insert(name.to_string(), origin);
    }

    /// Notes the same where nothing is known of a crate of that name.
    pub fn add_if_new(&mut self, name: &str, origin: Origin) {
        self.0.entry(name.to_string()).or_insert(origin);
    }

    /// The origin of a crate.
    pub fn origin(&self, name: &str, packages: &Packages) -> Origin {
        let known = self.0.get(name).cloned();
        known.unwrap_or_else(|| packages.named(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_belongs_to_the_package_of_its_name_unless_it_is_known_better() {
        let mut crates = Crates::default();
        let of = |crates: &Crates, name: &str| {
            crates.origin(name, &Packages::for_test("in-c", "bring-up-rmii", "lwip"))
        };
        assert_eq!(of(&crates, "core"), Origin::Language("core".into()));
        assert_eq!(
            of(&crates, "bring_up_rmii"),
            Origin::FirstParty("bring-up-rmii".into())
        );
        assert_eq!(
            of(&crates, "static_cell"),
            Origin::Dependency("static_cell".into())
        );
        crates.add("static_cell", Origin::Dependency("static-cell".into()));
        assert_eq!(
            of(&crates, "static_cell"),
            Origin::Dependency("static-cell".into())
        );
    }
}
