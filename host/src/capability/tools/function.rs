//! What a tool does, whatever its types: a function from JSON to JSON.

use std::{fmt, pin::Pin, sync::Arc};

use isolette_abi::tools::ToolError;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

type Blocking = Arc<dyn Fn(Value) -> Result<Value, ToolError> + Send + Sync>;
type Asynchronous = Arc<dyn Fn(Value) -> Pin<Box<dyn Future<Output = Result<Value, ToolError>> + Send>> + Send + Sync>;

#[derive(Clone)]
pub(super) enum Function {
    Blocking(Blocking),
    Asynchronous(Asynchronous),
}

pub(super) fn deserialize<Arguments: DeserializeOwned>(arguments: Value) -> Result<Arguments, ToolError> {
    serde_json::from_value(arguments).map_err(|error| ToolError::InvalidArguments(error.to_string()))
}

pub(super) fn serialize<Output: Serialize, Failure: fmt::Display>(
    result: Result<Output, Failure>,
) -> Result<Value, ToolError> {
    let output = result.map_err(|failure| ToolError::Failed(failure.to_string()))?;
    serde_json::to_value(output)
        .map_err(|error| ToolError::Failed(format!("its result cannot be written as JSON: {error}")))
}

/// Types are written out where they are used, since whoever reads the schema is a model, not a compiler.
pub(super) fn schema<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    settings.into_generator().into_root_schema_for::<T>().to_value()
}
