//! Pools: places for guests of many sandboxes, the queue for them, and which sandboxes are kept.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::Poll,
    thread,
    time::{Duration, Instant},
};

use isolette::{
    Answer, BusyReason, CancellationToken, Error, Isolation, Metrics, RunOptions, SandboxBuilder, SandboxPool,
    SandboxPoolBuilder, Step, Tool,
};
use isolette_tests::{Case, Skipped, scenario};
use serde_json::{Value, json};

/// Longer than any test waits, and shorter than an emulated machine may be silent.
const LONG: Duration = Duration::from_secs(200);

/// A pool whose sandboxes differ in their keys only, with one place, for which callers may wait for long.
fn pool(case: &Case) -> SandboxPoolBuilder<&'static str> {
    let case = *case;
    SandboxPool::builder(move |_| Ok(case.builder())).guests(1).waiting_time(LONG)
}

fn busy<T: std::fmt::Debug>(result: Result<T, Error>) -> BusyReason {
    match result {
        Err(Error::Busy { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

/// Waits until a pool is in a state. A test that waits for what never comes fails.
fn until(is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < LONG, "the pool does not come into the state");
        thread::yield_now();
    }
}

#[scenario]
fn sandboxes_of_a_pool_share_its_places(case: &Case) {
    let pool = pool(case).build().unwrap();
    let (one, other) = (pool.get(&"one").unwrap(), pool.get(&"other").unwrap());
    assert_eq!(one.run("1 + 1").unwrap().value, Some(json!(2)));
    let mut session = one.session().unwrap();
    session.run(case.pick("kept = 1", "var kept = 1")).unwrap();
    assert_eq!((pool.state().guests, pool.state().sandboxes), (1, 2));
    thread::scope(|scope| {
        let waits = scope.spawn(|| other.run("2 + 2").unwrap().value);
        until(|| pool.state().waiting == 1);
        assert_eq!(session.run("kept").unwrap().value, Some(json!(1)), "a session keeps its place between runs");
        drop(session);
        assert_eq!(waits.join().unwrap(), Some(json!(4)));
    });
    assert!(pool.drain(LONG));
    assert_eq!((pool.state().guests, pool.state().memory), (0, 0));
}

#[scenario]
fn a_caller_without_a_place_gets_an_error_that_says_why(case: &Case) {
    let hasty = pool(case).waiting_time(Duration::ZERO).build().unwrap();
    let mut session = hasty.get(&"one").unwrap().session().unwrap();
    let other = hasty.get(&"other").unwrap();
    let error = other.run("1").unwrap_err();
    assert!(
        error.to_string().contains("1 guests are live, 0 callers wait") && error.to_string().contains("hint: "),
        "{error}"
    );
    assert_eq!(busy(other.run("1")), BusyReason::WaitTimeout);
    assert_eq!(busy(other.session()), BusyReason::WaitTimeout);
    if case.isolation != Isolation::Wasm {
        assert_eq!(busy(session.fork(1)), BusyReason::WaitTimeout, "a fork needs a place of its own");
    }
    assert_eq!(session.run("1 + 1").unwrap().value, Some(json!(2)));
    let short = pool(case).waiting(0).build().unwrap();
    let _session = short.get(&"one").unwrap().session().unwrap();
    assert_eq!(busy(short.get(&"other").unwrap().start("1").map(drop)), BusyReason::QueueFull);
}

#[scenario]
fn a_wait_for_a_place_is_not_part_of_the_timeout(case: &Case) {
    let pool = pool(case).build().unwrap();
    let session = pool.get(&"one").unwrap().session().unwrap();
    let (token, other) = (CancellationToken::new(), pool.get(&"other").unwrap());
    thread::scope(|scope| {
        let options = RunOptions::new().timeout(case.limits().timeout).cancel(token.clone());
        let cancelled = scope.spawn(|| other.run_with("1", options));
        until(|| pool.state().waiting == 1);
        token.cancel();
        assert!(matches!(cancelled.join().unwrap(), Err(Error::Cancelled { .. })));
        assert_eq!(pool.state().waiting, 0);
        let waits = scope.spawn(|| other.run("1").unwrap());
        until(|| pool.state().waiting == 1);
        // The longer it waits, the more it would exceed what is compared below.
        thread::sleep(Duration::from_millis(100));
        let dropped = Instant::now();
        drop(session);
        let result = waits.join().unwrap();
        assert!(result.usage.wall_ms <= dropped.elapsed().as_secs_f64() * 1e3, "{}", result.usage.wall_ms);
    });
}

#[scenario]
fn keys_take_turns(case: &Case) {
    let order = Arc::new(Mutex::new(Vec::new()));
    let pool = {
        let (case, order) = (*case, Arc::clone(&order));
        SandboxPool::builder(move |key: &&'static str| {
            let (key, order) = (*key, Arc::clone(&order));
            let note = move |_: Value| {
                order.lock().unwrap().push(key);
                Ok::<_, String>(Value::Null)
            };
            Ok(case.builder().tool(Tool::from_schema("note", "", json!({"type": "object"}), note)?))
        })
    };
    let pool = pool.guests(1).waiting_time(LONG).build().unwrap();
    let session = pool.get(&"first").unwrap().session().unwrap();
    thread::scope(|scope| {
        for (place, key) in ["greedy", "greedy", "greedy", "modest", "modest"].into_iter().enumerate() {
            let sandbox = pool.get(&key).unwrap();
            scope.spawn(move || assert!(sandbox.run("call_tool('note')").unwrap().success()));
            until(|| pool.state().waiting == place + 1);
        }
        drop(session);
    });
    assert_eq!(*order.lock().unwrap(), ["greedy", "modest", "greedy", "modest", "greedy"]);
}

#[scenario]
fn guests_share_the_memory_of_a_pool(case: &Case) {
    let memory = case.limits().memory;
    let pool = {
        let case = *case;
        SandboxPool::builder(move |memory: &u64| {
            let mut limits = case.limits();
            limits.memory = *memory;
            Ok(case.builder().limits(limits))
        })
    };
    let pool = pool.guests(100).memory(2 * memory).waiting_time(Duration::ZERO).build().unwrap();
    let sandbox = pool.get(&memory).unwrap();
    let [_one, two] = [(); 2].map(|()| sandbox.session().unwrap());
    assert_eq!((pool.state().guests, pool.state().memory), (2, 2 * memory));
    assert_eq!(busy(sandbox.run("1")), BusyReason::WaitTimeout);
    drop(two);
    until(|| pool.state().memory == memory);
    assert_eq!(busy(pool.get(&(memory + 1)).unwrap().run("1")), BusyReason::WaitTimeout);
    assert!(sandbox.run("1").unwrap().success());
    assert!(matches!(pool.get(&(2 * memory + 1)), Err(Error::InvalidArgument { .. })), "it would never have a place");
}

#[scenario]
fn sandboxes_are_kept_while_they_are_used_and_some_longer(case: &Case) {
    let (made, metrics) = (Arc::new(AtomicUsize::new(0)), Metrics::new());
    let pool = |sandboxes, idle| {
        let (case, made) = (*case, Arc::clone(&made));
        let make = move |_: &&str| {
            made.fetch_add(1, Ordering::Relaxed);
            Ok::<SandboxBuilder, Error>(case.builder())
        };
        SandboxPool::builder(make).sandboxes(sandboxes).idle(idle).metrics(&metrics).build().unwrap()
    };
    let made = |pool: &SandboxPool<&'static str>, key| {
        let before = made.load(Ordering::Relaxed);
        let sandbox = pool.get(&key).unwrap();
        (made.load(Ordering::Relaxed) > before, sandbox)
    };
    let few = pool(2, LONG);
    let (_, in_use) = made(&few, "in use");
    for (key, is_made) in [("a", true), ("a", false), ("b", true), ("a", true), ("in use", false)] {
        assert_eq!(made(&few, key).0, is_made, "{key}");
    }
    assert_eq!(few.state().sandboxes, 2);
    let idle = pool(100, Duration::ZERO);
    assert!(made(&idle, "a").0);
    assert!(made(&idle, "b").0);
    let (is_made, sandbox) = made(&idle, "a");
    assert!(is_made, "it was idle when `b` was made");
    made(&idle, "c");
    assert!(!made(&idle, "a").0, "it is in use");
    assert!(sandbox.run("1").unwrap().success());
    let text = metrics.text();
    assert!(text.contains("isolette_pool_dropped_total{reason=\"limit\"}"), "{text}");
    assert!(text.contains("isolette_pool_dropped_total{reason=\"idle\"}"), "{text}");
    drop((few, idle, in_use));
    assert!(metrics.text().contains("isolette_pool_sandboxes 0\n"), "{}", metrics.text());
}

#[scenario]
fn a_drained_pool_lets_guests_end_and_starts_no_further_ones(case: &Case) {
    let (gate, metrics) = (CancellationToken::new(), Metrics::new());
    let pool = {
        let (case, gate) = (*case, gate.clone());
        SandboxPool::builder(move |_: &&str| {
            let gate = gate.clone();
            Ok(case.builder().tool_typed_async("wait", "", move |_: Value| {
                let gate = gate.clone();
                async move {
                    gate.cancelled().await;
                    Ok::<_, String>(7)
                }
            }))
        })
    };
    let pool = pool.guests(1).waiting_time(LONG).metrics(&metrics).build().unwrap();
    let sandbox = pool.get(&"one").unwrap();
    thread::scope(|scope| {
        // If the test fails, the scope waits for its threads.
        let _end = gate.clone().drop_guard();
        let runs = scope.spawn(|| sandbox.run("call_tool('wait')").unwrap().value);
        until(|| pool.state().guests == 1);
        let waits = scope.spawn(|| sandbox.run("1"));
        until(|| pool.state().waiting == 1);
        // The caller that was served leaves the figure after it has its place.
        until(|| metrics.text().contains("isolette_pool_waiting 1\n"));
        assert!(!pool.drain(Duration::ZERO), "one still runs");
        assert_eq!(busy(waits.join().unwrap()), BusyReason::Draining, "it waited for too long");
        assert_eq!(busy(sandbox.run("1")), BusyReason::Draining);
        assert_eq!(busy(pool.get(&"another")), BusyReason::Draining);
        assert!(pool.state().is_draining);
        gate.cancel();
        assert_eq!(runs.join().unwrap(), Some(json!(7)));
    });
    assert!(pool.drain(LONG));
    let text = metrics.text();
    for line in ["isolette_pool_guests 0\n", "isolette_pool_memory_bytes 0\n", "isolette_pool_waiting 0\n"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(text.contains("isolette_pool_refused_total{reason=\"draining\"} 3\n"), "{text}");
}

#[scenario]
fn asynchronous_callers_wait_in_the_same_queue(case: &Case) {
    let pool = pool(case).build().unwrap();
    let tokio = tokio::runtime::Builder::new_current_thread().build().unwrap();
    tokio.block_on(async {
        let (one, other) = (pool.get(&"one").unwrap(), pool.get(&"other").unwrap());
        let session = one.session_async().await.unwrap();
        let run = async |number: usize| {
            let result = [&one, &other][number % 2].run_async(&number.to_string(), RunOptions::new()).await;
            result.unwrap().value
        };
        let end = async {
            while pool.state().waiting < 4 {
                tokio::task::yield_now().await;
            }
            drop(session);
        };
        let (a, b, c, d, ()) = tokio::join!(run(0), run(1), run(2), run(3), end);
        assert_eq!([a, b, c, d], [0, 1, 2, 3].map(|number| Some(json!(number))));
        assert!(pool.drain_async(LONG).await.unwrap());
        let refused = one.run_async("1", RunOptions::new()).await;
        assert_eq!(busy(refused), BusyReason::Draining);
    });
}

#[scenario]
fn an_asynchronous_wait_has_an_end(case: &Case) {
    let pool = pool(case).waiting_time(Duration::from_millis(1)).build().unwrap();
    let sandbox = pool.get(&"one").unwrap();
    let tokio = tokio::runtime::Builder::new_current_thread().build().unwrap();
    tokio.block_on(async {
        let _session = sandbox.session_async().await.unwrap();
        assert_eq!(busy(sandbox.session_async().await), BusyReason::WaitTimeout);
        assert_eq!(busy(sandbox.run_async("1", RunOptions::new()).await), BusyReason::WaitTimeout);
        // A future that is dropped leaves the queue.
        let mut waiting = Box::pin(sandbox.session_async());
        let is_pending = std::future::poll_fn(|context| Poll::Ready(waiting.as_mut().poll(context).is_pending())).await;
        assert_eq!((is_pending, pool.state().waiting), (true, 1));
        drop(waiting);
        assert_eq!(pool.state().waiting, 0);
    });
}

#[scenario]
fn a_paused_program_keeps_its_place(case: &Case) -> Result<(), Skipped> {
    if case.isolation == Isolation::Wasm {
        return Err(Skipped("programs are not paused in this isolation".into()));
    }
    let case = *case;
    let make = move |_: &&str| Ok(case.builder().tool(Tool::deferred("ask", "", json!({"type": "object"}))?));
    let pool = SandboxPool::builder(make).guests(1).waiting_time(Duration::ZERO).build().unwrap();
    let sandbox = pool.get(&"one").unwrap();
    let Step::Paused(mut paused) = sandbox.start("call_tool('ask')").unwrap() else { panic!("it does not wait") };
    assert_eq!(busy(sandbox.run("1")), BusyReason::WaitTimeout);
    let Step::Done(result) = paused.resume(Answer::Value(json!(5))).unwrap() else { panic!("it waits") };
    assert_eq!(result.value, Some(json!(5)));
    drop(paused);
    until(|| pool.state().guests == 0);
    let Step::Paused(paused) = sandbox.start("call_tool('ask')").unwrap() else { panic!("it does not wait") };
    drop(paused);
    assert!(pool.drain(LONG));
    Ok(())
}

#[scenario]
fn guests_are_ready_before_the_first_run(case: &Case) {
    const GUESTS: usize = 6;
    let pool = pool(case).warm("warm", GUESTS).build().unwrap();
    let sandbox = pool.get(&"warm").unwrap();
    match case.isolation {
        Isolation::Wasm => assert_eq!(sandbox.ready_guests(), 0),
        _ => until(|| sandbox.ready_guests() >= GUESTS),
    }
    assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
    let error = case.builder().ready_guests(65).build().unwrap_err();
    assert!(matches!(&error, Error::InvalidArgument { .. }), "{error}");
    let twice = SandboxPool::builder({
        let case = *case;
        move |_: &u8| Ok(case.builder())
    });
    assert!(matches!(twice.warm(1, 1).warm(1, 1).build(), Err(Error::InvalidArgument { .. })));
}
