//! JSON as results hold it: objects without a key twice, whole numbers that are not negative, and
//! nothing else that only some readers understand.
//!
//! The audit reads with its own reader, so that what the types of the pipeline let pass is not what it
//! lets pass.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads one value.
///
/// # Errors
/// With line and column: what is no JSON, a key that an object has twice, a number that is negative,
/// has a fraction or passes 64 bits.
pub fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice::<Strict>(bytes).map(|strict| strict.0)
}

/// How serde_json hands over a number of another kind when a crate anywhere in the build asks it for
/// numbers of any precision.
const ARBITRARY_PRECISION: &str = "$serde_json::private::Number";

fn no_whole_number<E: de::Error>(number: impl fmt::Display) -> E {
    E::custom(format!("{number} is no whole number of at most 64 bits"))
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value of a result")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        Err(E::custom(format!("{value} is negative")))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Err(no_whole_number(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: de::Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(array.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if key == ARBITRARY_PRECISION {
                let number = entries.next_value::<String>()?;
                return Err(no_whole_number(number));
            }
            if object.contains_key(&key) {
                return Err(de::Error::custom(format!("the key {key:?} is there twice")));
            }
            let Strict(value) = entries.next_value()?;
            object.insert(key, value);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_results_hold_is_read_and_all_else_refused() {
        let value = parse(br#"{"a": [1, true, null, "x"], "b": {}}"#).unwrap();
        assert_eq!(
            value,
            serde_json::json!({"a": [1, true, null, "x"], "b": {}})
        );
        let refused = [
            (r#"{"a": 1, "a": 1}"#, "the key \"a\" is there twice"),
            (
                r#"[{"b": {"c": 1, "c": 2}}]"#,
                "the key \"c\" is there twice",
            ),
            ("[-1]", "-1 is negative"),
            ("[1.5]", "1.5 is no whole number"),
            ("[1e3]", "is no whole number"),
            ("[NaN]", "expected value"),
            (
                "[18446744073709551616]",
                "no whole number of at most 64 bits",
            ),
            ("[1] 2", "trailing characters"),
            ("", "EOF"),
        ];
        for (text, message) in refused {
            let error = parse(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
