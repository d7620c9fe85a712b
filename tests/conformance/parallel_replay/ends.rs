//! Replays of calls and runs that end early: by a time, by an error, or by a cancellation.

use std::{fs, sync::Mutex};

use axum::{Router, routing::get};
use isolette::{CancellationToken, Error, RunOptions, Tool};
use isolette_tests::{Case, Skipped, SmallDisk, scenario, server::Server};
use serde_json::json;

use super::{gate::Nothing, repeated, seen};
use crate::meeting_tools;

#[scenario(programs = ["parallel/silent_server"])]
fn requests_without_a_response_are_replayed(case: &Case) {
    let silence = get(std::future::pending::<()>);
    let router = Router::new().route("/silence", silence).route("/answer", get(async || "answer"));
    let server = Server::start(router);
    let builder = || case.builder().base_url(&server.origin());
    let seen = repeated(builder(), builder(), |sandbox| seen(&sandbox.run(&case.program()).unwrap()));
    let log: Vec<_> = seen["value"].as_array().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(log.len(), 4, "{seen}");
    assert_eq!(log.iter().filter(|entry| entry.contains("within the timeout")).count(), case.pick(2, 1), "{seen}");
    assert_eq!(server.requests().len(), 4, "a replay sends nothing");
}

#[scenario(programs = ["parallel/cancelled", "parallel/unfinished", "parallel/several_waits", "parallel/failures"])]
fn time_outs_and_calls_without_an_end_are_replayed(case: &Case) {
    for (name, program) in case.programs() {
        let seen =
            repeated(meeting_tools::with_tools(case), case.builder(), |sandbox| seen(&sandbox.run(&program).unwrap()));
        assert!(seen["error"].is_null(), "{name}: {seen}");
    }
}

#[scenario]
fn a_panic_of_a_tool_is_replayed(case: &Case) {
    for call in ["await call_tool_async('panic')", "call_tool('panic')"] {
        let seen =
            repeated(meeting_tools::with_tools(case), case.builder(), |sandbox| seen(&sandbox.run(call).unwrap()));
        assert!(seen["error"].to_string().contains("the tool panicked"), "{seen}");
    }
}

#[scenario]
fn a_run_that_was_cancelled_while_it_waited_ends_so_in_a_replay(case: &Case) {
    let token = CancellationToken::new();
    let cancels = token.clone();
    let cancel = Tool::typed_async("cancel", "Cancels the run", move |Nothing {}| {
        cancels.cancel();
        std::future::pending::<Result<(), String>>()
    });
    let token = Mutex::new(Some(token));
    repeated(case.builder().tool(cancel.unwrap()), case.builder(), |sandbox| {
        let token = token.lock().unwrap().take().unwrap_or_default();
        match sandbox.run_with("await call_tool_async('cancel')", RunOptions::new().cancel(token)) {
            Err(Error::Cancelled { partial }) => seen(&partial),
            other => panic!("{other:?}"),
        }
    });
}

#[scenario]
fn a_run_fails_if_the_order_of_its_calls_cannot_be_recorded(case: &Case) -> Result<(), Skipped> {
    let disk = SmallDisk::new(64)?;
    let tool = Tool::typed("seven", "Returns 7", |Nothing {}| Ok::<_, String>(7)).unwrap();
    let sandbox = case.builder().tool(tool).record(disk.path().join("new")).build().unwrap();
    fs::write(disk.path().join("rest"), [0; 128 << 10]).unwrap_err();
    let code = |call: &str| {
        case.pick(
            format!("try:\n    {call}\nexcept ToolError:\n    pass"),
            format!("try {{ {call} }} catch {{}} undefined"),
        )
    };
    let error = sandbox.run(&code("await call_tool_async('seven')")).unwrap_err().to_string();
    assert!(error.contains("the order of its calls could not be recorded"), "{error}");
    // The order of calls that a program waits for is that of the program.
    assert!(sandbox.run(&code("call_tool('seven')")).unwrap().success());
    assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
    Ok(())
}
