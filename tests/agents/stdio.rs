//! The stdio transport without an SDK: malformed input and shutdown.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use isolette_tests::{host_test, isolette};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::raw_protocol;

struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    // Files of a killed process.
    _temporary: TempDir,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let temporary = tempfile::tempdir().expect("temporary");
        let mut child = isolette()
            .arg("mcp")
            .args(arguments)
            .env("TMPDIR", temporary.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let output = BufReader::new(child.stdout.take().expect("it was asked for"));
        Self { input: child.stdin.take(), child, output, _temporary: temporary }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("it is open"), "{line}").expect("the server reads");
    }

    /// Returns the response to a request, and skips other messages.
    fn answer(&mut self, id: u64) -> Value {
        self.next(|message| message["id"] == json!(id))
    }

    /// The next message of a kind.
    fn next(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).expect("the server writes"), 0, "the server has ended");
            let message: Value = serde_json::from_str(&line).expect("messages are JSON");
            if wanted(&message) {
                return message;
            }
        }
    }

    fn run(&mut self, id: u64, code: &str) {
        let params = json!({ "name": "execute_code", "arguments": { "code": code } });
        self.send(&raw_protocol::request(id, "tools/call", &params));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[host_test]
fn malformed_lines_on_stdin_are_survived() {
    let mut server = Server::start(&[]);
    server.send(&raw_protocol::request(1, "server/discover", &json!({})));
    assert!(server.answer(1)["result"]["supportedVersions"].is_array());
    for line in [
        "",
        "{",
        "null",
        "[]",
        "not JSON at all",
        "{\"jsonrpc\":\"2.0\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"tools/list\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}",
    ] {
        server.send(line);
    }
    server.send(&raw_protocol::request(2, "no/such/method", &json!({})));
    assert_eq!(server.answer(2)["error"]["code"], -32601);
    server.run(3, "1 + 1");
    assert_eq!(server.answer(3)["result"]["structuredContent"]["value"], 2);
}

/// The id of the request could not be parsed, so the response has none.
#[host_test]
fn an_oversized_line_on_stdin_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("isolette.toml");
    std::fs::write(&config, "[server]\nmessage_bytes = '64KiB'\n").expect("a file");
    let mut server = Server::start(&["--config", config.to_str().expect("UTF-8")]);
    server.send(&raw_protocol::request(1, "server/discover", &json!({})));
    server.answer(1);
    server.run(2, &format!("'{}'", "x".repeat(100_000)));
    let refused = server.next(|message| message["id"].is_null() && message["error"].is_object());
    assert_eq!(refused["error"]["code"], -32600);
    assert!(refused["error"]["message"].as_str().unwrap().contains("65536 bytes"), "{refused}");
    server.run(3, "'still there'");
    assert_eq!(server.answer(3)["result"]["structuredContent"]["value"], "still there");
}

/// A program that would run for minutes does not keep the server running.
#[host_test]
fn closing_stdin_ends_the_server_and_its_runs() {
    let mut server = Server::start(&["--timeout", "10m"]);
    server.run(1, "while True: pass");
    server.run(2, "'the first runs meanwhile'");
    server.answer(2);
    server.input = None;
    assert_eq!(server.child.wait().expect("it ends").code(), Some(0));
}

#[host_test]
fn closing_stdin_before_any_message_ends_the_server() {
    let mut server = Server::start(&[]);
    server.input = None;
    assert_eq!(server.child.wait().expect("it ends").code(), Some(0));
}

/// No client could fetch the result. The calls are audited anyway.
#[host_test]
fn closing_stdin_ends_running_tasks() {
    let folder = tempfile::tempdir().expect("a folder");
    let (settings, audit) = (folder.path().join("isolette.toml"), folder.path().join("audit.jsonl"));
    std::fs::write(&settings, format!("[server]\ntask_after = '100ms'\naudit = {audit:?}\n")).expect("a file");
    let mut server = Server::start(&["--timeout", "10m", "--config", settings.to_str().expect("UTF-8")]);
    let capabilities = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    let params = json!({ "name": "execute_code", "arguments": { "code": "while True: pass" } });
    server.send(&raw_protocol::request_of(&capabilities, 1, "tools/call", &params));
    let task = server.answer(1)["result"]["taskId"].clone();
    server.send(&raw_protocol::request_of(&capabilities, 2, "tasks/get", &json!({ "taskId": task })));
    assert_eq!(server.answer(2)["result"]["status"], "working");
    drop(server.input.take());
    assert!(server.child.wait().expect("it ends").success());
    let audit = std::fs::read_to_string(audit).expect("the audit");
    let ended: Value = audit.lines().last().and_then(|line| serde_json::from_str(line).ok()).expect("a record");
    assert_eq!((&ended["record"], &ended["ending"]), (&json!("run-ended"), &json!("Cancelled")), "{audit}");
}

/// Where Python's `str.splitlines` ends a line.
const ENDS: [char; 10] = ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];

#[host_test]
fn no_reader_of_lines_cuts_a_message() {
    let mut server = Server::start(&[]);
    let odd: String = ENDS.iter().flat_map(|end| ['x', *end]).collect();
    server.run(1, &format!("t = {}\nprint(t)\nt", json!(odd)));
    let mut line = String::new();
    while !line.contains("\"id\":1") {
        line.clear();
        assert_ne!(server.output.read_line(&mut line).expect("the server writes"), 0, "the server has ended");
        assert!(!line.trim_end_matches('\n').contains(ENDS), "{line:?}");
    }
    let answer: Value = serde_json::from_str(&line).expect("messages are JSON");
    assert_eq!(answer["result"]["structuredContent"]["value"], json!(odd));
}

#[host_test]
fn numbers_that_would_lose_digits_are_refused_with_their_place() {
    let mut server = Server::start(&[]);
    let params = json!({ "name": "execute_code", "arguments": { "code": "1", "n": "NUMBER" } });
    let request = raw_protocol::request(1, "tools/call", &params);
    server.send(&request.replace("\"NUMBER\"", "[100000000000000000001]"));
    let message = server.answer(1)["error"]["message"].as_str().expect("a message").to_owned();
    assert!(message.contains("`params.arguments.n[0]` is 100000000000000000001, "), "{message}");
    server.run(2, "[2**64 - 1, -(2**63)]");
    assert_eq!(server.answer(2)["result"]["structuredContent"]["value"], json!([u64::MAX, i64::MIN]));
}
