//! Which files of an image count, and as what.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::super::counter::Counter;
use super::super::image::{self, Image, LineCounts};
use super::super::role::Roles;
use crate::build::Sources;
use crate::metadata::Role;

/// A workspace of packages in Rust and one in C with a file of each kind.
fn workspace() -> TempDir {
    let folder = TempDir::new().unwrap();
    let files = [
        ("app/build.rs", "mod part;\nfn main() {}\n"),
        ("app/part.rs", "fn part() {}\n"),
        ("app/src/main.rs", "//! App.\nmod used;\nfn main() {}\n"),
        (
            "app/src/used.rs",
            "pub fn used() {}\n#[cfg(test)]\nmod tests;\n",
        ),
        ("app/src/used/tests.rs", "fn t() {}\n"),
        ("app/src/unused.rs", "pub fn unused() {}\n"),
        ("app/src/key.bin", "\0"),
        ("app/tests/test.rs", "fn t() {}\n"),
        (
            "lib/src/lib.rs",
            "pub fn a() {}\n\npub fn b() {}\npub fn c() {}\n",
        ),
        ("lib/memory.x", "/* All. */\nMEMORY {\n}\n"),
        ("other/src/lib.rs", "pub fn other() {}\n"),
        ("c/src/main.c", "/* C */\nint main(void)\n{\n}\n"),
        ("c/src/package.rs", "//! A package.\n"),
        ("c/src/server/echo.c", "#include \"echo.h\"\n"),
        ("c/src/server/echo.h", "#pragma once\nvoid echo(void);\n"),
        ("c/part.ld", "ENTRY(main)\n"),
    ];
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Sources with these files compiled for packages, and these used besides.
fn sources(root: &Path, compiled: &[(&str, &[&str])], used: &[&str]) -> Sources {
    let below = |paths: &[&str]| paths.iter().map(|path| root.join(path)).collect::<Vec<_>>();
    let mut sources = Sources::default();
    for (package, files) in compiled {
        sources.add_compiled(root, &root.join(package), below(files));
    }
    sources.add_used(root, below(used));
    sources
}

fn count(root: &Path, sources: &Sources) -> anyhow::Result<LineCounts> {
    let mut roles = Roles::default();
    roles.add_package(&root.join("app"), Role::Entry);
    roles.add_package(&root.join("lib"), Role::Server);
    roles.add_folder(&root.join("c"), Role::Entry);
    roles.add_folder(&root.join("c/src/server"), Role::Server);
    let image = Image {
        variant: "one",
        build: "release",
        workspace: root,
        roles: &roles,
        sources,
    };
    image::count(&mut Counter::default(), &image)
}

fn counted(counts: &LineCounts) -> Vec<(&str, Role, u64)> {
    let files = counts.files.iter();
    let files = files.map(|file| (file.path.to_str().unwrap(), file.role, file.count.code));
    files.collect()
}

fn apart(counts: &LineCounts) -> Vec<(&str, Role, Option<u64>)> {
    let files = counts.apart.iter();
    let files = files.map(|file| {
        let lines = file.count.map(|count| count.code);
        (file.path.to_str().unwrap(), file.role, lines)
    });
    files.collect()
}

fn excluded(counts: &LineCounts) -> Vec<(&str, &str)> {
    let files = counts.excluded.iter();
    let files = files.map(|file| (file.path.to_str().unwrap(), file.reason));
    files.collect()
}

#[test]
fn files_that_were_compiled_in_count_for_the_role_of_their_package() {
    let folder = workspace();
    let compiled: [(&str, &[&str]); 2] = [
        (
            "app",
            &["app/src/main.rs", "app/src/used.rs", "app/src/key.bin"],
        ),
        ("lib", &["lib/src/lib.rs"]),
    ];
    let used = ["app/build.rs", "app/part.rs", "lib/memory.x"];
    let counts = count(folder.path(), &sources(folder.path(), &compiled, &used)).unwrap();
    assert_eq!(
        counted(&counts),
        [
            ("app/src/main.rs", Role::Entry, 2),
            ("app/src/used.rs", Role::Entry, 1),
            ("lib/src/lib.rs", Role::Server, 3),
        ]
    );
    assert_eq!((counts.ncloc, counts.published), (6, 8));
    assert_eq!(
        counts.by_role.into_iter().collect::<Vec<_>>(),
        [(Role::Entry, 3), (Role::Server, 3)]
    );
}

#[test]
fn what_is_not_counted_is_listed_with_the_rule() {
    let folder = workspace();
    let compiled: [(&str, &[&str]); 2] = [
        (
            "app",
            &["app/src/main.rs", "app/src/used.rs", "app/src/key.bin"],
        ),
        ("lib", &["lib/src/lib.rs"]),
    ];
    let used = ["app/build.rs", "app/part.rs", "lib/memory.x"];
    let counts = count(folder.path(), &sources(folder.path(), &compiled, &used)).unwrap();
    assert_eq!(
        apart(&counts),
        [
            ("app/src/key.bin", Role::Entry, None),
            ("lib/memory.x", Role::Server, Some(2)),
        ]
    );
    assert_eq!(
        excluded(&counts),
        [
            ("app/build.rs", "build script"),
            ("app/part.rs", "build script"),
            ("app/src/unused.rs", "not compiled in"),
            ("app/src/used/tests.rs", "unit tests"),
            ("app/tests/test.rs", "test, example or tool"),
        ]
    );
}

#[test]
fn files_in_c_count_for_the_role_of_their_folder() {
    let folder = workspace();
    let compiled = ["c/src/main.c", "c/src/server/echo.c", "c/src/server/echo.h"];
    let sources = sources(folder.path(), &[("c", &compiled)], &["c/part.ld"]);
    let counts = count(folder.path(), &sources).unwrap();
    assert_eq!(
        counted(&counts),
        [
            ("c/src/main.c", Role::Entry, 3),
            ("c/src/server/echo.c", Role::Server, 1),
            ("c/src/server/echo.h", Role::Server, 2),
        ]
    );
    assert_eq!(apart(&counts), [("c/part.ld", Role::Entry, Some(1))]);
    assert_eq!(excluded(&counts), [("c/src/package.rs", "not compiled in")]);
}

#[test]
fn a_file_without_a_role_is_an_error() {
    let folder = workspace();
    let root = folder.path();
    let compiled = ["app/src/main.rs", "other/src/lib.rs"];
    let error = count(root, &sources(root, &[("app", &compiled)], &[])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "other/src/lib.rs reaches the image but has no role: entry (package app) uses it, and it lies \
         in no package of the study"
    );
    let outside = root.parent().unwrap().join("README.md");
    let mut with_outside = Sources::default();
    with_outside.add_compiled(root.parent().unwrap(), &root.join("app"), [outside]);
    let error = count(root, &with_outside).unwrap_err().to_string();
    assert!(
        error.starts_with("../README.md reaches the image but has no role"),
        "{error}"
    );
    let sources = sources(root, &[("app", &["app/src/main.rs"])], &["other/memory.x"]);
    let error = count(root, &sources).unwrap_err();
    assert_eq!(
        error.to_string(),
        "other/memory.x reaches the image but has no role: the build uses it, and it lies in no \
         package of the study"
    );
}

#[test]
fn a_file_in_two_roles_is_an_error() {
    let folder = workspace();
    let root = folder.path();
    let compiled: [(&str, &[&str]); 2] = [
        ("app", &["app/src/main.rs", "lib/src/lib.rs"]),
        ("lib", &["lib/src/lib.rs"]),
    ];
    let error = count(root, &sources(root, &compiled, &[])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "lib/src/lib.rs is in two roles: it lies in a folder of server and is compiled for entry \
         (package app) and server (package lib)"
    );
}

#[test]
fn an_image_without_first_party_files_is_an_error() {
    let folder = workspace();
    let root = folder.path();
    let error = count(root, &sources(root, &[], &["lib/memory.x"])).unwrap_err();
    let expected = "the compiler lists no first-party file for one release";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_file_that_cannot_be_counted_is_named() {
    let folder = workspace();
    let root = folder.path();
    fs::write(root.join("app/src/main.rs"), "/* \n").unwrap();
    let error = count(root, &sources(root, &[("app", &["app/src/main.rs"])], &[])).unwrap_err();
    let error = format!("{error:#}");
    let expected = "app/src/main.rs: the comment that begins on line 1 has no end";
    assert!(error.ends_with(expected), "{error}");
}
