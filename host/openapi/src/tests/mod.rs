mod bodies;
mod documents;
mod failures;
mod hostile;
mod parameters;
mod schemas;
mod secrets;
mod servers;

use serde_json::{Value, json};

use self::server::{Received, Server, answer};
use super::{OpenApi, OpenApiLimits};

#[allow(dead_code, reason = "the tests of HTTP share it, and use more of it")]
#[path = "../../../http/src/tests/server.rs"]
mod server;
use isolette_tools::{Prepared, Tool, ToolSet};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A document with these paths and the given server.
fn document(server: &str, paths: &Value) -> Value {
    json!({"openapi": "3.0.3", "info": {"title": "Test", "version": "1"}, "servers": [{"url": server}], "paths": paths})
}

/// Servers of tests are on loopback, which a document may not name by default.
fn load(document: &Value) -> OpenApi {
    OpenApi::from_text(document.to_string()).private_addresses(true)
}

fn set(document: &OpenApi) -> ToolSet {
    document.tools().unwrap_or_else(|error| panic!("{error}"))
}

fn tool<'a>(set: &'a ToolSet, name: &str) -> &'a Tool {
    set.tools.iter().find(|tool| tool.name() == name).unwrap_or_else(|| panic!("no {name} in {:?}", set.tools))
}

/// Calls a tool as the broker does.
async fn call(tool: &Tool, arguments: Value) -> Result<Value, String> {
    let checked = tool.check(arguments.to_string().as_bytes()).map_err(|error| format!("{error:?}"))?;
    match tool.prepare(checked) {
        Prepared::Asynchronous(future) => future.await.map_err(|error| format!("{error:?}")),
        Prepared::Blocking(..) => panic!("the tool blocks"),
    }
}

/// A server that replies with each request that it receives.
async fn echo() -> std::io::Result<Server> {
    Server::answering(|request| {
        let echo = json!({
            "line": request.line,
            "headers": request.headers.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
            "body": String::from_utf8_lossy(&request.body),
        });
        answer("200 OK\r\ncontent-type: application/json", echo.to_string())
    })
    .await
}

/// The request target that an operation with one parameter sends.
async fn target(path: &str, parameter: Value, value: Value) -> Result<String, Box<dyn std::error::Error>> {
    let server = echo().await?;
    let name = parameter["name"].as_str().unwrap_or_default().to_owned();
    let paths = json!({path: {"get": {"operationId": "go", "parameters": [parameter], "responses": {}}}});
    let set = set(&load(&document(&server.url("/v1"), &paths)));
    call(&set.tools[0], json!({super::name::argument(&name): value})).await?;
    let request = server.received().pop().unwrap_or_default();
    Ok(match request.header("cookie").or(request.header("x-value")) {
        Some(header) => header.to_owned(),
        None => request.path().to_owned(),
    })
}

fn only(server: &Server) -> Received {
    let mut requests = server.received();
    assert_eq!(requests.len(), 1);
    requests.pop().unwrap_or_default()
}

fn limited(change: impl FnOnce(&mut OpenApiLimits)) -> OpenApiLimits {
    let mut limits = OpenApiLimits::default();
    change(&mut limits);
    limits
}
