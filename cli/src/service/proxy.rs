//! `proxy`: one sandbox, as lines of JSON on standard input and output. Messages go to standard error.

use std::{
    collections::HashMap,
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use clap::Args;
use isolette::{CancellationToken, Language, policy::parse_duration};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio_util::task::TaskTracker;

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

const OPERATIONS: &str = "\
Requests, one on each line, and their replies, which have the same `op` and `id`:
  {\"op\":\"ping\"}                                  {\"op\":\"pong\"}
  {\"op\":\"exec\",\"code\":CODE | \"cmd\":COMMAND}      {\"op\":\"exec\",\"exit_code\",\"duration_ms\",\"stdout\",\"stderr\"}
      and \"lang\", \"context\", \"timeout\" (seconds, or \"500ms\"), \"encoding\":\"base64\" for the output
  {\"op\":\"read\",\"path\":PATH}                      {\"op\":\"read\",\"path\",\"content\"}
  {\"op\":\"write\",\"path\":PATH,\"content\":TEXT}      {\"op\":\"write\"}, with \"encoding\":\"base64\" for bytes
  {\"op\":\"list\",\"path\":PATH}                      {\"op\":\"list\",\"files\"}
  {\"op\":\"snapshot\"}                              {\"op\":\"snapshot\",\"snapshot\"}
  {\"op\":\"restore\",\"snapshot\":SNAPSHOT}           {\"op\":\"restore\"}
  {\"op\":\"cancel\",\"id\":ID}                        {\"op\":\"cancel\"}; the request with this id is cancelled
  {\"op\":\"destroy\"}                               {\"op\":\"destroy\"}, and the end
A request that fails has the reply {\"op\":\"error\",\"type\",\"message\",\"hint\"}. Requests with an \"id\" are done beside others,
those without one in their order. At the end of the input, the sandbox is deleted.";

/// Maximum length of a line in bytes.
const LINE: usize = 64 << 20;

/// Maximum number of requests at the same time.
const AT_ONCE: usize = 64;

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

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Request {
    op: String,
    id: Option<Value>,
    cmd: Option<String>,
    code: Option<String>,
    lang: Option<String>,
    context: Option<String>,
    timeout: Option<Value>,
    path: String,
    content: String,
    encoding: Option<String>,
    snapshot: String,
    note: String,
}

struct Proxy {
    client: Client,
    /// The path of the sandbox.
    sandbox: String,
    /// The requests that are being done, by their identifiers.
    open: Mutex<HashMap<String, CancellationToken>>,
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
        let proxy = Arc::new(Proxy { client, sandbox: path_of(text(&made, "id")), open: Mutex::default() });
        say!("isolette: sandbox {}", text(&made, "id"));
        let done = serve(&proxy).await;
        let deleted = proxy.client.delete(&proxy.sandbox).await;
        done.and(deleted).map(|()| Code::SUCCESS)
    })
}

/// Does what the lines ask for, until their end or `destroy`.
async fn serve(proxy: &Arc<Proxy>) -> Result<(), Failure> {
    let mut input = BufReader::new(tokio::io::stdin());
    let tasks = TaskTracker::new();
    let failed = |error: io::Error| Failure::new("Io", error.to_string(), "");
    while let Some(line) = next_line(&mut input).await.map_err(failed)? {
        let line = match line {
            Ok(line) => line,
            Err(failure) => {
                reply_error(&None, &failure);
                continue;
            }
        };
        if line.trim().is_empty() {
            continue;
        }
        let request = match serde_json::from_str::<Request>(&line) {
            Ok(request) => request,
            Err(error) => {
                let failure = Failure::usage(format!("invalid request: {error}"), "see isolette proxy --help");
                reply_error(&None, &failure);
                continue;
            }
        };
        match (request.op.as_str(), &request.id) {
            ("destroy", id) => {
                proxy.cancel_all();
                tasks.close();
                tasks.wait().await;
                reply("destroy", id, json!({}));
                return Ok(());
            }
            ("cancel", id) => match id.as_ref().and_then(|id| proxy.open().get(&id.to_string()).cloned()) {
                Some(token) => {
                    token.cancel();
                    reply("cancel", id, json!({}));
                }
                None => reply_error(id, &Failure::new("NotFound", "no request with this id is being done", "")),
            },
            (_, None) => proxy.perform(&request, &CancellationToken::new()).await,
            (_, Some(id)) => match proxy.open_request(id) {
                Ok(token) => {
                    let proxy = Arc::clone(proxy);
                    tasks.spawn(async move {
                        proxy.perform(&request, &token).await;
                    });
                }
                Err(failure) => reply_error(&request.id, &failure),
            },
        }
    }
    proxy.cancel_all();
    tasks.close();
    tasks.wait().await;
    Ok(())
}

/// The next line, or why it cannot be read; `None` at the end of the input. What follows a line that cannot be read is read.
async fn next_line(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Result<String, Failure>>> {
    let mut line = Vec::new();
    if (&mut *input).take(LINE as u64 + 1).read_until(b'\n', &mut line).await? == 0 {
        return Ok(None);
    }
    if line.len() > LINE && !line.ends_with(b"\n") {
        loop {
            line.clear();
            if (&mut *input).take(LINE as u64).read_until(b'\n', &mut line).await? == 0 || line.ends_with(b"\n") {
                break;
            }
        }
        return Ok(Some(Err(Failure::usage(format!("a request has more than {LINE} bytes"), "send less at a time"))));
    }
    Ok(Some(String::from_utf8(line).map_err(|_| Failure::usage("invalid request: not UTF-8", "write it as UTF-8"))))
}

impl Proxy {
    fn open(&self) -> std::sync::MutexGuard<'_, HashMap<String, CancellationToken>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_request(&self, id: &Value) -> Result<CancellationToken, Failure> {
        let mut open = self.open();
        if open.len() >= AT_ONCE {
            return Err(Failure::new("Busy", format!("{AT_ONCE} requests are being done"), "wait for a reply"));
        }
        let token = CancellationToken::new();
        match open.insert(id.to_string(), token.clone()) {
            None => Ok(token),
            Some(earlier) => {
                open.insert(id.to_string(), earlier);
                Err(Failure::usage("a request with this id is being done", "give each request an id of its own"))
            }
        }
    }

    fn cancel_all(&self) {
        self.open().values().for_each(CancellationToken::cancel);
    }

    async fn perform(&self, request: &Request, cancel: &CancellationToken) {
        let done = tokio::select! {
            biased;
            // The server cancels a program whose caller has gone away.
            () = cancel.cancelled() => Err(isolette::Error::Cancelled { partial: Box::default() }.into()),
            done = self.done(request) => done,
        };
        if let Some(id) = &request.id {
            self.open().remove(&id.to_string());
        }
        match done {
            Ok(fields) => reply(if request.op == "ping" { "pong" } else { &request.op }, &request.id, fields),
            Err(failure) => reply_error(&request.id, &failure),
        }
    }

    async fn done(&self, request: &Request) -> Result<Value, Failure> {
        let Request { op, path, encoding, .. } = request;
        let is_base64 = match encoding.as_deref() {
            None | Some("utf-8") => false,
            Some("base64") => true,
            Some(other) => {
                return Err(Failure::usage(format!("there is no encoding `{other}`"), "use utf-8 or base64"));
            }
        };
        match op.as_str() {
            "ping" => Ok(json!({})),
            "exec" => self.exec(request, is_base64).await,
            "read" => {
                let bytes = self.client.bytes(&file(&self.sandbox, path)).await?;
                let (encoding, content) = encoded(bytes, is_base64);
                Ok(json!({ "path": path, "encoding": encoding, "content": content }))
            }
            "write" => {
                let bytes = match is_base64 {
                    true => STANDARD.decode(&request.content).map_err(|error| Failure::usage(error.to_string(), ""))?,
                    false => request.content.clone().into_bytes(),
                };
                self.client.put(&file(&self.sandbox, path), bytes).await?;
                Ok(json!({}))
            }
            "list" => self.client.get(&format!("{}/files?path={}", self.sandbox, part(path))).await,
            "snapshot" => {
                let body = json!({ "note": request.note });
                let taken = self.client.post(&format!("{}/snapshots", self.sandbox), &body).await?;
                Ok(json!({ "snapshot": taken["id"] }))
            }
            "restore" => {
                let body = json!({ "snapshot": request.snapshot });
                self.client.post(&format!("{}/restore", self.sandbox), &body).await?;
                Ok(json!({}))
            }
            other => Err(Failure::usage(format!("there is no operation `{other}`"), "see isolette proxy --help")),
        }
    }

    async fn exec(&self, request: &Request, is_base64: bool) -> Result<Value, Failure> {
        let timeout = request.timeout.as_ref().map(time).transpose()?;
        if let Some(cmd) = &request.cmd {
            let done = command::collect(&self.client, &self.sandbox, cmd, timeout).await?;
            let time: u64 = done.runs.iter().filter_map(milliseconds).sum();
            let (encoding, stdout) = encoded(done.stdout.into_bytes(), is_base64);
            let (_, stderr) = encoded(done.stderr.into_bytes(), is_base64);
            return Ok(json!({
                "exit_code": done.code, "duration_ms": time, "stdout": stdout, "stderr": stderr, "encoding": encoding
            }));
        }
        let Some(code) = &request.code else { return Err(Failure::usage("`exec` needs `code` or `cmd`", "")) };
        let mut body = json!({ "code": code });
        if let Some(language) = &request.lang {
            body["language"] = json!(language);
        }
        if let Some(context) = &request.context {
            body["context"] = json!(context);
        }
        if let Some(timeout) = timeout {
            body["timeout"] = json!(text_of(timeout));
        }
        let run = self.client.post(&format!("{}/runs", self.sandbox), &body).await?;
        let (stdout, stderr) = (self.output(&run, "stdout").await?, self.output(&run, "stderr").await?);
        let is_base64 = is_base64 || std::str::from_utf8(&stdout).is_err() || std::str::from_utf8(&stderr).is_err();
        let ((encoding, stdout), (_, stderr)) = (encoded(stdout, is_base64), encoded(stderr, is_base64));
        let result = &run["result"];
        Ok(json!({
            "exit_code": outcome::code(&run).number(),
            "duration_ms": milliseconds(&run),
            "stdout": stdout,
            "stderr": stderr,
            "encoding": encoding,
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

/// A time in seconds, or with its unit.
fn time(value: &Value) -> Result<Duration, Failure> {
    let refused =
        |why: String| Failure::usage(format!("`timeout`: {why}"), "write seconds, or a text such as \"500ms\"");
    match value {
        Value::String(text) => parse_duration(text).map_err(refused),
        value => {
            let seconds = value.as_f64().filter(|seconds| *seconds > 0.0);
            let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            time.ok_or_else(|| refused(format!("{value} is not a time")))
        }
    }
}

fn encoded(bytes: Vec<u8>, is_base64: bool) -> (&'static str, String) {
    match String::from_utf8(bytes) {
        Ok(text) if !is_base64 => ("utf-8", text),
        Ok(text) => ("base64", STANDARD.encode(text)),
        Err(error) => ("base64", STANDARD.encode(error.as_bytes())),
    }
}

fn reply(op: &str, id: &Option<Value>, fields: Value) {
    let mut line = json!({ "op": op });
    if let Some(id) = id {
        line["id"] = id.clone();
    }
    if let (Value::Object(line), Value::Object(fields)) = (&mut line, fields) {
        line.extend(fields.into_iter().filter(|(_, value)| !value.is_null()));
    }
    report::print(&line);
}

fn reply_error(id: &Option<Value>, failure: &Failure) {
    reply("error", id, json!(failure));
}
