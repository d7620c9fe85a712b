//! Writes results to standard output, besides the program's own output.

use std::io::{self, Write as _};

use isolette::{Error, ExecutionResult, Explanation, SelectedEngine, json_lines::json_line};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    exit::{self, Code},
    terminal::{read, shown, shown_json},
};

/// A result and the selected engine, as one JSON object.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    result: &'a ExecutionResult,
    isolation: Option<&'a SelectedEngine>,
}

pub(crate) fn print_result(result: &ExecutionResult, isolation: &SelectedEngine) {
    print(&Report { result, isolation: Some(isolation) });
}

/// Prints the same object for a run that was ended or did not start: `error` is the sandbox's error, the rest the
/// partial result.
pub(crate) fn print_failure(error: &Error, isolation: Option<&SelectedEngine>) {
    let nothing = ExecutionResult::default();
    let mut report = match serde_json::to_value(Report { result: error.partial().unwrap_or(&nothing), isolation }) {
        Ok(Value::Object(report)) => report,
        _ => serde_json::Map::new(),
    };
    report.insert("exit_code".into(), Code::of(error).number().into());
    report.insert(
        "error".into(),
        json!({ "type": error.name(), "message": error.to_string(), "line": null, "traceback": "" }),
    );
    print(&report);
}

/// Reports a run that did not start. Returns the exit code.
pub(crate) fn not_started(error: &Error, json: bool) -> Code {
    if json {
        print_failure(error, None);
        return Code::of(error);
    }
    exit::fail(error)
}

pub(crate) fn print_explanation(explanation: &Explanation, json: bool) {
    if json {
        print(explanation);
    } else {
        line(&explanation.to_string());
    }
}

/// Prints a value as JSON, or its printed form if JSON cannot represent it.
pub(crate) fn print_value(value: &Value, exact: bool) {
    match value {
        Value::String(text) if !exact => write(&read(&io::stdout(), text)),
        value => write(&shown_json(&io::stdout(), &value.to_string())),
    }
}

pub(crate) fn print(data: &impl Serialize) {
    match json_line(data) {
        Ok(text) => write(&shown_json(&io::stdout(), &text)),
        Err(error) => say!("error: the result cannot be written as JSON: {error}"),
    }
}

/// Prints a line for people or for other programs.
pub(crate) fn line(text: &str) {
    write(&shown(&io::stdout(), text));
}

/// Errors are ignored: a reader that closes the pipe needs no more output.
fn write(text: &str) {
    let mut stdout = io::stdout().lock();
    let _ = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
}
