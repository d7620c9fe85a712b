//! Making tools: from functions, from schemas, and without a function.

use std::{fmt, pin::Pin, sync::Arc};

use isolette_types::Error;
use jsonschema::error::ValidationErrorKind;
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::Tool;
use crate::{
    function::{Function, awaited, deserialize, schema, serialize},
    hints::ToolHints,
    results::Results,
    text::clipped,
    untrusted,
    validation::{self, Validator},
};

/// Maximum length of a name in bytes. Names are keys in programs and in policies.
const NAME_LIMIT: usize = 128;

/// Maximum number of characters of a message about an invalid schema, because the message may quote the whole schema.
const SENTENCE: usize = 500;

impl Tool {
    /// Creates a tool from a function with typed arguments and a typed result. The schemas are derived from the types.
    ///
    /// The function is called on the thread on which the guest waits. It may block: the deadline of the run is enforced
    /// nevertheless, because the caller of the run does not wait on that thread.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the name is empty, longer than 128 bytes or has control characters.
    pub fn typed<Arguments, Output, Failure>(
        name: &str,
        description: &str,
        function: impl Fn(Arguments) -> Result<Output, Failure> + Send + Sync + 'static,
    ) -> Result<Self, Error>
    where
        Arguments: DeserializeOwned + JsonSchema,
        Output: Serialize + JsonSchema,
        Failure: fmt::Display,
    {
        let call = move |arguments| serialize(function(deserialize(arguments)?));
        Self::new(
            name,
            description,
            schema::<Arguments>(),
            Some(schema::<Output>()),
            Function::Blocking(Arc::new(call)),
        )
    }

    /// Like [`Tool::typed`], for an asynchronous function. It runs on threads of a Tokio runtime of this crate, and the
    /// future is dropped when the run ends.
    ///
    /// # Errors
    /// As [`Tool::typed`].
    pub fn typed_async<Arguments, Output, Failure, Response>(
        name: &str,
        description: &str,
        function: impl Fn(Arguments) -> Response + Send + Sync + 'static,
    ) -> Result<Self, Error>
    where
        Arguments: DeserializeOwned + JsonSchema,
        Output: Serialize + JsonSchema,
        Failure: fmt::Display,
        Response: Future<Output = Result<Output, Failure>> + Send + 'static,
    {
        let call = move |arguments| -> Pin<Box<dyn Future<Output = _> + Send>> {
            match deserialize(arguments) {
                Ok(arguments) => {
                    let response = function(arguments);
                    Box::pin(async move { serialize(response.await) })
                }
                Err(error) => Box::pin(std::future::ready(Err(error))),
            }
        };
        let function = Function::Asynchronous(Arc::new(call));
        Self::new(name, description, schema::<Arguments>(), Some(schema::<Output>()), function)
    }

    /// Creates a tool from a function on JSON values, with a given schema of its arguments (JSON Schema 2020-12, for an
    /// object).
    ///
    /// Regular expressions (`pattern`, `patternProperties`) are matched in time that is linear in the length of the
    /// text. A schema is rejected if a pattern uses look-around (`(?=a)`, `(?<!a)`) or backreferences (`\1`), or if its
    /// compiled form exceeds 1 MiB.
    ///
    /// # Errors
    /// As [`Tool::typed`]; and [`Error::InvalidArgument`] if the schema is invalid.
    pub fn from_schema<Failure: fmt::Display>(
        name: &str,
        description: &str,
        input_schema: Value,
        function: impl Fn(Value) -> Result<Value, Failure> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let call = move |arguments| serialize(function(arguments));
        Self::new(name, description, input_schema, None, Function::Blocking(Arc::new(call)))
    }

    /// Like [`Tool::from_schema`], for an asynchronous function, as in [`Tool::typed_async`].
    ///
    /// # Errors
    /// As [`Tool::from_schema`].
    pub fn from_schema_async<Failure, Response>(
        name: &str,
        description: &str,
        input_schema: Value,
        function: impl Fn(Value) -> Response + Send + Sync + 'static,
    ) -> Result<Self, Error>
    where
        Failure: fmt::Display,
        Response: Future<Output = Result<Value, Failure>> + Send + 'static,
    {
        Self::new(name, description, input_schema, None, awaited(function))
    }

    /// Like [`Tool::from_schema_async`], for schemas from a third party that checks arguments itself as well.
    ///
    /// The schemas are shown unchanged. Arguments and results are compared with them unless that could take unbounded
    /// time: recursive or deeply nested choices, more than 10,000 schemas after all references are expanded, more than
    /// 100 regular expressions, or one that needs backtracking.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for the name, as [`Tool::typed`].
    pub fn from_untrusted_schema_async<Failure, Response>(
        name: &str,
        description: &str,
        input_schema: Value,
        output_schema: Option<Value>,
        function: impl Fn(Value) -> Response + Send + Sync + 'static,
    ) -> Result<Self, Error>
    where
        Failure: fmt::Display,
        Response: Future<Output = Result<Value, Failure>> + Send + 'static,
    {
        let validator = untrusted::validator(&input_schema);
        let results = output_schema.as_ref().map(|schema| Arc::new(Results::untrusted(schema)));
        let tool = Self::checked(name, description, input_schema, output_schema, validator, awaited(function))?;
        Ok(Self { results, ..tool })
    }

    /// Creates a tool without a function: a program that calls it is paused, and the embedder answers later, with what a
    /// person or another system says. Only programs that were started with `Sandbox::start` can be paused; in other runs
    /// the call fails. Otherwise as [`Tool::from_schema`].
    ///
    /// # Errors
    /// As [`Tool::from_schema`].
    pub fn deferred(name: &str, description: &str, input_schema: Value) -> Result<Self, Error> {
        Self::new(name, description, input_schema, None, Function::Deferred)
    }

    fn new(
        name: &str,
        description: &str,
        input_schema: Value,
        output_schema: Option<Value>,
        function: Function,
    ) -> Result<Self, Error> {
        let validator = validator(name, &input_schema)?;
        Self::checked(name, description, input_schema, output_schema, Some(validator), function)
    }

    fn checked(
        name: &str,
        description: &str,
        input_schema: Value,
        output_schema: Option<Value>,
        validator: Option<Validator>,
        function: Function,
    ) -> Result<Self, Error> {
        if name.is_empty() || name.len() > NAME_LIMIT || name.chars().any(char::is_control) {
            return Err(Error::invalid(
                format!("`{}` cannot be the name of a tool", name.escape_debug()),
                "use 1 to 128 bytes without control characters, best letters, digits, `_`, `-` and `.`",
            ));
        }
        Ok(Self {
            name: name.to_owned(),
            description: description.to_owned(),
            input_schema,
            output_schema,
            tags: Vec::new(),
            hints: ToolHints::default(),
            approval: false,
            validator: validator.map(Arc::new),
            results: None,
            function,
        })
    }
}

/// Compiles the schema of a tool's arguments.
pub(super) fn validator(name: &str, schema: &Value) -> Result<Validator, Error> {
    validation::validator(schema).map_err(|error| match error.kind() {
        ValidationErrorKind::Format { format } if format == "regex" => Error::invalid(
            format!("the schema of tool `{name}` cannot be used: {}", clipped(&error.to_string(), SENTENCE)),
            "write patterns without looking ahead or back and without references to what was found: only those take a time \
             that grows no faster than the text",
        ),
        _ => Error::invalid(
            format!("the schema of tool `{name}` cannot be used: {}", clipped(&error.to_string(), SENTENCE)),
            "give a JSON Schema (2020-12) without references to other documents",
        ),
    })
}
