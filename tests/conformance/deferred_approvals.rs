//! Calls whose approval the approver defers: the program is paused until the caller approves or denies them.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use isolette::{
    Answer, ApprovalOutcome, Asks, CallOutcome, Error, Isolation, Language, RunOptions, SandboxBuilder, SavedRun,
    SnapshotKey, Tool,
    policy::{Approval, CallDecision, Decision},
};
use isolette_tests::{
    Case, Skipped,
    brewery::{Brewery, Variant},
    engines, guests, scenario,
};
use serde_json::{Value, json};

use crate::pauses::{done, paused};

fn program(case: &Case, name: &str) -> String {
    guests::read(&format!("deferred/{name}"), case.language)
}

/// A tool that sends mail, and how often it has done so.
fn mail() -> (Tool, Arc<AtomicU32>) {
    let sent = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&sent);
    let send = move |arguments: Value| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok::<_, String>(json!(format!("sent to {}", arguments["to"].as_str().unwrap_or_default())))
    };
    (Tool::from_schema("mail.send", "Sends mail", json!({ "type": "object" }), send).unwrap(), sent)
}

/// A sandbox in which the decision about every call is deferred.
fn deferring(builder: SandboxBuilder) -> SandboxBuilder {
    builder.approval(Approval::PerCall).approver(async |_| Decision::Defer)
}

fn builder(case: &Case) -> Result<(SandboxBuilder, Arc<AtomicU32>), Skipped> {
    if case.isolation == Isolation::Wasm {
        return Err(Skipped("programs are not paused in this isolation".into()));
    }
    let (mail, sent) = mail();
    Ok((deferring(case.builder().tool(mail)), sent))
}

/// To save a program in an emulated micro-VM takes many seconds. Another test does it.
fn not_emulated(case: &Case) -> Result<(), Skipped> {
    if case.isolation == Isolation::MicroVm && engines::emulated() {
        return Err(Skipped("an emulated machine is too slow to save as many programs".into()));
    }
    Ok(())
}

#[scenario(programs = ["deferred/send"])]
fn a_call_is_made_once_it_is_approved(case: &Case) -> Result<(), Skipped> {
    let (builder, sent) = builder(case)?;
    let mut run = paused(builder.build().unwrap().start(&program(case, "send")).unwrap());
    assert_eq!(
        serde_json::to_value(run.calls()).unwrap(),
        json!([{
            "id": 1, "asks": "approval", "capability": "tools", "operation": "call", "target": "mail.send",
            "arguments": { "to": "x" }, "reason": "every call needs approval", "is_deferred": false,
        }])
    );
    assert_eq!(sent.load(Ordering::Relaxed), 0, "nothing happens before");
    let result = done(run.resume(Answer::Approve).unwrap());
    assert_eq!(result.value, Some(json!("sent to x")), "{:?}", result.error);
    assert_eq!((sent.load(Ordering::Relaxed), result.usage.tool_calls, result.calls.len()), (1, 1, 1));
    assert_eq!((result.calls[0].approval, result.calls[0].outcome), (Some(ApprovalOutcome::Approved), CallOutcome::Ok));
    Ok(())
}

#[scenario(programs = ["deferred/send"])]
fn a_call_that_is_denied_is_never_made(case: &Case) -> Result<(), Skipped> {
    let (builder, sent) = builder(case)?;
    let mut run = paused(builder.build().unwrap().start(&program(case, "send")).unwrap());
    let result = done(run.resume(Answer::Deny("not on a Sunday".into())).unwrap());
    let message = "tool `mail.send` was not approved: not on a Sunday";
    assert_eq!(result.value, Some(json!(["denied", message])), "{:?}", result.error);
    assert_eq!(sent.load(Ordering::Relaxed), 0);
    assert_eq!(
        (result.calls[0].approval, result.calls[0].outcome),
        (Some(ApprovalOutcome::Refused), CallOutcome::Denied)
    );
    Ok(())
}

#[scenario(programs = ["deferred/at_once"])]
fn calls_at_once_are_decided_in_any_order(case: &Case) -> Result<(), Skipped> {
    let (builder, sent) = builder(case)?;
    let sandbox = builder.build().unwrap();
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        sent.store(0, Ordering::Relaxed);
        let mut run = paused(sandbox.start(&program(case, "at_once")).unwrap());
        let ids: Vec<_> = run.calls().iter().map(|call| call.id).collect();
        let asked: Vec<_> = run.calls().iter().map(|call| call.arguments["to"].clone()).collect();
        assert_eq!(asked, [json!("a"), json!("b"), json!("c")]);
        let answer = |index: usize| if index == 1 { Answer::Deny("no".into()) } else { Answer::Approve };
        for index in &order[..2] {
            run = paused(run.resume_with(vec![(ids[*index], answer(*index))]).unwrap());
        }
        let result = done(run.resume(answer(order[2])).unwrap());
        let refused = "tool `mail.send` was not approved: no";
        assert_eq!(result.value, Some(json!(["sent to a", refused, "sent to c"])), "{:?}", result.error);
        assert_eq!((sent.load(Ordering::Relaxed), result.usage.tool_calls), (2, 3));
    }
    Ok(())
}

#[scenario]
fn a_request_is_sent_once_it_is_approved(case: &Case) -> Result<(), Skipped> {
    let (builder, _) = builder(case)?;
    let api = Brewery::start(Variant::Plain);
    let sandbox = builder.base_url(&api.base_url()).build().unwrap();
    let code = "http_get(BASE_URL + '/breweries/search?query=moon&page=1&per_page=1')['status']";
    let mut run = paused(sandbox.start(code).unwrap());
    let call = run.calls()[0].clone();
    assert_eq!((call.asks, call.operation.as_str()), (Asks::Approval, "GET"));
    assert!(call.target.contains("/breweries/search"), "{call:?}");
    assert_eq!(api.requests().len(), 0);
    let result = done(run.resume(Answer::Approve).unwrap());
    assert_eq!(result.value, Some(json!(200)), "{:?}", result.error);
    assert_eq!((api.requests().len(), result.usage.http_requests, result.calls.len()), (1, 1, 1));
    assert_eq!(result.calls[0].approval, Some(ApprovalOutcome::Approved));
    let mut run = paused(sandbox.start(code).unwrap());
    let denied = done(run.resume(Answer::Deny("no".into())).unwrap());
    assert!(denied.error.unwrap().message.contains("was not approved: no"));
    assert_eq!(api.requests().len(), 1);
    Ok(())
}

#[scenario(programs = ["deferred/send"])]
fn a_call_is_made_with_the_rights_of_whoever_approves_it(case: &Case) -> Result<(), Skipped> {
    let (builder, sent) = builder(case)?;
    let key = SnapshotKey::new([7; 32]);
    let mut run = paused(builder.build().unwrap().start(&program(case, "send")).unwrap());
    let saved = SavedRun::from_bytes(run.to_bytes(&key).unwrap(), &key).unwrap();
    drop(run);
    assert_eq!((saved.calls().len(), saved.calls()[0].asks), (1, Asks::Approval));
    let (mail, there) = mail();
    let with = deferring(case.builder().tool(mail)).build().unwrap();
    let mut run = with.paused_from(&saved, RunOptions::new()).unwrap();
    let result = done(run.resume(Answer::Approve).unwrap());
    assert_eq!(result.value, Some(json!("sent to x")), "{:?}", result.error);
    assert_eq!((sent.load(Ordering::Relaxed), there.load(Ordering::Relaxed), result.usage.tool_calls), (0, 1, 1));
    let without = deferring(case.builder()).build().unwrap();
    let mut run = without.paused_from(&saved, RunOptions::new()).unwrap();
    let result = done(run.resume(Answer::Approve).unwrap());
    let value = result.value.unwrap();
    assert_eq!(value[0], json!("unknown-tool"), "{value}");
    assert_eq!(result.calls[0].outcome, CallOutcome::UnknownTool);
    Ok(())
}

#[scenario(programs = ["deferred/at_once"])]
fn calls_at_once_are_approved_in_another_process(case: &Case) -> Result<(), Skipped> {
    not_emulated(case)?;
    let (builder, sent) = builder(case)?;
    let sandbox = builder.build().unwrap();
    let key = SnapshotKey::new([7; 32]);
    let mut run = paused(sandbox.start(&program(case, "at_once")).unwrap());
    for _ in 0..2 {
        let saved = SavedRun::from_bytes(run.to_bytes(&key).unwrap(), &key).unwrap();
        run = sandbox.paused_from(&saved, RunOptions::new()).unwrap();
        run = paused(run.resume(Answer::Approve).unwrap());
    }
    let saved = SavedRun::from_bytes(run.to_bytes(&key).unwrap(), &key).unwrap();
    run = sandbox.paused_from(&saved, RunOptions::new()).unwrap();
    let result = done(run.resume(Answer::Approve).unwrap());
    assert_eq!(result.value, Some(json!(["sent to a", "sent to b", "sent to c"])), "{:?}", result.error);
    assert_eq!((sent.load(Ordering::Relaxed), result.usage.tool_calls), (3, 3));
    Ok(())
}

#[scenario(programs = ["deferred/send"])]
fn a_program_that_cannot_wait_is_refused(case: &Case) {
    let (mail, sent) = mail();
    let sandbox = deferring(case.builder().tool(mail)).build().unwrap();
    let message =
        "tool `mail.send` was not approved: the decision was deferred, and this call cannot wait for it".to_owned();
    let refused = Some(json!(["denied", message]));
    assert_eq!(sandbox.run(&program(case, "send")).unwrap().value, refused);
    assert_eq!(sandbox.session().unwrap().run(&program(case, "send")).unwrap().value, refused);
    assert_eq!(sent.load(Ordering::Relaxed), 0);
    let whole = case.builder().approval(Approval::Always).approver(async |_| Decision::Defer).build().unwrap();
    let error = whole.run("1").unwrap_err();
    assert!(matches!(&error, Error::NotApproved { message } if message.contains("deferred")), "{error}");
}

#[scenario(programs = ["deferred/send"])]
fn an_answer_of_another_kind_changes_nothing(case: &Case) -> Result<(), Skipped> {
    let (builder, sent) = builder(case)?;
    let mut run = paused(builder.build().unwrap().start(&program(case, "send")).unwrap());
    for answer in [Answer::Value(json!(1)), Answer::Error("no".into())] {
        let error = run.resume(answer).unwrap_err();
        assert!(error.to_string().starts_with("call 1 waits for approval\nhint: "), "{error}");
        assert_eq!(run.calls().len(), 1);
    }
    assert_eq!(done(run.resume(Answer::Approve).unwrap()).value, Some(json!("sent to x")));
    assert_eq!(sent.load(Ordering::Relaxed), 1);
    Ok(())
}

#[scenario]
fn one_awaited_call_is_decided_as_any(case: &Case) -> Result<(), Skipped> {
    let (builder, sent) = builder(case)?;
    let sandbox = builder.build().unwrap();
    let code = case.pick(
        "try:\n    result = await call_tool_async('mail.send', to='x')\nexcept PermissionError as error:\n    \
         result = str(error)",
        "try { result = await call_tool('mail.send', { to: 'x' }) } catch (error) { result = error.message }",
    );
    let started = case.pick(
        "call = call_tool_async('mail.send', to='y')\nawait call",
        "const call = call_tool('mail.send', { to: 'y' }); await call",
    );
    let mut run = paused(sandbox.start(code).unwrap());
    assert_eq!(done(run.resume(Answer::Approve).unwrap()).value, Some(json!("sent to x")));
    let mut run = paused(sandbox.start(code).unwrap());
    let refused = done(run.resume(Answer::Deny("no".into())).unwrap());
    assert_eq!(refused.value, Some(json!("tool `mail.send` was not approved: no")), "{:?}", refused.error);
    let mut run = paused(sandbox.start(started).unwrap());
    assert_eq!(done(run.resume(Answer::Approve).unwrap()).value, Some(json!("sent to y")));
    assert_eq!(sent.load(Ordering::Relaxed), 2);
    Ok(())
}

#[scenario]
fn what_is_approved_is_done_before_the_program_waits_again(case: &Case) -> Result<(), Skipped> {
    not_emulated(case)?;
    let (builder, sent) = builder(case)?;
    let sandbox = builder.build().unwrap();
    // One call is in flight, and the program waits for another one.
    let code = case.pick(
        "import asyncio\nasync def send(to): return await call_tool_async('mail.send', to=to)\n\
         first = asyncio.ensure_future(send('a'))\nawait asyncio.sleep(0)\nsecond = call_tool('mail.send', to='b')\n\
         [await first, second]",
        "const first = call_tool_async('mail.send', { to: 'a' }); const second = call_tool('mail.send', { to: 'b' }); \
         result = [await first, second]",
    );
    let key = SnapshotKey::new([7; 32]);
    let mut run = paused(sandbox.start(code).unwrap());
    if run.calls().len() == 1 {
        // The calls of this program are not made at the same time: there is nothing to see.
        return Err(Skipped("one call at a time".into()));
    }
    let ids: Vec<_> = run.calls().iter().map(|call| call.id).collect();
    let mut run = paused(run.resume_with(vec![(ids[0], Answer::Approve)]).unwrap());
    assert_eq!(sent.load(Ordering::Relaxed), 1);
    // It can be saved, and the file asks for nothing that was done.
    let saved = SavedRun::from_bytes(run.to_bytes(&key).unwrap(), &key).unwrap();
    assert_eq!(saved.calls().iter().map(|call| call.id).collect::<Vec<_>>(), ids[1..]);
    let mut run = sandbox.paused_from(&saved, RunOptions::new()).unwrap();
    let result = done(run.resume(Answer::Approve).unwrap());
    assert_eq!(result.value, Some(json!(["sent to a", "sent to b"])), "{:?}", result.error);
    assert_eq!(sent.load(Ordering::Relaxed), 2);
    Ok(())
}

#[scenario(programs = ["deferred/send"])]
fn rules_and_checks_of_the_sandbox_that_goes_on_apply(case: &Case) -> Result<(), Skipped> {
    not_emulated(case)?;
    let (first, sent) = builder(case)?;
    let key = SnapshotKey::new([7; 32]);
    let mut run = paused(first.build().unwrap().start(&program(case, "send")).unwrap());
    let saved = SavedRun::from_bytes(run.to_bytes(&key).unwrap(), &key).unwrap();
    let (other, _) = builder(case)?;
    let rules = vec!["deny mail.*".parse().unwrap()];
    let strict = other.approval(Approval::Rules(rules)).build().unwrap();
    let (other, _) = builder(case)?;
    let checked = other.on_call(|_| CallDecision::deny("not here")).build().unwrap();
    for (sandbox, reason) in [(strict, "is denied by the rule `deny mail.*`"), (checked, "is denied: not here")] {
        let mut run = sandbox.paused_from(&saved, RunOptions::new()).unwrap();
        let result = done(run.resume(Answer::Approve).unwrap());
        let value = result.value.unwrap();
        assert!(value[0] == "denied" && value[1].as_str().unwrap().contains(reason), "{value}");
    }
    assert_eq!(sent.load(Ordering::Relaxed), 0);
    Ok(())
}

#[scenario(programs = ["deferred/send"])]
fn where_programs_cannot_be_paused_a_deferral_refuses(case: &Case) -> Result<(), Skipped> {
    if case.isolation != Isolation::Wasm {
        return Err(Skipped("programs are paused in this isolation".into()));
    }
    let (mail, sent) = mail();
    let result = done(deferring(case.builder().tool(mail)).build().unwrap().start(&program(case, "send")).unwrap());
    assert_eq!(result.value.unwrap()[0], json!("denied"));
    assert_eq!(sent.load(Ordering::Relaxed), 0);
    Ok(())
}

#[scenario]
fn a_call_that_is_given_up_is_asked_no_more(case: &Case) -> Result<(), Skipped> {
    let (builder, sent) = builder(case)?;
    if case.language != Language::Python {
        return Err(Skipped("programs in JavaScript cannot give a call up".into()));
    }
    let code = "import asyncio\ntry:\n    await asyncio.wait_for(call_tool_async('mail.send', to='a'), 0.05)\n\
                except asyncio.TimeoutError:\n    pass\ncall_tool('mail.send', to='b')";
    let mut run = paused(builder.build().unwrap().start(code).unwrap());
    assert_eq!(run.calls().iter().map(|call| call.arguments["to"].clone()).collect::<Vec<_>>(), [json!("b")]);
    let result = done(run.resume(Answer::Approve).unwrap());
    assert_eq!((sent.load(Ordering::Relaxed), result.calls.len()), (1, 2), "{:?}", result.error);
    Ok(())
}

#[scenario]
fn a_deferred_tool_can_need_approval_first(case: &Case) -> Result<(), Skipped> {
    if case.isolation == Isolation::Wasm {
        return Err(Skipped("programs are not paused in this isolation".into()));
    }
    let ask = Tool::deferred("ask", "Asks", json!({ "type": "object" })).unwrap();
    let sandbox = deferring(case.builder().tool(ask)).build().unwrap();
    let at_once = case.pick(
        "import asyncio\nawait asyncio.gather(call_tool_async('ask'), call_tool_async('ask'))",
        "await Promise.all([call_tool('ask'), call_tool('ask')])",
    );
    let mut run = paused(sandbox.start("call_tool('ask')").unwrap());
    assert_eq!(run.calls()[0].asks, Asks::Approval);
    let mut run = paused(run.resume(Answer::Approve).unwrap());
    assert_eq!(run.calls()[0].asks, Asks::Result);
    assert_eq!(done(run.resume(Answer::Value(json!(5))).unwrap()).value, Some(json!(5)));
    let mut run = paused(sandbox.start(at_once).unwrap());
    for asks in [Asks::Approval, Asks::Result] {
        assert_eq!(run.calls().iter().map(|call| call.asks).collect::<Vec<_>>(), [asks; 2]);
        let answer = |asks| if asks == Asks::Approval { Answer::Approve } else { Answer::Value(json!(6)) };
        let answers = run.calls().iter().map(|call| (call.id, answer(asks))).collect();
        let step = run.resume_with(answers).unwrap();
        if asks == Asks::Result {
            assert_eq!(done(step).value, Some(json!([6, 6])));
            break;
        }
        run = paused(step);
    }
    Ok(())
}
