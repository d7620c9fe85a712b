//! Which requests the policy allows, and that they arrive unchanged.

use axum::{
    Router,
    body::Bytes,
    http::{HeaderMap, Method, Uri},
    response::Redirect,
    routing::{any, get},
};
use isolette_tests::{Case, scenario, server::Server};
use serde_json::{Value, json};

fn stand_in() -> Server {
    Server::start(Router::new().fallback(any(async || "here I am")))
}

/// The results of the requests, in order.
fn attempt(case: &Case, rules: &[(&str, &[&str])], attempts: &[(&str, String)]) -> Vec<Value> {
    let builder = rules.iter().fold(case.builder(), |builder, (target, methods)| builder.allow_domain(target, methods));
    let attempts: Vec<_> = attempts.iter().map(|(method, url)| json!([method, url])).collect();
    let sandbox = builder.variable("ATTEMPTS", attempts).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    assert!(result.success(), "{result:?}");
    serde_json::from_value(result.value.unwrap()).unwrap()
}

fn assert_denied(outcome: &Value, fragments: &[&str]) {
    let text = outcome.as_str().unwrap_or_else(|| panic!("it was not denied: {outcome}"));
    for fragment in fragments {
        assert!(text.contains(fragment), "`{fragment}` is missing: {text}");
    }
}

#[scenario(programs = ["network/attempts"])]
fn network_rules_check_domain_and_method(case: &Case) {
    let (open, read_only, other) = (stand_in(), stand_in(), stand_in());
    let attempts = [
        ("GET", open.origin()),
        ("POST", open.origin()),
        ("GET", read_only.origin()),
        ("POST", read_only.origin()),
        ("GET", other.origin()),
    ];
    let outcomes = attempt(case, &[(&open.origin(), &[]), (&read_only.origin(), &["GET"])], &attempts);
    assert_eq!(outcomes[..3], [200, 200, 200]);
    let rules = format!("`{}`, `GET {}`", open.origin(), read_only.origin());
    assert_denied(&outcomes[3], &[&format!("POST {}/ is not allowed", read_only.origin()), &rules]);
    assert_denied(&outcomes[4], &[&format!("GET {}/ is not allowed", other.origin()), &rules, "hint: "]);
    assert_eq!(read_only.requests(), ["GET /"]);
    assert_eq!(other.requests(), [""; 0]);
}

#[scenario(programs = ["network/attempts"])]
fn network_rules_match_path_prefixes_by_segment(case: &Case) {
    let server = stand_in();
    let url = |path: &str| ("GET", format!("{}{path}", server.origin()));
    let attempts =
        [url("/v1"), url("/v1/a"), url("/v1?x=1"), url("/v10"), url("/v1/../v2"), url("/v1/%2e%2e/v2"), url("/")];
    let outcomes = attempt(case, &[(&format!("{}/v1", server.origin()), &[])], &attempts);
    assert_eq!(outcomes[..3], [200, 200, 200]);
    outcomes[3..].iter().for_each(|outcome| assert_denied(outcome, &["is not allowed"]));
    assert_eq!(server.requests(), ["GET /v1", "GET /v1/a", "GET /v1?x=1"]);
}

#[scenario(programs = ["network/attempts"])]
fn denied_hosts_are_not_resolved(case: &Case) {
    let server = stand_in();
    let port = server.origin().rsplit_once(':').unwrap().1.to_owned();
    let attempts = [
        ("GET", "http://no-such-host.invalid/".to_owned()),
        ("GET", format!("http://localhost:{port}/")),
        ("GET", format!("http://[::1]:{port}/")),
        ("GET", format!("http://127.1:{port}/")),
        ("GET", format!("http://127.0.0.2:{port}/")),
    ];
    let outcomes = attempt(case, &[(&server.origin(), &[])], &attempts);
    // `127.1` is another spelling of the allowed address.
    assert_eq!(outcomes[3], 200);
    for index in [0, 1, 2, 4] {
        assert_denied(&outcomes[index], &["is not allowed: no rule matches"]);
    }
}

#[scenario(programs = ["network/attempts"])]
fn connect_and_trace_are_never_allowed(case: &Case) {
    let server = stand_in();
    let attempts = ["CONNECT", "TRACE", "TRACK"].map(|method| (method, server.origin()));
    for outcome in attempt(case, &[(&server.origin(), &[])], &attempts) {
        assert!(outcome.is_string(), "{outcome}");
    }
    assert_eq!(server.requests(), [""; 0]);
}

#[scenario(programs = ["network/redirect"])]
fn every_redirect_is_checked_by_the_policy(case: &Case) {
    let target = stand_in();
    let destination = format!("{}/hidden", target.origin());
    let server = Server::start(Router::new().route("/", get(async move || Redirect::temporary(&destination))));
    let sandbox = case.builder().allow(&server.origin()).variable("URL", server.origin()).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    assert_denied(result.value.as_ref().unwrap(), &[&format!("GET {}/hidden is not allowed", target.origin())]);
    // The record has the target of the redirect, and that no rule allowed it.
    let call = &result.calls[0];
    assert_eq!(
        (call.outcome.as_str(), &call.rule, &*call.target),
        ("denied", &None, &*format!("{}/", server.origin()))
    );
    let hops = json!([
        {"operation": "GET", "target": format!("{}/", server.origin()), "rule": server.origin(), "outcome": "redirected"},
        {"operation": "GET", "target": format!("{}/hidden", target.origin()), "rule": null, "outcome": "denied"},
    ]);
    assert_eq!(serde_json::to_value(&call.hops).unwrap(), hops);
    assert_eq!(server.requests(), ["GET /"]);
    assert_eq!(target.requests(), [""; 0]);
}

#[scenario(programs = ["network/redirect"])]
fn an_allowed_redirect_is_followed(case: &Case) {
    let server = Server::start(
        Router::new().route("/", get(async || Redirect::to("/b/c?d=e"))).fallback(any(async || "arrived")),
    );
    let sandbox = case.builder().allow(&server.origin()).variable("URL", server.origin()).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    assert_eq!(result.value, Some(json!(200)));
    assert_eq!(server.requests(), ["GET /", "GET /b/c?d=e"]);
    let hops: Vec<_> = result.calls[0].hops.iter().map(|hop| (&*hop.target, hop.outcome.as_str())).collect();
    let (first, last) = (format!("{}/", server.origin()), format!("{}/b/c", server.origin()));
    assert_eq!(hops, [(&*first, "redirected"), (&*last, "ok")], "without the query");
}

#[scenario(programs = ["network/round_trip"])]
fn requests_and_responses_arrive_unchanged(case: &Case) {
    let echo = async |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
        let query = uri.query().unwrap_or_default().to_owned();
        let colour = headers["x-colour"].to_str().unwrap_or_default().to_owned();
        let seen = [("x-method", method.to_string()), ("x-query", query), ("x-colour", colour)];
        (seen, [("content-type", "application/octet-stream")], body)
    };
    let server = Server::start(Router::new().route("/v1/echo", any(echo)));
    let sandbox = case.builder().base_url(&format!("{}/v1", server.origin())).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    let value = result.value.unwrap_or_else(|| panic!("{:?}", result.error));
    assert_eq!(value["status"], 200);
    assert_eq!(value["body"], Value::from((0..=255).collect::<Vec<_>>()));
    assert_eq!((&value["method"], &value["colour"]), (&json!("PUT"), &json!("green")));
    assert_eq!(value["query"], "q=a+b%26c&again=1&again=2");
}
