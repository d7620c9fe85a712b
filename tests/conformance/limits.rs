//! Programs that exceed a limit. Each ends with a typed error that contains the partial result, and the same sandbox
//! runs the next program.

use std::{
    convert::Infallible,
    sync::mpsc,
    time::{Duration, Instant},
};

use axum::{Router, body::Body, routing::get};
use futures::{StreamExt as _, stream};
use isolette::{Error, ExecutionResult, Isolation, RunOptions, Sandbox, SandboxBuilder, policy::Limits};
use isolette_tests::{Case, engines, report, scenario, server::Server};
use serde_json::json;

/// Short enough for a test, long enough for an interpreter to start its program on a busy machine.
const LIMIT: Duration = Duration::from_millis(2500);

/// A hundred times as long as an idle machine needs. It distinguishes a run that was ended from one that hangs.
const TIMEOUT: Duration = Duration::from_secs(20);

fn limited(builder: SandboxBuilder) -> Sandbox {
    let mut limits = Limits::default();
    limits.timeout = LIMIT;
    builder.limits(limits).build().unwrap()
}

/// How long a micro-VM may continue after its timeout, on a real processor.
const OVERSHOOT: Duration = Duration::from_millis(250);

/// Runs a program until its timeout, and another one after it.
fn assert_times_out(case: &Case, sandbox: &Sandbox, program: &str, stdout: &str) -> ExecutionResult {
    // The first micro-VM of an image on a machine takes longer to start than later ones.
    assert_usable(sandbox);
    let started = Instant::now();
    let error = sandbox.run(program).unwrap_err();
    let took = started.elapsed();
    assert!(took < TIMEOUT, "it took {took:?}");
    let overshoot = took.saturating_sub(LIMIT);
    if case.isolation == Isolation::MicroVm {
        report::measured("time over the limit (ratio to the limit)", overshoot.div_duration_f64(LIMIT));
        assert!(overshoot <= OVERSHOOT || engines::emulated(), "it went on for {overshoot:?}");
    }
    let Error::Timeout { limit, used, partial } = error else { panic!("it ended with {error}") };
    assert_eq!(limit, LIMIT);
    assert!(used >= LIMIT, "{used:?}");
    assert_eq!(partial.stdout, stdout);
    assert!(partial.usage.wall_ms >= LIMIT.as_secs_f64() * 1e3, "{:?}", partial.usage);
    assert_usable(sandbox);
    *partial
}

fn assert_usable(sandbox: &Sandbox) {
    assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
}

/// The call that was in flight when the run was ended is recorded.
fn assert_cut_off(partial: &ExecutionResult, capability: &str, outcome: &str) {
    let [call] = &*partial.calls else { panic!("{:?}", partial.calls) };
    assert_eq!((call.capability.as_str(), call.outcome.as_str()), (capability, outcome));
    assert!(call.duration_ms > 0.0);
}

#[scenario(programs = ["limits/endless_loop", "limits/uncatchable"])]
fn an_endless_loop_times_out(case: &Case) {
    let sandbox = limited(case.builder());
    for (_, program) in case.programs() {
        assert_times_out(case, &sandbox, &program, "before the loop\n");
    }
}

#[scenario(programs = ["limits/waiting_tool"])]
fn a_blocking_tool_does_not_delay_a_timeout(case: &Case) {
    let (release, released) = mpsc::channel::<()>();
    let released = std::sync::Mutex::new(released);
    let wait = move |_: serde_json::Value| {
        // Until the end of the test.
        let _ = released.lock().unwrap().recv();
        Ok::<_, String>(())
    };
    let sandbox = limited(case.builder().tool_typed("wait", "Waits", wait));
    let partial = assert_times_out(case, &sandbox, &case.program(), "before the call\n");
    assert_eq!(partial.usage.tool_calls, 1);
    assert_cut_off(&partial, "tools", "deadline");
    // Resources of a run are held until no work uses them, even after the run has ended.
    let (held, place) = mpsc::channel::<()>();
    let error = sandbox.run_with(&case.program(), RunOptions::new().hold(held)).unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error}");
    assert_eq!(place.try_recv(), Err(mpsc::TryRecvError::Empty));
    drop(release);
    assert_eq!(place.recv_timeout(TIMEOUT), Err(mpsc::RecvTimeoutError::Disconnected));
}

#[scenario(programs = ["limits/waiting_tool"])]
fn an_awaited_tool_is_dropped_at_a_timeout(case: &Case) {
    struct Dropped(mpsc::Sender<()>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }
    let (sender, dropped) = mpsc::channel();
    let wait = move |_: serde_json::Value| {
        let guard = Dropped(sender.clone());
        async move {
            let _guard = guard;
            std::future::pending::<Result<(), String>>().await
        }
    };
    let sandbox = limited(case.builder().tool_typed_async("wait", "Waits", wait));
    let partial = assert_times_out(case, &sandbox, &case.program(), "before the call\n");
    assert_cut_off(&partial, "tools", "deadline");
    dropped.recv_timeout(TIMEOUT).expect("the tool does not outlive its run");
}

#[scenario(programs = ["limits/tar_pit"])]
fn an_unanswered_request_times_out(case: &Case) {
    let server = Server::start(Router::new().route("/silence", get(std::future::pending::<()>)));
    let sandbox = limited(case.builder().base_url(&server.origin()).variable("WHERE", "silence"));
    let partial = assert_times_out(case, &sandbox, &case.program(), "before the request\n");
    assert_eq!(partial.usage.http_requests, 1);
    // Its timeout is that of the run, so either is noticed first.
    let outcome = partial.calls.last().unwrap().outcome.as_str();
    assert_cut_off(&partial, "http", if outcome == "deadline" { outcome } else { "timeout" });
    assert_eq!(server.requests(), ["GET /silence"]);
}

#[scenario(programs = ["limits/tar_pit"])]
fn an_endless_body_times_out(case: &Case) {
    // Headers, one chunk, and then nothing more.
    let drip = async || {
        let first = stream::iter([Ok::<_, Infallible>("a drop")]);
        Body::from_stream(first.chain(stream::pending()))
    };
    let server = Server::start(Router::new().route("/drip", get(drip)));
    let sandbox = limited(case.builder().base_url(&server.origin()).variable("WHERE", "drip"));
    assert_times_out(case, &sandbox, &case.program(), "before the request\n");
}

#[scenario(programs = ["limits/long_sleep"])]
fn a_long_sleep_times_out(case: &Case) {
    assert_times_out(case, &limited(case.builder()), &case.program(), "before the sleep\n");
}

#[scenario(programs = ["limits/gigabyte_string"])]
fn a_string_of_a_gigabyte_exceeds_memory(case: &Case) {
    let sandbox = case.sandbox();
    match sandbox.run(&case.program()) {
        Ok(result) => {
            assert_eq!(result.stdout, "before the string\n");
            let error = result.error.expect("there is no room for the string");
            assert!(
                error.kind == case.pick("MemoryError", "InternalError") || error.message.contains("memory"),
                "{error:?}"
            );
        }
        Err(error) => assert_out_of_memory(&error, "before the string\n"),
    }
    assert_usable(&sandbox);
}

#[scenario(programs = ["limits/hoarder"])]
fn growing_lists_exceed_memory(case: &Case) {
    let mut limits = Limits::default();
    limits.timeout = Duration::from_secs(3);
    limits.memory = 128 << 20;
    let sandbox = case.builder().limits(limits).build().unwrap();
    match sandbox.run(&case.program()) {
        Ok(result) => assert!(result.error.is_some(), "it cannot have come to its end: {result:?}"),
        Err(Error::Timeout { partial, .. }) => assert!(partial.usage.memory_peak_bytes <= 128 << 20),
        Err(error) => assert_out_of_memory(&error, "before the hoard\n"),
    }
    assert_usable(&sandbox);
}

fn assert_out_of_memory(error: &Error, stdout: &str) {
    assert!(matches!(error, Error::OutOfMemory { .. }), "it ended with {error}");
    assert_eq!(error.partial().map(|partial| &*partial.stdout), Some(stdout));
}

#[scenario(programs = ["limits/flood"])]
fn output_over_the_limit_is_truncated(case: &Case) {
    let sandbox = case.sandbox();
    let result = sandbox.run(&case.program()).unwrap();
    let all: String = (0..200_000).map(|number| format!("{number}\n")).collect();
    assert_eq!(result.stdout.len() as u64, Limits::default().stdout);
    assert!(all.starts_with(&result.stdout), "the beginning is kept");
    assert_eq!(result.truncated.stdout, (all.len() - result.stdout.len()) as u64);
    assert_eq!((&*result.stderr, result.truncated.stderr), ("the end\n", 0));
    assert_usable(&sandbox);
}

/// Copies of 120 MB in two places, with less memory than that.
#[scenario(programs = ["limits/more_than_memory"])]
fn payloads_passed_to_the_host_take_no_guest_memory(case: &Case) {
    let mut limits = case.limits();
    limits.memory = 96 << 20;
    let sandbox = case.builder().limits(limits).temp_output().build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    assert_eq!(result.value, Some(json!(100_000)), "{result:?}");
    assert_eq!(result.truncated.stdout, 1200 * 100_001 - Limits::default().stdout);
}

#[scenario(programs = ["limits/long_value"])]
fn a_value_over_the_limit_is_dropped(case: &Case) {
    let result = case.sandbox().run(&case.program()).unwrap();
    assert!(result.success(), "{result:?}");
    assert_eq!((result.value, result.truncated.value), (None, true));
    assert_eq!(result.stdout, "the value is long\n");
}

/// The time of a tool does not count, the time of the program does.
#[scenario]
fn cpu_time_is_limited_apart_from_the_timeout(case: &Case) {
    let mut limits = Limits::default();
    let slowness = if engines::emulated() { 10 } else { 1 };
    limits.cpu_time = Duration::from_millis(1500) * slowness;
    limits.timeout = Duration::from_secs(60) * slowness;
    let work = |_: serde_json::Value| Ok::<_, String>((0..3_000_000_u64).fold(0, |sum, number| sum ^ (number * sum)));
    let sandbox = case.builder().limits(limits.clone()).tool_typed("work", "Works", work).build().unwrap();
    assert_usable(&sandbox);
    let program = case.pick(
        "call_tool('work')\nprint('before the loop')\nwhile True: pass",
        "call_tool('work'); console.log('before the loop'); for (;;);",
    );
    let Error::CpuTimeExceeded { limit, used, partial } = sandbox.run(program).unwrap_err() else {
        panic!("another end")
    };
    assert_eq!(limit, limits.cpu_time);
    assert!(used >= limit && used < limits.timeout, "{used:?}");
    assert_eq!(partial.stdout, "before the loop\n");
    assert_usable(&sandbox);
}

#[scenario]
fn the_total_time_of_sleeps_is_limited(case: &Case) {
    let mut limits = case.limits();
    limits.sleep = Duration::from_millis(300);
    let sandbox = case.builder().limits(limits).build().unwrap();
    let program = case.pick(
        "import time\nprint('before the sleeps')\nwhile True: time.sleep(0.1)",
        "console.log('before the sleeps'); for (;;) await new Promise((resolve) => setTimeout(resolve, 100));",
    );
    let Error::SleepExceeded { limit, used, partial } = sandbox.run(program).unwrap_err() else {
        panic!("another end")
    };
    assert_eq!(limit, Duration::from_millis(300));
    assert!(used >= limit, "{used:?}");
    assert!(partial.usage.sleep_ms >= 200.0, "{:?}", partial.usage);
    assert_eq!(partial.stdout, "before the sleeps\n");
    assert_usable(&sandbox);
}

#[scenario]
fn the_rate_of_host_calls_is_limited(case: &Case) {
    let mut limits = case.limits();
    // A number that an emulated machine reaches in a second.
    limits.host_calls_per_second = 50;
    let sandbox = case.builder().limits(limits).temp_output().build().unwrap();
    let program = case.pick(
        "print('before the flood')\nwhile True:\n    try: call_tool('none')\n    except Exception: pass",
        "console.log('before the flood'); for (;;) { try { call_tool('none'); } catch {} }",
    );
    let Error::HostCallRateExceeded { limit, used, partial } = sandbox.run(program).unwrap_err() else {
        panic!("another end")
    };
    assert_eq!(limit, 50);
    assert!(used > limit);
    assert_eq!(partial.stdout, "before the flood\n");
    assert_usable(&sandbox);
}

/// Bytes of failed responses count, because they are received.
#[scenario]
fn the_number_of_empty_responses_is_limited(case: &Case) {
    let nothing = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let body = nothing.repeat(5000);
    let coded = move || async move { ([("content-encoding", "gzip")], body) };
    let server = Server::start(Router::new().route("/", get(coded)));
    let mut limits = case.limits();
    limits.http_total_bytes = 1_000_000;
    let sandbox = case.builder().limits(limits).base_url(&server.origin()).build().unwrap();
    let program =
        case.pick("for _ in range(50): http_get(BASE_URL)", "for (let n = 0; n < 50; n++) http_get(BASE_URL)");
    let result = sandbox.run(program).unwrap();
    let error = result.error.expect("not all of them fit");
    assert!(error.message.contains("1000000 bytes together"), "{error:?}");
    assert_eq!((result.usage.http_bytes, server.requests().len()), (1_000_000, 10));
}

#[scenario]
fn the_total_size_of_bodies_is_limited(case: &Case) {
    let server = Server::start(Router::new().route("/", get(async || "x".repeat(1000))));
    let mut limits = case.limits();
    limits.http_total_bytes = 2500;
    let sandbox = case.builder().limits(limits).base_url(&server.origin()).build().unwrap();
    let program =
        case.pick("[http_get(BASE_URL)['status'] for _ in range(9)]", "for (let n = 0; n < 9; n++) http_get(BASE_URL)");
    let result = sandbox.run(program).unwrap();
    let error = result.error.expect("not all of them fit");
    assert!(error.message.contains("2500 bytes together"), "{error:?}");
    // The third was ended at the common limit.
    assert_eq!(result.usage.http_bytes, 2500);
    assert_eq!(server.requests().len(), 3);
    assert!(result.limits_reached.iter().any(|limit_hit| limit_hit.limit == 2500), "{:?}", result.limits_reached);
}
