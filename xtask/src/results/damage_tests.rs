//! Damaged result files: whatever byte is another one, nothing of it is passed over in silence.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use bench::{
    BurstResult, FunctionalResult, LatencyResult, RecoveryResult, SoakResult, StreamResult,
    ThroughputResult,
};
use proptest::prelude::*;
use serde_json::Value;

use super::fixtures::write_spi_variant;
use super::*;

/// Reads a file by its type, and gives it as it would be written.
type Read = fn(&Path) -> anyhow::Result<Value>;

/// How each kind of file is read.
const KINDS: [(&str, Read); 10] = [
    ("size", again::<SizeFile>),
    ("ncloc", again::<LinesFile>),
    ("functional", trials::<FunctionalResult>),
    ("stream", trials::<StreamResult>),
    ("burst", trials::<BurstResult>),
    ("latency", trials::<LatencyResult>),
    ("throughput", trials::<ThroughputResult>),
    ("soak", trials::<SoakResult>),
    ("recovery", trials::<RecoveryResult>),
    ("traffic", trials::<TrafficResult>),
];

/// The files of one build.
static GOOD: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    write_spi_variant(&ResultSet::in_folder(SetName::Quick, folder.path()));
    folder
});

fn again<T: serde::de::DeserializeOwned + serde::Serialize>(path: &Path) -> anyhow::Result<Value> {
    let value: T = read_json(path)?.expect("the file is there");
    Ok(serde_json::to_value(value)?)
}

fn trials<M: Measurement>(path: &Path) -> anyhow::Result<Value> {
    let file: TrialFile<M> = read_json(path)?.expect("the file is there");
    file.check()?;
    Ok(serde_json::to_value(file)?)
}

/// The good file of this kind.
fn good(kind: &str) -> Vec<u8> {
    fs::read(GOOD.path().join(format!("fake-spi/release/{kind}.json"))).unwrap()
}

/// Reads a file of the kind with these bytes.
fn read(kind: usize, bytes: &[u8]) -> anyhow::Result<Value> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.json");
    fs::write(&path, bytes).unwrap();
    KINDS[kind].1(&path)
}

#[test]
fn every_kind_is_read_as_it_was_written() {
    for (kind, (name, _)) in KINDS.iter().enumerate() {
        let bytes = good(name);
        let written: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(read(kind, &bytes).unwrap(), written, "{name}");
    }
}

#[test]
fn what_only_some_readers_would_notice_is_refused() {
    let text = String::from_utf8(good("stream")).unwrap();
    for (from, to, reason) in [
        (
            "\"schema\": 3",
            "\"schema\": 2",
            "schema 2, this program reads schema 3",
        ),
        (
            "\"rate_hz\": 1000",
            "\"rate_hz\": 1000.0",
            "invalid type: floating point",
        ),
        (
            "\"rate_hz\": 1000",
            "\"rate_hz\": 1e3",
            "invalid type: floating point",
        ),
        ("\"rate_hz\": 1000", "\"rate_hz\": NaN", "expected value"),
        (
            "\"rate_hz\": 1000",
            "\"rate_hz\": -1000",
            "invalid value: integer",
        ),
        (
            "\"rate_hz\": 1000",
            "\"rate_hz\": 1000, \"rate\": 1",
            "unknown field `rate`",
        ),
        (
            "\"rate_hz\": 1000",
            "\"rate_hz\": 1, \"rate_hz\": 1000",
            "duplicate field `rate_hz`",
        ),
        // Of maps the types would take the last.
        (
            "\"load\": 1",
            "\"load\": 9, \"load\": 1",
            "key `load` is there twice",
        ),
        ("\"divide\": 7", "\"divide\": null", "invalid type: null"),
        (
            "\"measured\": {",
            "\"guessed\": {",
            "unknown variant `guessed`",
        ),
    ] {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text, "{from}");
        let error = read(3, damaged.as_bytes()).unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains(reason), "{to}: {error}");
        assert!(
            error.contains("damaged.json is not a result this program can use"),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Each digit of a figure makes another figure, which is what the digests are for; but what is
    /// read is all that is there.
    #[test]
    fn a_byte_that_is_another_is_refused_or_read_as_it_stands(
        kind in 0..KINDS.len(),
        place: prop::sample::Index,
        byte in prop_oneof![prop::sample::select(b"0123456789\"{}[]:,. -+eEnaxl_\\".to_vec()), any::<u8>()],
    ) {
        let mut bytes = good(KINDS[kind].0);
        let place = place.index(bytes.len());
        prop_assume!(bytes[place] != byte);
        bytes[place] = byte;
        match read(kind, &bytes) {
            Ok(value) => prop_assert_eq!(value, serde_json::from_slice::<Value>(&bytes).unwrap()),
            Err(error) => prop_assert_eq!(format!("{:#}", error).lines().count(), 1),
        }
    }
}
