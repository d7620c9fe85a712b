//! Reproducible runs: a fixed clock and seed, and recordings of the replies of servers and tools.
//! Also custom transports, which recordings can be made with.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    response::Redirect,
    routing::{get, post},
};
use isolette::{
    Determinism, Error, SandboxBuilder, Tool,
    http::{Exchange, HttpError, Response, Transport},
    policy::{Approval, Decision, Limits},
};
use isolette_tests::{Case, Skipped, SmallDisk, scenario, server::Server};
use serde_json::{Value, json};

#[scenario(programs = ["record_replay/observations"])]
fn a_fixed_clock_and_seed_repeat_a_run(case: &Case) {
    let observe = |seed| {
        let mut determinism = Determinism::default();
        determinism.seed = seed;
        let mut limits = Limits::default();
        limits.sleep = Duration::from_secs(7200);
        let sandbox = case.builder().limits(limits).deterministic(determinism).build().unwrap();
        let observed = || sandbox.run(&case.program()).unwrap().value.expect("a list");
        let (first, second) = (observed(), observed());
        assert_eq!(first, second);
        // A session continues from its state.
        let mut session = sandbox.session().unwrap();
        let [began, later] = [(); 2].map(|()| session.run(&case.program()).unwrap().value.expect("a list"));
        assert_eq!(began, first);
        assert!(later[0].as_str() > began[0].as_str() && later[2] != began[2], "{began} {later}");
        first
    };
    let (zero, again, one) = (observe(0), observe(0), observe(1));
    assert_eq!(zero, again);
    assert_ne!(zero[2], one[2], "other random numbers");
    assert_ne!(zero[3], one[3], "other identifiers");
    assert!(zero[0].as_str().unwrap().starts_with("2000-01-01T01:00:00"), "{zero}");
    assert_eq!(zero[1], json!(true));
}

/// A server and a tool that never return the same twice.
fn world() -> (Server, Tool, Arc<AtomicU64>) {
    let calls = Arc::new(AtomicU64::new(0));
    let (counted, stepped) = (Arc::clone(&calls), Arc::clone(&calls));
    let count = move || {
        let count = counted.fetch_add(1, Ordering::Relaxed);
        async move { format!("answer {count}") }
    };
    let router = Router::new()
        .route("/count", get(count))
        .route("/echo", post(|body: Bytes| async move { body }))
        .route("/moved", get(|| async { Redirect::temporary("/count") }));
    let schema = json!({ "type": "object", "properties": { "step": { "type": "integer" } }, "required": ["step"] });
    let tool = Tool::from_schema("next", "What comes next", schema, move |arguments| {
        let step = arguments["step"].as_i64().unwrap_or_default();
        if step < 0 { Err("there is no way back") } else { Ok(json!([step, stepped.fetch_add(1, Ordering::Relaxed)])) }
    });
    (Server::start(router), tool.unwrap(), calls)
}

fn run(case: &Case, origin: &str, set: impl FnOnce(SandboxBuilder) -> SandboxBuilder) -> Result<Value, Error> {
    let sandbox = set(case.builder().base_url(origin)).build()?;
    let result = sandbox.run(&case.program())?;
    assert!(result.success(), "{result:?}");
    Ok(result.value.expect("a list"))
}

#[scenario(programs = ["record_replay/conversation"])]
fn recorded_calls_are_replayed(case: &Case) {
    let directory = tempfile::tempdir().unwrap();
    let (server, tool, calls) = world();
    let recorded = run(case, &server.origin(), |builder| builder.tool(tool).record(directory.path())).unwrap();
    assert_eq!(recorded[0], json!("answer 0"));
    assert_eq!(recorded[1], json!("answer 1"));
    assert_eq!(recorded[2], json!("ff00"));
    assert_eq!(recorded[3], json!("answer 2"));
    assert!(recorded[5].as_str().unwrap().contains("no way back"), "{recorded}");
    let (origin, asked, requests) = (server.origin(), calls.load(Ordering::Relaxed), server.requests().len());
    // Neither the tool nor the server need exist any more.
    let replayed = run(case, &origin, |builder| builder.replay(directory.path())).unwrap();
    assert_eq!(recorded, replayed);
    assert_eq!((calls.load(Ordering::Relaxed), server.requests().len()), (asked, requests));
    drop(server);
    assert_eq!(recorded, run(case, &origin, |builder| builder.replay(directory.path())).unwrap());
}

#[scenario(programs = ["record_replay/conversation"])]
fn calls_without_a_recording_are_refused(case: &Case) {
    let directory = tempfile::tempdir().unwrap();
    let (server, tool, _) = world();
    run(case, &server.origin(), |builder| builder.tool(tool).record(directory.path())).unwrap();
    let attempt = |program: String| {
        let sandbox = case.builder().base_url(&server.origin()).replay(directory.path()).build().unwrap();
        sandbox.run(&program).unwrap().error.expect("an exception").message
    };
    let other = attempt(case.pick("http_get(f'{BASE_URL}/other')", "http_get(`${BASE_URL}/other`)").to_owned());
    assert!(other.contains("/other: the recording has no answer to this request"), "{other}");
    let other = attempt(case.pick("call_tool('next', step=99)", "call_tool('next', { step: 99 })").to_owned());
    assert!(other.contains("the recording has no result of this call"), "{other}");
    // What the policy rejects is rejected in a replay too.
    let denied =
        attempt(case.pick("http_get('http://other.example/')", "http_get('http://other.example/')").to_owned());
    assert!(denied.contains("is not allowed"), "{denied}");
}

#[scenario]
fn invalid_recording_directories_are_refused(case: &Case) {
    let directory = tempfile::tempdir().unwrap();
    case.builder().record(directory.path().join("new")).build().unwrap();
    for (builder, expected) in [
        (case.builder().record(directory.path()), "something is there already"),
        (case.builder().record(directory.path().join("new")), "something is there already"),
        (case.builder().replay(directory.path().join("missing")), "cannot replay"),
        (case.builder().http_transport(Mock).record(directory.path().join("third")), "a transport of your own"),
    ] {
        let error = builder.build().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    std::fs::write(directory.path().join("new/http.jsonl"), "{}\n").unwrap();
    let error = case.builder().replay(directory.path().join("new")).build().unwrap_err().to_string();
    assert!(error.contains("line 1 of") && error.contains("hint: record again"), "{error}");
    // A recording written by hand may contain only what a server could send.
    for (status, name, value, expected) in [
        (200, "x", "a\r\nset-cookie: b", "header `x` has a value with a line break"),
        (200, "x\r\ny", "a", "has a name that is not a token"),
        (200, "x: y", "a", "has a name that is not a token"),
        (200, "x", "\0", "has a value with a line break or a control character"),
        (200, "x", "\u{100}", "ISO-8859-1"),
        (99, "x", "a", "its status is 99"),
    ] {
        let line = json!({
            "method": "GET", "url": "http://a.example/", "response": { "status": status, "headers": [[name, value]], "text": "" },
        });
        std::fs::write(directory.path().join("new/http.jsonl"), format!("{line}\n")).unwrap();
        let error = case.builder().replay(directory.path().join("new")).build().unwrap_err().to_string();
        assert!(error.contains("line 1 of") && error.contains(expected), "{error}");
    }
}

/// A denied call consumes no entry of the recording.
#[scenario]
fn replayed_calls_still_need_approval(case: &Case) {
    let directory = tempfile::tempdir().unwrap();
    let (_server, tool, calls) = world();
    let program = attempt(case, case.pick("call_tool('next', step=1)", "call_tool('next', { step: 1 })"));
    let recording = case.builder().tool(tool).record(directory.path()).build().unwrap();
    assert_eq!(recording.run(&program).unwrap().value, Some(json!([1, 0])));
    let agreed = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&agreed);
    let sandbox = case
        .builder()
        .replay(directory.path())
        .approval(Approval::PerCall)
        .approver(move |_| {
            let agreed = asked.load(Ordering::Relaxed);
            async move { if agreed { Decision::Allow } else { Decision::deny("not now") } }
        })
        .build()
        .unwrap();
    assert_eq!(sandbox.run(&program).unwrap().value, Some(json!("tool `next` was not approved: not now")));
    agreed.store(true, Ordering::Relaxed);
    assert_eq!(sandbox.run(&program).unwrap().value, Some(json!([1, 0])));
    assert_eq!(calls.load(Ordering::Relaxed), 1, "the tool itself is called while it is recorded, and never again");
}

#[scenario]
fn a_failing_recorder_is_an_error_of_the_call(case: &Case) -> Result<(), Skipped> {
    let disk = SmallDisk::new(64)?;
    let calls = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&calls);
    let long = Tool::from_schema("long", "Says much", json!({ "type": "object" }), move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok::<_, String>(json!("x".repeat(100_000)))
    });
    let server = Server::start(Router::new().route("/long", get(|| async { "x".repeat(100_000) })));
    let builder = case.builder().base_url(&server.origin()).tool(long.unwrap()).record(disk.path().join("new"));
    let sandbox = builder.build().unwrap();
    let call = attempt(case, case.pick("call_tool('long')", "call_tool('long', {})"));
    let reported = sandbox.run(&call).unwrap().value.expect("a text").to_string();
    assert!(reported.contains("it was called, and its result could not be recorded"), "{reported}");
    let request = attempt(case, case.pick("http_get(BASE_URL + '/long')", "http_get(BASE_URL + '/long')"));
    let reported = sandbox.run(&request).unwrap().value.expect("a text").to_string();
    assert!(reported.contains("could not be recorded"), "{reported}");
    assert_eq!((calls.load(Ordering::Relaxed), server.requests().len()), (1, 1));
    assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
    Ok(())
}

/// The result of a call, or its error.
fn attempt(case: &Case, call: &str) -> String {
    case.pick(
        format!("try:\n    result = {call}\nexcept Exception as error:\n    result = str(error)"),
        format!("try {{ result = {call}; }} catch (error) {{ result = error.message; }}"),
    )
}

/// Replies to one path, redirects another, and passes the rest on.
struct Mock;

impl Transport for Mock {
    async fn exchange(&self, exchange: Exchange<'_>) -> Result<Response, HttpError> {
        let marked = exchange.headers().any(|(name, value)| name == "x-mark" && value == "é");
        match exchange.url().path() {
            "/mocked" => Ok(Response::new(200, "text/plain", format!("mocked {} {marked}", exchange.method()))),
            "/away" => Ok(Response::new(302, "text/plain", "").with_header("Location", "/mocked")),
            "/forbidden" => Ok(Response::new(302, "text/plain", "").with_header("Location", "http://other.example/")),
            "/panic" => panic!("as requested"),
            _ => exchange.send().await,
        }
    }
}

#[scenario]
fn the_embedder_can_answer_http_requests(case: &Case) {
    let server = Server::start(Router::new().route("/real", get(|| async { "real" })));
    let sandbox = case.builder().base_url(&server.origin()).http_transport(Mock).build().unwrap();
    let get = |path: &str| {
        let program = case.pick(
            "http_get(BASE_URL + PATH, headers={'X-Mark': 'é'})['body']",
            "http_get(BASE_URL + PATH, { headers: { 'X-Mark': 'é' } }).text",
        );
        let options = isolette::RunOptions::new().variable("PATH", path);
        sandbox.run_with(program, options).unwrap()
    };
    assert_eq!(get("/mocked").value, Some(json!("mocked GET true")));
    assert_eq!(get("/away").value, Some(json!("mocked GET true")));
    assert_eq!(get("/real").value, Some(json!("real")));
    let denied = get("/forbidden").error.expect("an exception").message;
    assert!(denied.contains("after a redirect") && denied.contains("is not allowed"), "{denied}");
    assert_eq!(server.requests(), ["GET /real"]);
}

#[scenario]
fn a_panic_in_a_transport_is_an_error_of_the_request(case: &Case) {
    let sandbox = case.builder().base_url("http://api.example").http_transport(Mock).build().unwrap();
    let program = case.pick("http_get(BASE_URL + '/panic')", "http_get(BASE_URL + '/panic')");
    let error = sandbox.run(program).unwrap().error.expect("an exception").message;
    assert!(error.contains("the transport panicked"), "{error}");
    assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
}

#[scenario]
fn tools_can_be_wrapped_by_middleware(case: &Case) {
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } } });
    let plain = Tool::from_schema("double", "", schema, |arguments| match arguments["n"].as_i64() {
        Some(number) => Ok(json!(number * 2)),
        None => Err("no number"),
    });
    let wrapped = plain.unwrap().wrapped(|mut arguments, inner| async move {
        match arguments["n"].as_i64() {
            Some(0) => Ok(json!("nothing to double")),
            Some(number) => {
                arguments["n"] = json!(number + 1);
                Ok(json!([inner(arguments).await?]))
            }
            None => inner(arguments).await.map_err(|error| format!("wrapped: {error}")),
        }
    });
    let sandbox = case.builder().tool(wrapped).build().unwrap();
    let run = |python, javascript| sandbox.run(case.pick(python, javascript)).unwrap();
    assert_eq!(run("call_tool('double', n=4)", "call_tool('double', { n: 4 })").value, Some(json!([10])));
    assert_eq!(
        run("call_tool('double', n=0)", "call_tool('double', { n: 0 })").value,
        Some(json!("nothing to double"))
    );
    let error = run("call_tool('double')", "call_tool('double', {})").error.expect("an exception").message;
    assert!(error.contains("wrapped: no number"), "{error}");
}
