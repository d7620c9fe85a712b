//! Replays of programs that wait for several calls at once: what they saw in which order is repeated. No tool waits for time:
//! calls end in an order that the test draws.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use axum::{Router, extract::Query, routing::get};
use isolette::{
    CancellationToken, Error, ExecutionResult, RunOptions, Sandbox, SandboxBuilder, Tool,
    audit::Audit,
    policy::{Approval, Decision},
};
use isolette_tests::{Case, scenario, server::Server};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::{audit::Kept, parallel};

/// The workers of a program. Each makes a call when its last one has ended.
const WORKERS: usize = 4;

/// A generator of random numbers that are the same each time (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).unwrap()
    }
}

/// Calls that wait for each other: as soon as all workers have called, a random number of the calls ends, in random order.
struct Gate {
    random: Random,
    /// With whether it is the last call of its worker.
    waiting: Vec<(oneshot::Sender<u64>, bool)>,
    active: usize,
    ended: u64,
}

impl Gate {
    fn new(seed: u64) -> Self {
        Self { random: Random(seed), waiting: Vec::new(), active: WORKERS, ended: 0 }
    }

    fn enter(&mut self, last: bool) -> oneshot::Receiver<u64> {
        let (sender, receiver) = oneshot::channel();
        self.waiting.push((sender, last));
        while self.waiting.len() == self.active {
            for _ in 0..=self.random.below(self.active) {
                let place = self.random.below(self.waiting.len());
                let (sender, last) = self.waiting.swap_remove(place);
                self.active -= usize::from(last);
                self.ended += 1;
                sender.send(self.ended).unwrap();
            }
            if self.active == 0 {
                self.active = WORKERS;
            }
        }
        receiver
    }
}

#[derive(Deserialize, JsonSchema)]
struct Next {
    /// The run that calls.
    run: u64,
    /// Whether the worker calls no more in this round.
    last: bool,
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
struct Named {
    /// The result.
    name: String,
}

/// The tools of `parallel/interleaved`.
fn interleaving(builder: SandboxBuilder) -> SandboxBuilder {
    let gates: Arc<Mutex<HashMap<u64, Gate>>> = Arc::default();
    let next = Tool::typed_async("next", "What comes next", move |Next { run, last }| {
        let ended = gates.lock().unwrap().entry(run).or_insert_with(|| Gate::new(run)).enter(last);
        async move { Ok::<_, String>(ended.await.unwrap()) }
    });
    let count = AtomicU64::new(0);
    let count = Tool::typed("count", "Counts its calls", move |Nothing {}| {
        Ok::<_, String>(count.fetch_add(1, Ordering::Relaxed))
    });
    builder.tool(next.unwrap()).tool(count.unwrap())
}

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
    // Each program has the same text and variables as others, and another interleaving.
    let outcomes = repeated(interleaving(recorded), replayed, |sandbox| {
        (0..50).map(|number| run(case, sandbox, number % 3)).collect::<Vec<_>>()
    });
    let [recorded, replayed] = audits.map(|audit| timeless(audit.records().into()));
    assert_eq!(recorded, replayed);
    let logs = outcomes.iter().map(|outcome| outcome["value"].as_array().unwrap());
    let rounds = logs.flat_map(|log| log.chunks(1 + 3 * WORKERS));
    let orders: Vec<String> =
        rounds.map(|round| round[1..].iter().map(|entry| entry[0].to_string()).collect()).collect();
    assert_eq!(orders.len(), 1000);
    assert!(orders.into_iter().collect::<BTreeSet<_>>().len() > 500, "the interleavings are not random");
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
            repeated(parallel::with_tools(case), case.builder(), |sandbox| seen(&sandbox.run(&program).unwrap()));
        assert!(seen["error"].is_null(), "{name}: {seen}");
    }
}

#[scenario]
fn a_panic_of_a_tool_is_replayed(case: &Case) {
    for call in ["await call_tool_async('panic')", "call_tool('panic')"] {
        let seen = repeated(parallel::with_tools(case), case.builder(), |sandbox| seen(&sandbox.run(call).unwrap()));
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

fn echo() -> Tool {
    Tool::typed_async("echo", "Returns its argument", async |Named { name }| Ok::<_, String>(name)).unwrap()
}

#[scenario(programs = ["parallel/another_way"])]
fn a_program_that_goes_another_way_gets_results_as_they_come(case: &Case) {
    let directory = tempfile::tempdir().unwrap();
    let recording = case.builder().tool(echo()).record(directory.path()).build().unwrap();
    let recorded = recording.run(&case.program()).unwrap();
    assert_eq!(recorded.calls.len(), 2, "{recorded:?}");
    let not_a = async |request: isolette::policy::CallRequest| {
        if request.arguments["name"] == "a" { Decision::deny("not a") } else { Decision::Allow }
    };
    let replay = case.builder().replay(directory.path()).approval(Approval::PerCall).approver(not_a).build().unwrap();
    let result = replay.run(&case.program()).unwrap();
    let log: BTreeSet<_> = result.value.unwrap().as_array().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(log.len(), 3, "{log:?}");
    for part in ["not approved: not a", "\"b\"", "the recording has no result of this call"] {
        assert!(log.iter().any(|entry| entry.contains(part)), "{part} is not in {log:?}");
    }
}

/// Removes from a recording what earlier versions did not write.
fn as_of_an_earlier_version(directory: &Path) {
    fs::remove_file(directory.join("runs.jsonl")).unwrap();
    let path = directory.join("tools.jsonl");
    let without_origin = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().retain(|name, _| name != "run" && name != "ticket");
        format!("{line}\n")
    };
    let lines: String = fs::read_to_string(&path).unwrap().lines().map(without_origin).collect();
    fs::write(path, lines).unwrap();
}

#[scenario(programs = ["parallel/interleaved"])]
fn a_recording_of_an_earlier_version_is_replayed(case: &Case) {
    let directory = tempfile::tempdir().unwrap();
    let recording = interleaving(builder(case)).record(directory.path()).build().unwrap();
    let recorded = run(case, &recording, 0);
    as_of_an_earlier_version(directory.path());
    let replayed = run(case, &builder(case).replay(directory.path()).build().unwrap(), 0);
    let length = |outcome: &Value| outcome["value"].as_array().unwrap().len();
    assert_eq!(length(&recorded), length(&replayed));
}

#[scenario]
fn damaged_lists_of_runs_are_refused(case: &Case) {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("new");
    case.builder().record(&folder).build().unwrap();
    let began = r#"{"run":1,"began":"ab"}"#;
    for (lines, expected) in [
        (format!("{began}\n{began}\n"), "line 2 of"),
        (r#"{"run":1,"ended":{"waits":1}}"#.to_owned(), "has not begun"),
        (format!("{began}\n{{\"run\":1,\"completed\":{{\"wait\":0,\"tickets\":[1]}}}}"), "line 2 of"),
        (format!("{began}\n{{\"run\":1,\"completed\":{{\"wait\":1,\"tickets\":{:?}}}}}", vec![1; 5000]), "4096"),
        ("{}".to_owned(), "line 1 of"),
    ] {
        fs::write(folder.join("runs.jsonl"), lines).unwrap();
        let error = case.builder().replay(&folder).build().unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("hint: record again"), "{error}");
    }
}
