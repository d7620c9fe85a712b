//! What a client is told of a run: the same facts as JSON for programs and as text for models.

use isolette::{CallRecord, Error, ExecutionResult};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value;

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
    /// The files in /output.
    pub(crate) files: Vec<File>,
    /// What was cut because it was over its limit.
    pub(crate) truncated: Truncated,
    /// What the run used.
    pub(crate) usage: Usage,
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

/// What was cut because it was over its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Truncated {
    /// Bytes that stdout lacks.
    pub(crate) stdout: u64,
    /// Bytes that stderr lacks.
    pub(crate) stderr: u64,
    /// The value was too long and is missing.
    pub(crate) value: bool,
    /// There are more files than are listed.
    pub(crate) files: bool,
}

/// What the run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Usage {
    /// Milliseconds from its start to its end.
    pub(crate) wall_ms: f64,
    /// Calls of tools.
    pub(crate) tool_calls: u64,
    /// HTTP requests.
    pub(crate) http_requests: u64,
}

impl Outcome {
    /// Tells of a run that has ended in whichever way. The calls that it made are given back beside.
    pub(crate) fn of(result: Result<ExecutionResult, Error>) -> (Self, Option<ExecutionResult>, Vec<CallRecord>) {
        let (result, error) = match result {
            Ok(result) => (Some(result), None),
            Err(error) => (error.partial().cloned(), Some(error)),
        };
        let Some(mut result) = result else {
            let error = error.map(|error| Failure::of(&error));
            return (Self { exit_code: 1, error, ..Self::default() }, None, Vec::new());
        };
        let failure = match (&error, &result.error) {
            (Some(error), _) => Some(Failure::of(error)),
            (None, Some(error)) => {
                let (message, hint) = split_hint(&error.message);
                Some(Failure {
                    kind: error.kind.clone(),
                    message,
                    line: error.line,
                    traceback: Some(error.traceback.trim_end().to_owned()),
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
        let outcome = Self {
            success: failure.is_none(),
            value: result.value.take().unwrap_or(Value::Null),
            value_exact: result.value_exact,
            stdout: std::mem::take(&mut result.stdout),
            stderr: std::mem::take(&mut result.stderr),
            exit_code: if error.is_some() { 1 } else { result.exit_code },
            error: failure,
            files: Vec::new(),
            truncated: Truncated {
                stdout: result.truncated.stdout,
                stderr: result.truncated.stderr,
                value: result.truncated.value,
                files: result.truncated.files,
            },
            usage: Usage {
                wall_ms: result.usage.wall_ms,
                tool_calls: result.usage.tool_calls,
                http_requests: result.usage.http_requests,
            },
        };
        let calls = std::mem::take(&mut result.calls);
        (outcome, Some(result), calls)
    }

    /// As a model reads it: what was printed, the value, what went wrong, what is missing. Each is a block of its own.
    pub(crate) fn texts(&self) -> Vec<String> {
        let mut texts = Vec::new();
        if !self.stdout.is_empty() {
            texts.push(self.stdout.clone());
        }
        match &self.value {
            Value::Null => {}
            Value::String(text) => texts.push(text.clone()),
            value => texts.push(value.to_string()),
        }
        if !self.stderr.is_empty() {
            texts.push(format!("stderr:\n{}", self.stderr));
        }
        texts.extend(self.error.as_ref().map(Failure::text));
        for (what, bytes) in [("stdout", self.truncated.stdout), ("stderr", self.truncated.stderr)] {
            if bytes > 0 {
                texts.push(format!("{what} was over its limit; {bytes} bytes are missing"));
            }
        }
        if self.truncated.value {
            texts.push("the value was over its limit and is missing\nhint: return less, or write it to a file".into());
        }
        let left: Vec<_> = self.files.iter().filter(|file| !file.attached).collect();
        if !left.is_empty() {
            let list: Vec<_> = left.iter().map(|file| format!("{} ({} bytes)", file.path, file.size)).collect();
            texts.push(format!("not attached: {}", list.join(", ")));
        }
        if texts.is_empty() && self.files.is_empty() {
            texts.push("The program printed nothing and has no value.".into());
        }
        texts
    }
}

impl Failure {
    pub(crate) fn new(kind: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into(), hint: Some(hint.into()), ..Self::default() }
    }

    pub(crate) fn of(error: &Error) -> Self {
        let (message, hint) = split_hint(&error.to_string());
        Self { kind: error.name().into(), message, hint, ..Self::default() }
    }

    /// As a model reads it.
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

/// The JSON Schema of a result, with everything written out in its place.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    settings.into_generator().into_root_schema_for::<T>().to_value()
}
