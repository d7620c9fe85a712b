//! Servers that say more than anybody can take. The program is told, and what comes after is heard.

use axum::{Json, Router, routing::post};
use isolette_tests::{
    Skipped,
    agents::{Client, Era, Script, python, servers, stdio},
    host_tests,
    server::Server,
};
use serde_json::{Value, json};

host_tests! {
    a_line_that_is_too_long_is_dropped;
    a_body_that_is_too_long_is_dropped;
}

/// Calls the tool that floods, and then the one that does not. Returns how the first call ended.
fn play(server: &str, timeout: u32) -> Result<String, Skipped> {
    let call = |tool: &str, timeout: u32| {
        let code = format!("call_tool('flood.{tool}')");
        json!({ "call": "execute_code", "arguments": { "code": code, "timeout_s": timeout } })
    };
    let place = stdio(&["--mcp-server", server]);
    let told =
        Script::new(Client::Python, Era::New, place).step(call("flood", timeout)).step(call("drop", 30)).play()?;
    let after = &told.results[1]["structuredContent"];
    assert_eq!(after["value"], json!("water"), "{after}");
    Ok(told.results[0]["structuredContent"]["error"]["message"].as_str().expect("an error").to_owned())
}

/// Nobody can tell whose answer it was, so the call waits until its time is over.
fn a_line_that_is_too_long_is_dropped() -> Result<(), Skipped> {
    let server = format!("flood='{}' '{}'", python()?.display(), servers().join("flood.py").display());
    let said = play(&server, 3)?;
    assert!(said.contains("longer than its limit of 3s"), "{said}");
    Ok(())
}

async fn answer(Json(request): Json<Value>) -> Json<Value> {
    let answer = match request["method"].as_str() {
        Some("initialize") => json!({ "result": {
            "protocolVersion": "2025-06-18",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "flood", "version": "1" },
        } }),
        Some("tools/list") => {
            let tool = |name| json!({ "name": name, "inputSchema": { "type": "object" } });
            json!({ "result": { "tools": [tool("flood"), tool("drop")] } })
        }
        Some("tools/call") => {
            let times = if request["params"]["name"] == "flood" { (64 << 20) / 5 } else { 1 };
            json!({ "result": { "content": [{ "type": "text", "text": "water".repeat(times) }] } })
        }
        _ => json!({ "error": { "code": -32601, "message": "no such method" } }),
    };
    let Value::Object(mut answer) = answer else { unreachable!("all of them are objects") };
    answer.insert("jsonrpc".into(), json!("2.0"));
    answer.insert("id".into(), request["id"].clone());
    Json(answer.into())
}

fn a_body_that_is_too_long_is_dropped() -> Result<(), Skipped> {
    let server = Server::start(Router::new().route("/mcp", post(answer)));
    let said = play(&format!("flood={}/mcp", server.origin()), 30)?;
    assert!(said.contains("the connection to the server was lost"), "{said}");
    Ok(())
}
