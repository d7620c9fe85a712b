//! `proxy`: one sandbox, as lines of JSON on standard input and output. Messages go to standard error.

use std::{sync::Arc, time::Duration};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use clap::Args;
use isolette::Language;
use isolette_proxy::{Encoding, Exec, Limits, Operation, Sandbox, Source, serve};
use serde_json::{Map, Value, json};
use tokio::io::BufReader;

use super::{
    Failure, ServerOptions,
    client::{Client, part},
    command, outcome, perform,
    sandboxes::{file, path_of, policy, text, text_of},
};
use crate::{
    exit::Code,
    report,
    sandbox_options::{SandboxOptions, one_line},
};

/// The exit code that shells return for a command that does not exist.
const NOT_FOUND: i64 = 127;

const OPERATIONS: &str = "\
Requests, one on each line, and their replies, which have the same `op` and `id`:
  {\"op\":\"ping\"}                                  {\"op\":\"pong\"}
  {\"op\":\"exec\",\"code\":CODE | \"cmd\":COMMAND}      {\"op\":\"exec\",\"exit_code\",\"duration_ms\",\"stdout\",\"stderr\"}
      and \"lang\", \"context\", \"timeout\" (seconds, or \"500ms\"), \"encoding\":\"base64\" for the output;
      a command that does not exist has exit_code 127
  {\"op\":\"read\",\"path\":PATH}                      {\"op\":\"read\",\"path\",\"content\"}
  {\"op\":\"write\",\"path\":PATH,\"content\":TEXT}      {\"op\":\"write\"}, with \"encoding\":\"base64\" for bytes
  {\"op\":\"list\",\"path\":PATH}                      {\"op\":\"list\",\"files\"}
  {\"op\":\"snapshot\"}                              {\"op\":\"snapshot\",\"snapshot\"}
  {\"op\":\"restore\",\"snapshot\":SNAPSHOT}           {\"op\":\"restore\"}
  {\"op\":\"cancel\",\"id\":ID}                        {\"op\":\"cancel\"}; the request with this id is cancelled
  {\"op\":\"destroy\"}                               {\"op\":\"destroy\"}, and the end
A request that fails has the reply {\"op\":\"error\",\"type\",\"message\",\"hint\"}. Requests with an \"id\", a text or a number, are
done beside others, those without one in their order. At the end of the input, the sandbox is deleted.";

/// Create a sandbox, and do what lines of JSON on standard input ask for.
#[derive(Debug, Args)]
#[command(after_help = OPERATIONS)]
pub(crate) struct Options {
    /// The language of programs that do not name one: python, javascript or typescript. Default: python.
    #[arg(long, value_name = "LANGUAGE", value_parser = |text: &str| text.parse::<Language>().map_err(one_line))]
    lang: Option<Language>,
    #[command(flatten)]
    sandbox: SandboxOptions,
    #[command(flatten)]
    server: ServerOptions,
}

pub(crate) fn proxy(options: Options) -> Code {
    perform(false, async {
        let client = Client::connect(&options.server).await?;
        let mut body = Map::new();
        body.insert("policy".into(), policy(options.sandbox)?);
        if let Some(language) = options.lang {
            body.insert("language".into(), json!(language.name()));
        }
        let made = client.post("/v1/sandboxes", &body).await?;
        let sandbox = Arc::new(OnServer { client, path: path_of(text(&made, "id")) });
        say!("isolette: sandbox {}", text(&made, "id"));
        let input = BufReader::new(tokio::io::stdin());
        let done = serve(Arc::clone(&sandbox), input, report::print, &Limits::default()).await;
        let deleted = sandbox.client.delete(&sandbox.path).await;
        done.map_err(|error| Failure::new("Io", error.to_string(), "")).and(deleted).map(|()| Code::SUCCESS)
    })
}

/// A sandbox of a server.
struct OnServer {
    client: Client,
    path: String,
}

impl Sandbox for OnServer {
    async fn perform(&self, operation: Operation) -> Result<Value, Failure> {
        match operation {
            Operation::Exec(Exec { source, timeout, encoding }) => match source {
                Source::Command(command) => self.command(&command, timeout, encoding).await,
                Source::Code { code, language, context } => {
                    self.code(&code, language, context, timeout, encoding).await
                }
            },
            Operation::Read { path, encoding } => {
                let bytes = self.client.bytes(&file(&self.path, &path)).await?;
                let (encoding, content) = encoded(bytes, encoding);
                Ok(json!({ "path": path, "encoding": encoding, "content": content }))
            }
            Operation::Write { path, bytes } => {
                self.client.put(&file(&self.path, &path), bytes).await?;
                Ok(json!({}))
            }
            Operation::List { path } => self.client.get(&format!("{}/files?path={}", self.path, part(&path))).await,
            Operation::Snapshot { note } => {
                let taken = self.client.post(&format!("{}/snapshots", self.path), &json!({ "note": note })).await?;
                Ok(json!({ "snapshot": taken["id"] }))
            }
            Operation::Restore { snapshot } => {
                let body = json!({ "snapshot": snapshot });
                self.client.post(&format!("{}/restore", self.path), &body).await?;
                Ok(json!({}))
            }
        }
    }
}

impl OnServer {
    async fn command(&self, command: &str, timeout: Option<Duration>, encoding: Encoding) -> Result<Value, Failure> {
        let done = match command::collect(&self.client, &self.path, command, timeout).await {
            // As a shell does: callers that send commands expect that some do not exist.
            Err(failure) if failure.kind == "CommandNotFound" => command::Done {
                code: NOT_FOUND,
                stderr: format!("{}\nhint: {}\n", failure.message, failure.hint),
                ..command::Done::default()
            },
            done => done?,
        };
        let time: u64 = done.runs.iter().filter_map(milliseconds).sum();
        let (name, stdout) = encoded(done.stdout.into_bytes(), encoding);
        let (_, stderr) = encoded(done.stderr.into_bytes(), encoding);
        Ok(json!({
            "exit_code": done.code, "duration_ms": time, "stdout": stdout, "stderr": stderr, "encoding": name
        }))
    }

    async fn code(
        &self,
        code: &str,
        language: Option<String>,
        context: Option<String>,
        timeout: Option<Duration>,
        encoding: Encoding,
    ) -> Result<Value, Failure> {
        let mut body = json!({ "code": code });
        if let Some(language) = language {
            body["language"] = json!(language);
        }
        if let Some(context) = context {
            body["context"] = json!(context);
        }
        if let Some(timeout) = timeout {
            body["timeout"] = json!(text_of(timeout));
        }
        let run = self.client.post(&format!("{}/runs", self.path), &body).await?;
        let (stdout, stderr) = (self.output(&run, "stdout").await?, self.output(&run, "stderr").await?);
        let is_text = std::str::from_utf8(&stdout).is_ok() && std::str::from_utf8(&stderr).is_ok();
        let encoding = if is_text { encoding } else { Encoding::Base64 };
        let ((name, stdout), (_, stderr)) = (encoded(stdout, encoding), encoded(stderr, encoding));
        let result = &run["result"];
        Ok(json!({
            "exit_code": outcome::code(&run).number(),
            "duration_ms": milliseconds(&run),
            "stdout": stdout,
            "stderr": stderr,
            "encoding": name,
            "value": result["value"],
            "exception": result["error"],
            "error": run["error"],
        }))
    }

    /// All that a run has written to a stream.
    async fn output(&self, run: &Value, stream: &str) -> Result<Vec<u8>, Failure> {
        let (id, mut bytes) = (part(text(run, "id")), Vec::new());
        loop {
            let path = format!("/v1/runs/{id}/logs?stream={stream}&offset={}", bytes.len());
            let log = self.client.get(&path).await?;
            let more = outcome::log_bytes(&log)?;
            bytes.extend_from_slice(&more);
            if more.is_empty() || log["is_complete"] == true {
                return Ok(bytes);
            }
        }
    }
}

/// The time that a program took.
fn milliseconds(run: &Value) -> Option<u64> {
    run["result"]["usage"]["wall_ms"].as_f64().map(|time| time.round() as u64)
}

/// Bytes that are no text are written as base64.
fn encoded(bytes: Vec<u8>, encoding: Encoding) -> (&'static str, String) {
    match String::from_utf8(bytes) {
        Ok(text) if encoding == Encoding::Text => ("utf-8", text),
        Ok(text) => ("base64", STANDARD.encode(text)),
        Err(error) => ("base64", STANDARD.encode(error.as_bytes())),
    }
}
