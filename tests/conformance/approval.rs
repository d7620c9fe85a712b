//! Calls and programs that need approval.

use std::{
    fs,
    sync::{Arc, Mutex},
};

use isolette::{
    CancellationToken, Error, RunOptions, SandboxBuilder, Tool,
    policy::{Access, Approval, CallDecision, Decision},
};
use isolette_tests::{
    Case,
    brewery::{Brewery, Variant},
    scenario,
};
use serde_json::json;

fn tool(name: &str) -> Tool {
    let schema = json!({"type": "object", "properties": {"to": {"type": "string"}}, "additionalProperties": false});
    let reported = name.to_owned();
    Tool::from_schema(name, "Does it", schema, move |_| Ok::<_, String>(json!(format!("{reported} done")))).unwrap()
}

pub(crate) fn with_tools(case: &Case) -> SandboxBuilder {
    case.builder().tool(tool("mail.send")).tool(tool("mail.read"))
}

/// What the program gets for a rejection.
fn attempt(case: &Case, call: &str) -> String {
    case.pick(
        format!("try:\n    result = {call}\nexcept PermissionError as error:\n    result = [type(error).__name__, getattr(error, 'kind', None), str(error)]"),
        format!("try {{\n  result = {call};\n}} catch (error) {{\n  result = [error.name, error.kind, error.message];\n}}"),
    )
}

fn send(case: &Case) -> String {
    attempt(case, case.pick("call_tool('mail.send', to='x')", "call_tool('mail.send', { to: 'x' })"))
}

fn refusal(case: &Case, message: &str) -> Option<serde_json::Value> {
    Some(json!([case.pick("ToolDenied", "ToolError"), "denied", message]))
}

#[scenario]
fn the_approver_is_asked_about_every_call(case: &Case) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = asked.clone();
    let sandbox = with_tools(case)
        .approval(Approval::PerCall)
        .approver(move |request| {
            let allowed = request.target == "mail.read";
            seen.lock().unwrap().push(request);
            async move { if allowed { Decision::Allow } else { Decision::deny("the user said no") } }
        })
        .build()
        .unwrap();
    let read = sandbox.run("call_tool('mail.read')").unwrap();
    assert_eq!(
        (read.value, read.calls[0].approval.map(|approval| approval.as_str())),
        (Some(json!("mail.read done")), Some("approved"))
    );
    let sent = sandbox.run(&send(case)).unwrap();
    assert_eq!(sent.value, refusal(case, "tool `mail.send` was not approved: the user said no"));
    assert_eq!(
        (sent.calls[0].outcome.as_str(), sent.calls[0].approval.map(|approval| approval.as_str())),
        ("denied", Some("refused"))
    );
    let asked = asked.lock().unwrap();
    assert_eq!(
        serde_json::to_value(&asked[1]).unwrap(),
        json!({
            "capability": "tools", "operation": "call", "target": "mail.send", "arguments": {"to": "x"}, "rule": null,
            "reason": "every call needs approval", "can_be_deferred": false,
        })
    );
}

#[scenario]
fn the_approver_is_asked_about_marked_tools(case: &Case) {
    let sandbox = case
        .builder()
        .tool(tool("mail.send").with_approval())
        .tool(tool("mail.read"))
        .approver(async |_| Decision::deny("no"))
        .build()
        .unwrap();
    assert_eq!(sandbox.run("call_tool('mail.read')").unwrap().value, Some(json!("mail.read done")));
    assert_eq!(sandbox.run(&send(case)).unwrap().value, refusal(case, "tool `mail.send` was not approved: no"));
}

#[scenario]
fn calls_that_need_approval_are_denied_without_an_approver(case: &Case) {
    let result = with_tools(case).approval(Approval::PerCall).build().unwrap().run(&send(case)).unwrap();
    let message = "tool `mail.send` needs approval (every call needs approval), and there is no approver\n\
                   hint: do without it, and say what it was needed for";
    assert_eq!(result.value, refusal(case, message));
    assert_eq!(result.calls[0].approval.map(|approval| approval.as_str()), Some("no-approver"));
}

#[scenario]
fn policy_rules_decide_before_the_approver(case: &Case) {
    let rules = ["allow *.read", "deny mail.*"].map(|rule| rule.parse().unwrap());
    let sandbox = with_tools(case).approval(Approval::Rules(rules.into())).build().unwrap();
    let read = sandbox.run("call_tool('mail.read')").unwrap();
    assert_eq!(
        (read.value, read.calls[0].approval.map(|approval| approval.as_str())),
        (Some(json!("mail.read done")), None)
    );
    let sent = sandbox.run(&send(case)).unwrap();
    assert!(sent.value.unwrap()[2].as_str().unwrap().contains("is denied by the rule `deny mail.*`"));
    assert_eq!(sent.calls[0].approval.map(|approval| approval.as_str()), Some("refused-by-rule"));
}

#[scenario]
fn the_approver_is_asked_about_http_requests(case: &Case) {
    let api = Brewery::start(Variant::Plain);
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = asked.clone();
    let sandbox = case
        .builder()
        .base_url(&api.base_url())
        .approval(Approval::PerCall)
        .approver(move |request| {
            let allowed = !request.target.contains("random");
            seen.lock().unwrap().push(format!("{} {}", request.operation, request.target));
            async move { if allowed { Decision::Allow } else { Decision::deny("no chance") } }
        })
        .build()
        .unwrap();
    let allowed =
        sandbox.run("http_get(BASE_URL + '/breweries/search?query=moon&page=1&per_page=1')['status']").unwrap();
    assert_eq!(
        (allowed.value, allowed.calls[0].approval.map(|approval| approval.as_str())),
        (Some(json!(200)), Some("approved"))
    );
    let refused = sandbox.run(&attempt(case, "http_get(BASE_URL + '/breweries/random')")).unwrap();
    let message = refused.value.unwrap()[2].as_str().unwrap().to_owned();
    assert!(message.contains("/v1/breweries/random was not approved: no chance"), "{message}");
    assert_eq!(
        (refused.calls[0].outcome.as_str(), refused.calls[0].approval.map(|approval| approval.as_str())),
        ("denied", Some("refused"))
    );
    assert_eq!(api.requests().len(), 1, "what is refused is not sent");
    assert_eq!(asked.lock().unwrap().len(), 2);
    // A request that no network rule allows is not submitted for approval.
    let elsewhere = sandbox.run(&attempt(case, "http_get('http://elsewhere.example/')")).unwrap();
    assert_eq!(
        (elsewhere.calls[0].outcome.as_str(), elsewhere.calls[0].approval.map(|approval| approval.as_str())),
        ("denied", None)
    );
    assert_eq!(asked.lock().unwrap().len(), 2);
}

#[scenario]
fn a_run_can_have_its_own_approver(case: &Case) {
    let sandbox =
        with_tools(case).approval(Approval::PerCall).approver(async |_| Decision::deny("not asked")).build().unwrap();
    let options = RunOptions::new().approver(async |_| Decision::Allow);
    assert_eq!(sandbox.run_with(&send(case), options).unwrap().value, Some(json!("mail.send done")));
}

#[scenario]
fn invalid_calls_do_not_reach_the_approver(case: &Case) {
    let sandbox = with_tools(case)
        .approval(Approval::PerCall)
        .approver(async |_| panic!("the approver was asked about an invalid call"))
        .build()
        .unwrap();
    let result =
        sandbox.run(case.pick("call_tool('mail.send', too='x')", "call_tool('mail.send', { too: 'x' })")).unwrap();
    assert_eq!(
        (result.calls[0].outcome.as_str(), result.calls[0].approval.map(|approval| approval.as_str())),
        ("invalid-arguments", None)
    );
    assert!(result.error.unwrap().message.contains("did you mean `to`?"));
}

#[scenario]
fn a_pending_approval_ends_with_its_run(case: &Case) {
    let cancel = CancellationToken::new();
    let asked = cancel.clone();
    let sandbox = with_tools(case)
        .approval(Approval::PerCall)
        .approver(move |_| {
            asked.cancel();
            std::future::pending()
        })
        .build()
        .unwrap();
    let error = sandbox.run_with(&send(case), RunOptions::new().cancel(cancel)).unwrap_err();
    assert!(matches!(&error, Error::Cancelled { .. }), "{error}");
    assert_eq!(error.partial().unwrap().calls[0].outcome.as_str(), "cancelled");
}

#[scenario]
fn a_failing_approver_does_not_approve(case: &Case) {
    let sandbox = with_tools(case)
        .approval(Approval::PerCall)
        .approver(async |_| panic!("a bug in the hook, on purpose"))
        .build()
        .unwrap();
    let message = "tool `mail.send` was not approved: the approver failed to answer";
    assert_eq!(sandbox.run(&send(case)).unwrap().value, refusal(case, message));
}

#[scenario(programs = ["approval/checked"])]
fn a_call_check_sees_every_call(case: &Case) {
    let api = Brewery::start(Variant::Plain);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "notes").unwrap();
    let (seen, asked) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(Vec::new())));
    let (sees, asks) = (seen.clone(), asked.clone());
    let sandbox = with_tools(case)
        .allow_tools("mail.*")
        .base_url(&api.base_url())
        .mount(folder.path(), "/data", Access::ReadWrite)
        .on_call(move |call| {
            if call.operation != "stat" {
                sees.lock().unwrap().push(serde_json::to_value(call).unwrap());
            }
            match (call.operation.as_str(), call.target.as_str()) {
                (_, "mail.send") if call.arguments["to"] == "boss" => CallDecision::deny("not to the boss"),
                (_, "mail.send") => CallDecision::ask("it sends"),
                ("GET", url) if url.contains("random") => CallDecision::deny("no chance"),
                ("remove", _) => CallDecision::deny("nothing is removed"),
                _ => CallDecision::Allow,
            }
        })
        .approver(move |request| {
            asks.lock().unwrap().push((request.target, request.reason));
            async { Decision::Allow }
        })
        .build()
        .unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    let value = result.value.unwrap();
    assert_eq!(value[0], "mail.send done");
    assert_eq!(value[1], "tool `mail.send` is denied: not to the boss");
    assert!(value[2].as_str().unwrap().ends_with("/v1/breweries/random is denied: no chance"), "{value}");
    assert_eq!((&value[3], &value[4]), (&json!("notes"), &json!(true)), "{value}");
    assert_eq!(*asked.lock().unwrap(), [("mail.send".to_owned(), "it sends".to_owned())]);
    assert!(api.requests().is_empty() && folder.path().join("notes.txt").exists());
    let outcomes: Vec<_> = result
        .calls
        .iter()
        .map(|call| (call.outcome.as_str(), call.approval.map(|approval| approval.as_str())))
        .collect();
    assert_eq!(
        outcomes,
        [("ok", Some("approved")), ("denied", Some("refused-by-check")), ("denied", Some("refused-by-check"))]
    );
    let seen = seen.lock().unwrap().clone();
    assert_eq!(
        seen[0],
        json!({
            "capability": "tools", "operation": "call", "target": "mail.send", "arguments": {"to": "x"}, "rule": "mail.*",
            "reason": "", "can_be_deferred": false,
        })
    );
    assert_eq!((&seen[2]["operation"], &seen[2]["rule"]), (&json!("GET"), &json!(api.base_url())));
    assert!(seen.iter().any(|call| call["capability"] == "files" && call["rule"] == "/data (read-write)"), "{seen:?}");
    // A run can have an approver of its own in addition.
    let options = RunOptions::new().on_call(|_| CallDecision::deny("not in this run"));
    let refused = sandbox.run_with(&attempt(case, "call_tool('mail.read')"), options).unwrap();
    assert_eq!(refused.value, refusal(case, "tool `mail.read` is denied: not in this run"));
}

#[scenario]
fn a_call_check_cannot_replace_an_approval(case: &Case) {
    let builder = || with_tools(case).on_call(|_| CallDecision::Allow);
    let rules = ["deny mail.*"].map(|rule| rule.parse().unwrap());
    let denied = builder().approval(Approval::Rules(rules.into())).build().unwrap().run(&send(case)).unwrap();
    assert_eq!(denied.calls[0].approval.map(|approval| approval.as_str()), Some("refused-by-rule"));
    let asked = builder().approval(Approval::PerCall).build().unwrap().run(&send(case)).unwrap();
    assert_eq!(asked.calls[0].approval.map(|approval| approval.as_str()), Some("no-approver"));
    // Without an approver, a call for which a check requires approval is denied.
    let sandbox = with_tools(case).on_call(|_| CallDecision::ask("it sends")).build().unwrap();
    let message = "tool `mail.send` needs approval (it sends), and there is no approver\n\
                   hint: do without it, and say what it was needed for";
    assert_eq!(sandbox.run(&send(case)).unwrap().value, refusal(case, message));
}

#[scenario]
fn a_failing_call_check_denies(case: &Case) {
    let sandbox = with_tools(case).on_call(|_| panic!("a bug in the check, on purpose")).build().unwrap();
    let message = "tool `mail.send` is denied: the check of the host failed";
    assert_eq!(sandbox.run(&send(case)).unwrap().value, refusal(case, message));
}

#[scenario]
fn a_program_is_approved_before_it_starts(case: &Case) {
    let builder = || with_tools(case).approval(Approval::Always);
    let refused = builder().build().unwrap().run("1").unwrap_err();
    assert!(refused.to_string().contains("there is no approver"), "{refused}");
    let asked = Arc::new(Mutex::new(0));
    let seen = asked.clone();
    let sandbox = builder()
        .approver(move |request| {
            *seen.lock().unwrap() += 1;
            assert_eq!((request.capability.as_str(), &*request.operation), ("program", "run"));
            async { Decision::Allow }
        })
        .build()
        .unwrap();
    assert_eq!(sandbox.run(&send(case)).unwrap().value, Some(json!("mail.send done")), "its calls are not asked about");
    let mut session = sandbox.session().unwrap();
    futures::executor::block_on(session.run_async("1", RunOptions::new())).unwrap();
    assert_eq!(*asked.lock().unwrap(), 2);
    let refused = sandbox.run_with("1", RunOptions::new().approver(async |_| Decision::deny("no"))).unwrap_err();
    assert!(matches!(refused, Error::NotApproved { .. }), "{refused}");
    let cancel = CancellationToken::new();
    cancel.cancel();
    let waiting = RunOptions::new().cancel(cancel).approver(|_| std::future::pending());
    assert!(matches!(sandbox.run_with("1", waiting), Err(Error::Cancelled { .. })));
}

#[scenario]
fn an_approval_after_the_run_has_no_effect(case: &Case) {
    let api = Brewery::start(Variant::Plain);
    let called = Arc::new(Mutex::new(0));
    let count = called.clone();
    let tool = Tool::from_schema("count", "Counts", json!({"type": "object"}), move |_| {
        *count.lock().unwrap() += 1;
        Ok::<_, String>(json!(null))
    });
    let sandbox = case.builder().tool(tool.unwrap()).base_url(&api.base_url()).build().unwrap();
    for (program, capability) in [("call_tool('count')", "tools"), ("http_get(BASE_URL + '/breweries/random')", "http")]
    {
        let token = CancellationToken::new();
        let cancelled = token.clone();
        let options = RunOptions::new().cancel(token).on_call(move |_| {
            cancelled.cancel();
            CallDecision::Allow
        });
        let error = sandbox.run_with(program, options).unwrap_err();
        let calls = &error.partial().unwrap().calls;
        assert_eq!(
            (error.name(), calls[0].capability.as_str(), calls[0].outcome.as_str()),
            ("Cancelled", capability, "cancelled")
        );
    }
    assert_eq!((*called.lock().unwrap(), api.requests().len()), (0, 0));
}
