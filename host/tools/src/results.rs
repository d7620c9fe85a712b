//! Compares results of tools with their output schemas.

use std::sync::OnceLock;

use serde_json::Value;

use super::{
    untrusted,
    validation::{Validator, mistakes, validator},
};

/// How results are compared with the schema. Results of typed tools need no comparison: they were serialized from that
/// type.
#[derive(Debug)]
pub(super) struct Results {
    strictness: Strictness,
    /// Created for the first result. `None` if the schema is invalid, or results are not compared with it.
    validator: OnceLock<Option<Validator>>,
}

/// What happens to a result that does not fit its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// The program gets it, and the host records the mismatch.
    Noted,
    /// The call fails.
    Refused,
}

impl Results {
    pub(super) fn new(strictness: Strictness) -> Self {
        Self { strictness, validator: OnceLock::new() }
    }

    /// For a tool with an untrusted schema.
    pub(super) fn untrusted(schema: &Value) -> Self {
        Self { strictness: Strictness::Noted, validator: OnceLock::from(untrusted::validator(schema)) }
    }

    /// Returns what is wrong with a result, and whether it is withheld from the program; `None` if the result fits.
    pub(super) fn validate(&self, schema: &Value, result: &Value) -> Option<(String, Strictness)> {
        let made = || match validator(schema) {
            Ok(validator) => Some(validator),
            Err(error) => {
                // Logged once per tool, because the validator is created once.
                tracing::warn!(%error, "the schema of the results of a tool cannot be used, and they are not compared with it");
                None
            }
        };
        let validator = self.validator.get_or_init(made).as_ref()?;
        mistakes(validator, schema, result, "result").map(|mistakes| (mistakes, self.strictness))
    }
}
