//! Calls that somebody has to agree to, and budgets that runs share.

use std::{
    sync::{Arc, Barrier, Mutex},
    time::Duration,
};

use isolette::{
    Budget, CancellationToken, Error, RunOptions, SandboxBuilder, Tool,
    policy::{Approval, Decision, Limits},
};
use isolette_tests::{
    Case,
    brewery::{Brewery, Variant},
    conformance,
};
use serde_json::json;

conformance! {
    every_call_is_asked_about_and_may_be_refused;
    a_tool_that_needs_approval_is_asked_about;
    without_anybody_to_ask_it_is_denied;
    rules_decide_before_anybody_is_asked;
    requests_are_asked_about_too;
    a_run_can_bring_somebody_of_its_own;
    what_is_wrong_anyway_is_not_asked_about;
    an_answer_that_does_not_come_ends_with_the_run;
    an_answer_that_fails_is_no_approval;
    a_program_is_approved_before_it_starts;
    a_budget_is_shared_by_runs;
    runs_at_the_same_time_get_what_is_left_when_they_start;
    the_time_of_runs_is_shared;
    results_that_do_not_fit_are_noted_or_refused;
}

fn tool(name: &str) -> Tool {
    let schema = json!({"type": "object", "properties": {"to": {"type": "string"}}, "additionalProperties": false});
    let told = name.to_owned();
    Tool::with_schema(name, "Does it", schema, move |_| Ok::<_, String>(json!(format!("{told} done")))).unwrap()
}

fn with_tools(case: &Case) -> SandboxBuilder {
    case.builder().tool(tool("mail.send")).tool(tool("mail.read"))
}

/// What the program gets to see of a refusal.
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

fn every_call_is_asked_about_and_may_be_refused(case: &Case) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = asked.clone();
    let sandbox = with_tools(case)
        .approval(Approval::PerCall)
        .on_call(move |request| {
            let allowed = request.target == "mail.read";
            seen.lock().unwrap().push(request);
            async move { if allowed { Decision::Allow } else { Decision::deny("the user said no") } }
        })
        .build()
        .unwrap();
    let read = sandbox.run("call_tool('mail.read')").unwrap();
    assert_eq!((read.value, read.calls[0].approval), (Some(json!("mail.read done")), Some("approved")));
    let sent = sandbox.run(&send(case)).unwrap();
    assert_eq!(sent.value, refusal(case, "tool `mail.send` was not approved: the user said no"));
    assert_eq!((sent.calls[0].verdict, sent.calls[0].approval), ("denied", Some("refused")));
    let asked = asked.lock().unwrap();
    assert_eq!(
        serde_json::to_value(&asked[1]).unwrap(),
        json!({
            "capability": "tools", "operation": "call", "target": "mail.send", "arguments": {"to": "x"}, "rule": null,
            "reason": "every call needs approval",
        })
    );
}

fn a_tool_that_needs_approval_is_asked_about(case: &Case) {
    let sandbox = case
        .builder()
        .tool(tool("mail.send").with_approval())
        .tool(tool("mail.read"))
        .on_call(async |_| Decision::deny("no"))
        .build()
        .unwrap();
    assert_eq!(sandbox.run("call_tool('mail.read')").unwrap().value, Some(json!("mail.read done")));
    assert_eq!(sandbox.run(&send(case)).unwrap().value, refusal(case, "tool `mail.send` was not approved: no"));
}

fn without_anybody_to_ask_it_is_denied(case: &Case) {
    let result = with_tools(case).approval(Approval::PerCall).build().unwrap().run(&send(case)).unwrap();
    let message = "tool `mail.send` needs approval (every call needs approval), and there is nobody to ask\n\
                   hint: do without it, and say what it was needed for";
    assert_eq!(result.value, refusal(case, message));
    assert_eq!(result.calls[0].approval, Some("nobody-to-ask"));
}

fn rules_decide_before_anybody_is_asked(case: &Case) {
    let rules = ["allow *.read", "deny mail.*"].map(|rule| rule.parse().unwrap());
    let sandbox = with_tools(case).approval(Approval::Rules(rules.into())).build().unwrap();
    let read = sandbox.run("call_tool('mail.read')").unwrap();
    assert_eq!((read.value, read.calls[0].approval), (Some(json!("mail.read done")), None));
    let sent = sandbox.run(&send(case)).unwrap();
    assert!(sent.value.unwrap()[2].as_str().unwrap().contains("is denied by the rule `deny mail.*`"));
    assert_eq!(sent.calls[0].approval, Some("refused-by-rule"));
}

fn requests_are_asked_about_too(case: &Case) {
    let api = Brewery::start(Variant::Plain);
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = asked.clone();
    let sandbox = case
        .builder()
        .base_url(&api.base_url())
        .approval(Approval::PerCall)
        .on_call(move |request| {
            let allowed = !request.target.contains("random");
            seen.lock().unwrap().push(format!("{} {}", request.operation, request.target));
            async move { if allowed { Decision::Allow } else { Decision::deny("no chance") } }
        })
        .build()
        .unwrap();
    let allowed =
        sandbox.run("http_get(BASE_URL + '/breweries/search?query=moon&page=1&per_page=1')['status']").unwrap();
    assert_eq!((allowed.value, allowed.calls[0].approval), (Some(json!(200)), Some("approved")));
    let refused = sandbox.run(&attempt(case, "http_get(BASE_URL + '/breweries/random')")).unwrap();
    let message = refused.value.unwrap()[2].as_str().unwrap().to_owned();
    assert!(message.contains("/v1/breweries/random was not approved: no chance"), "{message}");
    assert_eq!((refused.calls[0].verdict, refused.calls[0].approval), ("denied", Some("refused")));
    assert_eq!(api.requests().len(), 1, "what is refused is not sent");
    assert_eq!(asked.lock().unwrap().len(), 2);
    // What no rule of the network allows is not asked about.
    let elsewhere = sandbox.run(&attempt(case, "http_get('http://elsewhere.example/')")).unwrap();
    assert_eq!((elsewhere.calls[0].verdict, elsewhere.calls[0].approval), ("denied", None));
    assert_eq!(asked.lock().unwrap().len(), 2);
}

fn a_run_can_bring_somebody_of_its_own(case: &Case) {
    let sandbox =
        with_tools(case).approval(Approval::PerCall).on_call(async |_| Decision::deny("not asked")).build().unwrap();
    let options = RunOptions::new().on_call(async |_| Decision::Allow);
    assert_eq!(sandbox.run_with(&send(case), options).unwrap().value, Some(json!("mail.send done")));
}

fn what_is_wrong_anyway_is_not_asked_about(case: &Case) {
    let sandbox = with_tools(case)
        .approval(Approval::PerCall)
        .on_call(async |_| panic!("nobody is asked about what cannot happen"))
        .build()
        .unwrap();
    let result =
        sandbox.run(case.pick("call_tool('mail.send', too='x')", "call_tool('mail.send', { too: 'x' })")).unwrap();
    assert_eq!((result.calls[0].verdict, result.calls[0].approval), ("invalid-arguments", None));
    assert!(result.error.unwrap().message.contains("did you mean `to`?"));
}

fn an_answer_that_does_not_come_ends_with_the_run(case: &Case) {
    let cancel = CancellationToken::new();
    let asked = cancel.clone();
    let sandbox = with_tools(case)
        .approval(Approval::PerCall)
        .on_call(move |_| {
            asked.cancel();
            std::future::pending()
        })
        .build()
        .unwrap();
    let error = sandbox.run_with(&send(case), RunOptions::new().cancel(cancel)).unwrap_err();
    assert!(matches!(&error, Error::Cancelled { .. }), "{error}");
    assert_eq!(error.partial().unwrap().calls[0].verdict, "cancelled");
}

fn an_answer_that_fails_is_no_approval(case: &Case) {
    let sandbox = with_tools(case)
        .approval(Approval::PerCall)
        .on_call(async |_| panic!("a bug in the hook, on purpose"))
        .build()
        .unwrap();
    let message = "tool `mail.send` was not approved: whoever was asked failed to answer";
    assert_eq!(sandbox.run(&send(case)).unwrap().value, refusal(case, message));
}

fn a_program_is_approved_before_it_starts(case: &Case) {
    let builder = || with_tools(case).approval(Approval::Always);
    let nobody = builder().build().unwrap().run("1").unwrap_err();
    assert!(nobody.to_string().contains("there is nobody to ask"), "{nobody}");
    let asked = Arc::new(Mutex::new(0));
    let seen = asked.clone();
    let sandbox = builder()
        .on_call(move |request| {
            *seen.lock().unwrap() += 1;
            assert_eq!((request.capability, &*request.operation), ("program", "run"));
            async { Decision::Allow }
        })
        .build()
        .unwrap();
    assert_eq!(sandbox.run(&send(case)).unwrap().value, Some(json!("mail.send done")), "its calls are not asked about");
    let mut session = sandbox.session().unwrap();
    futures::executor::block_on(session.run_async("1", RunOptions::new())).unwrap();
    assert_eq!(*asked.lock().unwrap(), 2);
    let refused = sandbox.run_with("1", RunOptions::new().on_call(async |_| Decision::deny("no"))).unwrap_err();
    assert!(matches!(refused, Error::NotApproved { .. }), "{refused}");
    let cancel = CancellationToken::new();
    cancel.cancel();
    let waiting = RunOptions::new().cancel(cancel).on_call(|_| std::future::pending());
    assert!(matches!(sandbox.run_with("1", waiting), Err(Error::Cancelled { .. })));
}

fn a_budget_is_shared_by_runs(case: &Case) {
    let mut limits = Limits::default();
    limits.tool_calls = 100;
    let whole = Budget::new().tool_calls(3);
    let sandbox = with_tools(case).limits(limits).budget(whole.clone()).build().unwrap();
    let twice =
        case.pick("for _ in range(2): call_tool('mail.read')", "for (let n = 0; n < 2; n++) call_tool('mail.read')");
    let own = Budget::new().tool_calls(10).http_requests(5);
    let first = sandbox.run_with(twice, RunOptions::new().budget(own.clone())).unwrap();
    assert_eq!(
        serde_json::to_value(&first.budgets).unwrap(),
        json!([
            {"tool_calls": {"limit": 3, "used": 2}},
            {"tool_calls": {"limit": 10, "used": 2}, "http_requests": {"limit": 5, "used": 0}},
        ])
    );
    let second = sandbox.run(twice).unwrap();
    let error = second.error.unwrap();
    assert!(error.message.contains("3 times by all runs together"), "{}", error.message);
    let verdicts: Vec<_> = second.calls.iter().map(|call| call.verdict).collect();
    assert_eq!(verdicts, ["ok", "budget"]);
    assert_eq!(whole.state().tool_calls.unwrap().left(), 0);
}

fn the_time_of_runs_is_shared(case: &Case) {
    let spent = Budget::new().time(Duration::ZERO);
    let error = case.sandbox().run_with("1", RunOptions::new().budget(spent)).unwrap_err();
    assert!(matches!(error, Error::BudgetSpent { what: "time", .. }), "{error}");
    let budget = Budget::new().time(Duration::from_secs(600));
    case.sandbox().run_with("1", RunOptions::new().budget(budget.clone())).unwrap();
    let short = Budget::new().time(Duration::from_millis(50));
    let endless = case.pick("while True: pass", "for (;;);");
    let error = case.sandbox().run_with(endless, RunOptions::new().budget(short.clone())).unwrap_err();
    assert!(matches!(&error, Error::Timeout { limit, .. } if *limit <= Duration::from_millis(50)), "{error}");
    assert_eq!(short.state().time_ms.unwrap().left(), 0);
}

fn runs_at_the_same_time_get_what_is_left_when_they_start(case: &Case) {
    let together = Arc::new(Barrier::new(2));
    let meet = move |_: serde_json::Value| {
        together.wait();
        Ok::<_, String>(json!(null))
    };
    let meet = Tool::with_schema("meet", "", json!({"type": "object"}), meet).unwrap();
    let budget = Budget::new().time(Duration::from_secs(3));
    // What is only done once shall not cost the runs their time.
    case.sandbox().run("1").unwrap();
    let sandbox = case.builder().tool(meet).budget(budget.clone()).build().unwrap();
    // Once both are there, neither ends by itself.
    let code = case.pick("call_tool('meet')\nwhile True: pass", "call_tool('meet');\nfor (;;);");
    std::thread::scope(|scope| {
        let runs = [(); 2].map(|()| scope.spawn(|| sandbox.run(code)));
        for run in runs {
            let error = run.join().unwrap().unwrap_err();
            let whole = Duration::from_secs(3);
            assert!(matches!(&error, Error::Timeout { limit, .. } if *limit <= whole), "{error}");
        }
    });
    let time = budget.state().time_ms.unwrap();
    assert!(time.used > time.limit, "both were paid for: {time:?}");
    assert!(matches!(sandbox.run("1").unwrap_err(), Error::BudgetSpent { what: "time", .. }));
}

fn results_that_do_not_fit_are_noted_or_refused(case: &Case) {
    let promised =
        json!({"type": "object", "properties": {"state": {"enum": ["open", "closed"]}}, "required": ["state"]});
    let sloppy = |name: &str| {
        let call = |_| Ok::<_, String>(json!({"state": "opened"}));
        Tool::with_schema(name, "", json!({"type": "object"}), call).unwrap().with_output_schema(promised.clone())
    };
    let sandbox = case.builder().tool(sloppy("noted")).tool(sloppy("refused").with_strict_results()).build().unwrap();
    let noted = sandbox.run("call_tool('noted')").unwrap();
    assert_eq!(noted.value, Some(json!({"state": "opened"})));
    let mismatch = "result `state` must be one of \"open\", \"closed\", not \"opened\"\nhint: did you mean \"open\"?";
    assert_eq!((noted.calls[0].verdict, noted.calls[0].mismatch.as_deref()), ("ok", Some(mismatch)));
    let refused = sandbox.run("call_tool('refused')").unwrap();
    assert_eq!(refused.calls[0].verdict, "failed");
    assert!(refused.error.unwrap().message.contains(mismatch));
}
