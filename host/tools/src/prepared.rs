//! One call of a tool: its arguments are checked, then its function is called.

use std::{fmt, panic::AssertUnwindSafe};

use isolette_abi::tools::ToolError;
use isolette_work::values::{LostDigits, ReadError, read_json};
use serde_json::Value;

use crate::{
    Tool,
    function::{Function, not_now},
};

impl Tool {
    /// Parses and checks the arguments, which are JSON text. If this fails, no code of the tool has run.
    ///
    /// # Errors
    /// [`ToolError::InvalidArguments`] with what is wrong and how to fix it.
    pub fn check(&self, arguments: &[u8]) -> Result<Value, ToolError> {
        let invalid = |why: String| ToolError::InvalidArguments(format!("tool `{}`: {why}", self.name()));
        let arguments: Value = read_json(arguments).map_err(|error| {
            invalid(match error {
                ReadError::LostDigits(lost) => format!("{}\nhint: {}", lost.of("arguments"), LostDigits::HINT),
                ReadError::NoJson(error) => format!("the arguments are not JSON: {error}"),
            })
        })?;
        if !arguments.is_object() {
            return Err(invalid("the arguments must be an object, one field for each parameter".into()));
        }
        self.validate(&arguments).map_err(invalid)?;
        Ok(arguments)
    }

    /// Whether the function of the tool blocks the thread that calls it.
    pub fn is_blocking(&self) -> bool {
        matches!(self.function, Function::Blocking(_))
    }

    /// Whether calls of the tool are answered later, by the embedder.
    pub fn is_deferred(&self) -> bool {
        matches!(self.function, Function::Deferred)
    }

    /// Prepares the call of the tool with arguments that [`Tool::check`] returned.
    pub fn prepare(&self, arguments: Value) -> Prepared<'_> {
        match &self.function {
            Function::Blocking(function) => Prepared::Blocking(&**function, arguments),
            Function::Asynchronous(function) => Prepared::Asynchronous(function(arguments)),
            Function::Deferred => Prepared::Asynchronous(Box::pin(std::future::ready(Err(not_now())))),
        }
    }
}

/// A call that only remains to be executed.
pub enum Prepared<'a> {
    /// A blocking function. Call it on the thread on which the guest waits: nothing else waits on that thread.
    Blocking(&'a (dyn Fn(Value) -> Result<Value, ToolError> + Send + Sync), Value),
    /// A future to be awaited.
    Asynchronous(std::pin::Pin<Box<dyn Future<Output = Result<Value, ToolError>> + Send>>),
}

impl fmt::Debug for Prepared<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Blocking(..) => "Blocking",
            Self::Asynchronous(_) => "Asynchronous",
        })
    }
}

/// Calls a function of the embedder's. A panic becomes [`ToolError::Failed`].
pub fn guarded(
    function: &(dyn Fn(Value) -> Result<Value, ToolError> + Send + Sync),
    arguments: Value,
) -> Result<Value, ToolError> {
    std::panic::catch_unwind(AssertUnwindSafe(|| function(arguments)))
        .unwrap_or_else(|_| Err(ToolError::Failed("the tool panicked".into())))
}
