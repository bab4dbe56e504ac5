//! What the lines of each first-party file of a variant count as.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::metadata::{Role, Study, Variant};

/// The roles of a variant's folders and packages.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    /// The role of the files below a folder, where no folder further down has another.
    folders: BTreeMap<PathBuf, Role>,
    /// The role of everything that is compiled for a package; a package in C has no single one.
    packages: BTreeMap<PathBuf, Role>,
}

impl Roles {
    /// The roles that the study's metadata gives, and in C the names of the folders in `src`.
    pub fn of_variant(study: &Study, variant: &Variant) -> Self {
        let mut roles = Self::default();
        for package in &study.shared {
            roles.add_package(&package.folder, package.role);
        }
        if variant.c.is_none() {
            roles.add_package(&variant.folder, Role::Entry);
        } else {
            roles.add_folder(&variant.folder, Role::Entry);
            for role in Role::SHARED {
                let folder = variant.folder.join("src").join(role.to_string());
                roles.add_folder(&folder, role);
            }
        }
        roles
    }

    /// Gives a role to the files below a folder.
    pub fn add_folder(&mut self, folder: &Path, role: Role) {
        self.folders.insert(folder.to_path_buf(), role);
    }

    /// Gives a role to the files of a package and to all that is compiled for it.
    pub fn add_package(&mut self, folder: &Path, role: Role) {
        self.add_folder(folder, role);
        self.packages.insert(folder.to_path_buf(), role);
    }

    /// The one role of a file that the compiler read for the packages in `readers`; `workspace` is left
    /// out of names in errors.
    ///
    /// # Errors
    ///
    /// When the file lies in no folder with a role, or in one of another role than a package it was
    /// compiled for.
    pub fn of_file(
        &self,
        path: &Path,
        readers: &BTreeSet<&Path>,
        workspace: &Path,
    ) -> anyhow::Result<Role> {
        let short = |path: &Path| short_name(path, workspace);
        let by_package = readers.iter().filter_map(|package| {
            let role = self.packages.get(*package)?;
            Some(format!("{role} (package {})", short(package)))
        });
        let by_package: Vec<String> = by_package.collect();
        let mut ancestors = path.ancestors();
        let Some(role) = ancestors.find_map(|folder| self.folders.get(folder)) else {
            let read = if by_package.is_empty() {
                "the build".to_string()
            } else {
                by_package.join(" and ")
            };
            bail!(
                "{} reaches the image but has no role: {read} uses it, and it lies in no package of the study",
                short(path)
            );
        };
        let of_packages = readers
            .iter()
            .filter_map(|package| self.packages.get(*package));
        if of_packages.into_iter().any(|of_package| of_package != role) {
            bail!(
                "{} is in two roles: it lies in a folder of {role} and is compiled for {}",
                short(path),
                by_package.join(" and ")
            );
        }
        Ok(*role)
    }
}

/// The path as seen from the workspace, which lies in the checkout.
fn short_name(path: &Path, workspace: &Path) -> String {
    let inside = path.strip_prefix(workspace).map(Path::to_path_buf);
    let beside = || {
        let checkout = workspace.parent()?;
        Some(Path::new("..").join(path.strip_prefix(checkout).ok()?))
    };
    let short = inside.ok().or_else(beside);
    short
        .unwrap_or_else(|| path.to_path_buf())
        .display()
        .to_string()
}
