//! Result files on disk: read with a clear error, written whole or not at all.

use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{json, repeated};
use crate::files;

/// Reads the result at `path`; `None` when there is no such file.
///
/// Errors name the file, the place in it and what to do.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Option<T>> {
    let Some(text) = files::read_text_if_any(path)? else {
        return Ok(None);
    };
    let parse = || -> serde_json::Result<T> {
        let value = serde_json::from_str(&text)?;
        repeated::refuse(&text)?;
        Ok(value)
    };
    let value = parse().with_context(|| {
        format!(
            "{} is not a result this program can use (restore it, or delete it and run `cargo xtask study`)",
            path.display()
        )
    })?;
    Ok(Some(value))
}

/// Writes `value` to `path` as JSON, through a temporary file beside it.
///
/// Field order is that of the types, so the same value gives the same bytes.
pub fn write_json(path: &Path, value: &impl Serialize) -> anyhow::Result<()> {
    files::write(path, json::to_text(value)?.as_bytes())
}
