//! Objects that have a key twice, of which readers would take the last.

use std::collections::HashSet;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// Checks that no object in `text` has a key twice.
///
/// # Errors
/// The first such key, with line and column; text that is no JSON.
pub fn refuse(text: &str) -> serde_json::Result<()> {
    serde_json::from_str::<KeysOnce>(text).map(drop)
}

/// Any value in whose objects each key is there once.
struct KeysOnce;

impl<'de> Deserialize<'de> for KeysOnce {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KeysOnceVisitor)
    }
}

struct KeysOnceVisitor;

/// Values without keys.
macro_rules! plain {
    ($($method:ident: $value:ty,)*) => {$(
        fn $method<E: de::Error>(self, _value: $value) -> Result<KeysOnce, E> {
            Ok(KeysOnce)
        }
    )*};
}

impl<'de> Visitor<'de> for KeysOnceVisitor {
    type Value = KeysOnce;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    plain! {
        visit_bool: bool,
        visit_i64: i64,
        visit_u64: u64,
        visit_f64: f64,
        visit_str: &str,
    }

    fn visit_unit<E: de::Error>(self) -> Result<KeysOnce, E> {
        Ok(KeysOnce)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<KeysOnce, A::Error> {
        while let Some(KeysOnce) = items.next_element()? {}
        Ok(KeysOnce)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<KeysOnce, A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = members.next_key::<String>()? {
            if let Some(repeated) = keys.replace(key) {
                return Err(de::Error::custom(format!(
                    "key `{repeated}` is there twice"
                )));
            }
            let KeysOnce = members.next_value()?;
        }
        Ok(KeysOnce)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_an_object_has_twice_is_named_with_its_place() {
        for good in [
            "{}",
            r#"{"a": {"b": 1}, "b": [{"a": null}, {"a": "a"}]}"#,
            "[1.5]",
        ] {
            refuse(good).unwrap();
        }
        let nested = "{\"a\": [{\n \"b\": {\"c\": 1, \"c\": 1}}]}";
        let error = refuse(nested).unwrap_err().to_string();
        assert!(
            error.starts_with("key `c` is there twice at line 2"),
            "{error}"
        );
        // However it is written.
        assert!(refuse(r#"{"a": 1, "\u0061": 1}"#).is_err());
    }
}
