//! Records of an audit (docs/audit.md).

use serde::Deserialize;
use serde_json::Value;

use crate::{Call, Document, Pause};

/// Fields that several kinds of records have.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Fields {
    time: Option<String>,
    run: String,
    session: Option<String>,
    labels: std::collections::BTreeMap<String, String>,
    language: Option<String>,
    engine: Option<String>,
    program: Option<String>,
    code_bytes: Option<u64>,
    code_sha256: Option<String>,
    code: Option<String>,
    ending: Option<String>,
    exit_code: Option<i64>,
    calls: Option<u64>,
    usage: std::collections::BTreeMap<String, Value>,
    counted: Vec<Value>,
}

/// Adds a record. Returns whether its kind is known.
pub(crate) fn add(document: &mut Document, record: Value) -> Result<bool, String> {
    let kind = record["record"].as_str().unwrap_or_default().to_owned();
    let failed = |error: serde_json::Error| format!("a record `{kind}`: {error}");
    let id = record["run"].as_str().ok_or("a record names no run")?.to_owned();
    if kind == "call" {
        let call: Call = serde_json::from_value(record).map_err(failed)?;
        document.run_of(&id).calls.push(call);
        return Ok(true);
    }
    let fields: Fields = serde_json::from_value(record).map_err(failed)?;
    let run = document.run_of(&id);
    run.session = run.session.take().or(fields.session);
    if run.labels.is_empty() {
        run.labels = fields.labels;
    }
    match kind.as_str() {
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
        "file-calls" => run.counted = fields.counted,
        _ => return Ok(false),
    }
    Ok(true)
}
