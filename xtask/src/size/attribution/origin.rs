//! What bytes can come from.

use serde::Serialize;

/// Where a byte of an image comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", content = "name", rename_all = "kebab-case")]
pub enum Origin {
    /// A package of the firmware workspace; of one in C, a folder of its sources.
    FirstParty(String),
    /// A package of others.
    Dependency(String),
    /// What comes with a compiler: core, libc, libgcc.
    Language(String),
    /// Neither symbols nor debug information tell.
    Unknown,
}

impl Origin {
    /// What tables call the kind; empty for bytes of unknown origin.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::FirstParty(_) => "first-party",
            Self::Dependency(_) => "dependency",
            Self::Language(_) => "language",
            Self::Unknown => "",
        }
    }

    /// What tables call it: the package's name.
    pub fn name(&self) -> &str {
        match self {
            Self::FirstParty(name) | Self::Dependency(name) | Self::Language(name) => name,
            Self::Unknown => "unattributed",
        }
    }
}
