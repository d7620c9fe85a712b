//! `exec`, `ps`, `logs`, `wait`, `cancel`, and answers to calls that wait.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use futures_util::StreamExt as _;
use isolette::{Error, Language};
use serde_json::{Map, Value, json};

use super::{
    Cancel, Exec, Failure, Logs, Ps, ServerOptions, Wait,
    client::{Client, RunEvent, part},
    command,
    failure::unexpected,
    follow::{follow, path_of_run},
    outcome::{self, Printed, bytes_of, log_bytes, say_calls},
    perform,
    sandboxes::{entries, file, path_of, text, text_of},
    table,
};
use crate::{exit::Code, interrupt::interrupt, program, report};

pub(crate) fn exec(options: Exec) -> Code {
    let json = options.json;
    perform(json, async {
        let body = match &options.cmd {
            Some(_) => None,
            None => Some(body(&options)?),
        };
        let client = Client::connect(&options.server).await?;
        let sandbox = path_of(&options.sandbox);
        for (path, content) in &options.write {
            client.put(&file(&sandbox, path), content.clone()).await?;
        }
        let code = match (&options.cmd, body) {
            (Some(cmd), _) => command::exec(&client, &sandbox, cmd, options.timeout, json).await?,
            (None, body) => run(&client, &format!("{sandbox}/runs"), &body.unwrap_or_default(), json).await?,
        };
        for path in &options.read {
            let bytes = client.bytes(&file(&sandbox, path)).await?;
            report::line(&format!("--- {path} ---"));
            report::line(&String::from_utf8_lossy(&bytes));
        }
        Ok(code)
    })
}

fn body(options: &Exec) -> Result<Value, Failure> {
    let mut body = Map::new();
    let mut language = options.lang;
    let code = match (&options.code, &options.file) {
        (Some(code), _) => code.clone(),
        (None, Some(path)) if path.as_os_str() == "-" => program::read_input()?,
        (None, Some(path)) => {
            language = language.or_else(|| Language::from_path(path));
            body.insert("filename".into(), json!(path.display().to_string()));
            program::read_file(path)?
        }
        // The command line parser requires one of them.
        (None, None) => String::new(),
    };
    body.insert("code".into(), code.into());
    if let Some(language) = language {
        body.insert("language".into(), json!(language.name()));
    }
    if let Some(context) = &options.context {
        body.insert("context".into(), json!(context));
    }
    if let Some(timeout) = options.timeout {
        body.insert("timeout".into(), json!(text_of(timeout)));
    }
    let variables: Map<_, _> = options.var.iter().cloned().collect();
    body.insert("variables".into(), variables.into());
    body.insert("rollback_on_error".into(), json!(options.rollback_on_error));
    body.insert("background".into(), json!(options.background));
    Ok(body.into())
}

async fn run(client: &Client, path: &str, body: &Value, json: bool) -> Result<Code, Failure> {
    if body["background"] == true {
        let run = client.post(path, body).await?;
        match json {
            true => report::print(&run),
            false => report::line(text(&run, "id")),
        }
        return Ok(Code::SUCCESS);
    }
    let cancel = interrupt();
    if json {
        let run = tokio::select! {
            run = client.post(path, body) => run?,
            // The server cancels a program whose caller has gone away.
            () = cancel.cancelled() => return Err(isolette::Error::Cancelled { partial: Box::default() }.into()),
        };
        report::print(&run);
        return Ok(outcome::code(&run));
    }
    let events = client.run_events(path, body).await?;
    follow(client, events, &cancel).await
}

pub(crate) fn ps(options: Ps) -> Code {
    perform(options.json, async {
        let client = Client::connect(&options.server).await?;
        let of_sandbox = options.sandbox.as_deref().map(|id| format!("&sandbox={}", part(id))).unwrap_or_default();
        let mut listed = client.get(&format!("/v1/runs?limit=1000{of_sandbox}")).await?;
        let mut runs = match listed["runs"].take() {
            Value::Array(runs) => runs,
            _ => Vec::new(),
        };
        if !options.all {
            runs.retain(|run| run["ended_at"].is_null());
        }
        if options.json {
            report::print(&runs);
            return Ok(Code::SUCCESS);
        }
        if runs.is_empty() {
            say!("no runs");
            return Ok(Code::SUCCESS);
        }
        let row = |run: &Value| {
            ["id", "sandbox", "context", "state", "created_at", "ended_at"].map(|key| text(run, key).to_owned())
        };
        let rows: Vec<_> = runs.iter().map(row).collect();
        table::print(["RUN", "SANDBOX", "CONTEXT", "STATE", "CREATED", "ENDED"], &rows);
        Ok(Code::SUCCESS)
    })
}

pub(crate) fn logs(options: Logs) -> Code {
    perform(false, async {
        let client = Client::connect(&options.server).await?;
        match options.follow {
            true => follow_log(&client, &options).await,
            false => print_log(&client, &options).await,
        }
    })
}

async fn print_log(client: &Client, options: &Logs) -> Result<Code, Failure> {
    let of_stream = options.stream.as_deref().map(|stream| format!("&stream={stream}")).unwrap_or_default();
    let (mut offset, mut printed) = (options.offset, Printed::default());
    loop {
        let path = format!("{}/logs?offset={offset}{of_stream}", path_of_run(&options.run));
        let log = client.get(&path).await?;
        let bytes = log_bytes(&log)?;
        printed.write(false, &bytes);
        if bytes.is_empty() || log["is_complete"] == true {
            return Ok(Code::SUCCESS);
        }
        offset = log["next_offset"]
            .as_u64()
            .filter(|next| *next > offset)
            .ok_or_else(|| unexpected("the server sent a part of the log that does not lead on"))?;
    }
}

async fn follow_log(client: &Client, options: &Logs) -> Result<Code, Failure> {
    let mut events = client.events(&options.run).await?;
    let (mut skip, mut printed) = (options.offset, Printed::default());
    while let Some(event) = events.next().await {
        let RunEvent { name, data } = event?;
        match name.as_str() {
            "end" => return Ok(Code::SUCCESS),
            "output" if options.stream.as_deref().is_none_or(|stream| text(&data, "stream") == stream) => {
                let bytes = bytes_of(&data)?;
                let skipped = usize::try_from(skip).unwrap_or(usize::MAX).min(bytes.len());
                skip -= skipped as u64;
                printed.write(false, &bytes[skipped..]);
            }
            _ => {}
        }
    }
    Err(unexpected("the output of the run ended before the run"))
}

pub(crate) fn wait(options: Wait) -> Code {
    perform(options.json, async {
        let client = Client::connect(&options.server).await?;
        let run = until_ended(&client, &options.run, options.timeout).await?;
        if run["ended_at"].is_null() && text(&run, "state") != "paused" {
            let message = format!("timed out waiting for run {}: it is {}", text(&run, "id"), text(&run, "state"));
            return Err(Failure::new("Timeout", message, "wait longer with --timeout, or cancel it"));
        }
        if options.json {
            report::print(&run);
            return Ok(outcome::code(&run));
        }
        say_calls(text(&run, "id"), entries(&run, "calls"));
        Ok(Printed::default().finish(&run))
    })
}

/// Returns a run when it has ended or is paused, or the time is over.
async fn until_ended(client: &Client, run: &str, time: Duration) -> Result<Value, Failure> {
    /// Maximum time that one request waits, so that its connection is not regarded as broken.
    const PART: Duration = Duration::from_secs(60);
    let begin = Instant::now();
    loop {
        let rest = time.saturating_sub(begin.elapsed());
        let part = rest.min(PART).as_millis().max(1);
        let found = client.get(&format!("{}?wait={part}ms", path_of_run(run))).await?;
        if rest.is_zero() || !found["ended_at"].is_null() || text(&found, "state") == "paused" {
            return Ok(found);
        }
    }
}

pub(crate) fn cancel(options: Cancel) -> Code {
    perform(options.json, async {
        let client = Client::connect(&options.server).await?;
        let run = client.post(&format!("{}/cancel", path_of_run(&options.run)), &json!({})).await?;
        match options.json {
            true => report::print(&run),
            false => report::line(text(&run, "state")),
        }
        Ok(Code::SUCCESS)
    })
}

/// Gets what a page shows of a run, and passes it to `show`.
pub(crate) fn document(run: &str, server: &ServerOptions, show: impl FnOnce(Value) -> Result<(), Error>) -> Code {
    perform(false, async {
        let client = Client::connect(server).await?;
        show(client.get(&format!("{}/document", path_of_run(run))).await?)?;
        Ok(Code::SUCCESS)
    })
}

/// Answers calls of a run that wait. Without a number, the answer is for the first call.
pub(crate) fn answer(run: &str, answers: Answers, server: &ServerOptions, json: bool) -> Code {
    perform(json, async {
        let client = Client::connect(server).await?;
        let answers = match answers {
            Answers::Each(answers) => json!(answers),
            Answers::First(answer) => {
                let found = client.get(&path_of_run(run)).await?;
                let first = entries(&found, "calls").first().map(|call| call["id"].to_string());
                let none =
                    || Failure::new("Conflict", "no call of the run waits for an answer", "look at it: isolette wait");
                json!({ first.ok_or_else(none)?: answer })
            }
        };
        let answered = client.post(&format!("{}/answers", path_of_run(run)), &json!({ "answers": answers })).await?;
        match json {
            true => report::print(&answered),
            false => report::line(text(&answered, "state")),
        }
        Ok(Code::SUCCESS)
    })
}

/// Prints the calls of a run that wait.
pub(crate) fn show_calls(run: &str, server: &ServerOptions, json: bool) -> Code {
    perform(json, async {
        let found = Client::connect(server).await?.get(&path_of_run(run)).await?;
        match json {
            true => report::print(&json!({ "paused": found["calls"] })),
            false => say_calls(run, entries(&found, "calls")),
        }
        Ok(Code::SUCCESS)
    })
}

/// Answers to calls.
pub(crate) enum Answers {
    First(isolette::Answer),
    /// By the numbers of the calls.
    Each(BTreeMap<u64, isolette::Answer>),
}
