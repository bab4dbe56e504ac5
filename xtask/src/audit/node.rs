//! Raw JSON with the way that led to it, for findings that name the place.

use serde_json::Value;

/// A value of a result file and its JSON pointer (RFC 6901).
#[derive(Clone, Debug)]
pub struct Node<'a> {
    pub value: &'a Value,
    pub pointer: String,
}

/// Something that is not where every result has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misshapen {
    pub pointer: String,
    pub problem: String,
}

impl<'a> Node<'a> {
    /// The whole of a file.
    pub fn root(value: &'a Value) -> Self {
        Self {
            value,
            pointer: String::new(),
        }
    }

    /// The value of a key, which may be null.
    pub fn get(&self, key: &str) -> Result<Self, Misshapen> {
        match self.value.get(key) {
            Some(value) => Ok(self.below(key, value)),
            None => Err(self.misshapen(&format!("there is no {key}"))),
        }
    }

    /// The value of a key that may be absent or null.
    pub fn find(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        Some(self.below(key, value))
    }

    /// The whole number of a key.
    pub fn number(&self, key: &str) -> Result<u128, Misshapen> {
        match self.value.get(key).and_then(Value::as_u64) {
            Some(number) => Ok(number.into()),
            None => Err(self.misshapen(&format!("{key} is no whole number"))),
        }
    }

    /// The whole number of a key that may be null.
    pub fn number_if_any(&self, key: &str) -> Result<Option<u128>, Misshapen> {
        match self.value.get(key) {
            Some(Value::Null) => Ok(None),
            _ => self.number(key).map(Some),
        }
    }

    /// The text of a key.
    pub fn text(&self, key: &str) -> Result<&'a str, Misshapen> {
        match self.value.get(key).and_then(Value::as_str) {
            Some(text) => Ok(text),
            None => Err(self.misshapen(&format!("{key} is no text"))),
        }
    }

    /// The value as a whole number.
    pub fn as_number(&self) -> Result<u128, Misshapen> {
        let number = self.value.as_u64().map(u128::from);
        number.ok_or_else(|| self.misshapen("it is no whole number"))
    }

    /// The items of an array.
    pub fn items(&self) -> Result<Vec<Self>, Misshapen> {
        let Value::Array(items) = self.value else {
            return Err(self.misshapen("it is no list"));
        };
        let items = items.iter().enumerate();
        Ok(items
            .map(|(index, value)| self.below(&index.to_string(), value))
            .collect())
    }

    /// The entries of an object whose keys are whole numbers, rising.
    pub fn by_number(&self) -> Result<Vec<(u128, Self)>, Misshapen> {
        let Value::Object(entries) = self.value else {
            return Err(self.misshapen("it is no object"));
        };
        let entry = |(key, value): (&String, &'a Value)| match key.parse() {
            Ok(number) => Ok((number, self.below(key, value))),
            Err(_) => Err(self.misshapen(&format!("its key {key:?} is no whole number"))),
        };
        let mut entries = entries
            .iter()
            .map(entry)
            .collect::<Result<Vec<_>, Misshapen>>()?;
        entries.sort_by_key(|(number, _)| *number);
        Ok(entries)
    }

    /// An error that names this place.
    pub fn misshapen(&self, problem: &str) -> Misshapen {
        Misshapen {
            pointer: self.pointer.clone(),
            problem: problem.to_owned(),
        }
    }

    fn below(&self, key: &str, value: &'a Value) -> Self {
        let key = key.replace('~', "~0").replace('/', "~1");
        Self {
            value,
            pointer: format!("{}/{key}", self.pointer),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_node_knows_its_way_and_what_is_missing_on_it() {
        let value = json!({"a/b": [{"n": 7, "none": null, "text": "t"}], "map": {"10": 1, "9": 2}});
        let root = Node::root(&value);
        let item = &root.get("a/b").unwrap().items().unwrap()[0];
        assert_eq!(item.pointer, "/a~1b/0");
        assert_eq!(value.pointer(&item.pointer), Some(item.value));
        assert_eq!(item.number("n"), Ok(7));
        assert_eq!(item.number_if_any("none"), Ok(None));
        assert_eq!(item.text("text"), Ok("t"));
        assert!(item.find("none").is_none() && item.find("absent").is_none());
        let error = item.number("absent").unwrap_err();
        assert_eq!(error.pointer, "/a~1b/0");
        assert_eq!(error.problem, "absent is no whole number");
        let keys = root.get("map").unwrap().by_number().unwrap();
        assert_eq!(
            keys.iter().map(|(key, _)| *key).collect::<Vec<_>>(),
            [9, 10]
        );
        assert!(root.by_number().is_err() && item.items().is_err());
        assert!(item.get("absent").is_err() && item.text("n").is_err());
    }
}
