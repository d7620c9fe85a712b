//! One tool: a function of the embedder's with a name and the schema of its arguments.

mod new;

use std::{fmt, sync::Arc};

use isolette_abi::tools::ToolError;
use isolette_types::Error;
use serde_json::Value;

use crate::{
    function::{Function, Inner, Next, message},
    hints::ToolHints,
    results::{Results, Strictness},
    validation::{Validator, mistakes},
};

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
    pub(crate) function: Function,
}

impl fmt::Debug for Tool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tool").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Tool {
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

    /// Checks arguments against `schema`, which is less strict than the schema that is shown.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if `schema` is invalid.
    pub fn checked_against(mut self, schema: &Value) -> Result<Self, Error> {
        self.validator = Some(Arc::new(new::validator(&self.name, schema)?));
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
    pub(crate) fn validate(&self, arguments: &Value) -> Result<(), String> {
        let Some(validator) = &self.validator else { return Ok(()) };
        mistakes(validator, &self.input_schema, arguments, "argument").map_or(Ok(()), Err)
    }

    /// Compares a result with the output schema. Returns what is wrong and whether the result is withheld from the
    /// program; `None` if it fits or there is no schema.
    pub fn validate_result(&self, result: &Value) -> Option<(String, Strictness)> {
        self.results.as_ref()?.validate(self.output_schema.as_ref()?, result)
    }
}
