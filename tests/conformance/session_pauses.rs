//! Programs of sessions that wait for the answers to calls of deferred tools.

use isolette::{
    Answer, CancellationToken, Error, ExecutionResult, RunOptions, SavedRun, Session, SessionStep, Step,
    audit::Audit,
    policy::{Approval, Decision},
};
use isolette_tests::{Case, Skipped, scenario};
use serde_json::json;

use crate::{
    audit::Kept,
    pauses::{builder, done, program, sandbox, value},
    saved_pauses::key,
};

/// Leaves `answer`, the result of a call that waits.
fn asking(case: &Case) -> &'static str {
    case.pick(
        "table = [1, 2]\nanswer = call_tool('ask', number=7)\ntable.append(answer)",
        "globalThis.table = [1, 2]; globalThis.answer = call_tool('ask', {number: 7}); table.push(answer)",
    )
}

fn ended(step: SessionStep) -> ExecutionResult {
    match step {
        SessionStep::Done(result) => result,
        other => panic!("not done: {other:?}"),
    }
}

fn assert_waits(session: &Session, step: SessionStep) {
    assert!(matches!(step, SessionStep::Paused), "{step:?}");
    assert!(!session.paused_calls().is_empty());
}

#[scenario]
fn names_and_files_are_there_before_and_after_a_pause(case: &Case) -> Result<(), Skipped> {
    let mut session = sandbox(case)?.session().unwrap();
    let before = case.pick("text = 'before'\nopen('/tmp/t', 'w').write('tmp')", "globalThis.text = 'before'");
    session.run(before).unwrap();
    let step = session.start(asking(case)).unwrap();
    assert_waits(&session, step);
    assert_eq!(session.paused_calls()[0].arguments, json!({ "number": 7 }));
    assert!(!session.ended());
    let result = ended(session.resume(value(3)).unwrap());
    assert_eq!(result.usage.tool_calls, 1, "{:?}", result.error);
    assert!(session.paused_calls().is_empty());
    let after = case.pick("[text, table, open('/tmp/t').read()]", "[text, table, 'tmp']");
    assert_eq!(session.run(after).unwrap().value, Some(json!(["before", [1, 2, 3], "tmp"])));
    // A program that does not wait ends at once.
    assert_eq!(ended(session.start("1 + 1").unwrap()).value, Some(json!(2)));
    Ok(())
}

#[scenario]
fn a_session_that_waits_does_nothing_else(case: &Case) -> Result<(), Skipped> {
    let mut session = sandbox(case)?.session().unwrap();
    let step = session.start(asking(case)).unwrap();
    assert_waits(&session, step);
    let failures = [
        session.run("1").unwrap_err(),
        session.start("1").unwrap_err(),
        session.snapshot().unwrap_err(),
        session.fork(1).unwrap_err(),
    ];
    for failure in failures {
        let message = failure.to_string();
        assert!(message.starts_with("a program of the session waits for answers\nhint: resume it first"), "{message}");
    }
    let error = session.resume_with(vec![(99, value(1))]).unwrap_err();
    assert!(error.to_string().starts_with("there is no call 99 that waits"), "{error}");
    ended(session.resume(value(3)).unwrap());
    let error = session.resume(value(3)).unwrap_err();
    assert!(error.to_string().starts_with("no program of the session waits for answers\nhint: "), "{error}");
    assert_eq!(session.run("answer").unwrap().value, Some(json!(3)));
    Ok(())
}

#[scenario]
fn a_session_goes_on_from_a_file_in_another_process_as_well(case: &Case) -> Result<(), Skipped> {
    let mut session = sandbox(case)?.session().unwrap();
    session.run(case.pick("text = 'before'", "globalThis.text = 'before'")).unwrap();
    let snapshot = session.snapshot().unwrap();
    let step = session.start(asking(case)).unwrap();
    assert_waits(&session, step);
    let file = session.paused_to_bytes(&key()).unwrap();
    drop(session);
    let saved = SavedRun::from_bytes(file, &key()).unwrap();
    let other = sandbox(case)?;
    let mut session = other.session_from(&snapshot).unwrap();
    session.continue_paused(&saved, RunOptions::new()).unwrap();
    assert_eq!(session.paused_calls().len(), 1);
    ended(session.resume(value(3)).unwrap());
    let names = case.pick("[text, table]", "[text, table]");
    assert_eq!(session.run(names).unwrap().value, Some(json!(["before", [1, 2, 3]])));
    session.snapshot().unwrap();
    // The same file is a program of its own where it is not continued in a session.
    let mut run = other.paused_from(&saved, RunOptions::new()).unwrap();
    assert!(done(run.resume(value(3)).unwrap()).error.is_none());
    // And the program of one is continued in a session, which keeps what it leaves.
    let Step::Paused(mut run) = other.start(asking(case)).unwrap() else { panic!("not paused") };
    let saved = SavedRun::from_bytes(run.to_bytes(&key()).unwrap(), &key()).unwrap();
    session.continue_paused(&saved, RunOptions::new()).unwrap();
    ended(session.resume(value(4)).unwrap());
    assert_eq!(session.run("table").unwrap().value, Some(json!([1, 2, 4])));
    let error = session.run("text").unwrap().error.expect("the name is of the session before");
    assert!(error.message.contains("text"), "{error:?}");
    Ok(())
}

#[scenario]
fn a_program_that_fails_after_a_pause_is_rolled_back(case: &Case) -> Result<(), Skipped> {
    let other = builder(case)?.temp_output().build().unwrap();
    let mut session = other.session().unwrap();
    session.run(case.pick("answer = 0", "globalThis.answer = 0")).unwrap();
    let snapshot = session.snapshot().unwrap();
    let failing = case.pick(
        "answer = call_tool('ask', number=7)\nraise ValueError(answer)",
        "globalThis.answer = call_tool('ask', {number: 7}); throw new Error(answer)",
    );
    let options = || RunOptions::new().rollback_on_error();
    let step = session.start_with(failing, options()).unwrap();
    assert_waits(&session, step);
    let saved = SavedRun::from_bytes(session.paused_to_bytes(&key()).unwrap(), &key()).unwrap();
    let result = ended(session.resume(value(3)).unwrap());
    assert!(result.rolled_back, "{result:?}");
    assert_eq!(session.run("answer").unwrap().value, Some(json!(0)));
    let mut session = other.session_from(&snapshot).unwrap();
    session.write_file("/output/own", b"1").unwrap();
    session.continue_paused(&saved, options()).unwrap();
    let result = ended(session.resume(value(3)).unwrap());
    assert!(result.rolled_back, "{result:?}");
    assert_eq!(session.run("answer").unwrap().value, Some(json!(0)));
    assert_eq!(session.read_file("/output/own", 9).unwrap(), b"1");
    // Without it, the state of the program stays, and its `/output`.
    session.continue_paused(&saved, RunOptions::new()).unwrap();
    ended(session.resume(value(3)).unwrap());
    assert_eq!(session.run("answer").unwrap().value, Some(json!(3)));
    assert!(session.read_file("/output/own", 9).is_err());
    Ok(())
}

#[scenario]
fn a_program_of_a_session_that_waits_can_be_ended(case: &Case) -> Result<(), Skipped> {
    let sandbox = sandbox(case)?;
    let mut session = sandbox.session().unwrap();
    let snapshot = session.snapshot().unwrap();
    let token = CancellationToken::new();
    let step = session.start_with(asking(case), RunOptions::new().cancel(token.clone())).unwrap();
    assert_waits(&session, step);
    token.cancel();
    let ended = session.resume_with(Vec::new());
    assert!(matches!(ended, Err(Error::Cancelled { .. })), "{ended:?}");
    assert!(session.ended());
    session.restore(&snapshot).unwrap();
    let step = session.start(asking(case)).unwrap();
    assert_waits(&session, step);
    // Back to the snapshot, where nothing waits.
    session.restore(&snapshot).unwrap();
    assert!(session.paused_calls().is_empty());
    assert_eq!(session.run("1 + 1").unwrap().value, Some(json!(2)));
    Ok(())
}

#[scenario]
fn the_audit_has_one_run_of_the_session(case: &Case) -> Result<(), Skipped> {
    let kept = Kept::default();
    let sandbox = builder(case)?.audit(&Audit::new(kept.clone()).unwrap()).build().unwrap();
    let mut session = sandbox.session().unwrap();
    let step = session.start(asking(case)).unwrap();
    assert_waits(&session, step);
    let saved = SavedRun::from_bytes(session.paused_to_bytes(&key()).unwrap(), &key()).unwrap();
    drop(session);
    let mut session = sandbox.session().unwrap();
    session.continue_paused(&saved, RunOptions::new()).unwrap();
    ended(session.resume(value(3)).unwrap());
    let step = session.start(asking(case)).unwrap();
    assert_waits(&session, step);
    let second = session.identifier();
    drop(session);
    let records = kept.records();
    let kinds: Vec<_> = records.iter().map(|record| record["record"].clone()).collect();
    let moved = ["run-began", "run-paused", "run-resumed", "call", "run-ended"];
    let given_up = ["run-began", "run-paused", "call", "run-ended"];
    assert_eq!(kinds, [&moved[..], &given_up[..]].concat());
    assert!(records.iter().all(|record| !record["session"].is_null()), "{records:?}");
    assert_eq!((&records[0]["run"], &records[3]["session"]), (&records[4]["run"], &json!(second)));
    assert_eq!(records.last().unwrap()["ending"], "Cancelled");
    Ok(())
}

#[scenario]
fn an_approval_of_a_program_in_a_session_is_deferred(case: &Case) -> Result<(), Skipped> {
    let approver = async |_| Decision::Defer;
    let sandbox = builder(case)?.approval(Approval::PerCall).approver(approver).build().unwrap();
    let mut session = sandbox.session().unwrap();
    let code =
        case.pick("double = call_tool('double', number=4)", "globalThis.double = call_tool('double', {number: 4})");
    let step = session.start(code).unwrap();
    assert_waits(&session, step);
    ended(session.resume(Answer::Approve).unwrap());
    let step = session.start("double").unwrap();
    assert_eq!(ended(step).value, Some(json!(8)));
    // A program that cannot wait is told so.
    let result = session.run(&program(case, "failing")).unwrap();
    assert_eq!(result.usage.tool_calls, 1);
    assert!(result.value.is_some(), "{result:?}");
    Ok(())
}

#[scenario]
fn asynchronous_callers_of_a_session_wait_without_a_thread(case: &Case) -> Result<(), Skipped> {
    let mut session = sandbox(case)?.session().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let step = session.start_async(asking(case), RunOptions::new()).await.unwrap();
        assert_waits(&session, step);
        let id = session.paused_calls()[0].id;
        ended(session.resume_async(vec![(id, value(5))]).await.unwrap());
    });
    assert_eq!(session.run("table").unwrap().value, Some(json!([1, 2, 5])));
    Ok(())
}
