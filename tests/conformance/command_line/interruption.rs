//! Ctrl-C during a run.

use std::{
    process::{Child, Stdio},
    sync::mpsc,
    time::Duration,
};

use axum::{Router, routing::get};
use isolette_tests::{host_test, isolette, server::Server, transcript};
use rustix::process::{Pid, Signal, kill_process};

const TIMEOUT: Duration = Duration::from_secs(30);

/// Starts a program that sends a request when it is running, and then interrupts it.
fn interrupt(code: &str, arguments: &[&str]) -> std::process::Output {
    let (sender, started) = mpsc::channel();
    let hello = async move || {
        let _ = sender.send(());
        "hello"
    };
    let router = Router::new().route("/hello", get(hello)).route("/silence", get(std::future::pending::<()>));
    let server = Server::start(router);
    let child = isolette()
        .args(["run", "-c", code, "--base-url", &server.origin()])
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let running = started.recv_timeout(TIMEOUT);
    kill_process(pid(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    running.unwrap_or_else(|_| panic!("it did not get to its request: {}", transcript(&output)));
    output
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(child.id().cast_signed()).expect("a child has a process id")
}

const LOOP: &str = "print('begun')\nhttp_get(f'{BASE_URL}/hello')\nwhile True: pass";

#[host_test]
fn ctrl_c_interrupts_a_loop() {
    let output = interrupt(LOOP, &[]);
    insta::assert_snapshot!("interrupted", transcript(&output));
}

#[host_test]
fn ctrl_c_interrupts_a_request() {
    let waiting = "print('begun')\nhttp_get(f'{BASE_URL}/hello')\nhttp_get(f'{BASE_URL}/silence')";
    let output = interrupt(waiting, &[]);
    insta::assert_snapshot!("interrupted", transcript(&output));
}

#[host_test]
fn ctrl_c_interrupts_a_sleep_and_a_regular_expression() {
    for rest in ["import time; time.sleep(3000)", "import re; re.match('(a+)+$', 'a' * 60 + '!')"] {
        let code = format!("print('begun')\nhttp_get(f'{{BASE_URL}}/hello')\n{rest}");
        insta::assert_snapshot!("interrupted", transcript(&interrupt(&code, &["--timeout", "1h"])));
    }
}

#[host_test]
fn an_interruption_is_reported_as_json() {
    let report = super::json(&interrupt(LOOP, &["--json"]));
    assert_eq!((&report["error"]["type"], &report["exit_code"]), (&"Cancelled".into(), &130.into()));
    assert_eq!((&report["stdout"], &report["usage"]["http_requests"]), (&"begun\n".into(), &1.into()));
}
