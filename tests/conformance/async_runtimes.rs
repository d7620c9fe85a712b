//! Sandboxes in asynchronous programs, on any runtime and from any thread.

use std::{future::Future, sync::Arc};

use isolette::{RunOptions, Sandbox};
use isolette_tests::{Case, scenario};
use serde_json::json;
use tokio::runtime::{Builder, Runtime};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Numbers {
    left: i64,
    right: i64,
}

/// With an asynchronous tool: its runtime must not be the one that waits for it.
fn sandbox(case: &Case) -> Sandbox {
    let add = async |Numbers { left, right }| {
        tokio::task::yield_now().await;
        Ok::<_, String>(left + right)
    };
    case.builder().tool_typed_async("add", "The sum", add).build().unwrap()
}

fn program(case: &Case) -> &'static str {
    case.pick("call_tool('add', left=40, right=2)", "await call_tool('add', { left: 40, right: 2 })")
}

fn current_thread() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

#[scenario]
fn blocking_runs_work_in_a_current_thread_runtime(case: &Case) {
    let sandbox = sandbox(case);
    let result = current_thread().block_on(async { sandbox.run(program(case)) });
    assert_eq!(result.unwrap().value, Some(json!(42)));
}

#[scenario]
fn awaited_runs_work_in_a_current_thread_runtime(case: &Case) {
    let sandbox = sandbox(case);
    let result = current_thread().block_on(sandbox.run_async(program(case), RunOptions::new()));
    assert_eq!(result.unwrap().value, Some(json!(42)));
}

#[scenario]
fn awaited_runs_work_in_a_runtime_with_one_worker(case: &Case) {
    let sandbox = sandbox(case);
    let program = program(case);
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let task = runtime.spawn(async move { sandbox.run_async(program, RunOptions::new()).await });
    assert_eq!(runtime.block_on(task).unwrap().unwrap().value, Some(json!(42)));
}

#[scenario]
fn awaited_runs_work_on_another_executor(case: &Case) {
    let sandbox = sandbox(case);
    let result = futures::executor::block_on(sandbox.run_async(program(case), RunOptions::new()));
    assert_eq!(result.unwrap().value, Some(json!(42)));
}

#[scenario]
fn many_runs_can_be_awaited_together(case: &Case) {
    let sandbox = Arc::new(sandbox(case));
    let program = case.pick("call_tool('add', left=n, right=1)", "call_tool('add', { left: n, right: 1 })");
    let runs = (0..8).map(|n| {
        let sandbox = Arc::clone(&sandbox);
        async move { sandbox.run_async(program, RunOptions::new().variable("n", n)).await.unwrap().value }
    });
    let values = current_thread().block_on(futures::future::join_all(runs));
    assert_eq!(values, (1..=8).map(|n| Some(json!(n))).collect::<Vec<_>>());
}

#[scenario]
fn session_runs_can_be_awaited(case: &Case) {
    let sandbox = sandbox(case);
    let mut session = assert_send(sandbox.session().unwrap());
    let value = futures::executor::block_on(assert_send_future(async {
        session.run_async(case.pick("x = 1", "var x = 1"), RunOptions::new()).await.unwrap();
        session.run_async("x", RunOptions::new()).await.unwrap().value
    }));
    assert_eq!(value, Some(json!(1)));
}

fn assert_send<T: Send>(value: T) -> T {
    value
}

fn assert_send_future<F: Future + Send>(future: F) -> F {
    future
}
