//! `isolette mcp --print-config`: what an application needs to know to start this server.

use std::env;

use isolette::Error;
use serde_json::{Value, json};

use super::Application;
use crate::report;

pub(super) fn print(application: Application) -> Result<(), Error> {
    let program = env::current_exe()
        .map_err(|source| Error::Io { context: "cannot tell where this program is".into(), source })?;
    let settings = settings(application, &program.display().to_string(), &arguments(env::args().skip(1)));
    let (place, hint) = place(application);
    eprintln!("put this into {place}{hint}");
    match serde_json::to_string_pretty(&settings) {
        Ok(text) => report::line(&text),
        Err(error) => eprintln!("error: {error}"),
    }
    Ok(())
}

/// Flags whose values are paths, or may be.
const PATHS: [&str; 10] = [
    "--audit",
    "--config",
    "--image",
    "--input",
    "--mount",
    "--openapi",
    "--output",
    "--policy",
    "--secret",
    "--token",
];

/// The arguments of this very call, without what only this call is for. Paths become those that they are from here, since
/// an application starts the server from somewhere else.
fn arguments(given: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut given = given.peekable();
    while let Some(argument) = given.next() {
        let (flag, value) = argument.split_once('=').map_or((&*argument, None), |(flag, value)| (flag, Some(value)));
        match (flag, value) {
            ("--print-config", Some(_)) => {}
            ("--print-config", None) => drop(given.next()),
            (flag, Some(value)) if PATHS.contains(&flag) => kept.push(format!("{flag}={}", place_of(flag, value))),
            (flag, None) if PATHS.contains(&flag) => {
                let value = given.next().map(|value| place_of(flag, &value));
                kept.extend([flag.to_owned()].into_iter().chain(value));
            }
            _ => kept.push(argument),
        }
    }
    kept
}

fn place_of(flag: &str, value: &str) -> String {
    match flag {
        "--openapi" if value.contains("://") => value.to_owned(),
        "--mount" => value
            .split_once(':')
            .map_or_else(|| value.to_owned(), |(host, guest)| format!("{}:{guest}", absolute(host))),
        "--secret" | "--token" => match value.split_once("file:") {
            Some((before, path)) if before.is_empty() || before.ends_with('=') => {
                format!("{before}file:{}", absolute(path))
            }
            _ => value.to_owned(),
        },
        _ => absolute(value),
    }
}

fn absolute(path: &str) -> String {
    std::path::absolute(path).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}

fn settings(application: Application, program: &str, arguments: &[String]) -> Value {
    let server = json!({ "command": program, "args": arguments });
    match application {
        Application::Claude | Application::Cursor => json!({ "mcpServers": { "isolette": server } }),
        Application::Vscode => json!({
            "servers": { "isolette": { "type": "stdio", "command": program, "args": arguments } },
        }),
    }
}

fn place(application: Application) -> (&'static str, &'static str) {
    match application {
        Application::Claude => (".mcp.json of a project", " (Claude Desktop: claude_desktop_config.json)"),
        Application::Vscode => (".vscode/mcp.json", ""),
        Application::Cursor => (".cursor/mcp.json", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_call_is_repeated_without_what_was_for_this_one() {
        let given =
            ["mcp", "--profile", "codemode", "--print-config", "claude", "--config", "/a/b.toml", "--timeout=5s"];
        let kept = arguments(given.into_iter().map(str::to_owned));
        assert_eq!(kept, ["mcp", "--profile", "codemode", "--config", "/a/b.toml", "--timeout=5s"]);
        let kept = arguments(["mcp", "--print-config=cursor", "--config=x.toml"].into_iter().map(str::to_owned));
        assert_eq!(kept, ["mcp".to_owned(), format!("--config={}", absolute("x.toml"))]);
        let given = ["mcp", "--input", "data", "--openapi=http://a/b", "--mount", "x:/data:rw", "--allow=data"];
        let kept = arguments(given.into_iter().map(str::to_owned));
        let mount = format!("{}:/data:rw", absolute("x"));
        let kept_secrets =
            arguments(["--secret", "a=file:b", "--secret=c=env:D", "--token=file:t"].into_iter().map(str::to_owned));
        let file = |name: &str| format!("file:{}", absolute(name));
        assert_eq!(
            kept_secrets,
            ["--secret", &format!("a={}", file("b")), "--secret=c=env:D", &format!("--token={}", file("t"))]
        );
        assert_eq!(
            kept,
            ["mcp", "--input", &absolute("data"), "--openapi=http://a/b", "--mount", &mount, "--allow=data"]
        );
    }
}
