//! One tool: a function of the embedder's with a name and the schema of its arguments.

use std::{fmt, pin::Pin, sync::Arc};

use isolette_abi::tools::ToolError;
use jsonschema::error::ValidationErrorKind;
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    foreign,
    function::{Function, Inner, InnerTool, awaited, deserialize, message, schema, serialize},
    hints::ToolHints,
    results::{Results, Strictness},
    validation::{self, Validator, mistakes},
};
use crate::text::clipped;
use isolette_types::Error;

/// Names are keys in programs and in policies, not prose.
const NAME_LIMIT: usize = 128;

/// Characters of what is said of a schema that is none: it may quote all of it.
const SENTENCE: usize = 500;

/// A function that programs reach with `call_tool(name, …)`. It runs in the host, with the host's authority.
///
/// Arguments are validated against the schema before the function is called. An `Err` becomes a `ToolError` exception in
/// the program with its `Display` text, and so does a panic.
///
/// A clone is the same tool: the function is shared.
#[derive(Clone)]
pub struct Tool {
    name: String,
    description: String,
    input_schema: Value,
    output_schema: Option<Value>,
    tags: Vec<String>,
    hints: ToolHints,
    approval: bool,
    /// None if there is nothing that arguments could be checked against in bounded time.
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
    /// A function with typed arguments and result; the schemas are those of the types.
    ///
    /// It is called on the thread on which the guest waits. It may block: the deadline of the run holds all the same,
    /// since the caller of the run does not wait on that thread.
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

    /// Like [`Tool::typed`] for a function that is awaited. It runs on threads of this crate's own, in a Tokio runtime,
    /// and is dropped where it stands when the run ends.
    ///
    /// # Errors
    /// As [`Tool::typed`].
    pub fn asynchronous<Arguments, Output, Failure, Response>(
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

    /// A function on JSON values with a schema of your own (JSON Schema 2020-12, for an object).
    ///
    /// Regular expressions (`pattern`, `patternProperties`) are checked in a time that grows with the text and no faster.
    /// Those that look ahead or back (`(?=a)`, `(?<!a)`) or repeat what was found (`\1`), and those that become larger than
    /// a mebibyte, make it no schema.
    ///
    /// # Errors
    /// As [`Tool::typed`]; and if the schema is none.
    pub fn with_schema<Failure: fmt::Display>(
        name: &str,
        description: &str,
        input_schema: Value,
        function: impl Fn(Value) -> Result<Value, Failure> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let call = move |arguments| serialize(function(arguments));
        Self::new(name, description, input_schema, None, Function::Blocking(Arc::new(call)))
    }

    /// Like [`Tool::with_schema`] for a function that is awaited, as in [`Tool::asynchronous`].
    ///
    /// # Errors
    /// As [`Tool::with_schema`].
    pub fn asynchronous_with_schema<Failure, Response>(
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

    /// Like [`Tool::asynchronous_with_schema`] for a function whose schemas a stranger wrote, who checks arguments as well.
    ///
    /// They are shown as they are. Arguments and results are compared with them unless that could take beyond measure:
    /// choices without end in each other or in what is recursive, more than 10,000 schemas with all references written
    /// out, more than 100 regular expressions or one that needs backtracking.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for the name, as [`Tool::typed`].
    pub fn asynchronous_with_foreign_schemas<Failure, Response>(
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
        let validator = foreign::validator(&input_schema);
        let results = output_schema.as_ref().map(|schema| Arc::new(Results::foreign(schema)));
        let tool = Self::checked(name, description, input_schema, output_schema, validator, awaited(function))?;
        Ok(Self { results, ..tool })
    }

    /// Says what its result looks like (JSON Schema 2020-12). Results are compared with it; what does not fit reaches the
    /// program all the same, and is noted in [`CallRecord::mismatch`](isolette_types::CallRecord::mismatch).
    #[must_use]
    pub fn with_output_schema(mut self, output_schema: Value) -> Self {
        self.output_schema = Some(output_schema);
        self.results = Some(Arc::new(Results::new(Strictness::Noted)));
        self
    }

    /// Has a result that does not fit the schema be an error of the call. By then the tool has run: this is for tools
    /// that change nothing, or whose results are worse than none when they are wrong.
    #[must_use]
    pub fn with_strict_results(mut self) -> Self {
        self.results = Some(Arc::new(Results::new(Strictness::Refused)));
        self
    }

    /// Puts it into a group, for whoever searches.
    #[must_use]
    pub fn with_tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Has it say more of itself.
    #[must_use]
    pub fn with_hints(mut self, hints: ToolHints) -> Self {
        self.hints = hints;
        self
    }

    /// Has each of its calls approved by somebody, unless an approval rule of the sandbox's says otherwise. See
    /// [`Approval`](isolette_policy::Approval).
    #[must_use]
    pub fn with_approval(mut self) -> Self {
        self.approval = true;
        self
    }

    /// Puts something around it: its calls, whose arguments have been checked, go to `around`, which may pass them on to
    /// the second argument, change them, or answer in its place. Name, schemas and everything else stay.
    ///
    /// ```
    /// # use isolette::Tool;
    /// # use serde_json::{Value, json};
    /// let search = Tool::with_schema("search", "Finds things", json!({ "type": "object" }), |_| Ok::<_, String>(json!([])))?;
    /// let cautious = search.wrapped(|arguments, search| async move {
    ///     match arguments["text"].as_str() {
    ///         Some("") => Err("say what to search for".to_owned()),
    ///         _ => search(arguments).await,
    ///     }
    /// });
    /// # Ok::<(), isolette::Error>(())
    /// ```
    #[must_use]
    pub fn wrapped<Response>(self, around: impl Fn(Value, InnerTool) -> Response + Send + Sync + 'static) -> Self
    where
        Response: Future<Output = Result<Value, String>> + Send + 'static,
    {
        self.around(move |arguments, inner| {
            let told: InnerTool = Box::new(move |arguments| {
                let result = inner(arguments);
                Box::pin(async move { result.await.map_err(message) })
            });
            let response = around(arguments, told);
            async move { response.await.map_err(ToolError::Failed) }
        })
    }

    /// As [`Tool::wrapped`], with errors as they are.
    pub fn around<Response>(mut self, around: impl Fn(Value, Inner) -> Response + Send + Sync + 'static) -> Self
    where
        Response: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
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

    /// Has arguments checked against a schema that asks for less than the one that is shown.
    pub fn checked_against(mut self, schema: &Value) -> Result<Self, Error> {
        self.validator = Some(Arc::new(validator(&self.name, schema)?));
        Ok(self)
    }

    /// What programs call it by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is for.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// JSON Schema of its arguments.
    #[must_use]
    pub fn input_schema(&self) -> &Value {
        &self.input_schema
    }

    /// JSON Schema of its result, where that is known.
    #[must_use]
    pub fn output_schema(&self) -> Option<&Value> {
        self.output_schema.as_ref()
    }

    /// The groups that it is in.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// What it says of itself.
    #[must_use]
    pub fn hints(&self) -> ToolHints {
        self.hints
    }

    /// Whether its calls need approval.
    #[must_use]
    pub fn needs_approval(&self) -> bool {
        self.approval
    }

    /// What is wrong with arguments.
    pub(super) fn validate(&self, arguments: &Value) -> Result<(), String> {
        let Some(validator) = &self.validator else { return Ok(()) };
        mistakes(validator, &self.input_schema, arguments, "argument").map_or(Ok(()), Err)
    }

    /// What is wrong with a result, and whether the program shall not get it then.
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
