//! What is printed of the counts of several images.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::count::FileCount;
use super::super::cross_check::{Difference, Reading};
use super::super::exclude::Excluded;
use super::super::image::{ApartFile, CountedFile, LineCounts};
use super::super::line::Class;
use super::super::{report, union};
use crate::hash::sha256_hex;
use crate::metadata::Role;

fn reading(code: i64, comment: i64, blank: i64) -> Reading {
    Reading {
        code,
        comment,
        blank,
    }
}

fn file(path: &str, role: Role, code: u64, text: &str) -> CountedFile {
    CountedFile {
        path: path.into(),
        role,
        sha256: sha256_hex(text.as_bytes()),
        count: FileCount {
            lines: code,
            code,
            published: code,
            tokei: reading(code as i64, 0, 0),
            ..Default::default()
        },
        differences: Vec::new(),
    }
}

fn image(variant: &str, files: Vec<CountedFile>) -> LineCounts {
    let mut by_role = BTreeMap::new();
    for file in &files {
        *by_role.entry(file.role).or_default() += file.count.code;
    }
    LineCounts {
        variant: variant.into(),
        build: "release".into(),
        ncloc: by_role.values().sum(),
        by_role,
        published: files.iter().map(|file| file.count.published).sum(),
        files,
        apart: Vec::new(),
        excluded: Vec::new(),
    }
}

/// Two variants with a line of their own, each with its copy of a header of two lines.
fn with_copies() -> [LineCounts; 2] {
    ["a", "b"].map(|name| {
        let own = file(&format!("{name}/m.c"), Role::Entry, 1, name);
        let header = file(&format!("{name}/board.h"), Role::Platform, 2, "the same");
        image(name, vec![header, own])
    })
}

#[test]
fn identical_files_count_in_each_variant_and_are_called_shared() {
    let images = with_copies();
    assert_eq!(images.each_ref().map(|image| image.ncloc), [3, 3]);
    let files = union::of(&images).into_iter();
    let files: Vec<_> = files
        .map(|file| (file.is_shared(), file.file.path))
        .collect();
    let expected = [
        (true, "a/board.h"),
        (false, "a/m.c"),
        (true, "b/board.h"),
        (false, "b/m.c"),
    ];
    assert_eq!(files, expected.map(|(shared, path)| (shared, path.into())));
    insta::assert_snapshot!(report::files(&images), @r"
    file           role  code  comment  blank  tests  published rule  tokei                                variants
    a/board.h  platform     2        0      0      0               2      2  a (shared, the same text as b/board.h)
    a/m.c         entry     1        0      0      0               1      1                                       a
    b/board.h  platform     2        0      0      0               2      2  b (shared, the same text as a/board.h)
    b/m.c         entry     1        0      0      0               1      1                                       b
    ");
}

#[test]
fn a_shared_file_counts_in_each_variant_and_comes_once() {
    let shared = file("lib/src/lib.rs", Role::Server, 5, "shared");
    let images = ["a", "b"].map(|name| image(name, vec![shared.clone()]));
    let files = union::of(&images);
    let [file] = &files[..] else {
        panic!("one file: {files:?}");
    };
    assert!(file.is_shared() && file.copies.is_empty());
    assert_eq!(file.variants, ["a", "b"].map(String::from).into());
    assert_eq!(images.each_ref().map(|image| image.ncloc), [5, 5]);
}

#[test]
fn the_summary_has_roles_what_is_left_out_and_what_tokei_misreads() {
    let mut misread = file("app/src/main.rs", Role::Entry, 12, "app");
    misread.count.test_lines = 5;
    misread.count.published = 15;
    misread.count.tokei = reading(11, 1, 0);
    misread.differences = vec![
        Difference {
            line: 3,
            class: Class::Code,
            tokei: reading(0, 1, 0),
        },
        Difference {
            line: 9,
            class: Class::Comment,
            tokei: reading(-1, 1, 0),
        },
    ];
    let server = file("lib/src/lib.rs", Role::Server, 100, "lib");
    let mut one = image("one", vec![misread, server.clone()]);
    one.excluded = [
        ("app/build.rs", "build script"),
        ("lib/src/x.rs", "not compiled in"),
    ]
    .map(|(path, reason)| Excluded {
        path: path.into(),
        reason,
    })
    .into();
    one.apart = [
        (
            "lib/memory.x",
            Some(FileCount {
                code: 7,
                ..Default::default()
            }),
        ),
        ("lib/key.bin", None),
    ]
    .map(|(path, count)| ApartFile {
        path: Path::new(path).into(),
        role: Role::Server,
        count,
    })
    .into();
    let two = image(
        "two",
        vec![file("lib/src/x.rs", Role::Server, 1, "x"), server],
    );
    insta::assert_snapshot!(report::summary(&[one, two]), @r"
    lines of code  total  entry  bring-up  server  platform  profiling  published rule  tokei
    one release      112     12         0     100         0          0             115    111
    two release      101      0         0     101         0          0             101    101

    all images: 113 lines of code in 3 files, 1 of them in more than one variant

    not counted:
      app/build.rs (build script)
      app/src/main.rs (5 lines of unit tests in it)
      lib/key.bin (included data)
      lib/memory.x (linker script, 7 lines without comments)

    counted differently by tokei:
      app/src/main.rs: code / comment / blank 12 / 0 / 0; tokei 11 / 1 / 0
        line 3: code; tokei comment
        line 9: comment; tokei code -1, comment +1, blank +0
    ");
}
