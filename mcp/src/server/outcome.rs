//! The outcome of a run as clients get it: as JSON for programs and as text for models.

use isolette::{CallMode, Error, ExecutionResult};
use isolette_agent::{rendering::Rendered, rendering::Rendering, rendering::estimate_tokens, rendering::printed};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value;

use super::figures::{BudgetUse, Clipped, Reached, Truncated, Usage};

/// The outcome of running a program.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Outcome {
    /// The program came to its end without an exception.
    pub(crate) success: bool,
    /// The program's global `result` if it set one, else the value of its last expression; null if there is neither.
    pub(crate) value: Value,
    /// False if JSON cannot carry the value, which is then its printed form.
    pub(crate) value_exact: bool,
    /// What the program printed.
    pub(crate) stdout: String,
    /// What the program wrote to standard error.
    pub(crate) stderr: String,
    /// 0, 1 after an exception, or what the program asked for.
    pub(crate) exit_code: i32,
    /// Why it did not come to a good end.
    pub(crate) error: Option<Failure>,
    /// The files in /output that the program has made or changed.
    pub(crate) files: Vec<File>,
    /// Characters that are left out here, in the middle of what is too long to be read.
    pub(crate) clipped: Clipped,
    /// What was lost because it was over its limit.
    pub(crate) truncated: Truncated,
    /// What the run used.
    pub(crate) usage: Usage,
    /// What calls of tools and of custom interfaces returned in this program, and why; not given if they returned results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) call_modes: Option<Value>,
    /// Limits of the run that cut something off or had something refused.
    pub(crate) limits_reached: Vec<Reached>,
    /// What the run shares with others, as it was at its end. Nothing is listed where nothing is shared.
    pub(crate) budgets: Vec<BudgetUse>,
    /// How many tokens the text of this result takes, as an estimate: a quarter of its characters.
    pub(crate) tokens: usize,
}

/// Why a call did not come to a good end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Failure {
    /// The class of the exception (`ZeroDivisionError`), or what ended the program (`Timeout`, `OutOfMemory`, ...).
    pub(crate) kind: String,
    /// What happened.
    pub(crate) message: String,
    /// The line of the program, from 1.
    pub(crate) line: Option<u32>,
    /// As the language prints it.
    pub(crate) traceback: Option<String>,
    /// What to do about it.
    pub(crate) hint: Option<String>,
}

/// A file in /output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct File {
    /// As the program knows it.
    pub(crate) path: String,
    /// In bytes.
    pub(crate) size: u64,
    /// By its name.
    pub(crate) mime_type: String,
    /// Of its contents, in hexadecimal.
    pub(crate) sha256: Option<String>,
    /// Whether its contents are in the content of this result.
    pub(crate) attached: bool,
}

impl Outcome {
    /// Makes the outcome of a run, with texts cut and secrets removed. The caller sets the number of tokens, once the
    /// final text is known.
    pub(crate) fn of(result: Result<&ExecutionResult, &Error>, rendered: &Rendered, rendering: &Rendering) -> Self {
        let empty = ExecutionResult::default();
        let (result, ended) = match result {
            Ok(result) => (result, None),
            Err(error) => (error.partial().unwrap_or(&empty), Some(error)),
        };
        let mut message_lacks = 0;
        let failure = match (ended, &result.error) {
            (Some(error), _) => Some(Failure::of(error)),
            (None, Some(error)) => {
                // The message and the kind come from the program: they may be long, and may contain a hint.
                let message = rendering.clip(&error.message, |_| None);
                message_lacks = message.omitted;
                let (message, hint) = split_hint(&message.text);
                Some(Failure {
                    kind: rendering.clip(&error.kind, |_| None).text,
                    message,
                    line: error.line,
                    traceback: rendered.error.as_ref().map(|error| error.text.clone()),
                    hint,
                })
            }
            (None, None) if result.exit_code != 0 => Some(Failure {
                kind: "Exit".into(),
                message: format!("the program ended itself with exit code {}", result.exit_code),
                ..Failure::default()
            }),
            (None, None) => None,
        };
        let (value, value_exact) = match (&result.value, &rendered.value) {
            (Some(value), Some(shown)) => {
                // A value that is cut or redacted becomes text.
                if printed(value) == shown.text {
                    (value.clone(), result.value_exact)
                } else {
                    (Value::String(shown.text.clone()), false)
                }
            }
            _ => (Value::Null, false),
        };
        Self {
            success: failure.is_none(),
            value,
            value_exact,
            stdout: rendered.stdout.text.clone(),
            stderr: rendered.stderr.text.clone(),
            exit_code: if ended.is_some() { 1 } else { result.exit_code },
            error: failure,
            files: Vec::new(),
            clipped: Clipped::of(rendered, message_lacks),
            truncated: Truncated::of(result),
            usage: Usage::of(result),
            call_modes: modes(result),
            limits_reached: result.limits_reached.iter().map(Reached::from).collect(),
            budgets: result.budgets.iter().map(BudgetUse::from).collect(),
            tokens: 0,
        }
    }

    /// The outcome of a program that did not start.
    pub(crate) fn refused(failure: Failure) -> Self {
        Self { exit_code: 1, tokens: estimate_tokens(&failure.text()), error: Some(failure), ..Self::default() }
    }
}

/// The modes, unless all are the usual one.
fn modes(result: &ExecutionResult) -> Option<Value> {
    let modes = [&result.call_modes.tools, &result.call_modes.interfaces];
    let is_asynchronous = modes.into_iter().flatten().any(|chosen| chosen.mode == CallMode::Async);
    is_asynchronous.then(|| serde_json::to_value(&result.call_modes).ok()).flatten()
}

impl Failure {
    pub(crate) fn new(kind: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into(), hint: Some(hint.into()), ..Self::default() }
    }

    pub(crate) fn of(error: &Error) -> Self {
        let (message, hint) = split_hint(&error.to_string());
        // The hint of the library is meant for the embedder.
        let hint = match error {
            Error::SessionEnded { .. } => Some("empty it with `reset_sandbox`, or create another one".into()),
            _ => hint,
        };
        Self { kind: error.name().into(), message, hint, ..Self::default() }
    }

    /// The failure as text for a model.
    pub(crate) fn text(&self) -> String {
        let mut text = match &self.traceback {
            // The traceback ends with both.
            Some(traceback) if !traceback.is_empty() => traceback.clone(),
            _ => format!("{}: {}", self.kind, self.message),
        };
        if let Some(hint) = &self.hint
            && !text.contains(hint.as_str())
        {
            text.push_str("\nhint: ");
            text.push_str(hint);
        }
        text
    }
}

fn split_hint(message: &str) -> (String, Option<String>) {
    match message.split_once("\nhint: ") {
        Some((message, hint)) => (message.to_owned(), Some(hint.to_owned())),
        None => (message.to_owned(), None),
    }
}

/// The JSON Schema of a result, without references.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    without_formats_of_integers(&mut schema);
    schema
}

/// Removes the formats of unsigned integers, which no standard has: clients warn of each. What they say, `minimum` says too.
fn without_formats_of_integers(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.retain(|name, value| {
                name != "format" || !value.as_str().is_some_and(|format| format.starts_with("uint"))
            });
            members.values_mut().for_each(without_formats_of_integers);
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_formats_of_integers),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use isolette::GuestError;

    use super::*;

    #[test]
    fn nothing_that_a_program_says_is_longer_than_it_may_be() {
        let long = "x".repeat(1000);
        let mut error = GuestError::default();
        error.kind.clone_from(&long);
        error.message = format!("{long}\nhint: {long}");
        error.traceback.clone_from(&long);
        error.line = Some(1);
        let mut result = ExecutionResult::default();
        result.error = Some(error);
        let rendering = Rendering::new().limit(100);
        let rendered = rendering.render(Ok(&result), |_, _| None);
        let outcome = Outcome::of(Ok(&result), &rendered, &rendering);
        let text = serde_json::to_string(&outcome).unwrap();
        assert!(text.len() < 2000, "{text}");
        assert_eq!((outcome.clipped.message, outcome.clipped.traceback), (1900 + "\nhint: ".len(), 900));
        assert_eq!(outcome.error.unwrap().line, Some(1));
    }
}
