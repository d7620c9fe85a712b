//! The output and the end of a run, for people.

use std::io::{self, Write as _};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use super::{
    Failure,
    failure::{Report as _, unexpected},
    sandboxes::text,
};
use crate::{
    exit::{self, Code},
    report,
    terminal::{Output, say_text},
};

/// Prints output of a run as it comes.
#[derive(Default)]
pub(super) struct Printed {
    outputs: [Output; 2],
    /// Whether there was output on stdout.
    wrote: bool,
}

impl Printed {
    /// Prints the data of an event of output.
    pub(super) fn event(&mut self, data: &Value) -> Result<(), Failure> {
        let bytes = bytes_of(data)?;
        self.write(text(data, "stream") == "stderr", &bytes);
        Ok(())
    }

    pub(super) fn write(&mut self, is_stderr: bool, bytes: &[u8]) {
        // A reader that closes the pipe does not stop the program.
        let _ = match is_stderr {
            true => self.outputs[1].write(&mut io::stderr(), bytes),
            false => {
                self.wrote |= !bytes.is_empty();
                self.outputs[0].write(&mut io::stdout(), bytes).and_then(|()| io::stdout().flush())
            }
        };
    }

    fn end(&mut self) {
        let [stdout, stderr] = &mut self.outputs;
        let _ = stdout.finish(&mut io::stdout()).and_then(|()| stderr.finish(&mut io::stderr()));
    }

    /// Prints what remains after the output: the exception, the value, or why the host ended the program. Returns the exit code.
    pub(super) fn finish(mut self, run: &Value) -> Code {
        self.end();
        let result = &run["result"];
        if let Some(warning) = run["warning"]["message"].as_str() {
            say_text(&format!("warning: {warning}"));
        }
        if let Some(failure) = failure(run) {
            failure.say();
            return failure.code();
        }
        if let Some(traceback) = result["error"]["traceback"].as_str() {
            say_text(traceback.trim_end());
        }
        if !self.wrote && !result["value"].is_null() {
            report::print_value(&result["value"], result["value_exact"].as_bool().unwrap_or(false));
        }
        code(run)
    }
}

/// The bytes of a part of a log.
pub(super) fn log_bytes(log: &Value) -> Result<Vec<u8>, Failure> {
    match text(log, "encoding") {
        "base64" => STANDARD.decode(text(log, "data")).map_err(|error| unexpected(error.to_string())),
        _ => Ok(text(log, "data").as_bytes().to_vec()),
    }
}

/// The bytes of an event of output.
pub(super) fn bytes_of(data: &Value) -> Result<Vec<u8>, Failure> {
    match data["base64"].as_str() {
        Some(text) => STANDARD.decode(text).map_err(|error| unexpected(error.to_string())),
        None => Ok(text(data, "text").as_bytes().to_vec()),
    }
}

/// The reason why the host ended a run, or did not begin it.
fn failure(run: &Value) -> Option<Failure> {
    serde_json::from_value(run["error"].clone()).ok().filter(|failure: &Failure| !failure.kind.is_empty())
}

/// The exit code of a run that has ended.
pub(super) fn code(run: &Value) -> Code {
    if let Some(failure) = failure(run) {
        return failure.code();
    }
    match text(run, "state") {
        "paused" => exit::PAUSED,
        "cancelled" => exit::CANCELLED,
        "lost" => exit::CRASHED,
        _ => {
            exit::of_program(run["result"]["exit_code"].as_i64().and_then(|code| i32::try_from(code).ok()).unwrap_or(1))
        }
    }
}

/// Prints the calls that a program waits for.
pub(super) fn say_calls(run: &str, calls: &[Value]) {
    for call in calls {
        let (id, target, arguments) = (&call["id"], text(call, "target"), &call["arguments"]);
        match text(call, "asks") {
            "approval" => say!("call {id} needs approval ({}): {target} {arguments}", text(call, "reason")),
            _ => say!("call {id} waits for an answer: {target} {arguments}"),
        }
    }
    if !calls.is_empty() {
        say!("hint: answer it: isolette resume {run} --answer JSON, --error TEXT, --approve or --deny TEXT");
    }
}
