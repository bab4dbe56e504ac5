//! The crate that a mangled Rust symbol names first.

/// What rustc puts in a crate's place for functions that any crate may define, such as the panic handler.
const NO_CRATE: &str = "__rustc";

/// The crate whose path begins the symbol's: the one that defines the function, the static, or the
/// `impl` block that it is in. None for what is not mangled, or names no crate first.
///
/// The grammar is that of Rust RFC 2603; symbols of the older form begin with the crate's length and
/// name.
pub fn crate_name(symbol: &str) -> Option<&str> {
    let name = match symbol.strip_prefix("_R") {
        Some(path) => crate_of_path(path),
        None => legacy_crate(symbol.strip_prefix("_ZN")?),
    };
    name.filter(|name| *name != NO_CRATE)
}

/// Goes down the first path of each production to the crate at its root.
fn crate_of_path(mut path: &str) -> Option<&str> {
    loop {
        let production = path.chars().next()?;
        path = &path[production.len_utf8()..];
        match production {
            'N' => path = path.get(1..)?,
            'I' => {}
            'M' | 'X' => path = without_disambiguator(path)?,
            'C' => return identifier(without_disambiguator(path)?),
            _ => return None,
        }
    }
}

/// Drops `s`, a number to base 62 and `_`, where they are.
fn without_disambiguator(path: &str) -> Option<&str> {
    match path.strip_prefix('s') {
        None => Some(path),
        Some(number) => Some(number.split_once('_')?.1),
    }
}

/// A length in decimal, `_` where the name needs it, and the name.
fn identifier(text: &str) -> Option<&str> {
    let (length, rest) = length(text)?;
    let name = rest.strip_prefix('_').unwrap_or(rest);
    name.get(..length).filter(|name| !name.is_empty())
}

/// The decimal length at the beginning, and what is behind it.
fn length(text: &str) -> Option<(usize, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (length, rest) = text.split_at(digits);
    Some((length.parse().ok()?, rest))
}

fn legacy_crate(text: &str) -> Option<&str> {
    let (length, rest) = length(text)?;
    let first = rest.get(..length)?;
    let path = match first.strip_prefix("_$LT$") {
        Some(of_impl) => of_impl.split("..").next()?,
        None => first,
    };
    let is_name = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    Some(path).filter(is_name).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::crate_name;

    #[test]
    fn the_first_crate_of_a_symbol_is_found() {
        let cases = [
            ("_RNvCsbqRLzEmo42Y_9defmt_rtt6BUFFER", "defmt_rtt"),
            ("_RNvC6_123foo3bar", "123foo"),
            (
                "_RNvXs0_NtNtCs8MPpSTPSAXO_4core3fmt8buildersNtB5_10PadAdapterNtB7_5Write9write_str",
                "core",
            ),
            (
                "_RINvMNtNtCsaAZFuEK9yEy_16embassy_executor3raw4utilINtB3_10UninitCellNCNvNvCsglH_13bring_up_rmii1fE",
                "embassy_executor",
            ),
            (
                "_ZN7smoltcp5iface9interface4poll17h0123456789abcdefE",
                "smoltcp",
            ),
            (
                "_ZN65_$LT$smoltcp..wire..Address$u20$as$u20$core..fmt..Display$GT$3fmt17h0123456789abcdefE",
                "smoltcp",
            ),
        ];
        for (symbol, expected) in cases {
            assert_eq!(crate_name(symbol), Some(expected), "{symbol}");
        }
        for symbol in [
            "",
            "main",
            "_R",
            "_RYNtC3foo",
            "_RNvC9foo",
            "_ZN",
            "_RNvCs0123",
            "_ZN7$RF$T3foo",
        ] {
            assert_eq!(crate_name(symbol), None, "{symbol}");
        }
    }

    proptest! {
        #[test]
        fn no_symbol_makes_it_panic(symbol in "(_R|_ZN)?[NIMXCvts0-9_a-zé$.]{0,40}") {
            let _ = crate_name(&symbol);
        }
    }
}
