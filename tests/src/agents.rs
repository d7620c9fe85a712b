//! MCP clients: the official SDKs of the Model Context Protocol for Python and TypeScript. Each runs a script against a
//! server and returns the replies. `agents/clients/client.py` describes scripts.

use std::{
    env, fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use serde_json::{Value, json};
use tempfile::{NamedTempFile, TempDir};

use crate::{Skipped, built};

/// A client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// The SDK for Python.
    Python,
    /// The SDK for TypeScript.
    TypeScript,
}

/// Which revisions of the protocol a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// The newest one that both sides support, without handshake and sessions.
    New,
    /// The revisions with a handshake.
    Old,
}

/// How a client reaches a server.
#[derive(Clone, Debug)]
pub enum Place {
    /// It starts the server.
    Command(Vec<String>),
    /// The server is already running.
    Url(String),
}

/// A script and its client.
#[derive(Clone, Debug)]
pub struct Script {
    client: Client,
    era: Era,
    place: Place,
    headers: Value,
    elicitation: Option<&'static str>,
    steps: Vec<Value>,
    clients: Option<usize>,
    each: Value,
}

/// The result of a script.
#[derive(Clone, Debug)]
pub struct Replies {
    /// The revision that was used.
    pub protocol: String,
    /// The questions to the client's user.
    pub asked: Vec<String>,
    /// One result for each step.
    pub results: Vec<Value>,
}

impl Script {
    /// An empty script.
    #[must_use]
    pub fn new(client: Client, era: Era, place: Place) -> Self {
        Self {
            client,
            era,
            place,
            headers: json!({}),
            elicitation: None,
            steps: Vec::new(),
            clients: None,
            each: json!({}),
        }
    }

    /// Adds headers to every request.
    #[must_use]
    pub fn headers(mut self, headers: Value) -> Self {
        self.headers = headers;
        self
    }

    /// Sets how the client's user answers questions; otherwise the client cannot ask.
    #[must_use]
    pub fn elicitation(mut self, answer: &'static str) -> Self {
        self.elicitation = Some(answer);
        self
    }

    /// Runs this many clients at the same time, in one process, each with a session of its own and a list of results. `each`
    /// contains texts that steps refer to, in which `{number}` is the number of the client. Only the SDK for Python supports
    /// it.
    #[must_use]
    pub fn clients(mut self, count: usize, each: Value) -> Self {
        self.clients = Some(count);
        self.each = each;
        self
    }

    /// Adds a step.
    #[must_use]
    pub fn step(mut self, step: Value) -> Self {
        self.steps.push(step);
        self
    }

    /// Adds the call of a tool.
    #[must_use]
    pub fn call(self, tool: &str, arguments: Value) -> Self {
        self.step(json!({ "call": tool, "arguments": arguments }))
    }

    /// Runs it.
    ///
    /// # Errors
    /// The client is not installed.
    pub fn play(self) -> Result<Replies, Skipped> {
        let server = match &self.place {
            Place::Command(command) => json!({ "command": command }),
            Place::Url(url) => json!({ "url": url, "headers": self.headers }),
        };
        let mode = if self.era == Era::New { "auto" } else { "legacy" };
        let script = json!({
            "server": server, "mode": mode, "elicitation": self.elicitation, "steps": self.steps,
            "clients": self.clients, "each": self.each,
        });
        let mut command = self.client.command()?;
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?} cannot be started: {error}"));
        let mut input = child.stdin.take().expect("it was asked for");
        input.write_all(script.to_string().as_bytes()).expect("the client reads its script");
        drop(input);
        let output = child.wait_with_output().expect("the client ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{:?} ended with {}:\n{stderr}", self.client, output.status);
        let replies: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}\n{stderr}", String::from_utf8_lossy(&output.stdout)));
        let list = |name: &str| replies[name].as_array().cloned().unwrap_or_default();
        Ok(Replies {
            protocol: replies["protocol"].as_str().unwrap_or_default().to_owned(),
            asked: list("asked").iter().filter_map(|text| text.as_str().map(str::to_owned)).collect(),
            results: list("results"),
        })
    }
}

impl Client {
    /// Every client there is.
    pub const ALL: [Self; 2] = [Self::Python, Self::TypeScript];

    fn command(self) -> Result<Command, Skipped> {
        let (program, script) = match self {
            Self::Python => (python()?, clients().join("client.py")),
            Self::TypeScript => ("node".into(), node()?.join("client.mjs")),
        };
        let mut command = Command::new(program);
        command.arg(script);
        Ok(command)
    }
}

/// The interpreter that has the SDK for Python, also to run servers with.
///
/// # Errors
/// It is not installed.
pub fn python() -> Result<PathBuf, Skipped> {
    installed("python/bin/python")
}

/// The directory with the SDK for TypeScript, and our client in it, because modules are resolved relative to a program.
///
/// # Errors
/// It is not installed.
pub fn node() -> Result<PathBuf, Skipped> {
    static COPIED: OnceLock<()> = OnceLock::new();
    let modules = installed("node/node_modules")?;
    let folder = modules.parent().expect("it was joined").to_owned();
    COPIED.get_or_init(|| {
        let draft = tempfile::NamedTempFile::new_in(&folder).expect("a file beside the modules");
        fs::copy(clients().join("client.mjs"), draft.path()).expect("the client can be copied");
        draft.persist(folder.join("client.mjs")).expect("the client gets its name");
    });
    Ok(folder)
}

/// A Node that is new enough for the official conformance suite. Clients use that of the system.
///
/// # Errors
/// There is none for this kind of machine, or it is not installed.
pub fn node_for_suite() -> Result<PathBuf, Skipped> {
    let kind = match env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    installed(&format!("node/node_modules/node-{}-{kind}/bin/node", env::consts::OS))
}

/// A configuration file whose table `[server]` has these lines.
#[must_use]
pub fn settings(server: &str) -> NamedTempFile {
    let file = NamedTempFile::with_suffix(".toml").expect("a file");
    fs::write(file.path(), format!("[server]\n{server}\n")).expect("the file is written");
    file
}

/// The folder with the servers that provide tools.
#[must_use]
pub fn servers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("agents/servers")
}

fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("agents/clients")
}

/// A part of a client that `cargo xtask setup` installs.
///
/// # Errors
/// It is not installed.
pub fn installed_client(what: &str) -> Result<PathBuf, Skipped> {
    installed(what)
}

fn installed(what: &str) -> Result<PathBuf, Skipped> {
    let test = env::current_exe().expect("the test knows its own path");
    let target = test.ancestors().nth(3).expect("tests are in the folder `deps` of a profile's folder");
    let path = target.join("toolchain/agents").join(what);
    if path.exists() {
        return Ok(path);
    }
    Err(Skipped(format!("{} is not there: `cargo xtask setup` installs it", path.display())))
}

/// `isolette mcp` with arguments, for a client to start.
#[must_use]
pub fn stdio(arguments: &[&str]) -> Place {
    let program = built("isolette", "isolette-cli").display().to_string();
    let arguments = arguments.iter().map(|argument| (*argument).to_owned());
    Place::Command([program, "mcp".to_owned()].into_iter().chain(arguments).collect())
}

/// `isolette mcp --http` on a port that the system picked. It is ended when this is dropped.
#[derive(Debug)]
pub struct HttpServer {
    child: Child,
    // Files of a killed process.
    _temporary: TempDir,
    /// The URL of the server.
    pub url: String,
}

impl HttpServer {
    /// Starts it, with arguments.
    #[must_use]
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, |command| command)
    }

    /// Starts it with arguments and other settings.
    #[must_use]
    pub fn start_with(arguments: &[&str], set: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let mut command = crate::isolette();
        let temporary = tempfile::tempdir().expect("temporary");
        command.args(["mcp", "--http", "127.0.0.1:0"]).args(arguments).stdout(Stdio::piped()).stdin(Stdio::null());
        command.env("TMPDIR", temporary.path());
        let mut child = set(&mut command).spawn().expect("the server starts");
        let stdout = child.stdout.take().expect("it was asked for");
        let mut url = String::new();
        // The first line contains the address when the server accepts connections.
        std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut url).expect("the server says its URL");
        assert!(url.starts_with("http://127.0.0.1:"), "the server did not start: {url:?}");
        Self { child, _temporary: temporary, url: url.trim().to_owned() }
    }

    /// For a client.
    #[must_use]
    pub fn place(&self) -> Place {
        Place::Url(self.url.clone())
    }

    /// Sends it SIGTERM, and waits until it accepts no connection.
    pub fn terminate(&self) {
        let killed = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().expect("kill");
        assert!(killed.success());
        let address = self.url.trim_start_matches("http://").split('/').next().expect("an address");
        while std::net::TcpStream::connect(address).is_ok() {
            std::thread::yield_now();
        }
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> std::process::ExitStatus {
        self.child.wait().expect("the server ends")
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
