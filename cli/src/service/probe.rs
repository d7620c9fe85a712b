//! `probe`: the isolations that this machine has, and whether the server runs.

use clap::Args;
use isolette::{Error, Isolation, Language, Sandbox};
use serde_json::{Map, Value, json};

use super::{ServerOptions, client::Client, perform};
use crate::{exit::Code, report};

/// Print which isolations this machine has, tried by running a program in each, and the state of the server.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The language of the image to try. Default: python.
    #[arg(long, value_name = "LANGUAGE", default_value = "python",
        value_parser = |text: &str| text.parse::<Language>().map_err(crate::sandbox_options::one_line))]
    lang: Language,
    #[command(flatten)]
    server: ServerOptions,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn probe(options: Options) -> Code {
    let mut isolations = Map::new();
    for isolation in [Isolation::MicroVm, Isolation::Process, Isolation::Wasm] {
        let tried = Sandbox::builder().language(options.lang).isolation(isolation).build();
        let found = match tried.and_then(|sandbox| sandbox.run("1 + 1").map(|_| sandbox.explain().isolation.reason)) {
            Ok(reason) => json!({ "available": true, "reason": reason }),
            Err(Error::Unavailable { reason, hint, .. }) => {
                json!({ "available": false, "reason": reason, "hint": hint })
            }
            Err(error) => json!({ "available": false, "reason": error.to_string() }),
        };
        isolations.insert(isolation.to_string(), found);
    }
    let has_any = isolations.values().any(|found| found["available"] == true);
    let server = server(&options.server);
    if options.json {
        report::print(&json!({ "isolations": isolations, "server": server }));
    } else {
        for (name, found) in &isolations {
            let is_available = if found["available"] == true { "yes" } else { "no" };
            report::line(&format!("{name:<8} {is_available:<4} {}", found["reason"].as_str().unwrap_or_default()));
        }
        match &server {
            Value::Null => report::line("server   no"),
            server => {
                report::line(&format!("server   yes  {} sandboxes, {} guests", server["sandboxes"], server["guests"]))
            }
        }
    }
    if has_any { Code::SUCCESS } else { Code::FAILURE }
}

/// The state of the server, if it runs. It is not started.
fn server(options: &ServerOptions) -> Value {
    let mut health = Value::Null;
    perform(false, async {
        if let Some(client) = Client::running(options).await? {
            health = client.get("/v1/health").await.unwrap_or_default();
        }
        Ok(Code::SUCCESS)
    });
    health
}
