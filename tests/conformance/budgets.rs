//! Budgets shared by several runs.

use std::{
    sync::{Arc, Barrier},
    time::Duration,
};

use isolette::{Budget, Error, RunOptions, Tool, policy::Limits};
use isolette_tests::{Case, Skipped, engines, scenario};
use serde_json::json;

use crate::approval::with_tools;

/// The time of a budget in which some guests start at once, and none of whose programs ends by itself.
fn seconds() -> u64 {
    if engines::emulated() { 50 } else { 5 }
}

#[scenario]
fn runs_share_a_budget(case: &Case) {
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
    let outcomes: Vec<_> = second.calls.iter().map(|call| call.outcome.as_str()).collect();
    assert_eq!(outcomes, ["ok", "budget"]);
    assert_eq!(whole.state().tool_calls.unwrap().remaining(), 0);
}

#[scenario]
fn concurrent_runs_use_a_time_budget_up_together(case: &Case) {
    let together = Arc::new(Barrier::new(4));
    let meet = move |_: serde_json::Value| {
        together.wait();
        Ok::<_, String>(json!(null))
    };
    let meet = Tool::from_schema("meet", "", json!({"type": "object"}), meet).unwrap();
    let budget = Budget::new().time(Duration::from_secs(seconds()));
    // Initialisation must not count as time of the runs.
    case.sandbox().run("1").unwrap();
    let sandbox = case.builder().tool(meet).budget(budget.clone()).build().unwrap();
    // After all have started, none ends by itself. Two are programs of sessions.
    let code = case
        .pick("print('out')\ncall_tool('meet')\nwhile True: pass", "console.log('out'); call_tool('meet'); for (;;);");
    std::thread::scope(|scope| {
        let runs = [true, true, false, false].map(|in_session| {
            let sandbox = &sandbox;
            scope.spawn(move || match in_session {
                true => sandbox.session().unwrap().run(code),
                false => sandbox.run(code),
            })
        });
        for run in runs {
            let error = run.join().unwrap().unwrap_err();
            let Error::BudgetSpent { what: "time", limit, partial: Some(partial), .. } = &error else {
                panic!("{error}");
            };
            assert_eq!((limit.as_str(), partial.stdout.as_str()), (format!("{}s", seconds()).as_str(), "out\n"));
            let text = error.to_string();
            assert!(text.contains("the budget for time") && text.contains("and the run was ended"), "{text}");
        }
    });
    let time = budget.state().time_ms.unwrap();
    // Without it, each of them would have taken it all.
    assert!(time.used >= time.limit && time.used < 2 * time.limit, "{time:?}");
    let error = sandbox.run("1").unwrap_err();
    assert!(matches!(&error, Error::BudgetSpent { what: "time", partial: None, .. }), "{error}");
    let none_left = format!("of {}s are used, and the run was not begun", seconds());
    assert!(error.to_string().contains(&none_left), "{error}");
}

#[scenario]
fn a_run_returns_the_time_that_it_does_not_use(case: &Case) {
    let budget = Budget::new().time(Duration::from_secs(600));
    case.sandbox().run("1").unwrap();
    let sandbox = case.builder().budget(budget.clone()).build().unwrap();
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..8).map(|_| scope.spawn(|| sandbox.run("1").unwrap())).collect();
        let spent: f64 = runs.into_iter().map(|run| run.join().unwrap().usage.wall_ms).sum();
        let used = budget.state().time_ms.unwrap().used;
        assert!((used as f64) < spent + 8.0 * 50.0, "{used} ms, and {spent} ms passed");
    });
    // A caller that gives up is charged for what has passed.
    let cancel = isolette::CancellationToken::new();
    cancel.cancel();
    let error = sandbox.run_with("1", RunOptions::new().cancel(cancel)).unwrap_err();
    assert!(matches!(error, Error::Cancelled { .. }), "{error}");
}

#[scenario]
fn a_paused_program_uses_no_time_of_a_budget(case: &Case) -> Result<(), Skipped> {
    let budget = Budget::new().time(Duration::from_secs(seconds()));
    let mut limits = case.limits();
    // The budget ends a program first, on emulated machines too.
    (limits.timeout, limits.cpu_time) = (limits.timeout * 10, limits.cpu_time * 10);
    let sandbox = crate::pauses::builder(case)?.limits(limits).budget(budget.clone()).build().unwrap();
    let code = case.pick("call_tool('ask', number=1)\n1", "call_tool('ask', { number: 1 }); 1");
    let first = crate::pauses::paused(sandbox.start(code).unwrap());
    let mut second = crate::pauses::paused(sandbox.start(code).unwrap());
    let before = budget.state().time_ms.unwrap().used;
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(budget.state().time_ms.unwrap().used, before);
    assert_eq!(crate::pauses::done(second.resume(crate::pauses::value(1)).unwrap()).value, Some(json!(1)));
    // One that goes on when nothing is left ends at once.
    let endless = case.pick("while True: pass", "for (;;);");
    assert!(matches!(sandbox.run(endless).unwrap_err(), Error::BudgetSpent { partial: Some(_), .. }));
    let mut first = first;
    let error = first.resume(crate::pauses::value(1)).unwrap_err();
    assert!(matches!(&error, Error::BudgetSpent { what: "time", partial: Some(_), .. }), "{error}");
    Ok(())
}

#[scenario]
fn a_call_that_one_budget_refuses_is_not_counted_by_another(case: &Case) {
    let (whole, own) = (Budget::new().tool_calls(10), Budget::new().tool_calls(1));
    let sandbox = with_tools(case).budget(whole.clone()).build().unwrap();
    let twice =
        case.pick("for _ in range(2): call_tool('mail.read')", "for (let n = 0; n < 2; n++) call_tool('mail.read')");
    let result = sandbox.run_with(twice, RunOptions::new().budget(own)).unwrap();
    assert!(result.error.unwrap().message.contains("1 times by all runs together"));
    assert_eq!(whole.state().tool_calls.unwrap().used, 1);
}

#[scenario]
fn concurrent_runs_do_not_exceed_a_budget_of_calls(case: &Case) {
    let budget = Budget::new().tool_calls(10);
    let sandbox = with_tools(case).budget(budget.clone()).build().unwrap();
    let code = case.pick(
        "n = 0\ntry:\n    while n < 5:\n        call_tool('mail.read')\n        n += 1\nexcept ToolError: pass\nn",
        "let n = 0; try { while (n < 5) { call_tool('mail.read'); n++; } } catch (error) {} n",
    );
    let made: i64 = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..6).map(|_| scope.spawn(|| sandbox.run(code).unwrap())).collect();
        runs.into_iter().map(|run| run.join().unwrap().value.unwrap().as_i64().unwrap()).sum()
    });
    assert_eq!((made, budget.state().tool_calls.unwrap().used), (10, 10));
}

#[scenario]
fn runs_share_a_time_budget(case: &Case) {
    let spent = Budget::new().time(Duration::ZERO);
    let error = case.sandbox().run_with("1", RunOptions::new().budget(spent)).unwrap_err();
    assert!(matches!(error, Error::BudgetSpent { what: "time", partial: None, .. }), "{error}");
    let budget = Budget::new().time(Duration::from_secs(600));
    case.sandbox().run_with("1", RunOptions::new().budget(budget.clone())).unwrap();
    let short = Budget::new().time(Duration::from_millis(50));
    let endless = case.pick("while True: pass", "for (;;);");
    let error = case.sandbox().run_with(endless, RunOptions::new().budget(short.clone())).unwrap_err();
    assert!(matches!(&error, Error::BudgetSpent { what: "time", .. }), "{error}");
    assert!(error.partial().is_some_and(|partial| partial.budgets[0].time_ms.unwrap().remaining() == 0), "{error}");
    assert_eq!(short.state().time_ms.unwrap().remaining(), 0);
    // The limit of the run applies as well.
    let options = RunOptions::new().budget(budget).timeout(Duration::from_millis(50));
    assert!(matches!(case.sandbox().run_with(endless, options).unwrap_err(), Error::Timeout { .. }));
}
