//! `--cmd`: commands in a fixed grammar, each program of which runs in a context of its own. There is no shell.

use std::time::Duration;

use isolette::Language;
use isolette_proxy::command::{Program, Step, steps};
use serde_json::{Value, json};

use super::{
    Failure,
    client::{Client, part},
    follow::follow,
    outcome,
    sandboxes::{text, text_of},
};
use crate::{exit::Code, interrupt::interrupt, report};

/// The output and the end of a command.
#[derive(Default)]
pub(super) struct Done {
    pub(super) code: i64,
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) runs: Vec<Value>,
}

/// Runs a command and prints its output. Returns the exit code of the last program.
pub(super) async fn exec(
    client: &Client,
    sandbox: &str,
    command: &str,
    timeout: Option<Duration>,
    json: bool,
) -> Result<Code, Failure> {
    let steps = steps(command)?;
    if json {
        let done = all(client, sandbox, &steps, timeout).await?;
        report::print(&done.runs);
        return Ok(done.runs.last().map_or(Code::SUCCESS, outcome::code));
    }
    let cancel = interrupt();
    let mut code = Code::SUCCESS;
    for step in &steps {
        let context = Context::new();
        let body = body(client, sandbox, &context, step, timeout).await?;
        let path = format!("{sandbox}/runs");
        let done = match &step.into {
            Some(file) => into(client, sandbox, &path, &body, file).await.map(|run| outcome::code(&run)),
            None => follow(client, client.run_events(&path, &body).await?, &cancel).await,
        };
        context.delete(client, sandbox).await;
        code = done?;
        if code != Code::SUCCESS {
            break;
        }
    }
    Ok(code)
}

/// Runs a command. Its programs are not printed.
pub(super) async fn collect(
    client: &Client,
    sandbox: &str,
    command: &str,
    timeout: Option<Duration>,
) -> Result<Done, Failure> {
    all(client, sandbox, &steps(command)?, timeout).await
}

async fn all(client: &Client, sandbox: &str, steps: &[Step], timeout: Option<Duration>) -> Result<Done, Failure> {
    let mut done = Done::default();
    for step in steps {
        let context = Context::new();
        let body = body(client, sandbox, &context, step, timeout).await?;
        let path = format!("{sandbox}/runs");
        let run = match &step.into {
            Some(file) => into(client, sandbox, &path, &body, file).await,
            None => client.post(&path, &body).await,
        };
        context.delete(client, sandbox).await;
        let run = run?;
        let result = &run["result"];
        if step.into.is_none() {
            done.stdout.push_str(text(result, "stdout"));
        }
        done.stderr.push_str(text(result, "stderr"));
        if let Some(traceback) = result["error"]["traceback"].as_str() {
            done.stderr.push_str(traceback);
        }
        if let Some(message) = run["error"]["message"].as_str() {
            done.stderr.push_str(message);
        }
        done.code = outcome::code(&run).number().into();
        done.runs.push(run);
        if done.code != 0 {
            break;
        }
    }
    Ok(done)
}

/// Runs a program, and writes its output into a file.
async fn into(client: &Client, sandbox: &str, path: &str, body: &Value, file: &str) -> Result<Value, Failure> {
    let run = client.post(path, body).await?;
    let log = format!("/v1/runs/{}/logs?stream=stdout", part(text(&run, "id")));
    let output = client.get(&log).await?;
    if output["is_complete"] != true {
        return Err(Failure::usage("the output is too long for a file", "let the program write the file itself"));
    }
    let bytes = outcome::log_bytes(&output)?;
    client.put(&super::sandboxes::file(sandbox, file), bytes).await?;
    Ok(run)
}

async fn body(
    client: &Client,
    sandbox: &str,
    context: &Context,
    step: &Step,
    timeout: Option<Duration>,
) -> Result<Value, Failure> {
    let (language, code, filename) = match &step.program {
        Program::Python(code) => (Language::Python, code.clone(), None),
        Program::JavaScript(code) => (Language::JavaScript, code.clone(), None),
        Program::JavaScriptFile(path) => {
            let bytes = client.bytes(&super::sandboxes::file(sandbox, path)).await?;
            let unreadable = |_| Failure::usage(format!("`{path}` is not UTF-8"), "save the program as UTF-8");
            let language = Language::from_path(std::path::Path::new(path)).unwrap_or(Language::JavaScript);
            (language, String::from_utf8(bytes).map_err(unreadable)?, Some(path))
        }
    };
    let mut body = json!({ "code": code, "language": language.name(), "context": context.0 });
    if let Some(filename) = filename {
        body["filename"] = json!(filename);
    }
    if let Some(timeout) = timeout {
        body["timeout"] = json!(text_of(timeout));
    }
    Ok(body)
}

/// A context for one program: processes share files, but no other state.
struct Context(String);

impl Context {
    fn new() -> Self {
        use std::hash::{BuildHasher as _, RandomState};
        Self(format!("cmd-{:016x}", RandomState::new().hash_one(std::process::id())))
    }

    async fn delete(self, client: &Client, sandbox: &str) {
        // It does not exist if the run was refused.
        let _ = client.delete(&format!("{sandbox}/contexts/{}", self.0)).await;
    }
}
