//! One tool: a function of the embedder's with a name and the schema of its arguments.

use std::{fmt, pin::Pin, sync::Arc};

use isolette_abi::tools::ToolError;
use jsonschema::error::ValidationErrorKind;
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    function::{Function, Inner, Next, awaited, deserialize, message, schema, serialize},
    hints::ToolHints,
    results::{Results, Strictness},
    untrusted,
    validation::{self, Validator, mistakes},
};
use crate::text::clipped;
use isolette_types::Error;

/// Maximum length of a name in bytes. Names are keys in programs and in policies.
const NAME_LIMIT: usize = 128;

/// Maximum number of characters of a message about an invalid schema, because the message may quote the whole schema.
const SENTENCE: usize = 500;

/// A function that programs call with `call_tool(name, …)`. It runs in the host, with the host's authority.
///
/// Arguments are validated against the schema before the function is called. If the function returns `Err` or panics,
/// the program gets a `ToolError` exception; for `Err`, with its `Display` text.
///
/// Clones share the same function.
#[derive(Clone)]
pub struct Tool {
    name: String,
    description: String,
    input_schema: Value,
    output_schema: Option<Value>,
    tags: Vec<String>,
    hints: ToolHints,
    approval: bool,
    /// `None` if arguments cannot be checked against the schema in bounded time.
    validator: Option<Arc<Validator>>,
    results: Option<Arc<Results>>,
    pub(super) function: Function,
}

impl fmt::Debug for Tool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tool").field("name", &self.name).finish_non_exhaustive()
    }
}

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

    /// Sets the schema of the result (JSON Schema 2020-12). Results are compared with it. A result that does not fit is
    /// still returned to the program, and is recorded in
    /// [`CallRecord::mismatch`](isolette_types::CallRecord::mismatch).
    #[must_use]
    pub fn with_output_schema(mut self, output_schema: Value) -> Self {
        self.output_schema = Some(output_schema);
        self.results = Some(Arc::new(Results::new(Strictness::Noted)));
        self
    }

    /// Makes a result that does not fit the schema an error of the call. The tool has already run by then: use this for
    /// tools without side effects, or if a wrong result is worse than none.
    #[must_use]
    pub fn with_strict_results(mut self) -> Self {
        self.results = Some(Arc::new(Results::new(Strictness::Refused)));
        self
    }

    /// Adds a tag, which searches can filter by.
    #[must_use]
    pub fn with_tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Sets hints about the tool's behavior.
    #[must_use]
    pub fn with_hints(mut self, hints: ToolHints) -> Self {
        self.hints = hints;
        self
    }

    /// Requires an approver's approval for each call, unless an approval rule of the sandbox decides otherwise. See
    /// `isolette::policy::Approval`.
    #[must_use]
    pub fn with_approval(mut self) -> Self {
        self.approval = true;
        self
    }

    /// Wraps the tool: its calls go to `around` after their arguments were checked. `around` may pass them on to its
    /// second argument, change them, or return a result itself. The name, the schemas and all other properties are
    /// unchanged.
    ///
    /// ```
    /// # use isolette::Tool;
    /// # use serde_json::{Value, json};
    /// let search = Tool::from_schema("search", "Finds things", json!({ "type": "object" }), |_| Ok::<_, String>(json!([])))?;
    /// let cautious = search.wrapped(|arguments, search| async move {
    ///     match arguments["text"].as_str() {
    ///         Some("") => Err("say what to search for".to_owned()),
    ///         _ => search(arguments).await,
    ///     }
    /// });
    /// # Ok::<(), isolette::Error>(())
    /// ```
    #[must_use]
    pub fn wrapped<Response>(self, around: impl Fn(Value, Next) -> Response + Send + Sync + 'static) -> Self
    where
        Response: Future<Output = Result<Value, String>> + Send + 'static,
    {
        self.around(move |arguments, inner| {
            let next: Next = Box::new(move |arguments| {
                let result = inner(arguments);
                Box::pin(async move { result.await.map_err(message) })
            });
            let response = around(arguments, next);
            async move { response.await.map_err(ToolError::Failed) }
        })
    }

    /// As [`Tool::wrapped`], with the original error types. A deferred tool has no function, and stays as it is.
    pub fn around<Response>(mut self, around: impl Fn(Value, Inner) -> Response + Send + Sync + 'static) -> Self
    where
        Response: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        if self.is_deferred() {
            return self;
        }
        let inner = self.function;
        self.function =
            Function::Asynchronous(Arc::new(move |arguments| Box::pin(around(arguments, inner.clone().into_inner()))));
        self
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

    /// Checks arguments against `schema`, which is less strict than the schema that is shown.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if `schema` is invalid.
    pub fn checked_against(mut self, schema: &Value) -> Result<Self, Error> {
        self.validator = Some(Arc::new(validator(&self.name, schema)?));
        Ok(self)
    }

    /// The name by which programs call the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the tool is for.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// JSON Schema of the arguments.
    #[must_use]
    pub fn input_schema(&self) -> &Value {
        &self.input_schema
    }

    /// JSON Schema of the result, if it is known.
    #[must_use]
    pub fn output_schema(&self) -> Option<&Value> {
        self.output_schema.as_ref()
    }

    /// The tags of the tool.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// The hints about the tool's behavior.
    #[must_use]
    pub fn hints(&self) -> ToolHints {
        self.hints
    }

    /// Whether calls need approval. Default: no.
    #[must_use]
    pub fn needs_approval(&self) -> bool {
        self.approval
    }

    /// Checks arguments against the schema. The error says what is wrong.
    pub(super) fn validate(&self, arguments: &Value) -> Result<(), String> {
        let Some(validator) = &self.validator else { return Ok(()) };
        mistakes(validator, &self.input_schema, arguments, "argument").map_or(Ok(()), Err)
    }

    /// Compares a result with the output schema. Returns what is wrong and whether the result is withheld from the
    /// program; `None` if it fits or there is no schema.
    pub fn validate_result(&self, result: &Value) -> Option<(String, Strictness)> {
        self.results.as_ref()?.validate(self.output_schema.as_ref()?, result)
    }
}

fn validator(name: &str, schema: &Value) -> Result<Validator, Error> {
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
