//! Renders results as text for a model: of bounded length, with exact counts of what was omitted, and without the
//! host's secrets.
//!
//! Output of a program is data and is rendered unchanged. No text here warns the model about its content, because such
//! warnings give no protection.

mod clip;

use std::fmt::Write as _;

use serde_json::Value;

pub use self::clip::{Clipped, clip, estimate_tokens};
use isolette::Redaction;
use isolette::{Error, ExecutionResult, GuestError, LimitHit, LimitName, Secret};

/// Settings for rendering results.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rendering {
    /// Maximum number of characters of each part: value, standard output, standard error, error. Default: 20,000, some
    /// 5,000 tokens.
    pub limit: usize,
    redaction: Redaction,
}

impl Default for Rendering {
    fn default() -> Self {
        Self { limit: 20_000, redaction: Redaction::default() }
    }
}

/// A rendered result.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Rendered {
    /// The value: a string as it is, any other value as JSON.
    pub value: Option<Clipped>,
    /// Standard output.
    pub stdout: Clipped,
    /// Standard error.
    pub stderr: Clipped,
    /// The exception, or the error with which the host ended the program.
    pub error: Option<Clipped>,
    /// All parts in one text.
    pub text: String,
    /// [`estimate_tokens`] of `text`.
    pub tokens: usize,
}

impl Rendering {
    /// Makes a rendering with the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the maximum number of characters of each part.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Adds secrets that are removed from all parts; see [`Redaction`].
    #[must_use]
    pub fn secrets<S: Into<Secret>>(mut self, secrets: impl IntoIterator<Item = S>) -> Self {
        self.redaction.extend(secrets);
        self
    }

    /// Sets the redaction, replacing all secrets set before.
    #[must_use]
    pub fn redaction(mut self, redaction: Redaction) -> Self {
        self.redaction = redaction;
        self
    }

    /// Removes secrets from a text and cuts it to the limit. If the text is cut, `full` is called with the text without
    /// secrets; it returns where the whole text is, if it is available.
    #[must_use]
    pub fn clip(&self, text: &str, full: impl FnOnce(&str) -> Option<String>) -> Clipped {
        let text = self.redaction.text(text);
        let place = if text.chars().nth(self.limit).is_some() { full(&text) } else { None };
        clip(&text, self.limit, place.as_deref())
    }

    /// Renders a result, or the error that ended the run with its partial result. For each part that is cut, `full` is
    /// called with the name of the part (`value`, `stdout`, `stderr`, `error`) and its text without secrets; it returns
    /// where the whole text is, if it is available.
    #[must_use]
    pub fn render(
        &self,
        result: Result<&ExecutionResult, &Error>,
        full: impl Fn(&str, &str) -> Option<String>,
    ) -> Rendered {
        let empty = ExecutionResult::default();
        let (outcome, ended) = match result {
            Ok(outcome) => (outcome, None),
            Err(error) => (error.partial().unwrap_or(&empty), Some(error)),
        };
        let clip = |part: &str, text: &str| self.clip(text, |text| full(part, text));
        let failed = match (ended, &outcome.error) {
            (Some(error), _) => Some(error.to_string()),
            (None, error) => error.as_ref().map(exception_text),
        };
        let mut rendered = Rendered {
            value: outcome.value.as_ref().map(|value| clip("value", &printed(value))),
            stdout: clip("stdout", &outcome.stdout),
            stderr: clip("stderr", &outcome.stderr),
            error: failed.map(|text| clip("error", &text)),
            ..Rendered::default()
        };
        rendered.text = self.text(&rendered, outcome);
        rendered.tokens = estimate_tokens(&rendered.text);
        rendered
    }

    fn text(&self, rendered: &Rendered, outcome: &ExecutionResult) -> String {
        let mut parts = Vec::new();
        let mut part = |title: &str, text: &str| {
            if !text.is_empty() {
                parts.push(format!("{title}:\n{}", text.trim_end_matches('\n')));
            }
        };
        part("error", rendered.error.as_ref().map_or("", |error| &error.text));
        part("value", rendered.value.as_ref().map_or("", |value| &value.text));
        part("stdout", &rendered.stdout.text);
        part("stderr", &rendered.stderr.text);
        part("files", &self.files(outcome));
        part("note", &notes(outcome));
        if parts.is_empty() {
            return "The program ended without a value and without output.".into();
        }
        // A value without other parts needs no title.
        match (&rendered.value, parts.as_slice()) {
            (Some(value), [_]) => value.text.clone(),
            _ => parts.join("\n\n"),
        }
    }

    fn files(&self, outcome: &ExecutionResult) -> String {
        let lines: Vec<String> = outcome
            .files
            .iter()
            .map(|file| format!("{} ({} bytes)", self.redaction.text(&file.path), file.size))
            .collect();
        clip(&lines.join("\n"), self.limit, None).text
    }
}

/// Notes about limits that were hit and budgets that are spent.
fn notes(outcome: &ExecutionResult) -> String {
    let truncated = &outcome.truncated;
    let mut text = String::new();
    if truncated.value {
        text.push_str("the value is over its limit and was dropped; return less, or write it to a file\n");
    }
    for (name, bytes) in [("stdout", truncated.stdout), ("stderr", truncated.stderr)] {
        if bytes > 0 {
            let _ = writeln!(text, "{name} was over its limit; its last {bytes} bytes were dropped");
        }
    }
    if truncated.files {
        text.push_str("more was changed in /output than is listed\n");
    }
    for limit_hit in outcome.limits_reached.iter().filter(|limit_hit| !is_reported_elsewhere(limit_hit.name)) {
        let LimitHit { name, limit, used, .. } = limit_hit;
        let _ = writeln!(text, "the limit `{}` is {limit}, and {used} were used or asked for", name.as_str());
    }
    for budget in &outcome.budgets {
        let accounts = [
            ("calls of tools", "", budget.tool_calls),
            ("HTTP requests", "", budget.http_requests),
            ("time", " ms", budget.time_ms),
        ];
        for (what, unit, account) in accounts {
            if let Some(account) = account.filter(|account| account.remaining() == 0) {
                let _ =
                    writeln!(text, "the budget for {what} ({}{unit}) is spent, and does not come back", account.limit);
            }
        }
    }
    text
}

/// Cut parts have a line of their own, and the number of recorded calls does not matter to a model.
fn is_reported_elsewhere(name: LimitName) -> bool {
    matches!(name, LimitName::Stdout | LimitName::Stderr | LimitName::Value | LimitName::CallsRecorded)
}

/// Returns a value as text: a string as it is, any other value as JSON.
#[must_use]
pub fn printed(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn exception_text(error: &GuestError) -> String {
    if error.traceback.is_empty() { format!("{}: {}", error.kind, error.message) } else { error.traceback.clone() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use isolette::Budget;

    fn wrote(stdout: &str) -> ExecutionResult {
        let mut result = ExecutionResult::default();
        result.stdout = stdout.to_owned();
        result
    }

    fn returned(value: serde_json::Value) -> ExecutionResult {
        let mut result = ExecutionResult::default();
        result.value = Some(value);
        result
    }

    fn raised(traceback: String) -> GuestError {
        let mut error = GuestError::default();
        error.traceback = traceback;
        error
    }

    #[test]
    fn secrets_are_taken_out_wherever_they_stand() {
        let rendering = Rendering::new().secrets(["hunter2", "hunter2-and-more", "abc"]);
        let mut outcome = wrote("hunter2-and-more abc");
        outcome.value = Some(json!({"key": "hunter2"}));
        outcome.error = Some(raised("Error: hunter2".into()));
        let rendered = rendering.render(Ok(&outcome), |_, _| None);
        assert_eq!(
            rendered.text,
            "error:\nError: [redacted]\n\nvalue:\n{\"key\":\"[redacted]\"}\n\nstdout:\n[redacted] abc"
        );
        assert!(!format!("{rendering:?}").contains("hunter2"));
    }

    #[test]
    fn a_value_alone_is_the_text() {
        let outcome = returned(json!([1]));
        let rendered = Rendering::new().render(Ok(&outcome), |_, _| None);
        assert_eq!((&*rendered.text, rendered.tokens), ("[1]", 1));
        let nothing = Rendering::new().render(Ok(&ExecutionResult::default()), |_, _| None);
        assert_eq!(nothing.text, "The program ended without a value and without output.");
    }

    #[test]
    fn what_went_wrong_is_cut_like_everything_else() {
        let mut outcome = ExecutionResult::default();
        outcome.error = Some(raised(format!("{}hunter2", "x".repeat(100))));
        let kept = std::cell::RefCell::new(Vec::new());
        let keep = |part: &str, text: &str| {
            kept.borrow_mut().push((part.to_owned(), text.to_owned()));
            Some("there".to_owned())
        };
        let rendered = Rendering::new().limit(30).secrets(["hunter2"]).render(Ok(&outcome), keep);
        let error = rendered.error.unwrap();
        assert_eq!((error.characters, error.omitted), (110, 80));
        assert!(rendered.text.contains("[80 of 110 characters left out; all of it is in there]"), "{}", rendered.text);
        assert_eq!(kept.take(), [("error".to_owned(), format!("{}[redacted]", "x".repeat(100)))]);
    }

    #[test]
    fn spent_budgets_are_reported() {
        let mut outcome = returned(json!(1));
        outcome.limits_reached =
            vec![LimitHit::new(LimitName::ToolCalls, 5, 6), LimitHit::new(LimitName::CallsRecorded, 1, 2)];
        let budget = Budget::new().tool_calls(1).http_requests(1);
        budget.take_tool_call().unwrap();
        outcome.budgets = vec![budget.state()];
        assert_eq!(
            Rendering::new().render(Ok(&outcome), |_, _| None).text,
            "value:\n1\n\nnote:\nthe limit `limits.tool_calls` is 5, and 6 were used or asked for\n\
             the budget for calls of tools (1) is spent, and does not come back"
        );
    }

    #[test]
    fn the_ending_is_reported_with_the_partial_result() {
        let partial = Box::new(wrote("so far\n"));
        let error = Error::StackOverflow { partial };
        let rendered = Rendering::new().render(Err(&error), |_, _| None);
        assert!(rendered.text.starts_with("error:\nthe program's calls were nested too deeply"), "{}", rendered.text);
        assert!(rendered.text.ends_with("stdout:\nso far"), "{}", rendered.text);
    }
}
