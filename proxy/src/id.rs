//! Identifiers of requests.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, Visitor},
};
use serde_json::{Number, Value};

/// The identifier of a request, which its reply repeats: a text or a number. Nothing else, since a nested value takes many times
/// the memory of its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Id(Value);

impl Id {
    /// The text or the number.
    pub(crate) fn value(&self) -> &Value {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextOrNumber)
    }
}

struct TextOrNumber;

impl Visitor<'_> for TextOrNumber {
    type Value = Id;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text or a number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Id, E> {
        Ok(Id(text.into()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Id, E> {
        Ok(Id(number.into()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Id, E> {
        Ok(Id(number.into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Id, E> {
        // Integers of more than 64 bits come as such numbers, and the reply would not repeat their digits.
        if number.abs() >= 9_223_372_036_854_775_808.0 {
            return Err(E::custom("a number has more than 64 bits; write it as text"));
        }
        Number::from_f64(number).map(|number| Id(number.into())).ok_or_else(|| E::custom("a number is not finite"))
    }
}
