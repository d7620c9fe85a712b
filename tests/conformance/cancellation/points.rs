//! A token cancels a run at any point. The timeouts of the run and of its operations are far longer than that of the test, so
//! nothing else can have ended it. `cargo xtask bench` measures the latency.

use std::{
    future::pending,
    sync::{Mutex, mpsc},
    thread,
    time::Duration,
};

use axum::{Router, routing::any};
use isolette::{CancellationToken, Error, RunOptions, Sandbox, SandboxBuilder, policy::Limits};
use isolette_tests::{Case, scenario, server::Server};
use serde_json::{Value, json};

use super::TIMEOUT;

/// Nothing ends by itself within this time.
const FOR_EVER: Duration = Duration::from_secs(3600);

/// With a tool `begun` that reports when the program calls it, and without a limit that could end the run.
fn builder(case: &Case) -> (SandboxBuilder, mpsc::Receiver<()>) {
    let (sender, begun) = mpsc::channel();
    let mut limits = Limits::default();
    (limits.timeout, limits.cpu_time, limits.sleep) = (FOR_EVER, FOR_EVER, FOR_EVER);
    (limits.http_request_time, limits.http_total_time) = (FOR_EVER, FOR_EVER);
    (limits.http_body, limits.http_total_bytes) = (Limits::UNLIMITED, Limits::UNLIMITED);
    let begin = move |_: Value| sender.send(()).map_err(|error| error.to_string());
    (case.builder().limits(limits).tool_typed("begun", "Reports that it has begun", begin), begun)
}

/// Cancels the program after its first call, and checks that the sandbox still works.
fn cancel(sandbox: &Sandbox, begun: &mpsc::Receiver<()>, code: &str) {
    let token = CancellationToken::new();
    let error = thread::scope(|scope| {
        let run = scope.spawn(|| sandbox.run_with(code, RunOptions::new().cancel(token.clone())));
        let reported = begun.recv_timeout(TIMEOUT);
        token.cancel();
        let ended = run.join().unwrap();
        reported.unwrap_or_else(|_| panic!("it has not begun: {ended:?}"));
        ended.unwrap_err()
    });
    assert!(matches!(error, Error::Cancelled { .. }), "{error}");
    assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
}

/// After its first call, the program executes this.
fn in_the_middle_of(case: &Case, python: &str, javascript: &str) {
    let (builder, begun) = builder(case);
    let code = case.pick(format!("call_tool('begun')\n{python}"), format!("call_tool('begun');\n{javascript}"));
    cancel(&builder.build().unwrap(), &begun, &code);
}

#[scenario]
fn a_regular_expression_is_cancelled(case: &Case) {
    in_the_middle_of(case, "import re\nre.match('(a+)+$', 'a' * 60 + '!')", "/^(a+)+$/.test('a'.repeat(60) + '!')");
}

#[scenario]
fn a_native_function_is_cancelled(case: &Case) {
    in_the_middle_of(
        case,
        "sum(iter(int, 1))",
        "Array.from({ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) })",
    );
}

#[scenario]
fn a_handler_that_catches_everything_is_cancelled(case: &Case) {
    in_the_middle_of(
        case,
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass\n    finally: continue",
        "for (;;) { try { for (;;); } catch {} finally { continue; } }",
    );
}

#[scenario]
fn a_sleep_is_cancelled(case: &Case) {
    in_the_middle_of(case, "import time\ntime.sleep(3000)", "await new Promise((done) => setTimeout(done, 2_000_000))");
}

#[scenario]
fn an_awaited_sleep_is_cancelled(case: &Case) {
    in_the_middle_of(
        case,
        "import asyncio\nasyncio.run(asyncio.wait_for(asyncio.sleep(3000), 2000))",
        "await Promise.race([1, 2].map((n) => new Promise((done) => setTimeout(done, n * 1_000_000))))",
    );
}

#[scenario]
fn a_blocking_tool_is_cancelled(case: &Case) {
    let (builder, begun) = builder(case);
    // The thread of the guest ends with the test.
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let block = move |_: Value| released.lock().unwrap().recv().map_err(|error| error.to_string());
    let sandbox = builder.tool_typed("block", "Never comes back", block).build().unwrap();
    cancel(&sandbox, &begun, "call_tool('begun'); call_tool('block')");
    drop(release);
}

#[scenario]
fn concurrent_tool_calls_are_cancelled(case: &Case) {
    let (builder, begun) = builder(case);
    let hang = |_: Value| pending::<Result<(), String>>();
    let sandbox = builder.tool_typed_async("hang", "Never comes back", hang).build().unwrap();
    let code = case.pick(
        "import asyncio\ncall_tool('begun')\n\
         async def one(): return call_tool('hang')\n\
         async def main(): await asyncio.gather(*[one() for n in range(10)])\nasyncio.run(main())",
        "call_tool('begun'); await Promise.all([1, 2, 3].map(async () => call_tool('hang')))",
    );
    cancel(&sandbox, &begun, code);
}

/// A request to `/` of a server of which only this is known.
fn in_a_request(case: &Case, router: Router) {
    let server = Server::start(router);
    let (builder, begun) = builder(case);
    let sandbox = builder.allow(&server.origin()).variable("URL", server.origin()).build().unwrap();
    cancel(&sandbox, &begun, case.pick("call_tool('begun')\nhttp_get(URL)", "call_tool('begun'); http_get(URL)"));
}

#[scenario]
fn an_unanswered_request_is_cancelled(case: &Case) {
    in_a_request(case, Router::new().fallback(any(pending::<()>)));
}

#[scenario]
fn an_endless_body_is_cancelled(case: &Case) {
    let drops = || async {
        let drops = futures::stream::unfold((), async |()| {
            tokio::time::sleep(Duration::from_millis(5)).await;
            Some((Ok::<_, std::io::Error>("drop"), ()))
        });
        axum::body::Body::from_stream(drops)
    };
    in_a_request(case, Router::new().fallback(any(drops)));
}

/// The host does not end the caller's own function; the run ends anyway.
#[scenario]
fn a_run_is_cancelled_in_an_output_callback(case: &Case) {
    let (builder, begun) = builder(case);
    let sandbox = builder.build().unwrap();
    let token = CancellationToken::new();
    let in_callback = token.clone();
    let code =
        case.pick("print('x', flush=True)\nwhile True: pass", "console.log('x'); setTimeout(() => { for (;;); }, 1)");
    let options = RunOptions::new().cancel(token).on_output(move |_, _| in_callback.cancel());
    let error = sandbox.run_with(code, options).unwrap_err();
    assert!(matches!(error, Error::Cancelled { .. }), "{error}");
    drop(begun);
    assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
}

#[scenario]
fn a_session_run_is_cancelled(case: &Case) {
    let (builder, begun) = builder(case);
    let sandbox = builder.build().unwrap();
    let mut session = sandbox.session().unwrap();
    let token = CancellationToken::new();
    let options = RunOptions::new().cancel(token.clone());
    let code = case.pick("call_tool('begun')\nwhile True: pass", "call_tool('begun'); for (;;);");
    let error = thread::scope(|scope| {
        let run = scope.spawn(|| session.run_with(code, options));
        let reported = begun.recv_timeout(TIMEOUT);
        token.cancel();
        let ended = run.join().unwrap();
        reported.unwrap_or_else(|_| panic!("it has not begun: {ended:?}"));
        ended.unwrap_err()
    });
    assert!(matches!(error, Error::Cancelled { .. }), "{error}");
    assert!(matches!(session.run("1"), Err(Error::SessionEnded { .. })));
    assert_eq!(sandbox.session().unwrap().run("1 + 1").unwrap().value, Some(json!(2)));
}

#[scenario]
fn one_token_cancels_many_runs(case: &Case) {
    const RUNS: usize = 8;
    let (builder, begun) = builder(case);
    let sandbox = builder.build().unwrap();
    let token = CancellationToken::new();
    let code = case.pick("call_tool('begun')\nwhile True: pass", "call_tool('begun'); for (;;);");
    let ended: Vec<_> = thread::scope(|scope| {
        let run = || sandbox.run_with(code, RunOptions::new().cancel(token.clone()));
        let runs: Vec<_> = (0..RUNS).map(|_| scope.spawn(run)).collect();
        let reported: Vec<_> = runs.iter().map(|_| begun.recv_timeout(TIMEOUT)).collect();
        token.cancel();
        assert!(reported.iter().all(Result::is_ok), "{reported:?}");
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(ended.iter().all(|ended| matches!(ended, Err(Error::Cancelled { .. }))), "{ended:?}");
    assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
}

/// The pipe has no writer, and waiting for one would block a thread of the host: it is rejected immediately.
#[scenario]
fn opening_a_pipe_on_a_mount_does_not_block(case: &Case) {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let (builder, _begun) = builder(case);
    let code = case.pick(
        "try:\n    open('/input/pipe').read()\nexcept OSError as error:\n    result = type(error).__name__",
        "const fs = await import('fs'); try { fs.readFileSync('/input/pipe'); } catch (error) { result = error.code; }",
    );
    let result = builder.input_dir(folder.path()).build().unwrap().run(code).unwrap();
    assert_eq!(result.value, Some(json!(case.pick("PermissionError", "EACCES"))), "{result:?}");
}
