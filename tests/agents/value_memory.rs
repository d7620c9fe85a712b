//! The memory for values that all clients of a server share.

use std::{io::Write as _, net::TcpStream};

use isolette_tests::{
    agents::{HttpServer, settings},
    host_test,
};
use serde_json::json;
use tempfile::NamedTempFile;

use crate::raw_protocol;

const MIB: usize = 1 << 20;

/// One request may have 16 MiB, large ones together 56 MiB, and up to 16 KiB count as small.
fn server(more: &[&str]) -> (HttpServer, NamedTempFile) {
    let file = settings("value_bytes = '64MiB'\n[sandbox]\ntimeout = '10m'");
    let path = file.path().to_str().expect("UTF-8");
    (HttpServer::start(&[&["--config", path], more].concat()), file)
}

/// A call of a program with trailing bytes, by a client that receives output and can be asked.
fn call(code: &str, bytes: usize) -> String {
    let arguments = json!({ "code": format!("{code}\n#{}", "x".repeat(bytes)) });
    let params = json!({ "name": "execute_code", "arguments": arguments, "_meta": { "progressToken": "p" } });
    raw_protocol::request_of(&json!({ "elicitation": {} }), 1, "tools/call", &params)
}

fn headers() -> String {
    raw_protocol::headers("tools/call", Some("execute_code"))
}

/// Starts a request with an incomplete body.
fn unfinished(server: &HttpServer, bytes: usize) -> TcpStream {
    let mut stream = raw_protocol::connect(&server.url).expect("the server listens");
    let head = raw_protocol::head(&server.url, &headers(), 16 * MIB);
    stream.write_all(head.as_bytes()).expect("the server reads");
    // A rejected request need not be read to its end.
    let _ = stream.write_all(&vec![b' '; bytes]);
    stream
}

#[host_test]
fn slow_clients_do_not_exhaust_value_memory() {
    let (server, _file) = server(&[]);
    let large = call("1", MIB);
    let mut slow = Vec::new();
    // A request during another large one may be rejected itself.
    let refused = loop {
        slow.push(unfinished(&server, 7 * MIB));
        let (status, reported) = raw_protocol::post(&server.url, &headers(), &large);
        if status != 200 {
            assert_eq!(status, 503, "{reported}");
            break reported;
        }
    };
    assert!(refused.contains("other values leave room for ") && refused.contains(" of 67108864\nhint: "), "{refused}");
    let (status, reported) = raw_protocol::post(&server.url, &headers(), &call("6 * 7", 0));
    assert_eq!(status, 200, "{reported}");
    assert_eq!(raw_protocol::message(&reported)["result"]["structuredContent"]["value"], 42);
    drop(slow);
    while raw_protocol::post(&server.url, &headers(), &large).0 != 200 {}
    // Twice during parsing.
    let (status, reported) = raw_protocol::post(&server.url, &headers(), &call("1", 9 * MIB));
    assert_eq!(status, 413, "{reported}");
    assert!(
        reported.contains("16777216 of 67108864 are allowed for one request or call\nhint: send fewer"),
        "{reported}"
    );
}

/// Each takes 12 MiB during parsing, and 6 MiB while it runs.
#[host_test]
fn a_running_program_counts_once_against_value_memory() {
    let (server, _file) = server(&[]);
    let running = || {
        let stream = raw_protocol::open(
            &server.url,
            &headers(),
            &call("print('running', flush=True)\nimport time\ntime.sleep(60)", 6 * MIB),
        );
        raw_protocol::heard(stream, "running")
    };
    let _running: Vec<_> = (0..6).map(|_| running()).collect();
}

#[host_test]
fn a_program_pending_approval_counts_against_value_memory() {
    let (server, _file) = server(&["--approval", "always"]);
    let asked = |_: &usize| {
        let (status, reported) = raw_protocol::post(&server.url, &headers(), &call("1", 6 * MIB));
        assert!(status == 503 || reported.contains("input_required"), "{status} {reported}");
        status == 200
    };
    // The ninth would be parsed while 48 MiB of programs are held, and needs 12 MiB, more than the rest.
    assert_eq!((0..16).take_while(asked).count(), 8);
}
