//! Functions that the host lends (`wit/tools.wit`).

mod set;
mod tool;

use std::panic::AssertUnwindSafe;

use isolette_abi::tools::ToolError;
use serde_json::Value;

use self::tool::Function;
pub use self::{
    set::{SkippedTool, ToolSet},
    tool::{Tool, ToolHints},
};
use crate::Error;

/// Names listed in an error; more would only fill a model's context.
const NAMES_LISTED: usize = 50;

/// The tools of a sandbox, in the order of their registration.
#[derive(Debug, Default)]
pub(crate) struct Tools {
    tools: Vec<Tool>,
}

impl Tools {
    pub(crate) fn new(tools: Vec<Tool>) -> Result<Self, Error> {
        for (index, tool) in tools.iter().enumerate() {
            if tools[..index].iter().any(|other| other.name() == tool.name()) {
                return Err(Error::invalid(
                    format!("there are two tools named `{}`", tool.name()),
                    "give each tool a name of its own",
                ));
            }
        }
        Ok(Self { tools })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter()
    }

    pub(crate) fn find(&self, name: &str) -> Result<&Tool, ToolError> {
        self.tools.iter().find(|tool| tool.name() == name).ok_or_else(|| {
            let names: Vec<_> = self.tools.iter().take(NAMES_LISTED).map(Tool::name).collect();
            ToolError::UnknownTool(match names.as_slice() {
                [] => format!("unknown tool: {name} (this run has no tools)"),
                names => format!("unknown tool: {name} (there are: {})", names.join(", ")),
            })
        })
    }
}

/// A call that has been checked and only needs to be made.
pub(crate) enum Prepared<'a> {
    /// To be called where the guest waits: nothing else is waiting on that thread.
    Blocking(&'a (dyn Fn(Value) -> Result<Value, ToolError> + Send + Sync), Value),
    /// To be awaited.
    Asynchronous(std::pin::Pin<Box<dyn Future<Output = Result<Value, ToolError>> + Send>>),
}

impl Tool {
    /// Checks the arguments. Nothing of the tool has run when this fails.
    pub(crate) fn prepare(&self, arguments: &[u8]) -> Result<Prepared<'_>, ToolError> {
        let invalid = |why: String| ToolError::InvalidArguments(format!("tool `{}`: {why}", self.name()));
        let arguments: Value = serde_json::from_slice(arguments)
            .map_err(|error| invalid(format!("the arguments are not JSON: {error}")))?;
        if !arguments.is_object() {
            return Err(invalid("the arguments must be an object, one field for each parameter".into()));
        }
        self.validate(&arguments).map_err(invalid)?;
        Ok(match &self.function {
            Function::Blocking(function) => Prepared::Blocking(&**function, arguments),
            Function::Asynchronous(function) => Prepared::Asynchronous(function(arguments)),
        })
    }
}

/// Calls a function of an embedder's; a panic of its is an error of its.
pub(crate) fn guarded(
    function: &(dyn Fn(Value) -> Result<Value, ToolError> + Send + Sync),
    arguments: Value,
) -> Result<Value, ToolError> {
    std::panic::catch_unwind(AssertUnwindSafe(|| function(arguments)))
        .unwrap_or_else(|_| Err(ToolError::Failed("the tool panicked".into())))
}

/// Awaits a function of an embedder's; a panic of its is an error of its.
pub(crate) async fn guarded_future(
    future: impl Future<Output = Result<Value, ToolError>> + Send + 'static,
) -> Result<Value, ToolError> {
    // A task of its own, so that a tool that is given up at the deadline is also stopped there.
    let mut task = AbortOnDrop(tokio::spawn(future));
    (&mut task.0).await.unwrap_or_else(|_| Err(ToolError::Failed("the tool panicked".into())))
}

struct AbortOnDrop<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
