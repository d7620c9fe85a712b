//! The function of a tool, independent of its types: from JSON to JSON.

use std::{fmt, pin::Pin, sync::Arc};

use isolette_abi::tools::ToolError;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use isolette_work::{Call, values::check_numbers};

type Blocking = Arc<dyn Fn(Value) -> Result<Value, ToolError> + Send + Sync>;
type Asynchronous = Arc<dyn Fn(Value) -> Pin<Box<dyn Future<Output = Result<Value, ToolError>> + Send>> + Send + Sync>;

#[derive(Clone)]
pub(super) enum Function {
    Blocking(Blocking),
    Asynchronous(Asynchronous),
    /// There is none: the embedder answers each call later.
    Deferred,
}

type Calling<Problem> = Pin<Box<dyn Future<Output = Result<Value, Problem>> + Send>>;

/// The inner function of a tool, as passed to [`Tool::around`](super::Tool::around).
pub(crate) type Inner = Box<dyn FnOnce(Value) -> Calling<ToolError> + Send>;

/// The inner function of a tool, as passed to the function given to [`Tool::wrapped`](super::Tool::wrapped). The error
/// is the message that the program would get.
pub type Next = Box<dyn FnOnce(Value) -> Calling<String> + Send>;

impl Function {
    pub(super) fn into_inner(self) -> Inner {
        match self {
            Self::Asynchronous(function) => Box::new(move |arguments| function(arguments)),
            Self::Deferred => Box::new(|_| Box::pin(std::future::ready(Err(not_now())))),
            // A blocking function must not occupy a thread of the async runtime.
            Self::Blocking(function) => Box::new(move |arguments| {
                // The function may outlive the run, so it takes the call's deadline and limits with it.
                let call = Call::current();
                let called = tokio::task::spawn_blocking(move || match &call {
                    Some(call) => call.within(|| function(arguments)),
                    None => function(arguments),
                });
                let panicked = |_| Err(ToolError::Failed("the tool panicked".into()));
                Box::pin(async move { called.await.unwrap_or_else(panicked) })
            }),
        }
    }
}

/// The error where no call can be answered later.
pub(super) fn not_now() -> ToolError {
    ToolError::Failed(
        "this tool is answered later, and this run cannot wait for that\n\
         hint: the embedder has to start the program with `Sandbox::start`"
            .into(),
    )
}

pub(super) fn deserialize<Arguments: DeserializeOwned>(arguments: Value) -> Result<Arguments, ToolError> {
    serde_json::from_value(arguments).map_err(|error| ToolError::InvalidArguments(error.to_string()))
}

pub(super) fn serialize<Output: Serialize, Failure: fmt::Display>(
    result: Result<Output, Failure>,
) -> Result<Value, ToolError> {
    let output = result.map_err(|failure| ToolError::Failed(failure.to_string()))?;
    serde_json::to_value(&output).map_err(|error| {
        // Integers of 128 bits can be written, and then the place of one is known.
        let written = serde_json::to_vec(&output).unwrap_or_default();
        let why = check_numbers(&written).map_or_else(|lost| lost.of("result"), |()| error.to_string());
        ToolError::Failed(format!("its result cannot be written as JSON: {why}"))
    })
}

/// The message of an error.
pub(super) fn message(error: ToolError) -> String {
    match error {
        ToolError::UnknownTool(message)
        | ToolError::InvalidArguments(message)
        | ToolError::Failed(message)
        | ToolError::Denied(message)
        | ToolError::Budget(message) => message,
    }
}

/// The schema of a type. Definitions are inlined where they are used, because the reader is a model, not a compiler.
pub(super) fn schema<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// An asynchronous function on JSON values.
pub(super) fn awaited<Failure, Response>(function: impl Fn(Value) -> Response + Send + Sync + 'static) -> Function
where
    Failure: fmt::Display,
    Response: Future<Output = Result<Value, Failure>> + Send + 'static,
{
    Function::Asynchronous(Arc::new(move |arguments| {
        let response = function(arguments);
        Box::pin(async move { serialize(response.await) })
    }))
}
