//! Replays of programs that wait for several calls at once: what they saw in which order is repeated. No tool waits for time:
//! calls end in an order that the test draws.

mod ends;
mod gate;
mod recordings;

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex},
    thread,
};

use axum::{Router, extract::Query, routing::get};
use isolette::{ExecutionResult, RunOptions, Sandbox, SandboxBuilder, audit::Audit};
use isolette_tests::{Case, engines, scenario, server::Server};
use serde_json::{Value, json};

use self::gate::{Gate, WORKERS, interleaving, polling};
use crate::audit::Kept;

/// What a caller can see of a run, without times and identifiers.
fn seen(result: &ExecutionResult) -> Value {
    json!({
        "value": result.value,
        "stdout": result.stdout,
        "stderr": result.stderr,
        "error": result.error.as_ref().map(|error| &error.message),
        "calls": timeless(serde_json::to_value(&result.calls).unwrap()),
    })
}

/// Removes times and identifiers.
fn timeless(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| {
                !name.ends_with("_ms") && !["time", "run", "session", "usage"].contains(&name.as_str())
            });
            fields.values_mut().for_each(|value| *value = timeless(value.take()));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| *value = timeless(value.take())),
        _ => {}
    }
    value
}

fn builder(case: &Case) -> SandboxBuilder {
    let mut limits = case.limits();
    limits.tool_calls = 10_000;
    case.builder().limits(limits)
}

fn run(case: &Case, sandbox: &Sandbox, run: u64) -> Value {
    let result = sandbox.run_with(&case.program(), RunOptions::new().variable("RUN", run)).unwrap();
    assert!(result.success(), "{:?}", result.error);
    seen(&result)
}

/// Records what `observe` does with a sandbox, and asserts that it sees the same in a replay. Returns that.
fn repeated<T: PartialEq + std::fmt::Debug>(
    recorded: SandboxBuilder,
    replayed: SandboxBuilder,
    observe: impl Fn(&Sandbox) -> T,
) -> T {
    let directory = tempfile::tempdir().unwrap();
    let recorded = observe(&recorded.record(directory.path()).build().unwrap());
    let replayed = observe(&replayed.replay(directory.path()).build().unwrap());
    assert_eq!(recorded, replayed);
    recorded
}

#[scenario(programs = ["parallel/interleaved"])]
fn a_thousand_interleavings_are_replayed(case: &Case) {
    let audits = [Kept::default(), Kept::default()];
    let [recorded, replayed] =
        [0, 1].map(|index: usize| builder(case).audit(&Audit::new(audits[index].clone()).unwrap()));
    // An emulated processor takes minutes for all of them, which the same machine does in seconds.
    let runs = if engines::emulated() { 1 } else { 50 };
    // Each program has the same text and variables as others, and another interleaving.
    let outcomes = repeated(interleaving(recorded), replayed, |sandbox| {
        (0..runs).map(|number| run(case, sandbox, number % 3)).collect::<Vec<_>>()
    });
    let [recorded, replayed] = audits.map(|audit| timeless(audit.records().into()));
    assert_eq!(recorded, replayed);
    let logs = outcomes.iter().map(|outcome| outcome["value"].as_array().unwrap());
    let rounds = logs.flat_map(|log| log.chunks(1 + 3 * WORKERS));
    let orders: Vec<String> =
        rounds.map(|round| round[1..].iter().map(|entry| entry[0].to_string()).collect()).collect();
    assert_eq!(orders.len() as u64, runs * 20);
    let different = orders.into_iter().collect::<BTreeSet<_>>().len() as u64;
    assert!(different > runs * 10, "the interleavings are not random");
}

#[scenario(programs = ["parallel/interleaved"])]
fn each_of_several_runs_at_a_time_is_replayed(case: &Case) {
    let all = |sandbox: &Sandbox| {
        thread::scope(|scope| {
            let runs: Vec<_> = (0..4).map(|number| scope.spawn(move || run(case, sandbox, number))).collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect::<Vec<_>>()
        })
    };
    repeated(interleaving(builder(case)), builder(case), all);
}

#[scenario(programs = ["parallel/interleaved"])]
fn the_runs_of_a_session_are_replayed(case: &Case) {
    repeated(interleaving(builder(case)), builder(case), |sandbox| {
        let mut session = sandbox.session().unwrap();
        let options = || RunOptions::new().variable("RUN", 7);
        [(); 2].map(|()| seen(&session.run_with(&case.program(), options()).unwrap()))
    });
}

#[scenario(programs = ["parallel/equal_requests"])]
fn equal_requests_get_their_own_responses(case: &Case) {
    let gate = Arc::new(Mutex::new(Gate::new(1)));
    let next = get(move |Query(query): Query<HashMap<String, bool>>| {
        let ended = gate.lock().unwrap().enter(query["last"]);
        async move { ended.await.unwrap().to_string() }
    });
    let server = Server::start(Router::new().route("/next", next));
    let builder = || case.builder().base_url(&server.origin());
    let outcomes = repeated(builder(), builder(), |sandbox| {
        [(); 10].map(|()| {
            let result = sandbox.run(&case.program()).unwrap();
            assert!(result.success(), "{:?}", result.error);
            seen(&result)
        })
    });
    assert_eq!(server.requests().len(), outcomes.len() * 3 * WORKERS, "a replay sends nothing");
}

#[scenario(programs = ["parallel/polled"])]
fn polls_are_replayed(case: &Case) {
    let seen = repeated(polling(builder(case)), builder(case), |sandbox| seen(&sandbox.run(&case.program()).unwrap()));
    assert!(seen["error"].is_null() && seen["value"].as_array().unwrap().len() == 20, "{seen}");
}
