//! Values as JSON, and back to bytes: for people, and for whoever calls without generated code.
//!
//! Names are those of the WIT. A record is an object; an enum is the name of its case; a variant is the name of its case or
//! `{"case": value}`; flags are the names of those that are set; `none` is null (within another option, `{"some": value}` is
//! what is not); a result is `{"ok": value}` or `{"error": value}`; a tuple is an array; numbers that JSON has not are `"NaN"`,
//! `"Infinity"` and `"-Infinity"`; a resource is its handle.

mod decode;
mod encode;

use isolette_abi::value::{Decoder, InvalidValue};
use serde_json::{Map, Value};

use crate::{Function, Interface, Type};

/// Why JSON is no value of a type: where in it, what was expected, and what there is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: expected {expected}, found {found}")]
pub struct Mismatch {
    /// `report.high-c`
    pub path: String,
    /// The type, as WIT writes it.
    pub expected: String,
    /// What there is.
    pub found: String,
}

impl Interface {
    /// The values of a function's parameters by their names.
    ///
    /// # Errors
    /// [`InvalidValue`].
    pub fn decode_arguments(&self, function: &Function, bytes: &[u8]) -> Result<Value, InvalidValue> {
        let mut decoder = Decoder::new(bytes);
        let mut arguments = Map::new();
        for parameter in &function.params {
            arguments.insert(parameter.name.clone(), self.decode_json(&parameter.kind, &mut decoder)?);
        }
        decoder.end().map(|()| Value::Object(arguments))
    }

    /// An option that is directly in an option cannot be null, too.
    fn is_option(&self, kind: &Type) -> bool {
        matches!(self.resolved(kind), Type::Option(_))
    }
}

fn single(name: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(name.to_owned(), value)]))
}
