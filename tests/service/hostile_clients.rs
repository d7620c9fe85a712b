//! Clients that are slow, send too much, or half of a request.

use std::{
    io::{Read as _, Write as _},
    os::unix::net::UnixStream,
};

use isolette_tests::host_test;
use serde_json::json;

use crate::server::Server;

fn raw(server: &Server, bytes: &[u8]) -> String {
    let mut stream = UnixStream::connect(server.socket()).expect("the server listens");
    stream.write_all(bytes).expect("it is read");
    let mut answer = Vec::new();
    // A server that refuses may close before all was sent.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[host_test]
fn requests_that_are_not_http_are_refused() {
    let server = Server::start(&[]);
    for bytes in [
        &b"nonsense\r\n\r\n"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /v1/health HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n",
        b"POST /v1/runs HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n",
        b"POST /v1/runs HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello",
        b"POST /v1/runs HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\nzz\r\n",
        b"POST /v1/runs HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-length: 10\r\n\r\na\r\n{\"code\":1}\r\n0\r\n\r\n",
        b"POST /v1/runs HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\ntransfer-encoding: chunked\r\n\r\na\r\n{\"code\":1}\r\n0\r\n\r\n",
    ] {
        let answer = raw(&server, bytes);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{}: {answer}", String::from_utf8_lossy(bytes));
    }
    assert_eq!(server.get("/v1/health").status, 200);
}

#[host_test]
fn a_path_that_is_no_text_is_refused_like_other_requests() {
    let server = Server::start(&[]);
    for path in ["/v1/sandboxes/%ff", "/v1/runs/%ff/logs", "/v1/snapshots/%c3%28"] {
        let failure = server.get(path).failure(400);
        assert!(failure.starts_with("InvalidArgument: the path cannot be read"), "{path}: {failure}");
    }
}

#[host_test]
fn bodies_and_heads_have_a_limit() {
    let server = Server::start(&["--config", &crate::runs::config("[service]\nbody_bytes = '10KiB'")]);
    let code = "#".repeat(11 << 10);
    assert!(server.post("/v1/runs", json!({ "code": code })).failure(413).starts_with("TooLarge: "));
    let head = format!("GET /v1/health HTTP/1.1\r\nhost: a\r\nx: {}\r\n\r\n", "y".repeat(1 << 20));
    let answer = raw(&server, head.as_bytes());
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
    let deep = format!("{{\"variables\": {{\"a\": {}1{}}}}}", "[".repeat(4000), "]".repeat(4000));
    let reply = server.send("POST", "/v1/runs", &[], Some(deep.into_bytes()));
    assert_eq!(reply.status, 400, "{reply:?}");
    assert_eq!(server.get("/v1/health").status, 200);
}

#[host_test]
fn clients_that_go_away_in_the_middle_leave_nothing() {
    let server = Server::start(&[]);
    for part in
        [&b"POST /v1/runs HT"[..], b"POST /v1/runs HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n{\"code\":"]
    {
        for _ in 0..20 {
            let mut stream = UnixStream::connect(server.socket()).expect("the server listens");
            stream.write_all(part).expect("it is read");
        }
    }
    let health = server.get("/v1/health").expect(200);
    assert_eq!((&health["running"], &health["waiting"]), (&json!(0), &json!(0)));
    assert_eq!(server.post("/v1/runs", json!({ "code": "1" })).status, 200);
}

#[host_test]
fn connections_beyond_the_limit_wait() {
    let server = Server::start(&["--config", &crate::runs::config("[service]\nconnections = 4")]);
    let idle: Vec<_> = (0..4).map(|_| UnixStream::connect(server.socket()).expect("the server listens")).collect();
    let mut fifth = UnixStream::connect(server.socket()).expect("the server listens");
    fifth.write_all(b"GET /v1/health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").expect("it is buffered");
    drop(idle);
    let mut answer = String::new();
    fifth.read_to_string(&mut answer).expect("text");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}
