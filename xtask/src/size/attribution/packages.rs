//! Which package a source file belongs to, or a crate by its name alone.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::origin::Origin;
use crate::metadata::Study;
use crate::paths;

/// What is known of the packages that images are made of.
#[derive(Clone, Debug, Default)]
pub struct Packages {
    /// Where the firmware workspace was when it was compiled, by any of its names.
    workspaces: Vec<String>,
    /// The first-party packages.
    first_party: BTreeSet<String>,
    /// First-party packages in C, which are told apart by folder.
    in_c: BTreeSet<String>,
    /// Libraries in C; their files are below a root folder of that name.
    c_libraries: BTreeSet<String>,
}

impl Packages {
    /// The packages of the study.
    pub fn of(study: &Study) -> Self {
        let folder_name = |folder: &PathBuf| {
            let name = folder.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        let variants = || study.variants.iter();
        let shared = study.shared.iter().map(|package| &package.folder);
        let folders = variants().map(|variant| &variant.folder).chain(shared);
        let in_c = variants().filter(|variant| variant.c.is_some());
        let libraries = variants().filter_map(|variant| variant.c.as_ref());
        let workspace = paths::root().join("firmware").display().to_string();
        Self {
            workspaces: vec!["/study/firmware".to_string(), workspace],
            first_party: folders.map(folder_name).collect(),
            in_c: in_c.map(|variant| folder_name(&variant.folder)).collect(),
            c_libraries: libraries
                .flat_map(|c| c.libraries.keys().cloned())
                .collect(),
        }
    }

    /// A package in C, one in Rust and a library.
    #[cfg(test)]
    pub fn for_test(in_c: &str, in_rust: &str, library: &str) -> Self {
        let set = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        Self {
            workspaces: vec!["/study/firmware".to_string()],
            first_party: set(&[in_c, in_rust]),
            in_c: set(&[in_c]),
            c_libraries: set(&[library]),
        }
    }

    /// The package of a source file, by its absolute path as the compiler wrote it.
    pub fn of_path(&self, path: &str) -> Option<Origin> {
        let path = normal(path);
        let in_workspace = |folder: &String| {
            let rest = path.strip_prefix(&normal(folder))?;
            rest.strip_prefix('/')
        };
        if let Some(inside) = self.workspaces.iter().find_map(in_workspace) {
            return self.first_party(inside);
        }
        let folders: Vec<&str> = path
            .split('/')
            .filter(|folder| !folder.is_empty())
            .collect();
        let after = |words: &[&str]| {
            let position = folders
                .windows(words.len())
                .position(|window| window == words)?;
            folders.get(position + words.len()..)
        };
        if let Some([_index, package, ..]) = after(&["registry", "src"]) {
            return Some(self.named(without_suffix(package)));
        }
        if let Some([checkout, ..]) = after(&["git", "checkouts"]) {
            return Some(self.named(without_suffix(checkout)));
        }
        if let ["rustc", _, "library", name, ..] = folders[..] {
            return Some(Origin::Language(name.replace('-', "_")));
        }
        if let Some([name, ..]) = after(&["lib", "rustlib", "src", "rust", "library"]) {
            return Some(Origin::Language(name.replace('-', "_")));
        }
        for library in ["libc", "libm"] {
            if after(&["newlib", library]).is_some() {
                return Some(Origin::Language(library.to_string()));
            }
        }
        if folders.contains(&"libgcc") {
            return Some(Origin::Language("libgcc".to_string()));
        }
        let out = folders.iter().position(|folder| *folder == "out");
        if let [.., "build", package] = folders[..out.unwrap_or(0)] {
            return Some(self.named(without_suffix(package)));
        }
        let library = folders
            .first()
            .filter(|root| self.c_libraries.contains(**root));
        library.map(|name| Origin::Dependency(name.to_string()))
    }

    /// The package of a source file, by its path as seen from the firmware workspace.
    pub fn of_source(&self, path: &str) -> Option<Origin> {
        if path.starts_with('/') {
            return self.of_path(path);
        }
        self.of_path(&format!("{}/{path}", self.workspaces.first()?))
    }

    /// The package of that name, or whose crate has that name.
    pub fn named(&self, name: &str) -> Origin {
        let same = |package: &&String| package.replace('-', "_") == name.replace('-', "_");
        if let Some(package) = self.first_party.iter().find(same) {
            return Origin::FirstParty(package.clone());
        }
        match name.replace('-', "_").as_str() {
            language @ ("core" | "alloc" | "std" | "compiler_builtins") => {
                Origin::Language(language.to_string())
            }
            _ => Origin::Dependency(name.to_string()),
        }
    }

    /// The origin of a file in the firmware workspace.
    fn first_party(&self, inside: &str) -> Option<Origin> {
        let folders: Vec<&str> = inside.split('/').collect();
        let (package, rest) = folders.split_first()?;
        if !self.first_party.contains(*package) {
            return None;
        }
        let name = match rest {
            ["src", folder, _, ..] if self.in_c.contains(*package) => {
                format!("{package}/{folder}")
            }
            _ => package.to_string(),
        };
        Some(Origin::FirstParty(name))
    }
}

/// The name of a folder without the version behind it, or else without what is behind its last hyphen.
fn without_suffix(folder: &str) -> &str {
    let is_version = |(position, _): &(usize, &str)| {
        let word = folder[position + 1..].split('-').next().unwrap_or_default();
        word.starts_with(|first: char| first.is_ascii_digit()) && word.contains('.')
    };
    let version = folder.match_indices('-').find(is_version);
    let end = version.map(|(position, _)| position).or(folder.rfind('-'));
    end.map_or(folder, |end| &folder[..end])
}

/// A path with its `.` and `..` resolved and `/` between folders.
fn normal(path: &str) -> String {
    let mut folders: Vec<&str> = Vec::new();
    for folder in path.split(['/', '\\']) {
        match folder {
            "" | "." => {}
            ".." => {
                folders.pop();
            }
            name => folders.push(name),
        }
    }
    format!("/{}", folders.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packages() -> Packages {
        Packages::for_test("in-c", "bring-up-rmii", "lwip")
    }

    #[test]
    fn a_file_belongs_to_the_package_that_its_path_names() {
        let first_party = |name: &str| Origin::FirstParty(name.to_string());
        let dependency = |name: &str| Origin::Dependency(name.to_string());
        let language = |name: &str| Origin::Language(name.to_string());
        let registry = "/cargo/registry/src/index.crates.io-1949cf8c6b5b557f";
        let cases = [
            (
                "/study/firmware/bring-up-rmii/src/lib.rs",
                first_party("bring-up-rmii"),
            ),
            (
                "/study/firmware/./bring-up-rmii/../in-c/src/main.c",
                first_party("in-c"),
            ),
            (
                "/study/firmware/in-c/src/bring-up/port/cc.h",
                first_party("in-c/bring-up"),
            ),
            (
                &format!("{registry}/smoltcp-0.13.1/src/lib.rs"),
                dependency("smoltcp"),
            ),
            (
                &format!("{registry}/a-2-b-1.0.0-rc.1/src/lib.rs"),
                dependency("a-2-b"),
            ),
            (
                "/home/me/.cargo/git/checkouts/embassy-1f5a/0af/src/lib.rs",
                dependency("embassy"),
            ),
            (
                "/rustc/ac68faa2/library/core/src/fmt/mod.rs",
                language("core"),
            ),
            (
                "/rustc/ac68faa2/library/compiler-builtins/compiler-builtins/src/mem.rs",
                language("compiler_builtins"),
            ),
            (
                &format!("{registry}/compiler_builtins-0.1.1/src/mem.rs"),
                language("compiler_builtins"),
            ),
            (
                "/t/build/stm32-metapac-6f4c/out/src/pac.rs",
                dependency("stm32-metapac"),
            ),
            ("/lwip/src/core/udp.c", dependency("lwip")),
            (
                "/build/newlib-3.3.0/build/../newlib/libc/string/memset.c",
                language("libc"),
            ),
            ("/build/gcc-12.2/src/libgcc/libgcc2.c", language("libgcc")),
        ];
        for (path, expected) in cases {
            assert_eq!(packages().of_path(path), Some(expected), "{path}");
        }
        for path in [
            "",
            "/",
            "/elsewhere/lwip/udp.c",
            "/study/firmwares/x/src/lib.rs",
        ] {
            assert_eq!(packages().of_path(path), None, "{path}");
        }
    }
}
