//! `isolette proxy`: lines of JSON.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use isolette_tests::host_test;
use serde_json::{Value, json};

use crate::server::Server;

struct Proxy {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Proxy {
    fn start(server: &Server, arguments: &[&str]) -> Self {
        let mut command = server.command(&[&["proxy"], arguments].concat());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().expect("it is piped"));
        Self { child, stdin, stdout: BufReader::new(stdout) }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().expect("it is open"), "{line}").expect("it is read");
    }

    fn reply(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("text");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn ask(&mut self, request: Value) -> Value {
        self.send(&request.to_string());
        self.reply()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn without_time(mut reply: Value) -> Value {
    if reply["duration_ms"].is_u64() {
        reply["duration_ms"] = json!("a number");
    }
    reply
}

#[host_test]
fn the_operations() {
    let server = Server::start(&[]);
    let mut proxy = Proxy::start(&server, &[]);
    let replies: Vec<_> = [
        json!({ "op": "ping" }),
        json!({ "op": "ping", "id": 7 }),
        json!({ "op": "exec", "cmd": "python3 -c 'print(1 + 1)'", "timeout": 60 }),
        json!({ "op": "exec", "code": "x = 1\nprint('out')\nimport sys\nprint('err', file=sys.stderr)\nx", "id": "a" }),
        json!({ "op": "exec", "code": "x / 0" }),
        json!({ "op": "exec", "code": "console.log([x])", "lang": "javascript", "context": "js" }),
        json!({ "op": "exec", "code": "while True: pass", "timeout": 0.2 }),
        json!({ "op": "exec", "code": "import sys\nsys.stdout.buffer.write(bytes([255, 0]))" }),
        json!({ "op": "exec", "cmd": "bash" }),
        json!({ "op": "exec" }),
        json!({ "op": "write", "path": "a/b.txt", "content": "text" }),
        json!({ "op": "write", "path": "c.bin", "content": "/wA=", "encoding": "base64" }),
        json!({ "op": "read", "path": "a/b.txt" }),
        json!({ "op": "read", "path": "a/b.txt", "encoding": "base64" }),
        json!({ "op": "read", "path": "c.bin" }),
        json!({ "op": "read", "path": "../../service.db" }),
        json!({ "op": "read", "path": "none" }),
        json!({ "op": "list", "path": "." }),
        json!({ "op": "dance" }),
        json!({ "op": "ping", "unknown": 1 }),
        json!([1]),
        json!({ "op": "cancel", "id": "nobody" }),
    ]
    .into_iter()
    .map(|request| without_time(proxy.ask(request)))
    .collect();
    insta::assert_json_snapshot!("proxy_operations", replies);
    proxy.send("");
    proxy.send("not json");
    assert_eq!(proxy.reply()["op"], "error");
    let snapshot = proxy.ask(json!({ "op": "snapshot" }))["snapshot"].clone();
    proxy.ask(json!({ "op": "exec", "code": "x = 2" }));
    assert_eq!(proxy.ask(json!({ "op": "restore", "snapshot": snapshot })), json!({ "op": "restore" }));
    assert_eq!(proxy.ask(json!({ "op": "exec", "code": "x" }))["value"], 1);
    assert_eq!(proxy.ask(json!({ "op": "destroy" })), json!({ "op": "destroy" }));
    assert_eq!(proxy.child.wait().expect("it ends").code(), Some(0));
    assert_eq!(server.get("/v1/health").expect(200)["sandboxes"], 0);
}

#[host_test]
fn a_request_can_be_cancelled_while_others_are_done() {
    let server = Server::start(&[]);
    let mut proxy = Proxy::start(&server, &[]);
    proxy.send(&json!({ "op": "exec", "code": "while True: pass", "context": "a", "id": "endless" }).to_string());
    // It is in progress: the next one is refused for its identifier.
    assert_eq!(proxy.ask(json!({ "op": "ping", "id": "endless" }))["op"], "error");
    assert_eq!(proxy.ask(json!({ "op": "exec", "code": "1 + 1", "id": 2 }))["value"], 2);
    assert_eq!(proxy.ask(json!({ "op": "cancel", "id": "endless" })), json!({ "op": "cancel", "id": "endless" }));
    let cancelled = proxy.reply();
    assert_eq!(
        (&cancelled["op"], &cancelled["id"], &cancelled["type"]),
        (&json!("error"), &json!("endless"), &json!("Cancelled"))
    );
    assert_eq!(proxy.ask(json!({ "op": "exec", "code": "3", "context": "a" }))["value"], 3);
}

#[host_test]
fn the_end_of_the_input_deletes_the_sandbox_and_the_policy_is_enforced() {
    let server = Server::start(&[]);
    let mut proxy = Proxy::start(&server, &["--timeout", "2s", "--allow", "GET https://example.com"]);
    assert_eq!(proxy.ask(json!({ "op": "exec", "code": "while True: pass" }))["error"]["type"], "Timeout");
    let code = "try:\n    http_get('http://127.0.0.1:1/')\nexcept Exception as error:\n    text = str(error)\ntext";
    let reply = proxy.ask(json!({ "op": "exec", "code": code }));
    assert!(reply["value"].as_str().is_some_and(|text| text.contains("is not allowed")), "{reply}");
    proxy.send(&json!({ "op": "exec", "code": "while True: pass", "id": 1 }).to_string());
    proxy.stdin = None;
    assert_eq!(proxy.child.wait().expect("it ends").code(), Some(0));
    assert_eq!(server.get("/v1/health").expect(200)["sandboxes"], 0);
}

#[host_test]
fn no_reader_of_lines_cuts_a_reply() {
    let server = Server::start(&[]);
    let mut proxy = Proxy::start(&server, &[]);
    let odd = "a\u{2028}b\u{2029}c\u{85}d\u{b}e\u{c}f\u{1c}g\u{1d}h\u{1e}i\r\nj";
    proxy.send(&json!({ "op": "exec", "id": odd, "code": format!("print({})", json!(odd)) }).to_string());
    let mut line = String::new();
    proxy.stdout.read_line(&mut line).expect("text");
    let inner = line.trim_end_matches('\n');
    let ends = ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];
    assert!(!inner.contains(ends), "{inner:?}");
    let reply: Value = serde_json::from_str(inner).expect("JSON");
    assert_eq!((&reply["id"], reply["stdout"].as_str()), (&json!(odd), Some(&*format!("{odd}\n"))));
    let refused = {
        proxy.send(r#"{"op": "ping", "id": 100000000000000000001}"#);
        proxy.reply()
    };
    assert!(refused["message"].as_str().is_some_and(|text| text.contains("more than 64 bits")), "{refused}");
}
