//! Whether result files say what they are about as their places do, and as their neighbours do.

use std::collections::BTreeMap;

use serde_json::Value;

use super::report::{Checked, Finding, Kind, Report};
use super::set::{Files, Places};

/// A part of a file that all files of a group must have alike.
struct Shared {
    /// Where it is, in files of trials and in the others.
    pointers: [&'static str; 2],
    /// How many folders of the path make the group.
    folders: usize,
    what: &'static str,
}

const SHARED: [Shared; 7] = [
    Shared {
        pointers: ["/schema", "/schema"],
        folders: 0,
        what: "the set's schema",
    },
    Shared {
        pointers: ["/provenance", "/provenance"],
        folders: 0,
        what: "the set's provenance",
    },
    Shared {
        pointers: ["/inputs/board", ""],
        folders: 0,
        what: "the emulated board",
    },
    Shared {
        pointers: ["/inputs/harness_sha256", ""],
        folders: 0,
        what: "the harness",
    },
    Shared {
        pointers: ["/variant", "/variant"],
        folders: 1,
        what: "the variant",
    },
    Shared {
        pointers: ["/build", "/build"],
        folders: 2,
        what: "the build",
    },
    Shared {
        pointers: ["/inputs/image", "/image"],
        folders: 2,
        what: "the image",
    },
];

/// Checks the subjects of all results.
pub fn check(places: &Places, files: &Files) -> Report {
    let mut report = Report::default();
    for (path, value) in &files.results {
        if let Some(value) = value {
            check_place(places, path, value, &mut report);
        }
    }
    for shared in &SHARED {
        check_shared(places, files, shared, &mut report);
    }
    report
}

fn check_place(places: &Places, path: &str, value: &Value, report: &mut Report) {
    let parts = Vec::from_iter(path.split('/'));
    let [variant, build, name] = parts[..] else {
        return;
    };
    let workload = name.trim_end_matches(".json");
    let set = serde_json::to_value(places.set.name).unwrap_or_default();
    let mut expected = vec![
        ("/set", set.as_str().unwrap_or_default()),
        ("/variant/id", variant),
        ("/build/name", build),
    ];
    if value.get("workload").is_some() {
        expected.push(("/workload", workload));
    }
    for (pointer, expected) in expected {
        let is = value.pointer(pointer).and_then(Value::as_str);
        report.checked.add("places of results", 1);
        if is != Some(expected) {
            report.findings.push(Finding {
                kind: Kind::Place,
                file: places.result(path),
                place: Some(pointer.to_owned()),
                message: format!("it is {}, and lies in the place of {expected}", {
                    is.unwrap_or("absent")
                }),
                command: places.difference(&places.result(path)),
            });
        }
    }
}

/// Files of a group that differ from the greatest number of their neighbours.
fn check_shared(places: &Places, files: &Files, shared: &Shared, report: &mut Report) {
    let mut groups: BTreeMap<String, Vec<(&String, &str, &Value)>> = BTreeMap::new();
    for (path, value) in &files.results {
        let Some(value) = value else { continue };
        let pointers = shared.pointers.iter().filter(|pointer| !pointer.is_empty());
        let found = pointers.filter_map(|pointer| Some((*pointer, value.pointer(pointer)?)));
        if let Some((pointer, part)) = found.into_iter().next() {
            let folders = path.split('/').take(shared.folders);
            let group = folders.collect::<Vec<_>>().join("/");
            groups.entry(group).or_default().push((path, pointer, part));
        }
    }
    for group in groups.values() {
        let like = |part: &Value| group.iter().filter(|(_, _, other)| *other == part).count();
        // The first of those that most files have, so that the one that differs is named.
        let Some((usual_path, _, usual)) = group.iter().rev().max_by_key(|(_, _, part)| like(part))
        else {
            continue;
        };
        report
            .checked
            .add("agreements between results", group.len() as u64);
        for (path, pointer, part) in group {
            if part != usual {
                report.findings.push(Finding {
                    kind: Kind::Disagreement,
                    file: places.result(path),
                    place: Some((*pointer).to_owned()),
                    message: format!("{} is another than in {usual_path}", shared.what),
                    command: places.study_again(path),
                });
            }
        }
    }
}

/// Counts what the results hold.
pub fn count(files: &Files) -> Checked {
    let mut checked = Checked::default();
    checked.add("result files read", files.results.len() as u64);
    checked
}
