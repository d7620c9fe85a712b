//! Servers as processes of their own, and requests to them.

use std::{
    fs::File,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::LazyLock,
};

use isolette_tests::isolette;
use reqwest::{Client, Method, header::HeaderMap};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// Requests of all tests. Their connections are not shared, since some servers are killed.
pub(crate) static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("threads"));

/// A server with a folder for its state, which its successors use too. It is killed when this is dropped.
pub(crate) struct Server {
    child: Child,
    folder: TempDir,
    arguments: Vec<String>,
    variables: Vec<(String, String)>,
    url: String,
    client: Client,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.bytes)))
    }

    /// The body of a response with this status.
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.bytes));
        if self.bytes.is_empty() { Value::Null } else { self.json() }
    }

    /// The message of a response that reports a failure.
    pub(crate) fn failure(&self, status: u16) -> String {
        let body = self.expect(status);
        let error = &body["error"];
        format!("{}: {}", error["type"].as_str().expect("a type"), error["message"].as_str().expect("a message"))
    }
}

impl Server {
    /// A server on a socket.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, &[])
    }

    /// A server with variables of its environment.
    pub(crate) fn start_with(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let arguments = arguments.iter().map(|&text| text.to_owned()).collect();
        let variables = variables.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self::start_in(folder, arguments, variables)
    }

    /// Another server with the same arguments, and a folder of its own.
    pub(crate) fn sibling(&self) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self::start_in(folder, self.arguments.clone(), self.variables.clone())
    }

    fn start_in(folder: TempDir, arguments: Vec<String>, variables: Vec<(String, String)>) -> Self {
        let messages = File::options().create(true).append(true).open(folder.path().join("messages")).expect("a file");
        let mut command = isolette();
        command.args(["serve", "--isolation", "process"]);
        if !arguments.iter().any(|argument| argument == "--state") {
            command.arg("--state").arg(folder.path().join("state"));
        }
        if !arguments.iter().any(|argument| argument == "--http") {
            command.arg("--socket").arg(folder.path().join("s"));
        }
        let mut child = command
            .args(&arguments)
            .envs([("ALICE", "alice-secret"), ("BOB", "bob-secret")])
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdout(Stdio::piped())
            .stderr(messages)
            .spawn()
            .expect("the program starts");
        let mut url = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut url).expect("text");
        let client = client(&url);
        let server = Self { child, folder, arguments, variables, url: url.trim().to_owned(), client };
        assert!(!server.url.is_empty(), "the server did not start: {}", server.messages());
        server
    }

    /// What the server and its predecessors wrote on standard error.
    pub(crate) fn messages(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("messages")).expect("the file")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.path().join("s")
    }

    /// A command of the command line that uses this server.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = isolette();
        command.args(arguments).env("ISOLETTE_SERVER", &self.url).env_remove("ISOLETTE_TOKEN");
        command
    }

    /// Kills the server, so that it can do nothing any more, and starts another one in its place.
    pub(crate) fn killed(mut self) -> Self {
        self.child.kill().expect("it runs");
        self.restarted().1
    }

    /// Tells the server to end, and starts another one in its place.
    pub(crate) fn stopped(self) -> Self {
        self.terminate();
        let (status, server) = self.restarted();
        assert_eq!(status.code(), Some(0), "{}", server.messages());
        server
    }

    /// The same, with other arguments.
    pub(crate) fn stopped_with(mut self, arguments: &[&str]) -> Self {
        self.arguments = arguments.iter().map(|&text| text.to_owned()).collect();
        self.stopped()
    }

    pub(crate) fn process(&self) -> rustix::process::Pid {
        rustix::process::Pid::from_child(&self.child)
    }

    pub(crate) fn terminate(&self) {
        rustix::process::kill_process(self.process(), rustix::process::Signal::TERM).expect("it runs");
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.child.wait().expect("it can be waited for")
    }

    fn restarted(mut self) -> (ExitStatus, Self) {
        let status = self.wait();
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().expect("a folder"));
        let (arguments, variables) = (std::mem::take(&mut self.arguments), std::mem::take(&mut self.variables));
        (status, Self::start_in(folder, arguments, variables))
    }

    /// Sends a request. Failures of the connection are errors.
    pub(crate) fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Vec<u8>>,
    ) -> Result<Reply, reqwest::Error> {
        let base = if self.url.starts_with("unix:") { "http://localhost" } else { &self.url };
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let mut request = self.client.request(method, format!("{base}{path}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.body(body);
        }
        RUNTIME.block_on(async {
            let response = request.send().await?;
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            Ok(Reply { status, headers, bytes: response.bytes().await?.to_vec() })
        })
    }

    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<Vec<u8>>) -> Reply {
        self.try_send(method, path, headers, body)
            .unwrap_or_else(|error| panic!("{method} {path}: {error:?}\n{}", self.messages()))
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], None)
    }

    pub(crate) fn delete(&self, path: &str) -> Reply {
        self.send("DELETE", path, &[], None)
    }

    pub(crate) fn post(&self, path: &str, body: Value) -> Reply {
        self.send("POST", path, &[("content-type", "application/json")], Some(body.to_string().into_bytes()))
    }

    /// Makes a sandbox. Returns its path.
    pub(crate) fn create(&self, body: Value) -> String {
        let made = self.post("/v1/sandboxes", body).expect(201);
        format!("/v1/sandboxes/{}", text(&made, "id"))
    }

    /// Runs a program in the default context of a sandbox.
    pub(crate) fn run(&self, sandbox: &str, code: &str) -> Value {
        self.post(&format!("{sandbox}/runs"), json!({ "code": code })).expect(200)
    }

    /// The value of a program in a sandbox.
    pub(crate) fn value(&self, sandbox: &str, code: &str) -> Value {
        let run = self.run(sandbox, code);
        assert_eq!(run["state"], "succeeded", "{run}");
        run["result"]["value"].clone()
    }

    /// Begins a program in the background. Returns the path of the run.
    pub(crate) fn begin(&self, path: &str, mut body: Value) -> String {
        body["background"] = json!(true);
        let run = self.post(path, body).expect(202);
        format!("/v1/runs/{}", text(&run, "id"))
    }

    /// The run when it has ended, or is paused.
    pub(crate) fn ended(&self, run: &str) -> Value {
        let run = self.get(&format!("{run}?wait=1h")).expect(200);
        assert!(!run["ended_at"].is_null() || run["state"] == "paused", "{run}");
        run
    }

    /// Waits until no guest lives. They end after the response.
    pub(crate) fn until_no_guests(&self) {
        while self.get("/v1/health").expect(200)["guests"] != 0 {}
    }

    /// Waits until nothing is stored beside the database. Files are removed after the response.
    pub(crate) fn until_nothing_is_stored(&self) {
        while self.get("/v1/health").expect(200)["stored_bytes"] != 0 {}
    }

    /// Waits until an event of a run satisfies a condition.
    pub(crate) fn until(&self, run: &str, is_met: impl Fn(&str, &Value) -> bool) {
        if crate::events::of(self, run, None).any(|(_, name, data)| is_met(&name, &data)) {
            return;
        }
        panic!("the run ended before: {}", self.get(run).expect(200));
    }

    pub(crate) fn stream(&self, method: &str, path: &str, headers: &[(&str, &str)], body: String) -> reqwest::Response {
        let base = if self.url.starts_with("unix:") { "http://localhost" } else { &self.url };
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let mut request = self.client.request(method, format!("{base}{path}")).body(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        RUNTIME.block_on(request.send()).expect("a response")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn client(url: &str) -> Client {
    let tls = isolette_http::tls_configuration().expect("a processor with AES");
    let builder = Client::builder().no_proxy().pool_max_idle_per_host(4).tls_backend_preconfigured(tls);
    match url.trim().strip_prefix("unix:") {
        Some(path) => builder.unix_socket(Path::new(path).to_owned()),
        None => builder,
    }
    .build()
    .expect("a client")
}

pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("`{key}` in {value}"))
}
