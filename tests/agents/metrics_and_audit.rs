//! Metrics and the audit of a server.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::Stdio,
};

use isolette_tests::{host_test, isolette};
use serde_json::{Value, json};

use crate::raw_protocol;

fn get(url: &str) -> String {
    let (address, path) = url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("a URL");
    let mut stream = TcpStream::connect(address).expect("the server listens");
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("it reads");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("it answers in text");
    response
}

#[host_test]
fn metrics_and_audit_record_what_a_client_did() {
    let folder = tempfile::tempdir().expect("a folder");
    let audit = folder.path().join("audit.jsonl");
    let mut child = isolette()
        .args(["mcp", "--profile", "sessions", "--metrics", "127.0.0.1:0", "--audit"])
        .arg(&audit)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut reported = String::new();
    let mut stderr = BufReader::new(child.stderr.take().expect("it was asked for"));
    stderr.read_line(&mut reported).expect("it says where");
    let url = reported.trim().strip_prefix("isolette: metrics at ").expect("it says where").to_owned();

    let mut input = child.stdin.take().expect("it was asked for");
    let mut output = BufReader::new(child.stdout.take().expect("it was asked for"));
    let mut call = |id: u64, name: &str, arguments: Value| -> Value {
        let params = json!({ "name": name, "arguments": arguments });
        writeln!(input, "{}", raw_protocol::request(id, "tools/call", &params)).expect("the server reads");
        loop {
            let mut line = String::new();
            assert_ne!(output.read_line(&mut line).expect("the server writes"), 0, "the server has ended");
            let message: Value = serde_json::from_str(&line).expect("messages are JSON");
            if message["id"] == json!(id) {
                return message["result"]["structuredContent"].clone();
            }
        }
    };
    let handle = call(1, "create_sandbox", json!({}))["sandbox_id"].as_str().expect("a handle").to_owned();
    assert_eq!(call(2, "execute_code", json!({ "code": "6 * 7", "sandbox_id": handle }))["value"], json!(42));
    assert_eq!(call(3, "execute_code", json!({ "code": "1 / 0" }))["success"], json!(false));

    let metrics = get(&url);
    assert!(metrics.starts_with("HTTP/1.1 200") && metrics.contains("openmetrics-text"), "{metrics}");
    for line in [
        "isolette_runs_total{language=\"python\",ending=\"ok\"} 1",
        "isolette_runs_total{language=\"python\",ending=\"exception\"} 1",
        "isolette_mcp_sandboxes 1",
        "isolette_mcp_runs_waiting 0",
        "isolette_mcp_tasks 0",
    ] {
        assert!(metrics.lines().any(|other| other == line), "`{line}`: {metrics}");
    }
    assert!(get(&url.replace("/metrics", "/mcp")).starts_with("HTTP/1.1 404"));

    drop(input);
    assert!(child.wait().expect("it ends").success());
    let text = fs::read_to_string(&audit).expect("the audit");
    assert!(!text.contains(&handle), "a handle gives access to the sandbox: {text}");
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let reported: Vec<_> =
        records.iter().map(|record| (record["record"].as_str(), record["labels"]["client"].as_str())).collect();
    let both = [(Some("run-began"), Some("stdio")), (Some("run-ended"), Some("stdio"))];
    assert_eq!(reported, [both, both].concat());
    assert_eq!(records[0]["labels"]["sandbox"].as_str().map(str::len), Some(16));
    assert_eq!((&records[0]["session"].is_string(), &records[2]["session"]), (&true, &Value::Null));
}

#[host_test]
fn metrics_require_a_token_beyond_loopback() {
    let output = isolette().args(["mcp", "--metrics", "0.0.0.0:0"]).stdin(Stdio::null()).output().expect("it ends");
    let reported = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(102), "{reported}");
    assert!(reported.contains("can be reached from other machines, and there is no token"), "{reported}");
}
