//! Records of an audit (docs/audit.md).

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::{
    collector::{CollectError, Collector},
    document::{Call, Pause},
};

/// Fields that several kinds of records have.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Fields {
    time: Option<String>,
    session: Option<String>,
    labels: BTreeMap<String, String>,
    language: Option<String>,
    engine: Option<String>,
    program: Option<String>,
    code_bytes: Option<u64>,
    code_sha256: Option<String>,
    code: Option<String>,
    ending: Option<String>,
    exit_code: Option<i64>,
    calls: Option<u64>,
    usage: BTreeMap<String, Value>,
    counted: Vec<Value>,
}

/// Adds a record. Returns whether its kind is known.
pub(crate) fn add(collector: &mut Collector<'_>, record: Value) -> Result<bool, CollectError> {
    let kind = record["record"].as_str().unwrap_or_default().to_owned();
    if !["run-began", "call", "file-calls", "run-paused", "run-resumed", "run-ended"].contains(&&*kind) {
        return Ok(false);
    }
    let what = format!("a record `{kind}`");
    let no_run = || CollectError::Wrong(format!("{what} names no `run`"));
    let id = record["run"].as_str().ok_or_else(no_run)?.to_owned();
    if kind == "call" {
        // The session of a run whose beginning is in another file.
        let session = record["session"].as_str().map(str::to_owned);
        let call: Call = serde_json::from_value(record).map_err(|error| CollectError::wrong(&what, &error))?;
        collector.call(&id, call)?;
        if let Some(run) = collector.run(&id)? {
            run.session = run.session.take().or(session);
        }
        return Ok(true);
    }
    let fields: Fields = serde_json::from_value(record).map_err(|error| CollectError::wrong(&what, &error))?;
    collector.count(&id, fields.counted.len() + usize::from(matches!(&*kind, "run-paused" | "run-resumed")))?;
    let Some(run) = collector.run(&id)? else { return Ok(true) };
    run.session = run.session.take().or(fields.session);
    if run.labels.is_empty() {
        run.labels = fields.labels;
    }
    match &*kind {
        "run-began" => {
            run.began = fields.time;
            (run.language, run.engine, run.program) = (fields.language, fields.engine, fields.program);
            (run.code, run.code_bytes, run.code_sha256) = (fields.code, fields.code_bytes, fields.code_sha256);
        }
        "run-paused" | "run-resumed" => {
            let kind = kind.trim_start_matches("run-").to_owned();
            let (time, calls) = (fields.time.unwrap_or_default(), fields.calls.unwrap_or_default());
            run.pauses.push(Pause { kind, time, calls });
        }
        "run-ended" => {
            (run.ended, run.ending, run.exit_code) = (fields.time, fields.ending, fields.exit_code);
            (run.calls_in_all, run.usage) = (fields.calls, fields.usage);
        }
        // A program that was paused has such a record for each of its parts.
        _ => run.counted.extend(fields.counted),
    }
    Ok(true)
}
