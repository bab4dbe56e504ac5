//! Where the items of a Rust text are that only a test build has.

use std::ops::Range;

use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Item, Meta, Token};

use super::Uncountable;

/// The ranges of bytes of the items under `#[cfg(test)]`, in order, their attributes and
/// documentation included; the whole text, when it begins with `#![cfg(test)]`.
///
/// # Errors
///
/// When the text may have such items and is not valid Rust, so that nobody knows where they end.
pub fn ranges(text: &str) -> Result<Vec<Range<usize>>, Uncountable> {
    if !(text.contains("cfg") && text.contains("test")) {
        return Ok(Vec::new());
    }
    let file = syn::parse_file(text).map_err(|error| Uncountable::HiddenTests {
        line: error.span().start().line,
        reason: error.to_string(),
    })?;
    if file.attrs.iter().any(is_for_tests) {
        return Ok(std::iter::once(0..text.len()).collect());
    }
    let mut found = Vec::new();
    find(&file.items, &mut found);
    Ok(found)
}

fn find(items: &[Item], found: &mut Vec<Range<usize>>) {
    for item in items {
        if attributes(item).iter().any(is_for_tests) {
            found.push(item.span().byte_range());
        } else if let Item::Mod(module) = item
            && let Some((_, items)) = &module.content
        {
            find(items, found);
        }
    }
}

fn is_for_tests(attribute: &Attribute) -> bool {
    let is_cfg = attribute.path().is_ident("cfg");
    is_cfg && attribute.parse_args().is_ok_and(|meta| needs_test(&meta))
}

/// Whether the predicate can only hold in a test build: `test`, or `all(..)` with such a one.
fn needs_test(predicate: &Meta) -> bool {
    match predicate {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => {
            let all = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            all.is_ok_and(|all| all.iter().any(needs_test))
        }
        _ => false,
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
