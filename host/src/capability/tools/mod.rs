//! Functions that the host lends (`wit/tools.wit`).

mod counted;
mod foreign;
mod function;
mod hints;
mod results;
mod sentences;
mod set;
mod tool;
mod validation;

use std::{
    collections::HashMap,
    panic::AssertUnwindSafe,
    sync::{Arc, OnceLock},
};

use isolette_abi::tools::ToolError;
use serde_json::Value;
use wildmatch::WildMatch;

use self::function::Function;
pub use self::function::InnerTool;
pub(crate) use self::results::Strictness;
#[cfg(feature = "openapi")]
pub(crate) use self::validation::is_linear;
pub use self::{
    hints::ToolHints,
    set::{SkippedTool, ToolSet},
    tool::Tool,
};
use crate::{
    Error, Language,
    catalog::{Catalog, nearest},
    runtime::abort_on_drop,
    work::Call,
};

/// Names listed in an error; more would only fill a model's context.
const NAMES_LISTED: usize = 50;
const NAMES_SUGGESTED: usize = 3;

/// The tools of a sandbox, in the order of their registration.
#[derive(Debug)]
pub(crate) struct Tools {
    language: Language,
    tools: Arc<[Tool]>,
    by_name: HashMap<String, usize>,
    /// Patterns of the policy, of which each tool matches one, unless there are none.
    patterns: Vec<(String, WildMatch)>,
    /// Made when a program searches for the first time; most never do.
    catalog: OnceLock<Catalog>,
}

impl Tools {
    pub(crate) fn new(tools: Vec<Tool>, patterns: &[String], language: Language) -> Result<Self, Error> {
        let mut by_name = HashMap::with_capacity(tools.len());
        for (position, tool) in tools.iter().enumerate() {
            if by_name.insert(tool.name().to_owned(), position).is_some() {
                return Err(Error::invalid(
                    format!("there are two tools named `{}`", tool.name()),
                    "give each tool a name of its own",
                ));
            }
        }
        let patterns = patterns.iter().map(|pattern| (pattern.clone(), WildMatch::new(pattern))).collect();
        Ok(Self { language, tools: tools.into(), by_name, patterns, catalog: OnceLock::new() })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter()
    }

    /// The pattern of the policy by which a tool is lent, if it has any.
    pub(crate) fn pattern(&self, name: &str) -> Option<&str> {
        self.patterns.iter().find(|(_, matcher)| matcher.matches(name)).map(|(pattern, _)| pattern.as_str())
    }

    /// What programs are written in.
    pub(crate) fn language(&self) -> Language {
        self.language
    }

    pub(crate) fn catalog(&self) -> &Catalog {
        self.catalog.get_or_init(|| Catalog::new(Arc::clone(&self.tools)))
    }

    pub(crate) fn find(&self, name: &str) -> Result<&Tool, ToolError> {
        let found = self.by_name.get(name).map(|position| &self.tools[*position]);
        found.ok_or_else(|| ToolError::UnknownTool(self.unknown(name)))
    }

    fn unknown(&self, name: &str) -> String {
        let meant = nearest(name, self.iter().map(Tool::name), NAMES_SUGGESTED);
        let names: Vec<&str> = self.iter().take(NAMES_LISTED).map(Tool::name).collect();
        let more = self.tools.len().saturating_sub(names.len());
        let suggestion = match meant.as_slice() {
            [] => String::new(),
            meant => format!("\nhint: did you mean {}?", quoted(meant, " or ")),
        };
        match (names.as_slice(), more) {
            ([], _) => format!("unknown tool: {name} (this run has no tools)"),
            (names, 0) => format!("unknown tool: {name} (there are: {}){suggestion}", names.join(", ")),
            (names, more) if meant.is_empty() => format!(
                "unknown tool: {name} (there are: {} and {more} more)\nhint: search for the others",
                names.join(", ")
            ),
            _ => format!("unknown tool: {name} (there are {}){suggestion}", self.tools.len()),
        }
    }
}

fn quoted(names: &[&str], between: &str) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(between)
}

impl Tool {
    /// Checks the arguments. Nothing of the tool has run when this fails.
    pub(crate) fn check(&self, arguments: &[u8]) -> Result<Value, ToolError> {
        let invalid = |why: String| ToolError::InvalidArguments(format!("tool `{}`: {why}", self.name()));
        let arguments: Value = serde_json::from_slice(arguments)
            .map_err(|error| invalid(format!("the arguments are not JSON: {error}")))?;
        if !arguments.is_object() {
            return Err(invalid("the arguments must be an object, one field for each parameter".into()));
        }
        self.validate(&arguments).map_err(invalid)?;
        Ok(arguments)
    }

    /// What to do with arguments that have been checked.
    pub(crate) fn prepare(&self, arguments: Value) -> Prepared<'_> {
        match &self.function {
            Function::Blocking(function) => Prepared::Blocking(&**function, arguments),
            Function::Asynchronous(function) => Prepared::Asynchronous(function(arguments)),
        }
    }
}

/// A call that only needs to be made.
pub(crate) enum Prepared<'a> {
    /// To be called where the guest waits: nothing else is waiting on that thread.
    Blocking(&'a (dyn Fn(Value) -> Result<Value, ToolError> + Send + Sync), Value),
    /// To be awaited.
    Asynchronous(std::pin::Pin<Box<dyn Future<Output = Result<Value, ToolError>> + Send>>),
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
    abort_on_drop(Call::along(future)).await.unwrap_or_else(|_| Err(ToolError::Failed("the tool panicked".into())))
}
