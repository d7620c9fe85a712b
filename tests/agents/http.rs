//! The HTTP transport: access control, malformed requests, closed connections and shutdown.

use std::{io::Write as _, net::TcpStream};

use isolette_tests::{
    Skipped,
    agents::{Client, Era, HttpServer, Script, settings},
    host_test,
};
use serde_json::{Value, json};

use crate::raw_protocol;

const ENDLESS: &str = "print('running', flush=True)\nwhile True: pass";

fn code(code: &str) -> Value {
    json!({ "name": "execute_code", "arguments": { "code": code } })
}

/// The same for a client that receives output while the program runs.
fn heard(program: &str) -> Value {
    let mut params = code(program);
    params["_meta"] = json!({ "progressToken": "p" });
    params
}

/// A program that runs and does not end.
fn endless(server: &HttpServer) -> TcpStream {
    let request = raw_protocol::request(1, "tools/call", &heard(ENDLESS));
    raw_protocol::heard(
        raw_protocol::open(&server.url, &raw_protocol::headers("tools/call", Some("execute_code")), &request),
        "running",
    )
}

fn status(server: &HttpServer, headers: &str) -> u16 {
    let body = raw_protocol::request(1, "tools/list", &json!({}));
    raw_protocol::post(&server.url, &format!("{}{headers}", raw_protocol::headers("tools/list", None)), &body).0
}

#[host_test]
fn unknown_hosts_and_origins_are_refused() {
    let server = HttpServer::start(&["--origin", "https://app.example.com:443"]);
    assert_eq!(status(&server, ""), 200);
    assert_eq!(status(&server, "host: evil.example.com\r\n"), 403);
    assert_eq!(status(&server, "host: localhost\r\n"), 200);
    assert_eq!(status(&server, "origin: https://evil.example.com\r\n"), 403);
    assert_eq!(status(&server, "origin: null\r\n"), 403);
    assert_eq!(status(&server, "origin: https://app.example.com\r\n"), 200);
    assert_eq!(status(&server, "origin: http://localhost:1\r\n"), 403);
    let own = server.url.trim_end_matches("/mcp").to_owned();
    assert_eq!(status(&server, &format!("origin: {own}\r\n")), 200);
    for (headers, expected) in [
        ("host: evil@localhost\r\n", 400),
        ("host: localhost\r\nhost: localhost\r\n", 400),
        ("host: localhost\r\nhost: evil.example.com\r\n", 400),
        ("host: evil.example.com\r\nhost: localhost\r\n", 400),
        ("host: localhost:80:80\r\n", 400),
        ("origin: http://evil@localhost:1\r\n", 403),
        ("origin: https://evil@app.example.com\r\n", 403),
        ("origin: https://app.example.com\r\norigin: https://evil.example.com\r\n", 400),
        ("origin: https://app.example.com, https://evil.example.com\r\n", 403),
    ] {
        assert_eq!(status(&server, headers), expected, "{headers}");
    }
    let elsewhere = server.url.replace("/mcp", "/elsewhere");
    assert_eq!(raw_protocol::post(&elsewhere, "", "{}").0, 404);
}

#[host_test]
fn a_missing_or_wrong_token_is_refused() -> Result<(), Skipped> {
    let server = HttpServer::start_with(&["--token", "env:TEST_TOKEN"], |command| command.env("TEST_TOKEN", "s3cret"));
    for (headers, expected) in [
        ("", 401),
        ("authorization: Bearer wrong\r\n", 401),
        ("authorization: Basic s3cret\r\n", 401),
        ("authorization: Bearer s3cret\r\n", 200),
    ] {
        assert_eq!(status(&server, headers), expected, "{headers}");
    }
    let script = Script::new(Client::TypeScript, Era::New, server.place());
    let replies = script
        .headers(json!({ "Authorization": "Bearer s3cret" }))
        .step(json!({ "call": "execute_code", "arguments": { "code": "1 + 1" } }))
        .play()?;
    assert_eq!(replies.results[0]["structuredContent"]["value"], 2);
    Ok(())
}

#[host_test]
fn listening_beyond_loopback_requires_a_token() {
    let refused = |arguments: &[&str]| {
        let output = isolette_tests::isolette().args(arguments).output().expect("it runs and fails");
        assert_eq!(output.status.code(), Some(102));
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let stderr = refused(&["mcp", "--http", "0.0.0.0:0"]);
    assert!(stderr.contains("can be reached from other machines, and there is no token"), "{stderr}");
    let stderr = refused(&["mcp", "--http", "0.0.0.0:0", "--token", "env:NO_SUCH_VARIABLE"]);
    assert!(stderr.contains("`NO_SUCH_VARIABLE` is to hold a secret, and is not set"), "{stderr}");
    let stderr = refused(&["mcp", "--http", "127.0.0.1:0", "--token", "hunter2"]);
    assert!(stderr.contains("never written out"), "{stderr}");
}

#[host_test]
fn malformed_allowed_hosts_and_origins_are_reported() {
    for (flag, value, expected) in [
        ("--origin", "app.example.com", "`app.example.com` is no origin of web pages"),
        ("--origin", "https://app.example.com/page", "is no origin of web pages"),
        ("--host", "https://tools.example.com", "`https://tools.example.com` is no name of a machine"),
    ] {
        let arguments = ["mcp", "--http", "127.0.0.1:0", flag, value];
        let output = isolette_tests::isolette().args(arguments).output().expect("it runs and fails");
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(102), "{stderr}");
        assert!(stderr.contains(expected) && stderr.contains("hint: give a "), "{stderr}");
    }
}

#[host_test]
fn malformed_http_requests_are_answered() {
    let server = HttpServer::start(&[]);
    let list = raw_protocol::headers("tools/list", None);
    for (body, expected) in [
        ("", 400..500),
        ("{", 400..500),
        ("[]", 400..500),
        ("null", 400..500),
        ("\u{0}\u{1}\u{2}", 400..500),
        (r#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#, 400..500),
        (r#"{"jsonrpc":"2.0","id":1,"method":"no/such/method","params":{}}"#, 200..500),
        (r#"{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}"#, 400..500),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#, 200..500),
    ] {
        let (status, answer) = raw_protocol::post(&server.url, &list, body);
        assert!(expected.contains(&status), "{body:?} was answered with {status}: {answer}");
    }
    // A head that never ends, a body that is shorter than its declared length, and an incomplete word.
    let address = server.url.trim_start_matches("http://").trim_end_matches("/mcp");
    for bytes in ["POST /mcp HTTP/1.1\r\nx: y\r\n", "POST /mcp HTTP/1.1\r\ncontent-length: 9\r\n\r\n{", "GE"] {
        let mut stream = TcpStream::connect(address).expect("the server listens");
        stream.write_all(bytes.as_bytes()).expect("the server reads");
        drop(stream);
    }
    assert_eq!(raw_protocol::call(&server.url, &code("1 + 1"))["structuredContent"]["value"], 2);
}

#[host_test]
fn oversized_http_requests_are_refused_unread() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("isolette.toml");
    std::fs::write(&config, "[server]\nmessage_bytes = '64KiB'\n").expect("a file");
    let server = HttpServer::start(&["--config", config.to_str().expect("UTF-8")]);
    let long = raw_protocol::request(1, "tools/call", &code(&format!("'{}'", "x".repeat(70_000))));
    let (status, _) =
        raw_protocol::post(&server.url, &raw_protocol::headers("tools/call", Some("execute_code")), &long);
    assert_eq!(status, 413);
    let fits = raw_protocol::call(&server.url, &code(&format!("len('{}')", "x".repeat(50_000))));
    assert_eq!(fits["structuredContent"]["value"], 50_000);
}

/// With capacity for one program, another can run before the first one's timeout only if the first has ended.
#[host_test]
fn a_closed_connection_ends_its_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("isolette.toml");
    std::fs::write(&config, "[server]\nconcurrent_runs = 1\n[sandbox]\ntimeout = '10m'\n").expect("a file");
    let server = HttpServer::start(&["--config", config.to_str().expect("UTF-8")]);
    drop(endless(&server));
    assert_eq!(raw_protocol::call(&server.url, &code("'my turn'"))["structuredContent"]["value"], "my turn");
}

/// The same for a revision in which a closed stream does not cancel: it takes the seconds in which the client may reconnect.
#[host_test]
fn a_closed_connection_of_an_older_revision_ends_its_run_and_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("isolette.toml");
    std::fs::write(&config, "[server]\nconcurrent_runs = 1\n[sandbox]\ntimeout = '10m'\n").expect("a file");
    let server = HttpServer::start(&["--config", config.to_str().expect("UTF-8")]);
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": { "name": "by-hand", "version": "1" },
    }});
    let answer = raw_protocol::answer(&server.url, "", &hello.to_string());
    let session = answer
        .lines()
        .find_map(|line| line.strip_prefix("mcp-session-id: "))
        .unwrap_or_else(|| panic!("there is no session: {answer}"));
    let headers = format!("mcp-session-id: {session}\r\nmcp-protocol-version: 2025-06-18\r\n");
    let (status, _) =
        raw_protocol::post(&server.url, &headers, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert_eq!(status, 202);
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": heard(ENDLESS) });
    let stream = raw_protocol::open(&server.url, &headers, &call.to_string());
    drop(raw_protocol::heard(stream, "running"));
    assert_eq!(raw_protocol::call(&server.url, &code("'my turn'"))["structuredContent"]["value"], "my turn");
    let (status, _) = raw_protocol::post(&server.url, &headers, r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#);
    assert_eq!(status, 404, "the session is gone");
}

#[host_test]
fn a_stopping_server_finishes_its_runs() {
    let mut server = HttpServer::start(&[]);
    let url = server.url.clone();
    let program = heard("import time\nprint('running', flush=True)\ntime.sleep(1)\n'finished'");
    let request = raw_protocol::request(1, "tools/call", &program);
    let mut stream = raw_protocol::open(&url, &raw_protocol::headers("tools/call", Some("execute_code")), &request);
    let mut heard = String::new();
    let mut buffer = [0; 1024];
    let mut terminated = false;
    loop {
        let count = std::io::Read::read(&mut stream, &mut buffer).expect("the server answers");
        if count == 0 {
            break;
        }
        heard.push_str(&String::from_utf8_lossy(&buffer[..count]));
        if !terminated && heard.contains("running") {
            server.terminate();
            terminated = true;
        }
    }
    assert!(heard.contains("finished"), "{heard}");
    assert_eq!(server.wait().code(), Some(0));
}

/// Independent of the session that a request names.
#[host_test]
fn a_stopping_server_starts_no_run() {
    let mut server = HttpServer::start(&["--timeout", "10m"]);
    let url = server.url.clone();
    let call = raw_protocol::headers("tools/call", Some("execute_code"));
    let request = |code_of: &str| raw_protocol::request(1, "tools/call", &code(code_of));
    let mut stays = raw_protocol::connect(&url).expect("the server listens");
    raw_protocol::send(&mut stays, &url, &call, &request("'before'"));
    let mut stays = raw_protocol::heard(stays, "before");
    let runs = endless(&server);
    server.terminate();
    raw_protocol::send(&mut stays, &url, &format!("mcp-session-id: made-up\r\n{call}"), &request("'after'"));
    drop(raw_protocol::heard(stays, "the server is stopping"));
    drop(runs);
    assert_eq!(server.wait().code(), Some(0));
}

#[host_test]
fn waiting_for_a_free_sandbox_times_out() {
    let settings = settings("concurrent_runs = 1\nwaiting_time = '500ms'");
    let server = HttpServer::start(&["--config", settings.path().to_str().expect("UTF-8"), "--timeout", "10m"]);
    let runs = endless(&server);
    let error = &raw_protocol::call(&server.url, &code("1"))["structuredContent"]["error"];
    assert_eq!(error["kind"], "Busy", "{error}");
    assert!(error["message"].as_str().unwrap_or_default().contains("0.5 s"), "{error}");
    drop(runs);
}

#[host_test]
fn protocol_sessions_do_not_share_state() -> Result<(), Skipped> {
    let server = HttpServer::start(&["--profile", "sessions"]);
    let create = json!({ "call": "create_sandbox", "save": "sandbox_id" });
    for _ in 0..2 {
        let replies = Script::new(Client::Python, Era::Old, server.place())
            .step(create.clone())
            .step(json!({ "call": "list_sandboxes" }))
            .play()?;
        let listed = replies.results[1]["structuredContent"]["sandboxes"].as_array().unwrap();
        assert_eq!(listed.len(), 1, "others' are not listed");
        assert_eq!(listed[0]["sandbox_id"], replies.results[0]["structuredContent"]["sandbox_id"]);
    }
    Ok(())
}

#[host_test]
fn numbers_that_would_lose_digits_are_refused_with_their_place() {
    let server = HttpServer::start(&[]);
    let params = json!({ "name": "execute_code", "arguments": { "code": "1", "n": "NUMBER" } });
    let body = raw_protocol::request(7, "tools/call", &params).replace("\"NUMBER\"", "[100000000000000000001]");
    let headers = raw_protocol::headers("tools/call", Some("execute_code"));
    let (status, text) = raw_protocol::post(&server.url, &headers, &body);
    let message = raw_protocol::message(&text);
    assert_eq!((status, &message["id"]), (200, &json!(7)), "{text}");
    assert!(text.contains("`params.arguments.n[0]` is 100000000000000000001, "), "{text}");
}

#[host_test]
fn no_reader_of_lines_cuts_an_event() {
    let server = HttpServer::start(&[]);
    let odd = "a\u{2028}b\u{2029}c\u{85}d";
    // Output while the program runs makes the response a stream of events.
    let params = heard(&format!("t = {}\nprint(t, flush=True)\nt", json!(odd)));
    let headers = raw_protocol::headers("tools/call", Some("execute_code"));
    let (status, text) = raw_protocol::post(&server.url, &headers, &raw_protocol::request(1, "tools/call", &params));
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("data: ") && !text.contains(['\u{2028}', '\u{2029}', '\u{85}']), "{text:?}");
    assert_eq!(raw_protocol::message(&text)["result"]["structuredContent"]["value"], json!(odd));
}
