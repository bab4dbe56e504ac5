//! A part of a result file as a template sees it.

use minijinja::Value;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use super::formula::Formula;
use super::place::Place;
use super::traced::Traced;

/// What a result holds at one place: maps, lists, texts and flags as they are, and every number traced.
#[derive(Clone, Debug)]
pub struct Tree {
    json: Json,
    place: Place,
}

impl Tree {
    /// `value`, which lies at `place`.
    pub fn new(place: &Place, value: &impl Serialize) -> Self {
        Self {
            json: serde_json::to_value(value).expect("what a result file holds is JSON"),
            place: place.clone(),
        }
    }

    fn template_value(json: &Json, place: &Place) -> Value {
        match json {
            Json::Null => Value::from(()),
            Json::Bool(flag) => Value::from(*flag),
            Json::String(text) => Value::from(text.as_str()),
            Json::Number(number) => match number.as_u64() {
                Some(whole) => {
                    Value::from_object(Traced::whole(whole, Formula::Value(place.input())))
                }
                None => Value::from(number.to_string()),
            },
            Json::Array(items) => {
                let items = items.iter().enumerate();
                items
                    .map(|(index, item)| {
                        Self::template_value(item, &place.child(&index.to_string()))
                    })
                    .collect()
            }
            Json::Object(fields) => Value::from_pairs(fields.iter().map(|(name, field)| {
                let field = Self::template_value(field, &place.child(name));
                (name.as_str(), field)
            })),
        }
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if minijinja::value::serializing_for_value() {
            Self::template_value(&self.json, &self.place).serialize(serializer)
        } else {
            self.json.serialize(serializer)
        }
    }
}
