//! Where the first-party sources of a variant are, and what each place counts as.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::metadata::{Role, Study, Variant};

/// A folder of sources.
#[derive(Clone, Debug)]
pub struct Place {
    /// The folder of their package.
    pub package: PathBuf,
    /// The sources' own folder.
    pub sources: PathBuf,
    /// What their lines count as.
    pub role: Role,
}

/// The places whose files may be in the variant. Of those that hold a file the first one counts.
pub fn of_variant(study: &Study, variant: &Variant) -> Vec<Place> {
    let shared = study.shared.iter();
    let shared = shared.map(|package| place(&package.folder, Path::new("src"), package.role));
    let roles = if variant.c.is_some() {
        &Role::SHARED[..]
    } else {
        &[]
    };
    let roles = roles.iter().map(|role| {
        let folder = Path::new("src").join(role.to_string());
        place(&variant.folder, &folder, *role)
    });
    let entry = place(&variant.folder, Path::new("src"), Role::Entry);
    shared.chain(roles).chain([entry]).collect()
}

fn place(package: &Path, sources: &Path, role: Role) -> Place {
    Place {
        package: package.to_path_buf(),
        sources: package.join(sources),
        role,
    }
}

/// The place that holds the file; none for files of a package besides its sources.
///
/// # Errors
///
/// When the file is of no package.
pub fn of_file<'a>(
    path: &Path,
    places: &'a [Place],
    workspace: &Path,
) -> anyhow::Result<Option<&'a Place>> {
    if !places.iter().any(|place| path.starts_with(&place.package)) {
        let path = path.strip_prefix(workspace).unwrap_or(path).display();
        bail!("{path} is in the image but in no package of the study");
    }
    let mut places = places.iter();
    Ok(places.find(|place| path.starts_with(&place.sources)))
}
