//! Responses to allowed requests, through the functions and libraries of each language.

use std::time::Duration;

use axum::{
    Json, Router,
    body::Bytes,
    http::{HeaderMap, Method, StatusCode, header::CONTENT_TYPE},
    response::Redirect,
    routing::{any, get},
};
use isolette::policy::{HttpBody, Limits};
use isolette_tests::{Case, scenario, server::Server};
use serde_json::{Value, json};

fn bodies() -> Server {
    let typed =
        |content_type: &'static str, body: &'static [u8]| get(async move || ([(CONTENT_TYPE, content_type)], body));
    Server::start(
        Router::new()
            .route("/json", typed("application/problem+json; charset=utf-8", b"{\"a\": [1, null]}"))
            .route("/text", typed("text/plain; charset=utf-8", "grüße 🦀".as_bytes()))
            .route("/bytes", typed("application/octet-stream", b"\x00\xff"))
            .route("/broken-json", typed("application/json", b"{broken"))
            .route("/latin1", typed("text/plain; charset=iso-8859-1", b"gr\xfc\xdfe"))
            .route("/none", get(async || StatusCode::NO_CONTENT)),
    )
}

fn run(case: &Case, server: &Server) -> Value {
    let sandbox = case.builder().base_url(&server.origin()).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    result.value.unwrap_or_else(|| panic!("{:?}", result.error))
}

#[scenario(programs = ["network/bodies"])]
fn a_body_is_decoded_by_its_content_type(case: &Case) {
    let value = run(case, &bodies());
    assert_eq!(value["json"]["body"], json!({"a": [1, null]}));
    assert_eq!(value["json"]["json"], json!({"a": [1, null]}));
    assert_eq!(value["json"]["text"], "{\"a\": [1, null]}");
    assert_eq!(value["text"]["body"], "grüße 🦀");
    assert_eq!(value["bytes"]["body"], json!([0, 255]), "nothing is replaced");
    assert_eq!((&value["bytes"]["text"], &value["bytes"]["json"]), (&Value::Null, &Value::Null));
    assert_eq!(value["broken-json"]["body"], "{broken");
    assert_eq!(value["broken-json"]["json"], Value::Null);
    assert_eq!(value["latin1"]["body"], "grüße");
    assert_eq!((&value["none"]["ok"], &value["none"]["type"]), (&json!(true), &Value::Null));
}

#[scenario]
fn a_body_is_text_on_request(case: &Case) {
    let server = bodies();
    let sandbox = case.builder().base_url(&server.origin()).http_body(HttpBody::Text).build().unwrap();
    let get = |path: &str, field: &str| {
        let code = case.pick(
            format!("http_get(f'{{BASE_URL}}/{path}')['{field}']"),
            format!("http_get(`${{BASE_URL}}/{path}`).{field}"),
        );
        sandbox.run(&code).unwrap().value.unwrap()
    };
    assert_eq!(get("json", "body"), "{\"a\": [1, null]}");
    assert_eq!(get("json", "json"), json!({"a": [1, null]}));
    assert_eq!(get("text", "body"), "grüße 🦀");
    assert!(get("bytes", "body").is_string());
}

#[scenario(programs = ["network/long_body"])]
fn a_body_over_the_limit_is_truncated(case: &Case) {
    let server = Server::start(Router::new().route("/long", get(async || "x".repeat(300_000))));
    let mut limits = Limits::default();
    limits.http_body = 200_000;
    let sandbox = case.builder().base_url(&server.origin()).limits(limits).build().unwrap();
    assert_eq!(sandbox.run(&case.program()).unwrap().value, Some(json!([200, 200_000, true])));
    let unlimited = case.builder().base_url(&server.origin()).build().unwrap();
    assert_eq!(unlimited.run(&case.program()).unwrap().value, Some(json!([200, 300_000, false])));
}

#[scenario(programs = ["network/budget"])]
fn http_requests_have_a_budget(case: &Case) {
    let server = Server::start(Router::new().fallback(any(async || "here")));
    let mut limits = Limits::default();
    limits.http_requests = 3;
    let sandbox = case.builder().base_url(&server.origin()).limits(limits).build().unwrap();
    for _ in 0..2 {
        let result = sandbox.run(&case.program()).unwrap();
        let (answers, kind, message): (u64, String, String) = serde_json::from_value(result.value.unwrap()).unwrap();
        assert_eq!((answers, &*kind), (3, "budget"));
        assert!(message.contains("3 requests") && message.contains("hint: "), "{message}");
        assert_eq!(result.usage.http_requests, 4, "refused requests are counted");
    }
    assert_eq!(server.requests().len(), 6);
}

/// Echoes the request, redirects to itself, or does not respond; other paths are not found.
fn echo() -> Server {
    let echo = async |method: Method, headers: HeaderMap, body: Bytes| {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(ToOwned::to_owned);
        Json(json!({
            "method": method.as_str(),
            "who": header("x-who"),
            "authorization": header("authorization"),
            "type": header("content-type"),
            "body": String::from_utf8_lossy(&body),
        }))
    };
    let bytes = async || ([(CONTENT_TYPE, "application/octet-stream")], &b"\x00\xff"[..]);
    Server::start(
        Router::new()
            .route("/echo", any(echo))
            .route("/bytes", get(bytes))
            .route("/moved", get(async || Redirect::to("/echo")))
            .route("/silence", get(async || tokio::time::sleep(Duration::from_secs(3600)).await))
            .fallback(any(async || (StatusCode::NOT_FOUND, "nothing is here"))),
    )
}

#[scenario(programs = ["network/libraries"], only = Python, because = "these are Python's libraries")]
fn http_libraries_of_python_work(case: &Case) {
    let server = echo();
    let value = run(case, &server);
    let url = format!("{}/echo?a=1&a=2", server.origin());
    let expected = json!({
        "requests": [200, "OK", "POST", "requests", "{\"b\": null}", url],
        "requests auth": ["DELETE", "Basic dXNlcjpzZWNyZXQ="],
        "requests redirect": [200, [303], true],
        "requests no redirect": [303, "/echo"],
        "requests error": [404, true],
        "requests bytes": "no JSON",
        "requests timeout": true,
        "requests denied": [true, true],
        "httpx": [200, "PUT", "httpx", "bytes", true],
        "httpx error": 404,
        "httpx timeout": true,
        "urllib": [200, "application/json", "PATCH", "urllib", "raw"],
        "urllib error": [404, "nothing is here"],
    });
    similar_asserts::assert_eq!(value, expected);
}

#[scenario(programs = ["network/fetch"], only = JavaScript, because = "only JavaScript has `fetch`")]
fn fetch_works_as_in_browsers(case: &Case) {
    let value = run(case, &echo());
    let expected = json!({
        "post": [200, true, "POST", "fetch", "{\"b\":null}", "application/json"],
        "request": [true, "PUT", "bytes", true],
        "redirect": [200, true, true],
        "missing": [404, false, "nothing is here"],
        "denied": [true, true],
        "timeout": "TimeoutError",
        "together": ["?1", "?2"],
        "form": ["name=a+b&more=%C3%BC", "application/x-www-form-urlencoded;charset=UTF-8"],
    });
    similar_asserts::assert_eq!(value, expected);
}
