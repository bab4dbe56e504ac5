//! Which packages the bytes of an image come from: from its debug information and symbols.
//!
//! These are shares of what the sections add up to. What neither tells is a share of its own, so that
//! the shares always make the whole.

mod crates;
mod debug_info;
mod extents;
mod locations;
mod mangled;
mod origin;
mod packages;
mod shares;
mod symbols;

use serde::Serialize;

use super::elf::Elf;
use debug_info::DebugInfo;
use extents::{Claim, Extents};
pub use origin::Origin;
pub use packages::Packages;
pub use shares::Shares;
pub use symbols::SymbolKind;
use symbols::{Symbol, Symbols};

/// What is known of an image's bytes.
pub struct Attribution {
    /// Where they come from, by run-time address.
    origins: Extents<Origin>,
    /// What symbols call them, by run-time address.
    kinds: Extents<SymbolKind>,
    /// The symbols with a length.
    pub symbols: Vec<NamedSymbol>,
}

/// A symbol as tables show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedSymbol {
    /// Its name, demangled.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// What it stands for.
    pub kind: SymbolKind,
    /// Where it is at run time.
    pub address: u64,
    /// Its length in bytes.
    #[serde(rename = "size_bytes")]
    pub size: u64,
}

impl NamedSymbol {
    /// Names a symbol. One whose origin its name does not tell is of the package that its first line
    /// comes from.
    fn new(symbol: &Symbol, origin: Option<Origin>, origins: &Extents<Origin>) -> Self {
        let mut first = origins.within(symbol.address, symbol.address + 1);
        let origin = origin.or_else(|| first.next().map(|(_, origin)| origin.clone()));
        Self {
            name: format!("{:#}", rustc_demangle::demangle(symbol.name)),
            origin: origin.unwrap_or(Origin::Unknown),
            kind: symbol.kind,
            address: symbol.address,
            size: symbol.size,
        }
    }
}

impl Attribution {
    /// Reads an image's symbols and debug information.
    ///
    /// Code comes from the package whose source line it was compiled for, or else from the one that its
    /// symbol names; data from the one that declares it.
    ///
    /// # Errors
    ///
    /// Symbols or debug information that are damaged.
    pub fn of(elf: &Elf, packages: &Packages) -> anyhow::Result<Self> {
        let symbols = Symbols::read(elf)?;
        let debug_info = DebugInfo::read(elf, packages)?;
        let mut claims = debug_info.code.clone();
        let mut kinds = Vec::new();
        let mut named = Vec::new();
        for symbol in &symbols.sized {
            let (start, end) = (symbol.address, symbol.address + symbol.size);
            let origin = origin_of(symbol, &symbols, &debug_info, packages);
            if let Some(what) = origin.clone() {
                claims.push(Claim { start, end, what });
            }
            kinds.push(Claim {
                start,
                end,
                what: symbol.kind,
            });
            named.push((symbol, origin));
        }
        let mut variables: Vec<_> = debug_info.variables.into_iter().collect();
        variables.sort_by_key(|(address, _)| *address);
        for (start, variable) in variables {
            if let (Some(what), Some(size)) = (variable.origin, variable.size) {
                claims.push(Claim {
                    start,
                    end: start.saturating_add(size),
                    what,
                });
            }
        }
        claims.extend(locations::find(elf, packages));
        let origins = Extents::settle(&claims);
        let named = named.into_iter();
        let symbols = named.map(|(symbol, origin)| NamedSymbol::new(symbol, origin, &origins));
        Ok(Self {
            symbols: symbols.collect(),
            origins,
            kinds: Extents::settle(&kinds),
        })
    }
}

/// Where what a symbol stands for comes from.
fn origin_of(
    symbol: &Symbol,
    symbols: &Symbols,
    debug_info: &DebugInfo,
    packages: &Packages,
) -> Option<Origin> {
    let variable = debug_info.variables.get(&symbol.address);
    let declared = variable.and_then(|variable| variable.origin.clone());
    let of_crate = || {
        let name = mangled::crate_name(symbol.name)?;
        Some(debug_info.crates.origin(name, packages))
    };
    let of_library = || {
        let file = symbols.file_of(symbol)?;
        let is_rust = file.contains("-cgu.");
        let is_compiled = is_rust || debug_info.files.contains(file);
        let library = if is_of_libgcc(symbol.name) {
            "libgcc"
        } else {
            "libc"
        };
        (!is_compiled).then(|| Origin::Language(library.to_string()))
    };
    declared.or_else(of_crate).or_else(of_library)
}

/// Whether GCC's run-time library has a function of that name (GCC internals, "The GCC low-level
/// runtime library"; Arm RTABI §4): by its prefix or by the machine modes at its end.
fn is_of_libgcc(name: &str) -> bool {
    const MODES: [&str; 9] = [
        "si2", "si3", "si4", "di2", "di3", "di4", "sf2", "df2", "df3",
    ];
    name.starts_with("__aeabi_")
        || name.starts_with("__gnu_")
        || (name.starts_with("__") && MODES.iter().any(|modes| name.ends_with(modes)))
}
