//! Results of runs, as `isolette run --json` prints them, and as the service has them.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::{Call, Document, File, Output, Run};

/// Maximum length of a picture in bytes.
const PICTURE: usize = 2 << 20;

/// Adds a result, or a run of the service that has one.
pub(crate) fn add(document: &mut Document, found: Value) -> Result<(), String> {
    let (outer, result) = match found.get("result") {
        Some(result) if found["id"].is_string() => (Some(&found), result),
        _ => (None, &found),
    };
    let id = result["run"].as_str().or_else(|| found["id"].as_str());
    let id = id.ok_or("it is neither a record of an audit nor a result")?.to_owned();
    let run = document.run_of(&id);
    run.add_result(result)?;
    if let Some(outer) = outer {
        let text = |key: &str| outer[key].as_str().map(str::to_owned);
        run.began = run.began.take().or_else(|| text("started_at"));
        run.ended = run.ended.take().or_else(|| text("ended_at"));
        if run.error.is_none() {
            run.error = outer["error"]["message"].as_str().map(str::to_owned);
        }
        if let Some(name) = outer["error"]["type"].as_str() {
            run.ending = Some(name.to_owned());
        }
    }
    Ok(())
}

impl Run {
    /// Adds what a result says: output, value, error, files, usage; and its calls, if there are none.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn add_result(&mut self, result: &Value) -> Result<(), String> {
        for stream in ["stdout", "stderr"] {
            if let Some(text) = result[stream].as_str().filter(|text| !text.is_empty()) {
                self.output.push(Output { stream: stream.into(), text: text.into() });
            }
        }
        self.value = result.get("value").filter(|value| !value.is_null()).cloned();
        self.exit_code = self.exit_code.or_else(|| result["exit_code"].as_i64());
        let error = &result["error"];
        if let Some(message) = error["message"].as_str() {
            let traceback = error["traceback"].as_str().filter(|text| !text.is_empty());
            self.error = Some(traceback.unwrap_or(message).to_owned());
            self.ending = self.ending.take().or_else(|| Some("exception".into()));
        } else if !result.is_null() {
            self.ending = self.ending.take().or_else(|| Some("ok".into()));
        }
        if self.usage.is_empty()
            && let Some(usage) = result["usage"].as_object()
        {
            self.usage = usage.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        }
        if self.calls.is_empty()
            && let Some(calls) = result["calls"].as_array()
        {
            for (number, call) in (1..).zip(calls) {
                let mut call: Call =
                    serde_json::from_value(call.clone()).map_err(|error| format!("a call: {error}"))?;
                call.number = number;
                self.calls.push(call);
            }
            let left_out = result["truncated"]["calls"].as_u64().unwrap_or(0);
            self.calls_in_all = Some(self.calls.len() as u64 + left_out);
        }
        for file in result["files"].as_array().into_iter().flatten() {
            let file: File = serde_json::from_value(file.clone()).map_err(|error| format!("a file: {error}"))?;
            self.files.push(file);
        }
        self.engine = self.engine.take().or_else(|| Some(result["isolation"]["engine"].as_str()?.to_owned()));
        Ok(())
    }
}

impl File {
    /// Adds the bytes, if they are a picture that a page can show.
    pub fn show(&mut self, bytes: &[u8]) {
        let is_picture = bytes.starts_with(b"\x89PNG\r\n\x1a\n")
            || bytes.starts_with(b"\xff\xd8\xff")
            || bytes.starts_with(b"GIF8")
            || (bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP"));
        if is_picture && bytes.len() <= PICTURE {
            self.base64 = Some(STANDARD.encode(bytes));
        }
    }
}
