//! Cancellation of runs by token, and by dropping their future.

mod points;

use std::{sync::mpsc, thread, time::Duration};

use isolette::{CancellationToken, Error, RunOptions, Stream};
use isolette_tests::{Case, scenario};
use serde_json::json;

const TIMEOUT: Duration = Duration::from_secs(20);

/// Reports the first output of the program, which can then be cancelled.
fn on_first_output() -> (RunOptions, mpsc::Receiver<()>) {
    let (sender, receiver) = mpsc::channel();
    let options = RunOptions::new().on_output(move |stream, _| {
        assert_eq!(stream, Stream::Stdout);
        let _ = sender.send(());
    });
    (options, receiver)
}

#[scenario]
fn a_token_cancels_a_loop_from_another_thread(case: &Case) {
    let sandbox = case.sandbox();
    let token = CancellationToken::new();
    let (options, started) = on_first_output();
    let canceller = token.clone();
    let waiting = thread::spawn(move || {
        started.recv_timeout(TIMEOUT).unwrap();
        canceller.cancel();
    });
    let endless = case.pick(
        "print('on my way', flush=True)\nwhile True: pass",
        "console.log('on my way'); setTimeout(() => { while (true); }, 1)",
    );
    let error = sandbox.run_with(endless, options.cancel(token)).unwrap_err();
    waiting.join().unwrap();
    let Error::Cancelled { partial } = error else { panic!("{error}") };
    assert_eq!(partial.stdout, "on my way\n");
    assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
}

#[scenario]
fn a_token_cancels_a_tool_call_from_another_thread(case: &Case) {
    let (arrived, arrivals) = mpsc::channel();
    let hang = move |_: serde_json::Value| {
        arrived.send(()).unwrap();
        std::future::pending::<Result<(), String>>()
    };
    let sandbox = case.builder().tool_typed_async("hang", "Hangs", hang).build().unwrap();
    let token = CancellationToken::new();
    let canceller = token.clone();
    let waiting = thread::spawn(move || {
        arrivals.recv_timeout(TIMEOUT).unwrap();
        canceller.cancel();
    });
    let error = sandbox.run_with("call_tool('hang')", RunOptions::new().cancel(token)).unwrap_err();
    waiting.join().unwrap();
    assert!(matches!(error, Error::Cancelled { .. }), "{error}");
    let partial = error.partial().unwrap();
    assert_eq!(partial.usage.tool_calls, 1);
    assert_eq!((&*partial.calls[0].target, partial.calls[0].outcome.as_str()), ("hang", "cancelled"));
}

#[scenario]
fn a_token_cancelled_before_the_run_ends_it_at_once(case: &Case) {
    let token = CancellationToken::new();
    token.cancel();
    let endless = case.pick("while True: pass", "while (true);");
    let error = case.sandbox().run_with(endless, RunOptions::new().cancel(token)).unwrap_err();
    assert!(matches!(error, Error::Cancelled { .. }), "{error}");
}

#[scenario]
fn a_token_cancelled_after_the_run_has_no_effect(case: &Case) {
    let sandbox = case.sandbox();
    let token = CancellationToken::new();
    let mut session = sandbox.session().unwrap();
    session.run_with("1", RunOptions::new().cancel(token.clone())).unwrap();
    token.cancel();
    assert_eq!(session.run("2").unwrap().value, Some(json!(2)));
    assert_eq!(sandbox.run("3").unwrap().value, Some(json!(3)));
}

#[scenario]
fn dropping_the_future_cancels_the_run(case: &Case) {
    struct Gone(mpsc::Sender<()>);
    impl Drop for Gone {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }
    // The callback is dropped with the run only.
    let (sender, gone) = mpsc::channel();
    let guard = Gone(sender);
    let (started, on_start) = mpsc::channel();
    let options = RunOptions::new().on_output(move |_, _| {
        let _ = (&guard, started.send(()));
    });
    let sandbox = case.sandbox();
    let endless = case
        .pick("print('x', flush=True)\nwhile True: pass", "console.log('x'); setTimeout(() => { while (true); }, 1)");
    futures::executor::block_on(async {
        let mut run = std::pin::pin!(sandbox.run_async(endless, options));
        assert!(futures::poll!(run.as_mut()).is_pending());
        on_start.recv_timeout(TIMEOUT).unwrap();
    });
    gone.recv_timeout(TIMEOUT).expect("the run does not outlive its future");
}
