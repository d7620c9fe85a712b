//! `isolette mcp --print-config`: the settings with which an application starts this server, or connects to a running
//! one.

use std::{collections::BTreeSet, env, net::SocketAddr, path::Path};

use isolette::{Error, policy::SecretReference};
use serde_json::{Map, Value, json};

use super::{Application, repeated};
use crate::{config::Config, report};

/// The variable in which clients keep the token, if the server reads it from a file.
const TOKEN: &str = "ISOLETTE_TOKEN";

pub(super) fn print(application: Application, config: &Config) -> Result<(), Error> {
    let (settings, variables) = match config.server.http {
        Some(address) => over_http(application, address, config)?,
        None => started(application, config)?,
    };
    let http = config.server.http.is_some();
    let (place, hint) = place(application, http);
    say!("put this into {place}{hint}");
    if !variables.is_empty() {
        let names: Vec<_> = variables.iter().map(|name| format!("`{name}`")).collect();
        say!("the settings name {} and not the secrets: {}", names.join(", "), where_from(application, http));
    }
    let text = match application {
        Application::Codex => toml::to_string_pretty(&settings).map_err(|error| error.to_string()),
        _ => serde_json::to_string_pretty(&settings).map_err(|error| error.to_string()),
    };
    match text {
        Ok(text) => report::line(text.trim_end()),
        Err(error) => say!("error: {error}"),
    }
    Ok(())
}

type Settings = (Value, BTreeSet<String>);

/// Settings for an application that starts the server itself, with the arguments of this call.
fn started(application: Application, config: &Config) -> Result<Settings, Error> {
    let program = env::current_exe()
        .map_err(|source| Error::Io { context: "cannot determine the path of this program".into(), source })?;
    let arguments = repeated::arguments(env::args_os().skip(1))?;
    for word in relative(config) {
        say!("warning: `{word}` is relative to this directory, and the application starts the server in another one");
        say!("hint: use an absolute path in the command of the MCP server, or set `directory` in the file");
    }
    let variables = variables(config);
    let mut server = Map::new();
    server.insert("command".into(), json!(program.display().to_string()));
    server.insert("args".into(), json!(arguments));
    match application {
        _ if variables.is_empty() => {}
        Application::Codex => drop(server.insert("env_vars".into(), json!(variables))),
        // It passes on all variables of its own, and would take others literally.
        Application::Zed => {}
        _ => {
            let of_one = |name: &String| (name.clone(), json!(placeholder(application, name)));
            server.insert("env".into(), variables.iter().map(of_one).collect::<Map<_, _>>().into());
        }
    }
    Ok((settings(application, "stdio", server, &variables), variables))
}

/// Settings for an application that connects to a running server.
fn over_http(application: Application, address: SocketAddr, config: &Config) -> Result<Settings, Error> {
    if address.port() == 0 {
        return Err(Error::InvalidArgument {
            message: "with port 0 the address of the server is not known in advance".into(),
            hint: "name a port, as in `--http 127.0.0.1:8080`".into(),
        });
    }
    let mut server = Map::new();
    let url = if application == Application::Gemini { "httpUrl" } else { "url" };
    server.insert(url.into(), json!(format!("http://{}/mcp", reached_at(address, &config.server.hosts))));
    let mut variables = BTreeSet::new();
    if let Some(token) = &config.server.token {
        let name = match token {
            SecretReference::Variable(name) => name,
            _ => TOKEN,
        };
        match application {
            Application::Codex => drop(server.insert("bearer_token_env_var".into(), json!(name))),
            _ => {
                let headers = json!({ "Authorization": format!("Bearer {}", placeholder(application, name)) });
                server.insert("headers".into(), headers);
            }
        }
        variables.insert(name.to_owned());
    }
    say!("start the server with the same flags, without `--print-config`: the application does not start it");
    Ok((settings(application, "http", server, &variables), variables))
}

/// The address for clients. An unspecified address is replaced by a host name of the server, or by `localhost`.
fn reached_at(address: SocketAddr, hosts: &[String]) -> String {
    match hosts.first() {
        _ if !address.ip().is_unspecified() => address.to_string(),
        Some(host) if host.contains(':') => host.clone(),
        Some(host) => format!("{host}:{}", address.port()),
        None => format!("localhost:{}", address.port()),
    }
}

/// The variables from which the server reads secrets at its start.
fn variables(config: &Config) -> BTreeSet<String> {
    let policy = config.sandbox.secrets.values().filter_map(|secret| secret.from.as_ref());
    let openapi = config.openapi.iter().flat_map(|source| source.secrets.values().chain(source.headers.values()));
    let mcp = config.mcp.iter().flat_map(|source| source.env.values().chain(source.headers.values()));
    // Over standard input and output only the metrics need the token.
    let token = config.server.token.iter().filter(|_| config.server.metrics.is_some());
    let named = policy.chain(openapi).chain(mcp).chain(token);
    named
        .filter_map(|secret| match secret {
            SecretReference::Variable(name) => Some(name.clone()),
            _ => None,
        })
        .collect()
}

/// Words of commands that are relative paths, which depend on the working directory.
fn relative(config: &Config) -> Vec<&str> {
    let commands = config.mcp.iter().filter(|source| source.directory.is_none()).flat_map(|source| {
        let (program, arguments) = source.command.split_at(usize::from(!source.command.is_empty()));
        // A program without a folder is searched in `PATH`.
        program.iter().filter(|program| program.contains('/')).chain(arguments)
    });
    let is_here = |word: &&str| {
        let path = Path::new(word);
        let points = ["./", "../"].iter().any(|start| word.starts_with(start)) || [".", ".."].contains(word);
        !word.is_empty() && path.is_relative() && (points || path.exists())
    };
    commands.map(String::as_str).filter(is_here).collect()
}

/// The placeholder that an application replaces by the value of a variable.
fn placeholder(application: Application, name: &str) -> String {
    match application {
        Application::Claude | Application::Codex | Application::Gemini => format!("${{{name}}}"),
        Application::Zed => format!("<the value of {name}>"),
        Application::Cursor => format!("${{env:{name}}}"),
        Application::Vscode => format!("${{input:{name}}}"),
    }
}

fn where_from(application: Application, http: bool) -> &'static str {
    match application {
        Application::Claude if http => "set them where Claude Code is started",
        Application::Claude => {
            "set them where Claude Code is started (Claude Desktop does not expand variables: write the values into `env`)"
        }
        Application::Zed if http => "write the value into the settings, which Zed takes literally",
        Application::Cursor | Application::Codex | Application::Gemini | Application::Zed => {
            "set them where the application is started"
        }
        Application::Vscode => "the application asks for them",
    }
}

fn settings(application: Application, kind: &str, server: Map<String, Value>, asked: &BTreeSet<String>) -> Value {
    let typed = |server: Map<String, Value>| -> Map<String, Value> {
        [("type".to_owned(), json!(kind))].into_iter().chain(server).collect()
    };
    match application {
        Application::Claude if kind != "stdio" => json!({ "mcpServers": { "isolette": typed(server) } }),
        Application::Claude | Application::Cursor | Application::Gemini => {
            json!({ "mcpServers": { "isolette": server } })
        }
        Application::Codex => json!({ "mcp_servers": { "isolette": server } }),
        Application::Zed => json!({ "context_servers": { "isolette": server } }),
        Application::Vscode => {
            let mut settings = json!({ "servers": { "isolette": typed(server) } });
            if !asked.is_empty() {
                let input = |name| json!({ "type": "promptString", "id": name, "description": name, "password": true });
                settings["inputs"] = asked.iter().map(input).collect();
            }
            settings
        }
    }
}

fn place(application: Application, http: bool) -> (&'static str, &'static str) {
    match application {
        // Claude Desktop starts servers, and cannot connect to running ones.
        Application::Claude if http => (".mcp.json of a project", ""),
        Application::Claude => (".mcp.json of a project", " (Claude Desktop: claude_desktop_config.json)"),
        Application::Vscode => (".vscode/mcp.json", ""),
        Application::Cursor => (".cursor/mcp.json", ""),
        Application::Codex => ("~/.codex/config.toml", ""),
        Application::Gemini => ("~/.gemini/settings.json", ""),
        Application::Zed => ("settings.json of Zed", " (command palette: `zed: open settings file`)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::McpConfig;

    fn with_command(command: &[&str]) -> Config {
        let command = command.iter().map(|word| (*word).to_owned()).collect();
        Config { mcp: vec![McpConfig { command, ..McpConfig::default() }], ..Config::default() }
    }

    #[test]
    fn words_that_are_paths_from_here_are_found() {
        // The tests of a crate run in its folder.
        let config = with_command(&["npx", "-y", "@scope/server", ".", "src/main.rs", "/tmp", "no/such/file", "./x"]);
        assert_eq!(relative(&config), [".", "src/main.rs", "./x"]);
        assert_eq!(relative(&with_command(&["src", "src"])), ["src"], "a program alone is no path");
        assert_eq!(relative(&with_command(&[])), [""; 0]);
        let mut config = with_command(&["npx", "."]);
        config.mcp[0].directory = Some("/srv".into());
        assert_eq!(relative(&config), [""; 0]);
    }

    #[test]
    fn secrets_are_named_in_the_way_of_the_application() {
        let mut config = with_command(&["npx"]);
        config.mcp[0].env.insert("KEY".into(), SecretReference::Variable("SHOP_KEY".into()));
        config.mcp[0].headers.insert("X".into(), SecretReference::File("/key".into()));
        assert_eq!(variables(&config).into_iter().collect::<Vec<_>>(), ["SHOP_KEY"]);
        let (settings, _) = started(Application::Vscode, &config).unwrap();
        assert_eq!(settings["servers"]["isolette"]["env"]["SHOP_KEY"], "${input:SHOP_KEY}");
        assert_eq!(settings["inputs"][0]["id"], "SHOP_KEY");
        let (settings, _) = started(Application::Claude, &config).unwrap();
        assert_eq!(settings["mcpServers"]["isolette"]["env"]["SHOP_KEY"], "${SHOP_KEY}");
        let (settings, _) = started(Application::Gemini, &config).unwrap();
        assert_eq!(settings["mcpServers"]["isolette"]["env"]["SHOP_KEY"], "${SHOP_KEY}");
        let (settings, _) = started(Application::Codex, &config).unwrap();
        assert_eq!(settings["mcp_servers"]["isolette"]["env_vars"], json!(["SHOP_KEY"]));
        let (settings, _) = started(Application::Zed, &config).unwrap();
        assert_eq!(settings["context_servers"]["isolette"].get("env"), None);
    }

    #[test]
    fn a_server_that_runs_is_named_by_its_url() {
        let mut config = Config::default();
        config.server.token = Some(SecretReference::Variable("TOKEN".into()));
        let of = |application, address: &str, config: &Config| {
            over_http(application, address.parse().unwrap(), config).map(|(settings, _)| settings)
        };
        let settings = of(Application::Claude, "127.0.0.1:8080", &config).unwrap();
        assert_eq!(
            settings["mcpServers"]["isolette"],
            json!({
                "type": "http",
                "url": "http://127.0.0.1:8080/mcp",
                "headers": { "Authorization": "Bearer ${TOKEN}" },
            })
        );
        let settings = of(Application::Cursor, "0.0.0.0:8080", &config).unwrap();
        assert_eq!(settings["mcpServers"]["isolette"]["url"], "http://localhost:8080/mcp");
        let settings = of(Application::Codex, "127.0.0.1:8080", &config).unwrap();
        let server = &settings["mcp_servers"]["isolette"];
        assert_eq!(*server, json!({ "url": "http://127.0.0.1:8080/mcp", "bearer_token_env_var": "TOKEN" }));
        let settings = of(Application::Gemini, "127.0.0.1:8080", &config).unwrap();
        let server = &settings["mcpServers"]["isolette"];
        assert_eq!(server["httpUrl"], "http://127.0.0.1:8080/mcp");
        assert_eq!(server["headers"]["Authorization"], "Bearer ${TOKEN}");
        let settings = of(Application::Zed, "127.0.0.1:8080", &config).unwrap();
        assert_eq!(settings["context_servers"]["isolette"]["headers"]["Authorization"], "Bearer <the value of TOKEN>");
        config.server.hosts = vec!["tools.example.com".into()];
        let settings = of(Application::Vscode, "[::]:8080", &config).unwrap();
        assert_eq!(settings["servers"]["isolette"]["url"], "http://tools.example.com:8080/mcp");
        assert!(of(Application::Claude, "127.0.0.1:0", &config).is_err());
    }
}
