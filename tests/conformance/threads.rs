//! A sandbox used by several threads.

use std::{
    sync::{
        Arc, Barrier,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use isolette::Sandbox;
use isolette_tests::{Case, scenario};
use serde_json::json;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Number {
    number: u64,
}

#[scenario]
fn eight_threads_share_a_sandbox(case: &Case) {
    let total = Arc::new(AtomicU64::new(0));
    let sum = Arc::clone(&total);
    let add = move |Number { number }| Ok::<_, String>(sum.fetch_add(number, Ordering::Relaxed));
    let sandbox = case.builder().tool_typed("add", "Adds up", add).build().unwrap();
    thread::scope(|scope| {
        for thread in 0..8_u64 {
            let sandbox = &sandbox;
            scope.spawn(move || {
                for run in 0..5 {
                    let number = thread * 5 + run;
                    let call = case.pick(
                        format!("call_tool('add', number={number})"),
                        format!("call_tool('add', {{ number: {number} }})"),
                    );
                    let result = sandbox.run(&format!("{call}\n'run {number}'")).unwrap();
                    assert_eq!(result.value, Some(json!(format!("run {number}"))));
                    assert_eq!(result.usage.tool_calls, 1);
                }
            });
        }
    });
    assert_eq!(total.load(Ordering::Relaxed), (0..40).sum::<u64>());
}

/// Every run waits for all others in its tool, so none would end if they ran one after another.
#[scenario]
fn runs_of_one_sandbox_are_concurrent(case: &Case) {
    const RUNS: usize = 8;
    let barrier = Barrier::new(RUNS);
    let meet = move |_: serde_json::Value| Ok::<_, String>(barrier.wait().is_leader());
    let sandbox = case.builder().tool_typed("meet", "Waits for the others", meet).build().unwrap();
    let leaders = thread::scope(|scope| {
        let runs: Vec<_> = (0..RUNS).map(|_| scope.spawn(|| sandbox.run("call_tool('meet')").unwrap().value)).collect();
        runs.into_iter().filter_map(|run| run.join().unwrap()).filter(|leader| *leader == json!(true)).count()
    });
    assert_eq!(leaders, 1);
}

#[scenario]
fn a_sandbox_can_move_between_threads(case: &Case) {
    let mut sandbox: Sandbox = case.sandbox();
    let mut session = sandbox.session().unwrap();
    session.run(case.pick("n = 0", "var n = 0")).unwrap();
    for expected in 1..4 {
        (sandbox, session) = thread::spawn(move || {
            assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
            let result = session.run("n = n + 1\nresult = n").unwrap();
            assert_eq!(result.value, Some(json!(expected)));
            (sandbox, session)
        })
        .join()
        .unwrap();
    }
}
