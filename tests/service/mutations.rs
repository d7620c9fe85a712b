//! Requests and lines of the proxy that are almost right: the server answers or closes, and goes on.

use std::{
    io::{Read as _, Write as _},
    net::Shutdown,
    os::unix::net::UnixStream,
    process::Stdio,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use isolette_tests::host_test;
use serde_json::{Value, json};

use crate::server::Server;

/// Mutated requests.
const REQUESTS: usize = 1500;

/// Mutated lines of the proxy.
const LINES: usize = 1500;

/// Numbers without a pattern, the same for the same seed.
struct Numbers(u64);

impl Numbers {
    fn seeded() -> Self {
        Self(SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    /// Changes, removes, repeats or moves some of the bytes.
    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        const PIECES: [&[u8]; 12] = [
            b"\r\n",
            b"\r\n\r\n",
            b"\0",
            b": ",
            b"{",
            b"]",
            b"\"",
            b"%2e%2e%2f",
            b"18446744073709551616",
            b"-1",
            b"\xff\xfe",
            b"chunked",
        ];
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len());
            let until = (at + self.below(16)).min(bytes.len());
            match self.below(6) {
                0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                1 => drop(bytes.drain(at..until)),
                2 => {
                    let piece = bytes[at..until].to_vec();
                    drop(bytes.splice(at..at, piece));
                }
                3 => bytes.truncate(at),
                _ => drop(bytes.splice(at..at, PIECES[self.below(PIECES.len())].iter().copied())),
            }
        }
    }
}

fn requests(sandbox: &str) -> Vec<Vec<u8>> {
    let post = |path: &str, body: Value| {
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nIdempotency-Key: k\r\n"
        );
        format!("{head}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()).into_bytes()
    };
    let get = |path: &str| {
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nLast-Event-ID: 3\r\n");
        format!("{head}Connection: close\r\n\r\n").into_bytes()
    };
    let form = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\ntext\r\n--b--\r\n";
    let upload = format!(
        "POST /e2b/files?path=a HTTP/1.1\r\nHost: localhost\r\nE2b-Sandbox-Id: {sandbox}\r\n\
         Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{form}",
        form.len()
    );
    let chunked = "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n\
                   c\r\n{\"code\": \"1\"\r\n1\r\n}\r\n0\r\n\r\n";
    vec![
        post("/v1/runs", json!({ "code": "1 + 1", "variables": { "x": [1, null, "a"] }, "timeout": "5s" })),
        post(
            "/v1/sandboxes",
            json!({ "name": "n", "policy": { "network": "none" }, "ttl": "1h", "tools": [{ "name": "t" }] }),
        ),
        post(
            &format!("/v1/sandboxes/{sandbox}/runs"),
            json!({ "code": "x = 1", "context": "c", "rollback_on_error": true }),
        ),
        post(&format!("/v1/sandboxes/{sandbox}/contexts"), json!({ "name": "c", "language": "javascript" })),
        post("/v1/runs/run-absent/answers", json!({ "answers": { "1": { "value": 5 }, "2": "approve" } })),
        post("/e2b/sandboxes", json!({ "templateID": "base", "timeout": 60, "metadata": { "a": "b" } })),
        get(&format!("/v1/sandboxes/{sandbox}/files/content?path=a%2Fb&x=%zz")),
        get("/v1/runs?limit=10&sandbox=x"),
        get("/v1/runs/run-absent/logs?offset=5&stream=stdout"),
        get("/inspector"),
        upload.into_bytes(),
        chunked.into(),
    ]
}

#[host_test]
fn requests_that_are_almost_right_do_no_harm() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({})).rsplit('/').next().expect("an identifier").to_owned();
    let (requests, mut numbers) = (requests(&sandbox), Numbers::seeded());
    let seed = numbers.0;
    for number in 0..REQUESTS {
        let mut request = requests[numbers.below(requests.len())].clone();
        numbers.mutate(&mut request);
        let mut connection = UnixStream::connect(server.socket()).expect("the server accepts");
        connection.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
        // It may have refused the beginning already.
        let _ = connection.write_all(&request).and_then(|()| connection.shutdown(Shutdown::Write));
        let mut response = Vec::new();
        match connection.read_to_end(&mut response) {
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
            read => drop(read.unwrap_or_else(|error| panic!("seed {seed}, request {number}: {error}: {request:?}"))),
        }
        let is_response = response.is_empty() || response.starts_with(b"HTTP/1.");
        assert!(is_response, "seed {seed}, request {number}: {}", String::from_utf8_lossy(&response));
    }
    assert_eq!(server.value(&format!("/v1/sandboxes/{sandbox}"), "6 * 7"), 42, "seed {seed}");
    let messages = server.messages();
    assert!(!messages.contains("panicked"), "seed {seed}: {messages}");
}

#[host_test]
fn lines_that_are_almost_right_do_no_harm() {
    let server = Server::start(&[]);
    let lines = [
        json!({ "op": "write", "path": "task.py", "content": "print(1)", "id": 1 }),
        json!({ "op": "exec", "cmd": "python3 task.py", "timeout": 5, "id": "two" }),
        json!({ "op": "exec", "code": "x = 1", "lang": "python", "encoding": "base64" }),
        json!({ "op": "read", "path": "task.py", "encoding": "base64" }),
        json!({ "op": "list", "path": "." }),
        json!({ "op": "cancel", "id": 3 }),
        json!({ "op": "snapshot" }),
    ];
    let mut numbers = Numbers::seeded();
    let seed = numbers.0;
    let mut input = Vec::new();
    for _ in 0..LINES {
        let mut line = lines[numbers.below(lines.len())].to_string().into_bytes();
        numbers.mutate(&mut line);
        line.retain(|byte| *byte != b'\n');
        input.extend_from_slice(&line);
        input.push(b'\n');
    }
    // Without an identifier it is done before the next line is read.
    input.extend_from_slice(
        b"{\"op\": \"exec\", \"code\": \"print(6 * 7)\"}
",
    );
    let mut proxy = server.command(&["proxy"]);
    let mut child =
        proxy.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let writing = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("it ends");
    let _ = writing.join().expect("no panic");
    let stdout = String::from_utf8(output.stdout).expect("replies are text");
    for line in stdout.lines() {
        let reply: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("seed {seed}: {error}: {line}"));
        assert!(
            reply["op"].is_string() || reply["error"].is_string() || reply["error"].is_object(),
            "seed {seed}: {line}"
        );
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stderr.contains("panicked"), "seed {seed}: {stderr}");
    let is_last = |line: &str| line.contains("\"exec\"") && line.contains("42\\n");
    assert!(
        stdout.lines().any(is_last),
        "seed {seed}: {}\n{stderr}",
        stdout.lines().rev().take(8).collect::<Vec<_>>().join("\n")
    );
    assert!(!server.messages().contains("panicked"), "seed {seed}: {}", server.messages());
}
