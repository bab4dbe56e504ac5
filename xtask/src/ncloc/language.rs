//! What a file that reaches an image is written in, by its name.

use std::path::Path;

use tokei::LanguageType;

/// What the lines of a file are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Rust.
    Rust,
    /// C, a source file or a header.
    C,
    /// Assembly for the GNU assembler; after the C preprocessor where the name ends in `.S`.
    Assembly {
        /// Whether a `#` at the start of a line is a directive of the preprocessor.
        preprocessed: bool,
    },
    /// A linker script.
    LinkerScript,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Rust,
        Self::C,
        Self::Assembly {
            preprocessed: false,
        },
        Self::Assembly { preprocessed: true },
        Self::LinkerScript,
    ];

    /// How the names of their files end.
    pub const NAMES: [&str; 8] = [".rs", ".c", ".h", ".s", ".S", ".x", ".ld", ".lds"];

    /// The language of the file at `path`; none for one that has no lines of source, such as an
    /// image's included data.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "rs" => Some(Self::Rust),
            "c" | "h" => Some(Self::C),
            "s" => Some(Self::Assembly {
                preprocessed: false,
            }),
            "S" => Some(Self::Assembly { preprocessed: true }),
            "x" | "ld" | "lds" => Some(Self::LinkerScript),
            _ => None,
        }
    }

    /// Whether its lines of code count as NCLOC: a linker script lays out memory and is no program.
    pub fn is_program(self) -> bool {
        self != Self::LinkerScript
    }

    /// What tokei calls it.
    pub fn for_tokei(self) -> LanguageType {
        match self {
            Self::Rust => LanguageType::Rust,
            Self::C => LanguageType::C,
            Self::Assembly { .. } => LanguageType::AssemblyGAS,
            Self::LinkerScript => LanguageType::LinkerScript,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_tells_a_language() {
        for name in Language::NAMES {
            assert!(Language::of(&Path::new("a").with_added_extension(&name[1..])).is_some());
        }
        assert_eq!(Language::of(Path::new("a.bin")), None);
        assert_eq!(Language::of(Path::new("c")), None);
    }
}
