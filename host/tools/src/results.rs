//! Results of tools, compared with what the tools promise.

use std::sync::OnceLock;

use serde_json::Value;

use super::{
    foreign,
    validation::{Validator, mistakes, validator},
};

/// How results are compared with the schema. That of a type needs no comparison: what is written as JSON was that type.
#[derive(Debug)]
pub(super) struct Results {
    strictness: Strictness,
    /// Made for the first result; `None` if the schema is none, or one that results are not compared with.
    validator: OnceLock<Option<Validator>>,
}

/// What becomes of a result that does not fit its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// The program gets it, and the host notes it.
    Noted,
    /// The call fails.
    Refused,
}

impl Results {
    pub(super) fn new(strictness: Strictness) -> Self {
        Self { strictness, validator: OnceLock::new() }
    }

    /// Of a tool whose schema a stranger wrote.
    pub(super) fn foreign(schema: &Value) -> Self {
        Self { strictness: Strictness::Noted, validator: OnceLock::from(foreign::validator(schema)) }
    }

    /// What is wrong with a result, and whether the program shall not get it then.
    pub(super) fn validate(&self, schema: &Value, result: &Value) -> Option<(String, Strictness)> {
        let made = || match validator(schema) {
            Ok(validator) => Some(validator),
            Err(error) => {
                // Once for each tool: the validator is made once.
                tracing::warn!(%error, "the schema of the results of a tool cannot be used, and they are not compared with it");
                None
            }
        };
        let validator = self.validator.get_or_init(made).as_ref()?;
        mistakes(validator, schema, result, "result").map(|mistakes| (mistakes, self.strictness))
    }
}
