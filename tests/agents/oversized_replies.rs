//! Tool servers whose replies are too long, or whose schemas take too long to check. The program gets an error, and later
//! replies arrive.

use axum::{Json, Router, routing::post};
use isolette_tests::{
    Skipped,
    agents::{Client, Era, Script, python, servers, stdio},
    host_test,
    server::Server,
};
use serde_json::{Value, json};

/// Calls the tool with the long reply, and then the other one. Returns how the first call ended.
fn play(server: &str, timeout: u32) -> Result<String, Skipped> {
    let call = |tool: &str, timeout: u32| {
        let code = format!("call_tool('flood.{tool}')");
        json!({ "call": "execute_code", "arguments": { "code": code, "timeout_s": timeout } })
    };
    let place = stdio(&["--mcp-server", server]);
    let replies =
        Script::new(Client::Python, Era::New, place).step(call("flood", timeout)).step(call("drop", 30)).play()?;
    let after = &replies.results[1]["structuredContent"];
    assert_eq!(after["value"], json!("water"), "{after}");
    Ok(replies.results[0]["structuredContent"]["error"]["message"].as_str().expect("an error").to_owned())
}

/// The reply cannot be assigned to a call, so the call waits until its timeout.
#[host_test]
fn an_oversized_line_of_a_tool_server_is_dropped() -> Result<(), Skipped> {
    let server = format!("flood='{}' '{}'", python()?.display(), servers().join("flood.py").display());
    let said = play(&server, 3)?;
    assert!(said.contains("longer than its timeout of 3s"), "{said}");
    Ok(())
}

/// Each of 60 definitions tries the next one twice, so that a value would be tried 2^60 times.
fn doubling() -> Value {
    let definitions: serde_json::Map<_, _> = (0..60)
        .map(|number| {
            let next = json!({ "$ref": format!("#/$defs/d{}", number + 1) });
            (format!("d{number}"), json!({ "anyOf": [next, next] }))
        })
        .chain([("d60".to_owned(), json!({ "type": "string" }))])
        .collect();
    json!({ "type": "object", "properties": { "x": { "$ref": "#/$defs/d0" } }, "$defs": definitions })
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
            let double = json!({ "name": "double", "inputSchema": doubling(), "outputSchema": doubling() });
            json!({ "result": { "tools": [tool("flood"), tool("drop"), double] } })
        }
        Some("tools/call") => {
            let times = if request["params"]["name"] == "flood" { (64 << 20) / 5 } else { 1 };
            let mut result = json!({ "content": [{ "type": "text", "text": "water".repeat(times) }] });
            if request["params"]["name"] == "double" {
                result["structuredContent"] = json!({ "x": 1 });
            }
            json!({ "result": result })
        }
        _ => json!({ "error": { "code": -32601, "message": "no such method" } }),
    };
    let Value::Object(mut answer) = answer else { unreachable!("all of them are objects") };
    answer.insert("jsonrpc".into(), json!("2.0"));
    answer.insert("id".into(), request["id"].clone());
    Json(answer.into())
}

#[host_test]
fn an_oversized_body_of_a_tool_server_is_dropped() -> Result<(), Skipped> {
    let server = Server::start(Router::new().route("/mcp", post(answer)));
    let said = play(&format!("flood={}/mcp", server.origin()), 30)?;
    assert!(said.contains("the connection to the server was lost"), "{said}");
    Ok(())
}

#[host_test]
fn an_exponential_schema_of_a_tool_server_is_not_checked() -> Result<(), Skipped> {
    let server = Server::start(Router::new().route("/mcp", post(answer)));
    let place = stdio(&["--mcp-server", &format!("flood={}/mcp", server.origin())]);
    let code = "call_tool('flood.double', x=1)";
    let replies = Script::new(Client::Python, Era::New, place)
        .step(json!({ "call": "execute_code", "arguments": { "code": code, "timeout_s": 20 } }))
        .play()?;
    let result = &replies.results[0]["structuredContent"];
    assert_eq!(result["value"], json!({ "x": 1 }), "{result}");
    Ok(())
}
