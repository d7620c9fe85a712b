//! OpenTelemetry traces of runs.

use std::sync::{Arc, Mutex};

use axum::{Router, body::Bytes, http::HeaderMap, routing::post};
use isolette_tests::{
    brewery::{Brewery, Variant},
    host_test, isolette,
    server::Server,
    transcript,
};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::any_value::Value as Any,
    trace::v1::{Span, status::StatusCode},
};
use prost::Message as _;

/// The path, the content type and the body of a delivery.
type Delivery = (String, Bytes);

fn collector(delivered: &Arc<Mutex<Vec<Delivery>>>) -> Server {
    let log = delivered.clone();
    let take = async move |headers: HeaderMap, body: Bytes| {
        let kind = headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_owned();
        log.lock().unwrap().push((kind, body));
    };
    Server::start(Router::new().route("/v1/traces", post(take)))
}

fn attribute<'a>(span: &'a Span, key: &str) -> Option<&'a str> {
    let value = span.attributes.iter().find(|attribute| attribute.key == key)?.value.as_ref()?;
    match value.value.as_ref()? {
        Any::StringValue(text) => Some(text),
        _ => None,
    }
}

#[host_test]
fn a_collector_receives_a_span_for_each_run_and_call() {
    let (api, delivered) = (Brewery::start(Variant::Plain), Arc::default());
    let collector = collector(&delivered);
    let base = api.base_url();
    let code = format!(
        "http_get(BASE_URL + '/breweries/random?key=hunter2-token')\n\
         try:\n    http_get('http://elsewhere.example/')\nexcept PermissionError:\n    pass\n'{}'",
        "in the clear"
    );
    let output = isolette()
        .args(["run", "--json", "--lang", "python", "--otlp", &collector.origin(), "--base-url", &base, "-c", &code])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", transcript(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let delivered = delivered.lock().unwrap();
    let mut spans = Vec::new();
    for (kind, body) in delivered.iter() {
        assert_eq!(kind, "application/x-protobuf");
        assert!(!String::from_utf8_lossy(body).contains("hunter2"), "queries are not traced");
        let request = ExportTraceServiceRequest::decode(&body[..]).unwrap();
        for resource in request.resource_spans {
            let named = resource.resource.unwrap().attributes;
            assert!(named.iter().any(|attribute| attribute.key == "service.name"), "{named:?}");
            spans.extend(resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
    }
    let run = spans.iter().find(|span| span.name == "run").expect("a span of the run");
    assert_eq!(attribute(run, "run"), report["run"].as_str());
    assert_eq!(attribute(run, "ending"), Some("ok"));
    let mut calls: Vec<_> = spans.iter().filter(|span| span.name == "http GET").collect();
    calls.sort_by_key(|span| span.start_time_unix_nano);
    let reported: Vec<_> = calls
        .iter()
        .map(|span| {
            assert_eq!((&span.trace_id, &span.parent_span_id), (&run.trace_id, &run.span_id));
            let status = span.status.as_ref().map(|status| status.code());
            (attribute(span, "call.target"), attribute(span, "outcome"), attribute(span, "rule"), status)
        })
        .collect();
    let target = format!("{base}/breweries/random");
    assert_eq!(
        reported,
        [
            (Some(target.as_str()), Some("ok"), Some(base.as_str()), Some(StatusCode::Ok)),
            (Some("http://elsewhere.example/"), Some("denied"), None, Some(StatusCode::Error)),
        ]
    );
}

#[host_test]
fn an_unreachable_collector_does_not_stop_programs() {
    let gone = {
        let server = Server::start(Router::new());
        server.origin()
    };
    let output = isolette().args(["run", "--otlp", &gone, "-c", "6 * 7"]).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), b"42\n".as_slice()));
    let output = isolette().args(["run", "--otlp", "ftp://collector", "-c", "6 * 7"]).output().unwrap();
    assert_eq!(output.status.code(), Some(102), "{}", transcript(&output));
}
