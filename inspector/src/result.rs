//! Results of runs, as `isolette run --json` prints them, and as the service has them.

use serde_json::Value;

use crate::{
    collector::{CollectError, Collector},
    document::{Call, File, LimitUse, Output, Run},
};

/// Adds a result, or a run of the service that has one.
pub(crate) fn add(collector: &mut Collector<'_>, found: Value) -> Result<(), CollectError> {
    let (outer, result) = match found.get("result") {
        Some(result) if found["id"].is_string() => (Some(&found), result),
        _ => (None, &found),
    };
    let id = result["run"].as_str().or_else(|| found["id"].as_str());
    let neither = || CollectError::Wrong("it is neither a record of an audit nor a result".into());
    let id = id.ok_or_else(neither)?.to_owned();
    collector.count(&id, result["calls"].as_array().map_or(0, Vec::len))?;
    let Some(run) = collector.run(&id)? else { return Ok(()) };
    run.add_result(result).map_err(CollectError::Wrong)?;
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
    /// Adds what a result says: output, value, error, files, usage, limits; and its calls, if there are none.
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
            self.error_line = error["line"].as_u64();
            // An error without a traceback is the host's, which ended the program.
            let name = if traceback.is_some() { None } else { error["type"].as_str() };
            self.ending = self.ending.take().or_else(|| Some(name.unwrap_or("exception").to_owned()));
        } else if !result.is_null() {
            self.ending = self.ending.take().or_else(|| Some("ok".into()));
        }
        if self.usage.is_empty()
            && let Some(usage) = result["usage"].as_object()
        {
            self.usage = usage.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        }
        if self.calls.is_empty() && result["calls"].is_array() {
            self.add_calls(&result["calls"])?;
            let left_out = result["truncated"]["calls"].as_u64().unwrap_or(0);
            self.calls_in_all = Some(self.calls.len() as u64 + left_out);
        }
        for file in result["files"].as_array().into_iter().flatten() {
            let file: File = serde_json::from_value(file.clone()).map_err(|error| format!("a file: {error}"))?;
            self.files.push(file);
        }
        self.engine = self.engine.take().or_else(|| Some(result["isolation"]["engine"].as_str()?.to_owned()));
        self.add_limits(result);
        self.note_what_is_cut(&result["truncated"]);
        Ok(())
    }

    /// Adds calls, a list as results have it. A run that has not ended has no result.
    ///
    /// # Errors
    /// If one of them is not as it should be.
    pub fn add_calls(&mut self, calls: &Value) -> Result<(), String> {
        for (number, call) in (1..).zip(calls.as_array().into_iter().flatten()) {
            let mut call: Call = serde_json::from_value(call.clone()).map_err(|error| format!("a call: {error}"))?;
            call.number = number;
            self.calls.push(call);
        }
        Ok(())
    }

    /// Sets the limits, an object as `isolette run --explain --json` prints it.
    pub fn set_limits(&mut self, limits: &Value) {
        let limits = limits.as_object().into_iter().flatten();
        self.limits_set = limits.filter_map(|(name, limit)| Some((name.clone(), limit.as_f64()?))).collect();
    }

    /// Adds the limits that were reached, and the budgets that the run shared with others.
    fn add_limits(&mut self, result: &Value) {
        for hit in result["limits_reached"].as_array().into_iter().flatten() {
            let (Some(name), Some(used)) = (hit["name"].as_str(), hit["used"].as_f64()) else { continue };
            let shown = name.replace('_', " ");
            self.limits.push(LimitUse { name: shown, used, limit: hit["limit"].as_f64(), unit: unit(name).into() });
        }
        for budget in result["budgets"].as_array().into_iter().flatten().filter_map(Value::as_object) {
            for (name, part) in budget {
                let Some(used) = part["used"].as_f64() else { continue };
                let shown = format!("shared {}", name.trim_end_matches("_ms").replace('_', " "));
                self.limits.push(LimitUse {
                    name: shown,
                    used,
                    limit: part["limit"].as_f64(),
                    unit: unit(name).into(),
                });
            }
        }
    }

    fn note_what_is_cut(&mut self, truncated: &Value) {
        for (key, what) in [("stdout", "Standard output"), ("stderr", "Standard error"), ("error", "The error")] {
            if let Some(bytes) = truncated[key].as_u64().filter(|bytes| *bytes > 0) {
                self.notes.push(format!("{what} is cut: {bytes} more bytes were not kept."));
            }
        }
        if truncated["value"] == true {
            self.notes.push("The value was longer than its limit and was not kept.".into());
        }
        if truncated["files"] == true {
            self.notes.push("The run left more files than its result lists.".into());
        }
    }
}

/// The unit of a limit or of a part of a budget, by its name.
fn unit(name: &str) -> &'static str {
    match name {
        "timeout" | "cpu_time" | "sleep" | "http_request_time" | "http_total_time" | "time_ms" => "ms",
        "memory" | "code" | "payload" | "stdout" | "stderr" | "value" | "error" | "audit_bytes" | "http_body"
        | "http_total_bytes" | "http_header_bytes" | "file_bytes" | "file_total_bytes" | "value_memory" => "bytes",
        _ => "count",
    }
}
