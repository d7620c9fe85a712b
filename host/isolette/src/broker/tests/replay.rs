//! Waits that a recording decides about.

use std::{fs, io::Write as _};

use isolette_abi::tickets::Wait;

use super::{
    super::trial::Trial,
    tickets::{all, completed, echo, exchange, stuck},
    *,
};
use crate::recording::Runs;

const HOUR: u64 = 3_600_000_000_000;

/// Lets the broker replay a run with these lines.
fn replay(host: &mut Trial, lines: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    Runs::create(directory.path()).unwrap().begin("program", &[]);
    let path = directory.path().join("runs.jsonl");
    let mut file = fs::File::options().append(true).open(path).unwrap();
    for line in lines {
        writeln!(file, "{{\"run\":1,{line}}}").unwrap();
    }
    let run = Runs::open(directory.path()).unwrap().begin("program", &[]);
    host.recording(run);
}

fn any(timeout: Option<u64>) -> Option<Wait> {
    Some(Wait { tickets: Vec::new(), all: false, timeout })
}

/// The tickets that a wait returns.
fn waited(host: &mut Trial, submit: Vec<Submission<'_>>, wait: Option<Wait>) -> Vec<u32> {
    completed(&host.call(&exchange(submit, vec![], wait)).unwrap())
}

#[test]
fn results_come_in_the_recorded_order() {
    let mut host = Trial::new();
    let lines = [
        r#""completed":{"wait":2,"tickets":[3,1]}"#,
        r#""completed":{"wait":4,"tickets":[2]}"#,
        r#""ended":{"waits":5}"#,
    ];
    replay(&mut host, &lines);
    assert_eq!(waited(&mut host, vec![echo(1), echo(2), echo(3)], None), [0_u32; 0]);
    assert_eq!(waited(&mut host, vec![], all()), [3, 1]);
    assert_eq!(waited(&mut host, vec![echo(4)], any(Some(0))), [0_u32; 0]);
    assert_eq!(waited(&mut host, vec![], any(None)), [2]);
    assert_eq!(waited(&mut host, vec![], any(Some(HOUR))), [0_u32; 0], "the program had not waited until the end");
    assert_eq!(waited(&mut host, vec![], all()), [4], "the recording has ended");
}

#[test]
fn a_wait_until_a_time_takes_none() {
    let mut host = Trial::with(stuck());
    replay(&mut host, &[r#""ended":{"waits":3}"#]);
    for ticket in 1..=3 {
        assert_eq!(waited(&mut host, vec![echo(ticket)], any(Some(HOUR))), [0_u32; 0]);
    }
}

#[test]
fn a_program_that_waits_differently_leaves_the_recording() {
    for line in [
        r#""completed":{"wait":1,"tickets":[1,7]}"#,
        r#""completed":{"wait":1,"tickets":[7]}"#,
        r#""completed":{"wait":2,"tickets":[1]}"#,
        r#""ended":{"waits":0}"#,
    ] {
        let mut host = Trial::new();
        replay(&mut host, &[line]);
        assert_eq!(waited(&mut host, vec![echo(1)], any(None)), [1], "{line}");
        assert_eq!(waited(&mut host, vec![echo(2)], any(None)), [2], "{line}");
    }
}

#[test]
fn a_run_that_the_host_ended_ends_again() {
    for (stopped, stop) in [("deadline", Stop::Deadline), ("cancelled", Stop::Cancelled)] {
        let mut host = Trial::with(stuck());
        replay(&mut host, &[&format!(r#""ended":{{"waits":1,"stopped":"{stopped}"}}"#)]);
        assert_eq!(waited(&mut host, vec![echo(1)], None), [0_u32; 0]);
        assert_eq!(host.call(&exchange(vec![], vec![], all())), Err(stop));
    }
}

#[test]
fn long_results_do_not_keep_recorded_ones_waiting() {
    let long = "x".repeat(CHUNK_LIMIT - 100);
    let tool = Tool::typed("echo", "", move |_: serde_json::Value| Ok::<_, String>(long.clone()));
    let mut host = Trial::with(tool.unwrap());
    // More calls than are performed at the same time, and the last one first.
    replay(&mut host, &[r#""completed":{"wait":1,"tickets":[40]}"#, r#""completed":{"wait":2,"tickets":[39]}"#]);
    assert_eq!(waited(&mut host, (1..=40).map(echo).collect(), any(None)), [40]);
    assert_eq!(waited(&mut host, vec![], all()), [39]);
}
