//! `create`, `list`, `inspect`, `extend`, `destroy`, `pause`, `resume` and `fork`.

use std::time::Duration;

use isolette::policy::PolicyFile;
use serde_json::{Map, Value, json};

use super::{
    Create, Destroy, Extend, Failure, Inspect, List, Pause, ServerOptions,
    client::{Client, part},
    perform, table,
};
use crate::{exit::Code, report, sandbox_options::SandboxOptions};

pub(crate) fn create(options: Create) -> Code {
    let json = options.json;
    perform(json, async {
        let body = body(&options)?;
        let client = Client::connect(&options.server).await?;
        let made = client.post("/v1/sandboxes", &body).await?;
        show(&made, json);
        Ok(Code::SUCCESS)
    })
}

fn body(options: &Create) -> Result<Value, Failure> {
    let mut body = Map::new();
    body.insert("policy".into(), policy(options.sandbox.clone())?);
    let times = [("ttl", options.ttl), ("idle", options.idle)];
    body.extend(times.into_iter().filter_map(|(key, time)| Some((key.to_owned(), json!(text_of(time?))))));
    if let Some(language) = options.lang {
        body.insert("language".into(), json!(language.name()));
    }
    let texts = [("name", &options.name), ("snapshot", &options.snapshot)];
    body.extend(texts.into_iter().filter_map(|(key, text)| Some((key.to_owned(), json!(text.as_ref()?)))));
    if options.no_checkpoint {
        body.insert("checkpoint".into(), json!(false));
    }
    let tools: Vec<_> = options.tool.iter().map(|name| json!({ "name": name, "description": "" })).collect();
    body.insert("tools".into(), tools.into());
    body.insert("approves".into(), json!(options.wait_for_approval));
    if options.pauses {
        body.insert("pauses".into(), json!(true));
    }
    let metadata: Map<_, _> = options.metadata.iter().map(|(key, text)| (key.clone(), json!(text))).collect();
    body.insert("metadata".into(), metadata.into());
    Ok(body.into())
}

/// The policy of the flags and of the file that they name, with the keys of a policy file. The server resolves its profile, unless
/// the file defines it.
pub(super) fn policy(options: SandboxOptions) -> Result<Value, Failure> {
    let policy = match &options.policy {
        Some(_) => options.over(PolicyFile::default())?,
        None => options.flags()?,
    };
    let mut policy = policy;
    // The server has another working directory.
    let here = std::env::current_dir().map_err(|error| Failure::new("Io", error.to_string(), ""))?;
    policy.resolve_paths(&here);
    serde_json::to_value(policy).map_err(|error| Failure::usage(error.to_string(), ""))
}

/// A time as servers read it.
pub(super) fn text_of(time: Duration) -> String {
    match time {
        Duration::MAX => "unlimited".into(),
        time => humantime::format_duration(time).to_string(),
    }
}

/// Prints the identifier of a sandbox, or all of it.
fn show(sandbox: &Value, json: bool) {
    match json {
        true => report::print(sandbox),
        false => report::line(text(sandbox, "id")),
    }
}

pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

pub(super) fn entries<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

pub(super) fn path_of(sandbox: &str) -> String {
    format!("/v1/sandboxes/{}", part(sandbox))
}

/// The path of a file of a sandbox.
pub(super) fn file(sandbox: &str, path: &str) -> String {
    format!("{sandbox}/files/content?path={}", part(path))
}

pub(crate) fn list(options: List) -> Code {
    perform(options.json, async {
        let listed = Client::connect(&options.server).await?.get("/v1/sandboxes").await?;
        if options.json {
            report::print(&listed["sandboxes"]);
            return Ok(Code::SUCCESS);
        }
        let sandboxes = entries(&listed, "sandboxes");
        if sandboxes.is_empty() {
            say!("no sandboxes");
            return Ok(Code::SUCCESS);
        }
        let row = |sandbox: &Value| {
            ["id", "name", "language", "state", "created_at", "expires_at"].map(|key| text(sandbox, key).to_owned())
        };
        let rows: Vec<_> = sandboxes.iter().map(row).collect();
        table::print(["SANDBOX", "NAME", "LANGUAGE", "STATE", "CREATED", "EXPIRES"], &rows);
        Ok(Code::SUCCESS)
    })
}

pub(crate) fn inspect(options: Inspect) -> Code {
    perform(options.json, async {
        let found = Client::connect(&options.server).await?.get(&path_of(&options.sandbox)).await?;
        if options.json {
            report::print(&found);
            return Ok(Code::SUCCESS);
        }
        for (key, value) in found.as_object().into_iter().flatten().filter(|(key, _)| *key != "explanation") {
            match value {
                Value::Null => {}
                Value::String(text) => report::line(&format!("{key:<12} {text}")),
                Value::Object(_) | Value::Array(_) if key == "effective" => {}
                value => report::line(&format!("{key:<12} {value}")),
            }
        }
        report::line("");
        report::line(text(&found, "explanation"));
        Ok(Code::SUCCESS)
    })
}

pub(crate) fn extend(options: Extend) -> Code {
    perform(options.json, async {
        let times = [("ttl", options.ttl), ("idle", options.idle)];
        let body: Map<_, _> =
            times.into_iter().filter_map(|(key, time)| Some((key.to_owned(), json!(text_of(time?))))).collect();
        let client = Client::connect(&options.server).await?;
        let extended = client.patch(&path_of(&options.sandbox), &body).await?;
        match options.json {
            true => report::print(&extended),
            false => report::line(text(&extended, "expires_at")),
        }
        Ok(Code::SUCCESS)
    })
}

pub(crate) fn destroy(options: Destroy) -> Code {
    perform(false, async {
        let client = Client::connect(&options.server).await?;
        for sandbox in &options.sandboxes {
            client.delete(&path_of(sandbox)).await?;
        }
        Ok(Code::SUCCESS)
    })
}

pub(crate) fn pause(options: Pause) -> Code {
    change(&options.sandbox, "pause", &options.server, options.json)
}

/// Starts the guests of a sandbox.
pub(crate) fn resume(sandbox: &str, server: &ServerOptions, json: bool) -> Code {
    change(sandbox, "resume", server, json)
}

fn change(sandbox: &str, verb: &str, server: &ServerOptions, json: bool) -> Code {
    perform(json, async {
        let client = Client::connect(server).await?;
        let changed = client.post(&format!("{}/{verb}", path_of(sandbox)), &json!({})).await?;
        match json {
            true => report::print(&changed),
            false => report::line(text(&changed, "state")),
        }
        Ok(Code::SUCCESS)
    })
}

/// Makes sandboxes that continue from the present state of another one.
pub(crate) fn fork(sandbox: &str, count: u32, server: &ServerOptions, json: bool) -> Code {
    perform(json, async {
        let client = Client::connect(server).await?;
        let made = client.post(&format!("{}/fork", path_of(sandbox)), &json!({ "count": count })).await?;
        if json {
            report::print(&made["sandboxes"]);
        } else {
            entries(&made, "sandboxes").iter().for_each(|sandbox| show(sandbox, false));
        }
        Ok(Code::SUCCESS)
    })
}
