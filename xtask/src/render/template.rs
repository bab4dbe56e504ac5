//! Templates: strict about names, and errors that say where.

use std::error::Error as _;
use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, UndefinedBehavior, context};
use serde::Serialize;

use super::filters;
use super::literals::{self, OutOfPlace};
use super::record::{Recorder, Rendered};

/// Renders the document `document` from the template `name` in `folder`, with `study` as its data. The
/// template may include and import other files of the folder by their path in it.
///
/// # Errors
/// One line with the template, the line in it, what is wrong, and the expression it is wrong with.
pub fn render(
    folder: &Path,
    (document, name): (&str, &str),
    study: &impl Serialize,
) -> anyhow::Result<Rendered> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(syntax()?);
    let recorder = Recorder::default();
    filters::install(&mut environment, &recorder);
    let templates = folder.to_owned();
    environment.set_loader(move |name| read(&templates, name));
    let template = environment.get_template(name);
    let rendered =
        template.and_then(|template| template.render(context! { study => Serde(study) }));
    let marked = rendered.map_err(|error| anyhow!(one_line(folder, name, innermost(&error))))?;
    let rendered = recorder.place(document, &marked);
    rendered.with_context(|| format!("{document} has marks that are the renderer's own"))
}

fn syntax() -> Result<SyntaxConfig, Error> {
    let mut syntax = SyntaxConfig::builder();
    syntax.keep_trailing_newline(true);
    syntax.trim_blocks(true).lstrip_blocks(true);
    syntax.build()
}

/// The source of the template `name`, which has no digits of its own; `None` when there is no such file.
fn read(folder: &Path, name: &str) -> Result<Option<String>, Error> {
    match fs::read_to_string(folder.join(name)) {
        Ok(source) => match literals::find(&source, syntax()?)? {
            None => Ok(Some(source)),
            Some(out_of_place) => {
                let source = Refused {
                    template: name.to_owned(),
                    out_of_place,
                };
                let kind = minijinja::ErrorKind::InvalidOperation;
                Err(Error::new(kind, source.to_string()).with_source(source))
            }
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::new(
            minijinja::ErrorKind::InvalidOperation,
            format!("cannot read it: {error}"),
        )),
    }
}

/// A template with a digit that has no business there.
#[derive(Debug, thiserror::Error)]
#[error("{out_of_place}")]
struct Refused {
    template: String,
    out_of_place: OutOfPlace,
}

/// Of an error in an included template, the one that says where in that template it is.
fn innermost(error: &Error) -> &Error {
    match error.source().and_then(|source| source.downcast_ref()) {
        Some(source) => innermost(source),
        None => error,
    }
}

/// The error of rendering `name` with its place and the expression it is about.
fn one_line(folder: &Path, name: &str, error: &Error) -> String {
    if let Some(refused) = error.source().and_then(|source| source.downcast_ref()) {
        let Refused {
            template,
            out_of_place,
        } = refused;
        let path = folder.join(template);
        return format!("{}:{}: {out_of_place}", path.display(), out_of_place.line);
    }
    let path = folder.join(error.name().unwrap_or(name));
    let line = error.line().unwrap_or(1);
    let what = match error.detail() {
        Some(detail) => detail.to_owned(),
        None => error.kind().to_string(),
    };
    let source = fs::read_to_string(&path).unwrap_or_default();
    let tag = error.range().and_then(|range| tag_around(&source, range));
    let tag = tag.map(|tag| format!(" in `{tag}`")).unwrap_or_default();
    format!("{}:{line}: {what}{tag}", path.display())
}

/// The whole `{{ }}` or `{% %}` around a place in the template, on one line.
fn tag_around(source: &str, place: Range<usize>) -> Option<String> {
    let (before, after) = (source.get(..place.start)?, source.get(place.end..)?);
    let starts = ["{{", "{%"].map(|mark| before.rfind(mark));
    let ends = ["}}", "%}"].map(|mark| after.find(mark));
    let start = starts.into_iter().flatten().max()?;
    let end = place.end + ends.into_iter().flatten().min()? + 2;
    let tag = source.get(start..end)?.split_whitespace();
    Some(tag.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests;
