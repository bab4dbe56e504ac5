use std::fs;

use tempfile::TempDir;

use super::super::*;

/// A workspace of two packages with a file of each kind.
fn workspace() -> TempDir {
    let folder = TempDir::new().unwrap();
    let files = [
        ("app/build.rs", "fn main() {}\n"),
        ("app/src/main.rs", "//! App.\nmod used;\nfn main() {}\n"),
        (
            "app/src/used.rs",
            "pub fn used() {}\n#[cfg(test)]\nmod t {}\n",
        ),
        ("app/src/unused.rs", "pub fn unused() {}\n"),
        ("app/tests/test.rs", "fn t() {}\n"),
        (
            "lib/src/lib.rs",
            "pub fn a() {}\n\npub fn b() {}\npub fn c() {}\n",
        ),
        ("lib/memory.x", "MEMORY\n"),
        ("other/src/lib.rs", "pub fn other() {}\n"),
        ("c/src/main.c", "/* C */\nint main(void)\n{\n}\n"),
        ("c/src/main.rs", "//! A package.\n"),
        ("c/src/server/echo.c", "#include \"echo.h\"\n"),
        ("c/src/server/echo.h", "#pragma once\nvoid echo(void);\n"),
    ];
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn counts(root: &Path, compiled: &[&str]) -> anyhow::Result<(Vec<CountedFile>, Vec<Excluded>)> {
    let place = |package: &str, sources: &str, role| Place {
        package: root.join(package),
        sources: root.join(sources),
        role,
    };
    let places = [
        place("c", "c/src/server", Role::Server),
        place("c", "c/src", Role::Entry),
        place("app", "app/src", Role::Entry),
        place("lib", "lib/src", Role::Server),
    ];
    let compiled: Vec<PathBuf> = compiled.iter().map(|path| root.join(path)).collect();
    count_files(root, &places, &compiled)
}

#[test]
fn files_that_were_compiled_in_count_for_the_role_of_their_package() {
    let folder = workspace();
    let compiled = [
        "app/build.rs",
        "app/src/main.rs",
        "app/src/used.rs",
        "lib/memory.x",
        "lib/src/lib.rs",
    ];
    let (files, excluded) = counts(folder.path(), &compiled).unwrap();
    let counted: Vec<_> = files
        .iter()
        .map(|file| (file.path.to_str().unwrap(), file.role, file.count.code))
        .collect();
    assert_eq!(
        counted,
        [
            ("app/src/main.rs", Role::Entry, 2),
            ("app/src/used.rs", Role::Entry, 1),
            ("lib/src/lib.rs", Role::Server, 3),
        ]
    );
    let excluded: Vec<_> = excluded
        .iter()
        .map(|file| (file.path.to_str().unwrap(), file.reason))
        .collect();
    assert_eq!(
        excluded,
        [
            ("app/build.rs", "build script"),
            ("app/src/unused.rs", "not compiled in"),
            ("app/tests/test.rs", "test, example or tool"),
        ]
    );
}

#[test]
fn files_in_c_count_for_the_role_of_their_folder() {
    let folder = workspace();
    let compiled = ["c/src/main.c", "c/src/server/echo.c", "c/src/server/echo.h"];
    let (files, excluded) = counts(folder.path(), &compiled).unwrap();
    let counted = files.iter().map(|file| (file.role, file.count.code));
    let expected = [(Role::Entry, 3), (Role::Server, 1), (Role::Server, 2)];
    assert_eq!(counted.collect::<Vec<_>>(), expected);
    let excluded = excluded
        .iter()
        .map(|file| (file.path.to_str().unwrap(), file.reason));
    let expected = [("c/src/main.rs", "not compiled in")];
    assert_eq!(excluded.collect::<Vec<_>>(), expected);
}

#[test]
fn a_file_of_no_described_package_is_an_error() {
    let folder = workspace();
    let error = counts(folder.path(), &["app/src/main.rs", "other/src/lib.rs"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "other/src/lib.rs is in the image but in no package of the study"
    );
}

#[test]
fn an_image_without_first_party_files_is_an_error() {
    let folder = workspace();
    assert!(counts(folder.path(), &["lib/memory.x"]).is_err());
}

#[test]
fn the_table_shows_each_role_and_what_is_not_counted() {
    let count = FileCount {
        code: 12,
        test_lines: 5,
        tokei: cross_check::Reading {
            code: 11,
            ..Default::default()
        },
        ..Default::default()
    };
    let counts = LineCounts {
        variant: "one".into(),
        build: "release".into(),
        ncloc: 112,
        by_role: BTreeMap::from([(Role::Entry, 12), (Role::Server, 100)]),
        files: vec![CountedFile {
            path: "app/src/main.rs".into(),
            role: Role::Entry,
            count,
            differences: vec![cross_check::Difference {
                line: 3,
                class: line::Class::Code,
                tokei: cross_check::Reading {
                    comment: 1,
                    ..Default::default()
                },
            }],
        }],
        excluded: vec![Excluded {
            path: "app/build.rs".into(),
            reason: "build script",
        }],
    };
    insta::assert_snapshot!(render(&[counts]), @r"
    lines of code  total  entry  bring-up  server  platform  profiling
    one release      112     12         0     100         0          0

    not counted in one release:
      app/build.rs (build script)
      app/src/main.rs (5 lines of unit tests)
    counted differently by tokei:
      app/src/main.rs: code, comment, blank 12 / 0 / 0; tokei 11 / 0 / 0
        line 3: code; tokei comment
    ");
}
