//! Paused programs that are saved, and continue in other sandboxes.

use std::time::Duration;

use isolette::{
    Answer, CallOutcome, Error, Isolation, PausedRun, RunOptions, Sandbox, SavedRun, SnapshotKey, Tool,
    audit::{Audit, RecordedArguments},
    policy::Access,
};
use isolette_tests::{Case, Skipped, engines, scenario};
use serde_json::{Value, json};

use crate::{
    audit::Kept,
    pauses::{builder, done, paused, program, sandbox, value},
};

pub(crate) fn key() -> SnapshotKey {
    SnapshotKey::new([7; 32])
}

/// The program, saved and loaded in another sandbox, after it has been dropped here.
fn moved(case: &Case, mut run: PausedRun) -> Result<PausedRun, Skipped> {
    let file = run.to_bytes(&key()).unwrap();
    drop(run);
    Ok(sandbox(case)?.paused_from(&SavedRun::from_bytes(file, &key()).unwrap(), RunOptions::new()).unwrap())
}

#[scenario(programs = ["pauses/nested"])]
fn a_program_goes_on_in_another_sandbox(case: &Case) -> Result<(), Skipped> {
    let mut run = paused(sandbox(case)?.start(&program(case, "nested")).unwrap());
    let mut result = None;
    for number in 0..3 {
        run = moved(case, run)?;
        assert_eq!((run.calls().len(), &run.calls()[0].arguments), (1, &json!({ "number": number })));
        match run.resume(value(10 * number)).unwrap() {
            isolette::Step::Done(done) => result = Some(done),
            step => run = paused(step),
        }
    }
    let result = result.expect("an end after three calls");
    assert_eq!(result.value, Some(json!([30, 7, "done"])), "{:?}", result.error);
    assert_eq!(result.stdout, "begun\nended\n");
    assert_eq!(result.usage.tool_calls, 3);
    assert_eq!(result.calls.len(), 3);
    assert!(result.calls.iter().all(|call| call.outcome == CallOutcome::Ok));
    assert!(result.calls.is_sorted_by_key(|call| call.time));
    Ok(())
}

#[scenario(programs = ["pauses/at_once"])]
fn calls_at_once_are_answered_in_several_sandboxes(case: &Case) -> Result<(), Skipped> {
    let orders = [vec![2, 0, 1], vec![0, 1, 2]];
    for order in &orders[..if engines::emulated() { 1 } else { 2 }] {
        let mut run = paused(sandbox(case)?.start(&program(case, "at_once")).unwrap());
        let ids: Vec<_> = run.calls().iter().map(|call| call.id).collect();
        for index in &order[..2] {
            run = moved(case, run)?;
            run = paused(run.resume_with(vec![(ids[*index], value(100))]).unwrap());
        }
        run = moved(case, run)?;
        assert_eq!(run.calls().len(), 1);
        let result = done(run.resume(value(100)).unwrap());
        assert_eq!(result.value, Some(json!([[0, 100, 0], [1, 100, 2], [2, 100, 4]])), "{:?}", result.error);
    }
    Ok(())
}

#[scenario(programs = ["pauses/nested"])]
fn one_file_continues_with_different_answers(case: &Case) -> Result<(), Skipped> {
    let sandbox = sandbox(case)?;
    let mut run = paused(sandbox.start(&program(case, "nested")).unwrap());
    let file = run.to_bytes(&key()).unwrap();
    for first in [5, 6] {
        let mut copy =
            sandbox.paused_from(&SavedRun::from_bytes(file.clone(), &key()).unwrap(), RunOptions::new()).unwrap();
        for answer in [first, 0] {
            copy = paused(copy.resume(value(answer)).unwrap());
        }
        assert_eq!(done(copy.resume(value(0)).unwrap()).value, Some(json!([first, 7, "done"])));
    }
    // The program that was saved still waits.
    for _ in 0..2 {
        run = paused(run.resume(value(1)).unwrap());
    }
    assert_eq!(done(run.resume(value(1)).unwrap()).value, Some(json!([3, 7, "done"])));
    Ok(())
}

#[scenario(programs = ["pauses/chain"])]
fn a_program_moves_many_times(case: &Case) -> Result<(), Skipped> {
    if case.isolation == Isolation::MicroVm || engines::emulated() {
        return Err(Skipped("each file has all memory of a micro-VM, and an emulated machine needs minutes".into()));
    }
    let mut limits = case.limits();
    limits.tool_calls = 1000;
    let sandboxes: Vec<_> = (0..3)
        .map(|_| builder(case).map(|builder| builder.limits(limits.clone()).build().unwrap()))
        .collect::<Result<_, _>>()?;
    let mut run = paused(sandboxes[0].start(&program(case, "chain")).unwrap());
    for answer in 0..200 {
        let file = run.to_bytes(&key()).unwrap();
        let sandbox = &sandboxes[usize::try_from(answer).unwrap() % sandboxes.len()];
        run = sandbox.paused_from(&SavedRun::from_bytes(file, &key()).unwrap(), RunOptions::new()).unwrap();
        match run.resume(value(answer)).unwrap() {
            isolette::Step::Done(result) => {
                assert_eq!((answer, result.value), (199, Some(json!(19_900))), "{:?}", result.error);
                return Ok(());
            }
            step => run = paused(step),
        }
    }
    panic!("the program did not end");
}

#[scenario(programs = ["pauses/failing"])]
fn rights_and_limits_are_those_of_the_sandbox_that_loads(case: &Case) -> Result<(), Skipped> {
    let load = |file, sandbox: &Sandbox| {
        sandbox.paused_from(&SavedRun::from_bytes(file, &key()).unwrap(), RunOptions::new()).unwrap()
    };
    let file = paused(sandbox(case)?.start(&program(case, "failing")).unwrap()).to_bytes(&key()).unwrap();
    // A tool that is not there has no answer.
    let without = case.sandbox();
    let mut run = load(file, &without);
    assert_eq!(run.calls().len(), 1);
    let result = done(run.resume(value(1)).unwrap());
    let message = result.value.as_ref().and_then(Value::as_str).unwrap_or_default();
    assert!(message.contains("ask"), "{message}");
    assert_eq!(result.calls[0].outcome, CallOutcome::UnknownTool);
    // What was used before counts.
    let mut limits = case.limits();
    limits.tool_calls = 1;
    let limited = builder(case)?.limits(limits).build().unwrap();
    let again = case.pick(
        "call_tool('ask', number=1)\ntry:\n    call_tool('double', number=1)\nexcept ToolError as error:\n    kind = error.kind\nkind",
        "call_tool('ask', {number: 1}); let kind; try { call_tool('double', {number: 1}); } catch (error) { kind = error.kind; } kind",
    );
    let file = paused(sandbox(case)?.start(again).unwrap()).to_bytes(&key()).unwrap();
    let mut run = load(file, &limited);
    assert_eq!(done(run.resume(value(1)).unwrap()).value, Some(json!("budget")));
    Ok(())
}

#[scenario]
fn time_that_was_used_before_counts(case: &Case) -> Result<(), Skipped> {
    let sandbox = sandbox(case)?;
    let code = case.pick(
        "import time\ntime.sleep(0.3)\ncall_tool('ask', number=1)\nwhile True: pass",
        "const end = Date.now() + 300; while (Date.now() < end); call_tool('ask', {number: 1}); for (;;);",
    );
    let mut run = paused(sandbox.start(code).unwrap());
    let file = run.to_bytes(&key()).unwrap();
    drop(run);
    let options = RunOptions::new().timeout(Duration::from_millis(200));
    let mut run = sandbox.paused_from(&SavedRun::from_bytes(file.clone(), &key()).unwrap(), options).unwrap();
    let started = std::time::Instant::now();
    assert!(matches!(run.resume(value(1)), Err(Error::Timeout { .. })));
    drop(run);
    let options = RunOptions::new().timeout(Duration::from_millis(800));
    let mut run = sandbox.paused_from(&SavedRun::from_bytes(file, &key()).unwrap(), options).unwrap();
    match run.resume(value(1)) {
        Err(Error::Timeout { partial, .. }) => assert!(partial.usage.wall_ms >= 800.0, "{}", partial.usage.wall_ms),
        other => panic!("{other:?}"),
    }
    assert!(started.elapsed() < Duration::from_secs(60));
    Ok(())
}

#[scenario(programs = ["pauses/failing"])]
fn the_audit_has_one_run(case: &Case) -> Result<(), Skipped> {
    let kept = Kept::default();
    let audit = Audit::new(kept.clone()).unwrap();
    let sandbox = builder(case)?.audit(&audit).build().unwrap();
    let options = RunOptions::new().label("tenant", "blue");
    let mut run = paused(sandbox.start_with(&program(case, "failing"), options).unwrap());
    let file = run.to_bytes(&key()).unwrap();
    drop(run);
    audit.flush().unwrap();
    let kinds = || kept.records().iter().map(|record| record["record"].clone()).collect::<Vec<_>>();
    assert_eq!(kinds(), ["run-began", "run-paused"]);
    let mut run = sandbox.paused_from(&SavedRun::from_bytes(file, &key()).unwrap(), RunOptions::new()).unwrap();
    done(run.resume(Answer::Error("no".into())).unwrap());
    assert_eq!(kinds(), ["run-began", "run-paused", "run-resumed", "call", "run-ended"]);
    let records = kept.records();
    assert!(records.iter().all(|record| record["run"] == records[0]["run"] && record["labels"]["tenant"] == "blue"));
    assert_eq!((&records[3]["number"], &records[4]["calls"]), (&json!(1), &json!(1)));
    Ok(())
}

#[scenario(programs = ["pauses/failing"])]
fn files_that_are_of_something_else_are_refused(case: &Case) -> Result<(), Skipped> {
    let sandbox = sandbox(case)?;
    let mut run = paused(sandbox.start(&program(case, "failing")).unwrap());
    let file = run.to_bytes(&key()).unwrap();
    let refused = |bytes: Vec<u8>, key: SnapshotKey| SavedRun::from_bytes(bytes, &key).unwrap_err().to_string();
    let of_session = sandbox.session().unwrap().snapshot().unwrap().to_bytes(&key()).unwrap();
    let error = refused(of_session, key());
    assert!(
        error.contains("it is of a session, and no paused program\nhint: load it with `Snapshot::load`"),
        "{error}"
    );
    let error = isolette::Snapshot::from_bytes(file.clone(), &key()).unwrap_err().to_string();
    assert!(error.contains("it is of a paused program\nhint: load it with `SavedRun::load`; on"), "{error}");
    let error = refused(file.clone(), SnapshotKey::new([8; 32]));
    assert!(error.contains("it was changed, cut off, or saved with another key"), "{error}");
    let error = refused(file[..file.len() / 2].to_vec(), key());
    assert!(error.contains("it was changed, cut off, or saved with another key"), "{error}");
    done(run.resume(value(1)).unwrap());
    let error = run.to_bytes(&key()).unwrap_err().to_string();
    assert!(error.contains("it was resumed before"), "{error}");
    Ok(())
}

#[scenario]
fn what_only_the_host_has_is_named(case: &Case) -> Result<(), Skipped> {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = builder(case)?.mount(folder.path(), "/data", Access::ReadWrite).build().unwrap();
    let code = case.pick(
        "import sqlite3\ndata = sqlite3.connect('/data/data')\ndata.execute('begin exclusive')\ncall_tool('ask', number=1)",
        "call_tool('ask', {number: 1})",
    );
    let mut run = paused(sandbox.start(code).unwrap());
    match (case.pick("python", "javascript"), run.to_bytes(&key())) {
        ("python", Err(error)) => {
            let error = error.to_string();
            assert!(error.contains("it holds a lock on a file, which exist in the host only"), "{error}");
        }
        ("javascript", Ok(_)) => {}
        other => panic!("{other:?}"),
    }
    // It can be answered here.
    assert_eq!(done(run.resume(value(4)).unwrap()).value, Some(json!(4)));
    Ok(())
}

#[scenario(programs = ["pauses/failing"])]
fn a_file_is_small(case: &Case) -> Result<(), Skipped> {
    if case.isolation != Isolation::Process {
        return Err(Skipped("a file of a micro-VM has all of its memory".into()));
    }
    let mut run = paused(sandbox(case)?.start(&program(case, "failing")).unwrap());
    let file = run.to_bytes(&key()).unwrap();
    assert!(file.len() < 300_000, "{}", file.len());
    Ok(())
}

#[scenario(programs = ["pauses/in_flight"])]
fn other_calls_complete_before_a_pause(case: &Case) -> Result<(), Skipped> {
    // Longer than a message, so that the program has to fetch it.
    let long = |_: Value| Ok::<_, String>(json!("x".repeat(300_000)));
    let long = Tool::from_schema("long", "Returns a long text", json!({ "type": "object" }), long).unwrap();
    let sandbox = builder(case)?.tool(long).build().unwrap();
    for is_moved in [false, true] {
        let mut run = paused(sandbox.start(&program(case, "in_flight")).unwrap());
        if is_moved {
            let file = run.to_bytes(&key()).unwrap();
            drop(run);
            run = sandbox.paused_from(&SavedRun::from_bytes(file, &key()).unwrap(), RunOptions::new()).unwrap();
        }
        let result = done(run.resume(value(7)).unwrap());
        assert_eq!(result.value, Some(json!([7, 300_000])), "{:?}", result.error);
        assert_eq!(result.calls.len(), 2);
        assert!(result.calls.iter().all(|call| call.outcome == CallOutcome::Ok), "{:?}", result.calls);
    }
    Ok(())
}

#[scenario]
fn the_memory_limit_is_that_of_the_sandbox_that_loads(case: &Case) -> Result<(), Skipped> {
    let code = case.pick(
        "call_tool('ask', number=1)\ntry:\n    kind = len(bytearray(150 << 20))\nexcept MemoryError:\n    kind = 'no memory'\nkind",
        "call_tool('ask', {number: 1}); let kind; \
         try { kind = new Uint8Array(150 << 20).length } catch (error) { kind = 'no memory' } kind",
    );
    for (before, after, expected) in
        [(256 << 20, 128 << 20, json!("no memory")), (128 << 20, 256 << 20, json!(150 << 20))]
    {
        if case.isolation == Isolation::MicroVm && before < after {
            // A micro-VM keeps the size that it was made with.
            continue;
        }
        let sandbox = |memory| {
            let mut limits = case.limits();
            limits.memory = memory;
            builder(case).map(|builder| builder.limits(limits).build().unwrap())
        };
        let file = paused(sandbox(before)?.start(code).unwrap()).to_bytes(&key()).unwrap();
        let saved = SavedRun::from_bytes(file, &key()).unwrap();
        let mut run = sandbox(after)?.paused_from(&saved, RunOptions::new()).unwrap();
        let value = match run.resume(value(1)) {
            Ok(step) => done(step).value,
            // The language may be out of memory for its own error.
            Err(Error::OutOfMemory { .. }) => Some(json!("no memory")),
            Err(error) => panic!("{error}"),
        };
        assert_eq!(value, Some(expected));
    }
    Ok(())
}

#[scenario]
fn arguments_can_be_nested_as_deeply_as_any(case: &Case) -> Result<(), Skipped> {
    let nested = format!("{}{}", "[".repeat(125), "]".repeat(125));
    let code = case.pick(
        format!("call_tool('ask', number=1, nested={nested})"),
        format!("call_tool('ask', {{number: 1, nested: {nested}}})"),
    );
    let audit = Audit::new(Kept::default()).unwrap();
    let sandbox = builder(case)?.audit(&audit).record_arguments(RecordedArguments::Whole).build().unwrap();
    let run = paused(sandbox.start(&code).unwrap());
    let mut run = moved(case, run)?;
    assert_eq!(run.calls()[0].arguments["nested"].to_string(), nested);
    assert_eq!(done(run.resume(value(5)).unwrap()).value, Some(json!(5)));
    Ok(())
}

#[scenario(programs = ["pauses/failing"])]
fn a_program_that_cannot_be_taken_over_still_waits(case: &Case) -> Result<(), Skipped> {
    let code = case.pick(
        "x = 'y' * 100_000\ncall_tool('ask', number=1, text=x)\nlen(x)",
        "const x = 'y'.repeat(100_000); call_tool('ask', {number: 1, text: x}); x.length",
    );
    let file = paused(sandbox(case)?.start(code).unwrap()).to_bytes(&key()).unwrap();
    let saved = SavedRun::from_bytes(file, &key()).unwrap();
    let kept = Kept::default();
    let audit = Audit::new(kept.clone()).unwrap();
    let mut limits = case.limits();
    limits.payload = 1000;
    let narrow = builder(case)?.limits(limits).audit(&audit).build().unwrap();
    let error = narrow.paused_from(&saved, RunOptions::new()).unwrap_err();
    assert!(matches!(error, Error::LimitExceeded { .. }), "{error}");
    audit.flush().unwrap();
    assert!(kept.records().is_empty());
    let mut run = sandbox(case)?.paused_from(&saved, RunOptions::new()).unwrap();
    assert_eq!(done(run.resume(value(1)).unwrap()).value, Some(json!(100_000)));
    Ok(())
}
