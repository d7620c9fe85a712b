//! The protocol without an SDK, for tests of what is sent over the wire.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use serde_json::{Value, json};

/// Calls a tool over a connection of its own, in the newest revision.
pub(crate) fn call(url: &str, params: &Value) -> Value {
    let body = request(1, "tools/call", params);
    let (status, text) = post(url, &headers("tools/call", params["name"].as_str()), &body);
    assert_eq!(status, 200, "{text}");
    message(&text)["result"].clone()
}

/// A single message, or the last of several events.
pub(crate) fn message(text: &str) -> Value {
    let json = text.lines().filter_map(|line| line.strip_prefix("data: ")).next_back().unwrap_or(text);
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A request with the fields that the newest revision requires.
pub(crate) fn request(id: u64, method: &str, params: &Value) -> String {
    request_of(&json!({}), id, method, params)
}

/// The same for a client that has declared capabilities.
pub(crate) fn request_of(capabilities: &Value, id: u64, method: &str, params: &Value) -> String {
    let mut params = params.clone();
    let meta = &mut params["_meta"];
    meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    meta["io.modelcontextprotocol/clientInfo"] = json!({ "name": "by-hand", "version": "1" });
    meta["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone();
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

pub(crate) fn headers(method: &str, name: Option<&str>) -> String {
    let name = name.map(|name| format!("mcp-name: {name}\r\n")).unwrap_or_default();
    format!("mcp-protocol-version: 2026-07-28\r\nmcp-method: {method}\r\n{name}")
}

/// Sends a request on a connection of its own, and returns the status and the body of the response.
pub(crate) fn post(url: &str, headers: &str, body: &str) -> (u16, String) {
    let answer = answer(url, headers, body);
    let status = answer.split_whitespace().nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status, unchunked(body))
}

/// The same, with the unparsed head of the response.
pub(crate) fn answer(url: &str, headers: &str, body: &str) -> String {
    let mut answer = Vec::new();
    open(url, headers, body).read_to_end(&mut answer).expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

/// Reads until a text has arrived. A program is running when its output arrives.
pub(crate) fn heard(stream: TcpStream, text: &str) -> TcpStream {
    read_until(stream, |heard| heard.contains(text)).0
}

/// Reads the message in the response on a connection that stays open.
pub(crate) fn answered(stream: TcpStream) -> (TcpStream, Value) {
    let whole = |heard: &str| {
        let message = &heard[heard.find("{\"jsonrpc\"")?..];
        serde_json::Deserializer::from_str(message).into_iter().next()?.ok()
    };
    let (stream, heard) = read_until(stream, |heard| whole(heard).is_some());
    (stream, whole(&heard).expect("it was there before"))
}

fn read_until(mut stream: TcpStream, enough: impl Fn(&str) -> bool) -> (TcpStream, String) {
    let mut heard = String::new();
    let mut buffer = [0; 1024];
    while !enough(&heard) {
        let count = stream.read(&mut buffer).expect("the server answers");
        assert!(count > 0, "the server closed the connection: {heard}");
        heard.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    (stream, heard)
}

/// Sends a request; the caller reads the response.
pub(crate) fn open(url: &str, headers: &str, body: &str) -> TcpStream {
    let mut stream = connect(url).expect("the server listens");
    send(&mut stream, url, &format!("connection: close\r\n{headers}"), body);
    stream
}

/// A connection for several requests.
pub(crate) fn connect(url: &str) -> std::io::Result<TcpStream> {
    TcpStream::connect(parts(url).0)
}

pub(crate) fn send(stream: &mut TcpStream, url: &str, headers: &str, body: &str) {
    let message = format!("{}{body}", head(url, headers, body.len()));
    stream.write_all(message.as_bytes()).expect("the server reads");
}

/// The head of a request with a body of this length.
pub(crate) fn head(url: &str, headers: &str, length: usize) -> String {
    let (address, path) = parts(url);
    let host = if headers.lines().any(|line| line.starts_with("host:")) {
        String::new()
    } else {
        format!("host: {address}\r\n")
    };
    format!(
        "POST /{path} HTTP/1.1\r\n{host}content-type: application/json\r\n\
         accept: application/json, text/event-stream\r\ncontent-length: {length}\r\n{headers}\r\n"
    )
}

fn parts(url: &str) -> (&str, &str) {
    url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("our own URL")
}

/// Decodes a chunked body.
fn unchunked(body: &str) -> String {
    let mut text = String::new();
    let mut rest = body;
    while let Some((size, after)) = rest.split_once("\r\n") {
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else { return body.to_owned() };
        let Some(chunk) = after.get(..size) else { return body.to_owned() };
        text.push_str(chunk);
        rest = after.get(size + 2..).unwrap_or_default();
        if size == 0 {
            break;
        }
    }
    if text.is_empty() { body.to_owned() } else { text }
}
