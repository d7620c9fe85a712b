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

/// A request may have 16 MiB of it, large ones 56 MiB together, and up to 16 KiB are small.
fn server(more: &[&str]) -> (HttpServer, NamedTempFile) {
    let file = settings("value_bytes = '64MiB'\n[sandbox]\ntimeout = '10m'");
    let path = file.path().to_str().expect("UTF-8");
    (HttpServer::start(&[&["--config", path], more].concat()), file)
}

/// A call of a program with so many bytes behind it, by a client that hears what is printed and can be asked.
fn call(code: &str, bytes: usize) -> String {
    let arguments = json!({ "code": format!("{code}\n#{}", "x".repeat(bytes)) });
    let params = json!({ "name": "execute_code", "arguments": arguments, "_meta": { "progressToken": "p" } });
    raw_protocol::request_of(&json!({ "elicitation": {} }), 1, "tools/call", &params)
}

fn headers() -> String {
    raw_protocol::headers("tools/call", Some("execute_code"))
}

/// Begins a request whose body does not come to its end.
fn unfinished(server: &HttpServer, bytes: usize) -> TcpStream {
    let mut stream = raw_protocol::connect(&server.url).expect("the server listens");
    let head = raw_protocol::head(&server.url, &headers(), 16 * MIB);
    stream.write_all(head.as_bytes()).expect("the server reads");
    // One that is refused need not be read to its end.
    let _ = stream.write_all(&vec![b' '; bytes]);
    stream
}

#[host_test]
fn slow_clients_do_not_exhaust_value_memory() {
    let (server, _file) = server(&[]);
    let large = call("1", MIB);
    let mut slow = Vec::new();
    // One that arrives beside another large request may be refused itself.
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
    // Twice while it is parsed.
    let (status, reported) = raw_protocol::post(&server.url, &headers(), &call("1", 9 * MIB));
    assert_eq!(status, 413, "{reported}");
    assert!(
        reported.contains("16777216 of 67108864 are allowed for one request or call\nhint: send fewer"),
        "{reported}"
    );
}

/// Each takes 12 MiB while it is parsed, and 6 MiB as long as it runs.
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
    // The ninth would be parsed beside 48 MiB of programs, and needs 12 MiB, which is more than remains.
    assert_eq!((0..16).take_while(asked).count(), 8);
}
