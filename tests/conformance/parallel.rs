//! Programs that wait for several calls at once. That calls overlap is shown by tools and servers that answer when a number of
//! calls has come: if they did not overlap, the run would end at its deadline.

use std::sync::{Arc, Mutex};

use axum::{Router, extract::Path, response::Redirect, routing::get};
use isolette::{
    RunOptions, Sandbox, Tool,
    policy::{Approval, Decision},
};
use isolette_tests::{Case, scenario, server::Server};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::meeting_tools::{Nothing, Places, with_tools};

fn value(case: &Case, sandbox: &Sandbox) -> Value {
    let result = sandbox.run(&case.program()).unwrap();
    result.value.unwrap_or_else(|| panic!("{:?}", result.error))
}

#[scenario(programs = ["parallel/gather"])]
fn calls_are_performed_at_the_same_time(case: &Case) {
    let sandbox = with_tools(case).build().unwrap();
    assert_eq!(value(case, &sandbox), json!(["0", "1", "2", "3", "4", "5", "6", "7"]));
}

#[scenario(programs = ["parallel/several_waits"])]
fn every_way_to_wait_for_several_calls_works(case: &Case) {
    let abc = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
    let expected = case.pick(
        json!([abc("abc"), abc("def"), [3, 0], abc("jkl"), abc("mno"), abc("pqr"), 3, abc("stu"), abc("vwx")]),
        json!([abc("abc"), abc("def"), 3, abc("jkl"), abc("mno")]),
    );
    assert_eq!(value(case, &with_tools(case).build().unwrap()), expected);
}

#[scenario(programs = ["parallel/limited"])]
fn calls_beyond_the_limit_wait_for_their_turn(case: &Case) {
    let mut limits = case.limits();
    limits.parallel_calls = 4;
    let sandbox = with_tools(case).limits(limits).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    assert_eq!(result.value, Some(json!((0..12).map(|number| number.to_string()).collect::<Vec<_>>())));
    assert!(result.calls.iter().all(|call| call.outcome.as_str() == "ok"), "{:?}", result.calls);
}

#[scenario(programs = ["parallel/blocking"])]
fn blocking_tools_have_threads_of_their_own(case: &Case) {
    assert_eq!(value(case, &with_tools(case).build().unwrap()), json!(["a", "b", "c", "d"]));
}

#[scenario(programs = ["parallel/failures"])]
fn a_call_fails_alone(case: &Case) {
    let expected = json!([["failed", "b", "unknown-tool", "failed", "c"], "Tool 'fail' failed: no d"]);
    assert_eq!(value(case, &with_tools(case).build().unwrap()), expected);
}

#[scenario(programs = ["parallel/cancelled"])]
fn calls_that_are_given_up_end(case: &Case) {
    let sandbox = with_tools(case).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    let expected = case.pick(
        json!(["timeout", 1, "cancelled", "ended", "ended", "and stays so", "given up", "given up"]),
        json!(["TimeoutError", "failed", "cancelled"]),
    );
    assert_eq!(result.value, Some(expected), "{:?}", result.error);
    let ended = |name: &str, outcome: &str| {
        result.calls.iter().filter(|call| call.target == name && call.outcome.as_str() == outcome).count()
    };
    assert_eq!(ended("stuck", "cancelled"), case.pick(6, 3), "{:?}", result.calls);
    assert_eq!(ended("stuck", "unfinished"), 0, "{:?}", result.calls);
    assert_eq!(ended("fail", "failed"), 1);
}

#[scenario(programs = ["parallel/unfinished"])]
fn the_end_of_a_program_ends_its_calls(case: &Case) {
    let sandbox = with_tools(case).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    assert!(result.success(), "{:?}", result.error);
    let outcomes: Vec<_> = result.calls.iter().map(|call| (call.target.as_str(), call.outcome.as_str())).collect();
    assert_eq!(outcomes, [("meet", "ok"), ("stuck", "unfinished"), ("stuck", "unfinished")]);
}

#[scenario(programs = ["parallel/three_questions"])]
fn several_questions_can_be_open(case: &Case) {
    #[derive(Deserialize, JsonSchema)]
    struct Letter {
        /// The addressee.
        to: String,
    }
    let send = Tool::typed("send", "Sends", |Letter { to }| Ok::<_, String>(format!("sent to {to}"))).unwrap();
    let three = Arc::new(Barrier::new(3));
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let sandbox = case
        .builder()
        .tool(send)
        .approval(Approval::PerCall)
        .approver(move |request| {
            let three = Arc::clone(&three);
            seen.lock().unwrap().push(request.arguments["to"].clone());
            async move {
                three.wait().await;
                if request.arguments["to"] == "bob" { Decision::deny("not bob") } else { Decision::Allow }
            }
        })
        .build()
        .unwrap();
    let expected = json!(["sent to ann", "tool `send` was not approved: not bob", "sent to cat"]);
    assert_eq!(value(case, &sandbox), expected);
    let mut asked = asked.lock().unwrap().clone();
    asked.sort_by_key(ToString::to_string);
    assert_eq!(asked, ["ann", "bob", "cat"]);
}

#[scenario]
fn the_only_call_of_a_program_can_be_asked_about(case: &Case) {
    for tool in ["now", "later"] {
        let now = Tool::typed("now", "Blocks", |Nothing {}| Ok::<_, String>("now"));
        let later = Tool::typed_async("later", "Waits", async |Nothing {}| Ok::<_, String>("later"));
        let sandbox = case
            .builder()
            .tool(now.unwrap())
            .tool(later.unwrap())
            .approval(Approval::PerCall)
            .approver(async |_| {
                tokio::task::yield_now().await;
                Decision::Allow
            })
            .build()
            .unwrap();
        let result = sandbox.run(&format!("await call_tool_async('{tool}')")).unwrap();
        assert_eq!(result.value, Some(json!(tool)), "{:?}", result.error);
    }
}

#[scenario(programs = ["parallel/budget"])]
fn budgets_are_charged_in_the_order_of_the_program(case: &Case) {
    let mut limits = case.limits();
    limits.tool_calls = 2;
    let sandbox = with_tools(case).limits(limits).build().unwrap();
    assert_eq!(value(case, &sandbox), json!(["a", "b", "budget", "budget"]));
}

#[scenario(programs = ["parallel/requests_at_once"])]
fn requests_are_sent_at_the_same_time(case: &Case) {
    let places = Places::default();
    let meet = get(move |Path(name): Path<String>| async move {
        places.meet(4).await;
        name
    });
    let redirect = get(async |Path(name): Path<String>| Redirect::to(&format!("/meet/{name}")));
    let server = Server::start(Router::new().route("/meet/{name}", meet).route("/redirect/{name}", redirect));
    let sandbox = case.builder().base_url(&server.origin()).build().unwrap();
    let expected = json!([["a", "b", "c", "d"], ["e", "f", "g", "h"], ["i", "j", "k", "l"]]);
    assert_eq!(value(case, &sandbox), expected);
}

#[scenario]
fn ten_calls_cost_little_more_than_one(case: &Case) {
    let sandbox = with_tools(case).build().unwrap();
    let code = |count: usize| {
        case.pick(
            format!(
                "import asyncio\nawait asyncio.gather(*(call_tool_async('meet', of={count}, name='x') for _ in range({count})))"
            ),
            format!(
                "await Promise.all(Array.from({{ length: {count} }}, () => call_tool_async('meet', {{ of: {count}, name: 'x' }})))"
            ),
        )
    };
    let messages = |count| {
        let result = sandbox.run_with(&code(count), RunOptions::default()).unwrap();
        assert_eq!(result.calls.len(), count, "{:?}", result.error);
        result.usage.host_calls
    };
    // Calls that end at the same time have their replies in few messages, unless a busy machine keeps them apart.
    let (one, ten) = (messages(1), (0..10).map(|_| messages(10)).min().unwrap_or_default());
    assert!(ten <= one + 3, "{one} messages for a call, {ten} for ten");
}
