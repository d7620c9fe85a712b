//! Conversion between encoded values and JSON, for messages and for callers without generated code.
//!
//! Names are those of the WIT. A record is an object; an enum is the name of its case; a variant is the name of its case or
//! `{"case": value}`; flags are an array of the names that are set; `none` is null (within another option, a present value is
//! `{"some": value}`); a result is `{"ok": value}` or `{"error": value}`; a tuple is an array; numbers without a JSON form are
//! `"NaN"`, `"Infinity"` and `"-Infinity"`; a resource is its handle.

mod decode;
mod encode;

use isolette_abi::value::{Decoder, InvalidValue};
use serde_json::{Map, Value};

use crate::{Function, Interface, Type};

/// Why JSON is not a value of a type: the position, the expected type and the actual value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: expected {expected}, found {found}")]
pub struct Mismatch {
    /// The position of the value: `report.high-c`.
    pub path: String,
    /// The expected type in WIT syntax, or a description.
    pub expected: String,
    /// The actual value as JSON, cut to 60 characters.
    pub found: String,
}

impl Interface {
    /// Decodes the arguments of a function as a JSON object with the names of the parameters as keys.
    ///
    /// # Errors
    /// [`InvalidValue`] if `bytes` is not exactly the values of the parameters.
    pub fn decode_arguments(&self, function: &Function, bytes: &[u8]) -> Result<Value, InvalidValue> {
        let mut decoder = Decoder::new(bytes);
        let mut arguments = Map::new();
        for parameter in &function.params {
            arguments.insert(parameter.name.clone(), self.decode_json(&parameter.kind, &mut decoder)?);
        }
        decoder.end().map(|()| Value::Object(arguments))
    }

    /// Returns whether a type is an option, which needs another JSON form inside of an option.
    fn is_option(&self, kind: &Type) -> bool {
        matches!(self.resolved(kind), Type::Option(_))
    }
}

fn single(name: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(name.to_owned(), value)]))
}
