//! Programs that wait for the answers to calls of deferred tools.

use std::{thread, time::Duration};

use isolette::{
    Answer, CallOutcome, CancellationToken, Error, Isolation, PausedRun, RunOptions, Sandbox, SandboxBuilder, Step,
    Tool, audit::Audit,
};
use isolette_tests::{Case, Skipped, engines, guests, scenario};
use serde_json::{Value, json};

use crate::audit::Kept;

pub(crate) fn program(case: &Case, name: &str) -> String {
    guests::read(&format!("pauses/{name}"), case.language)
}

fn ask() -> Tool {
    let schema = json!({ "type": "object", "properties": { "number": { "type": "integer" } }, "required": ["number"] });
    Tool::deferred("ask", "Asks a person", schema).unwrap().with_output_schema(json!({ "type": "integer" }))
}

pub(crate) fn builder(case: &Case) -> Result<SandboxBuilder, Skipped> {
    if case.isolation == Isolation::Wasm {
        return Err(Skipped("programs are not paused in this isolation".into()));
    }
    let double = |value: Value| Ok::<_, String>(json!(value["number"].as_i64().unwrap_or_default() * 2));
    let double = Tool::from_schema("double", "Doubles", json!({ "type": "object" }), double).unwrap();
    Ok(case.builder().tool(ask()).tool(double))
}

pub(crate) fn sandbox(case: &Case) -> Result<Sandbox, Skipped> {
    Ok(builder(case)?.build().unwrap())
}

pub(crate) fn paused(step: Step) -> PausedRun {
    match step {
        Step::Paused(paused) => paused,
        other => panic!("not paused: {other:?}"),
    }
}

pub(crate) fn done(step: Step) -> isolette::ExecutionResult {
    match step {
        Step::Done(result) => result,
        other => panic!("not done: {other:?}"),
    }
}

pub(crate) fn value(number: i64) -> Answer {
    Answer::Value(json!(number))
}

#[scenario(programs = ["pauses/nested"])]
fn a_program_goes_on_where_it_was_paused(case: &Case) -> Result<(), Skipped> {
    let mut run = paused(sandbox(case)?.start(&program(case, "nested")).unwrap());
    for number in 0..3 {
        assert_eq!(run.calls().len(), 1);
        assert_eq!((&*run.calls()[0].target, &run.calls()[0].arguments), ("ask", &json!({ "number": number })));
        let step = run.resume(value(10 * number)).unwrap();
        assert!(run.calls().is_empty());
        if number == 2 {
            let result = done(step);
            assert_eq!(result.value, Some(json!([30, 7, "done"])), "{:?}", result.error);
            assert_eq!(result.stdout, "begun\nended\n");
            assert_eq!(result.usage.tool_calls, 3);
            assert!(result.calls.iter().all(|call| call.outcome == CallOutcome::Ok));
            return Ok(());
        }
        run = paused(step);
    }
    unreachable!()
}

#[scenario(programs = ["pauses/at_once"])]
fn calls_that_were_made_at_once_are_answered_in_any_order(case: &Case) -> Result<(), Skipped> {
    let sandbox = sandbox(case)?;
    for order in [vec![0, 1, 2], vec![2, 0, 1], vec![1, 2, 0]] {
        let mut run = paused(sandbox.start(&program(case, "at_once")).unwrap());
        let ids: Vec<_> = run.calls().iter().map(|call| call.id).collect();
        let asked: Vec<_> = run.calls().iter().map(|call| call.arguments["number"].clone()).collect();
        assert_eq!(asked, [json!(0), json!(1), json!(2)]);
        for index in &order[..2] {
            run = paused(run.resume_with(vec![(ids[*index], value(100))]).unwrap());
        }
        let result = done(run.resume(value(100)).unwrap());
        assert_eq!(result.value, Some(json!([[0, 100, 0], [1, 100, 2], [2, 100, 4]])), "{:?}", result.error);
    }
    let mut run = paused(sandbox.start(&program(case, "at_once")).unwrap());
    let answers = run.calls().iter().map(|call| (call.id, value(7))).collect();
    assert_eq!(done(run.resume_with(answers).unwrap()).value, Some(json!([[0, 7, 0], [1, 7, 2], [2, 7, 4]])));
    Ok(())
}

#[scenario(programs = ["pauses/failing"])]
fn an_answer_can_be_an_error(case: &Case) -> Result<(), Skipped> {
    let mut run = paused(sandbox(case)?.start(&program(case, "failing")).unwrap());
    let result = done(run.resume(Answer::Error("no such order".into())).unwrap());
    assert_eq!(result.value, Some(json!("Tool 'ask' failed: no such order")), "{:?}", result.error);
    assert_eq!(result.calls[0].outcome, CallOutcome::Failed);
    Ok(())
}

#[scenario(programs = ["pauses/failing"])]
fn wrong_answers_change_nothing(case: &Case) -> Result<(), Skipped> {
    let mut run = paused(sandbox(case)?.start(&program(case, "failing")).unwrap());
    let error = run.resume_with(vec![(99, value(1))]).unwrap_err();
    assert!(error.to_string().starts_with("there is no call 99 that waits for an answer\nhint: "), "{error}");
    let mut run = paused(run.resume_with(Vec::new()).unwrap());
    assert_eq!(run.calls().len(), 1);
    let result = done(run.resume(Answer::Error("no".into())).unwrap());
    assert_eq!(result.value, Some(json!("Tool 'ask' failed: no")));
    let error = run.resume(value(1)).unwrap_err();
    assert!(error.to_string().contains("was resumed before"), "{error}");
    Ok(())
}

#[scenario(programs = ["pauses/failing"])]
fn wall_time_does_not_pass_in_a_pause(case: &Case) -> Result<(), Skipped> {
    let sandbox = sandbox(case)?;
    // A program in an emulated machine takes longer to its first call.
    let limit = Duration::from_millis(if engines::emulated() { 10_000 } else { 1000 });
    let options = || RunOptions::new().timeout(limit);
    let mut run = paused(sandbox.start_with(&program(case, "failing"), options()).unwrap());
    thread::sleep(limit + Duration::from_millis(100));
    let result = done(run.resume(Answer::Error("late".into())).unwrap());
    assert_eq!(result.value, Some(json!("Tool 'ask' failed: late")));
    assert!(result.usage.wall_ms < limit.as_secs_f64() * 1e3, "{}", result.usage.wall_ms);
    // Afterwards the rest of the time applies.
    let forever = case.pick("call_tool('ask', number=1)\nwhile True: pass", "call_tool('ask', {number: 1}); for (;;);");
    let mut run = paused(sandbox.start_with(forever, options()).unwrap());
    let ended = run.resume(value(1));
    assert!(matches!(ended, Err(Error::Timeout { .. })), "{ended:?}");
    Ok(())
}

#[scenario(programs = ["pauses/chain"])]
fn a_program_can_be_paused_many_times(case: &Case) -> Result<(), Skipped> {
    let mut limits = case.limits();
    limits.tool_calls = 1000;
    let sandbox = builder(case)?.limits(limits).build().unwrap();
    let mut step = sandbox.start(&program(case, "chain")).unwrap();
    let mut pauses = 0;
    let result = loop {
        match step {
            Step::Paused(mut run) => {
                step = run.resume(value(pauses)).unwrap();
                pauses += 1;
            }
            other => break done(other),
        }
    };
    assert_eq!((pauses, result.value), (200, Some(json!(19_900))), "{:?}", result.error);
    Ok(())
}

#[scenario(programs = ["pauses/failing"])]
fn a_pause_is_on_record_and_ends_with_its_owner(case: &Case) -> Result<(), Skipped> {
    let kept = Kept::default();
    let sandbox = builder(case)?.audit(&Audit::new(kept.clone()).unwrap()).build().unwrap();
    let mut run = paused(sandbox.start(&program(case, "failing")).unwrap());
    done(run.resume(Answer::Error("no".into())).unwrap());
    drop(paused(sandbox.start(&program(case, "failing")).unwrap()));
    let kinds: Vec<_> = kept.records().iter().map(|record| record["record"].clone()).collect();
    let answered = ["run-began", "run-paused", "run-resumed", "call", "run-ended"];
    let given_up = ["run-began", "run-paused", "call", "run-ended"];
    assert_eq!(kinds, [&answered[..], &given_up[..]].concat());
    assert_eq!(kept.records().last().unwrap()["ending"], "Cancelled");
    Ok(())
}

#[scenario]
fn a_run_that_cannot_wait_says_so(case: &Case) {
    if case.isolation != Isolation::Wasm {
        let sandbox = case.builder().tool(ask()).build().unwrap();
        let result = sandbox.run(case.pick("call_tool('ask', number=1)", "call_tool('ask', {number: 1})")).unwrap();
        let message = result.error.unwrap().message;
        assert!(message.contains("this tool is answered later"), "{message}");
        return;
    }
    let error = case.builder().tool(ask()).build().unwrap_err().to_string();
    let expected = "the deferred tool `ask` is not available: programs cannot be paused in the isolation `wasm`\n\
                    hint: use the isolation `process` or `microvm`";
    assert_eq!(error, expected);
}

#[scenario(programs = ["pauses/failing"])]
fn a_cancellation_takes_effect_when_the_program_is_resumed(case: &Case) -> Result<(), Skipped> {
    let token = CancellationToken::new();
    let options = RunOptions::new().cancel(token.clone());
    let mut run = paused(sandbox(case)?.start_with(&program(case, "failing"), options).unwrap());
    token.cancel();
    let ended = run.resume(value(1));
    assert!(matches!(ended, Err(Error::Cancelled { .. })), "{ended:?}");
    Ok(())
}

#[scenario(programs = ["pauses/failing"])]
fn asynchronous_callers_wait_without_a_thread(case: &Case) -> Result<(), Skipped> {
    let sandbox = sandbox(case)?;
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let mut run = paused(sandbox.start_async(&program(case, "failing"), RunOptions::new()).await.unwrap());
        let id = run.calls()[0].id;
        let twice = run.resume_async(vec![(id, value(1)), (id, value(2))]).await.unwrap_err().to_string();
        assert!(twice.starts_with("there is no call 1 that waits for an answer"), "{twice}");
        let result = done(run.resume_async(vec![(id, Answer::Error("no".into()))]).await.unwrap());
        assert_eq!(result.value, Some(json!("Tool 'ask' failed: no")), "{:?}", result.error);
    });
    Ok(())
}

#[scenario]
fn what_a_paused_program_keeps_is_limited(case: &Case) -> Result<(), Skipped> {
    let mut limits = case.limits();
    limits.payload = 300_000;
    let sandbox = builder(case)?.limits(limits).build().unwrap();
    let code = case.pick(
        "import asyncio\nasync def ask(number):\n    try:\n        return await call_tool_async('ask', number=number, text='x' * 100_000)\n    except ToolError as error:\n        return error.kind\nawait asyncio.gather(*map(ask, range(4)))",
        "const ask = async (number) => { try { return await call_tool_async('ask', {number, text: 'x'.repeat(100_000)}) } catch (error) { return error.kind } };\nawait Promise.all([0, 1, 2, 3].map(ask))",
    );
    let mut run = paused(sandbox.start(code).unwrap());
    assert_eq!(run.calls().len(), 2);
    let answers = run.calls().iter().map(|call| (call.id, value(1))).collect();
    let result = done(run.resume_with(answers).unwrap());
    assert_eq!(result.value, Some(json!([1, 1, "budget", "budget"])), "{:?}", result.error);
    Ok(())
}
