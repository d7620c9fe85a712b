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

/// The arguments of this very call, without what only this call is for. Paths become those that they are from here, since
/// an application starts the server from somewhere else.
fn arguments(given: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut given = given.peekable();
    while let Some(argument) = given.next() {
        if argument == "--print-config" {
            given.next();
        } else if argument == "--config"
            && let Some(path) = given.next()
        {
            kept.extend([argument, absolute(&path)]);
        } else if let Some(path) = argument.strip_prefix("--config=") {
            kept.push(format!("--config={}", absolute(path)));
        } else if !argument.starts_with("--print-config=") {
            kept.push(argument);
        }
    }
    kept
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
    }
}
