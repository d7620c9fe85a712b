//! Budgets shared by several runs.

use std::{
    sync::{Arc, Barrier},
    time::Duration,
};

use isolette::{Budget, Error, RunOptions, Tool, policy::Limits};
use isolette_tests::{Case, scenario};
use serde_json::json;

use crate::approval::with_tools;

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
fn concurrent_runs_start_with_the_remaining_budget(case: &Case) {
    let together = Arc::new(Barrier::new(2));
    let meet = move |_: serde_json::Value| {
        together.wait();
        Ok::<_, String>(json!(null))
    };
    let meet = Tool::from_schema("meet", "", json!({"type": "object"}), meet).unwrap();
    let budget = Budget::new().time(Duration::from_secs(5));
    // Initialisation must not count as time of the runs.
    case.sandbox().run("1").unwrap();
    let sandbox = case.builder().tool(meet).budget(budget.clone()).build().unwrap();
    // After both have started, neither ends by itself.
    let code = case.pick("call_tool('meet')\nwhile True: pass", "call_tool('meet');\nfor (;;);");
    std::thread::scope(|scope| {
        let runs = [(); 2].map(|()| scope.spawn(|| sandbox.run(code)));
        for run in runs {
            let error = run.join().unwrap().unwrap_err();
            let whole = Duration::from_secs(5);
            assert!(matches!(&error, Error::Timeout { limit, .. } if *limit <= whole), "{error}");
        }
    });
    let time = budget.state().time_ms.unwrap();
    assert!(time.used > time.limit, "both were paid for: {time:?}");
    assert!(matches!(sandbox.run("1").unwrap_err(), Error::BudgetSpent { what: "time", .. }));
}

#[scenario]
fn runs_share_a_time_budget(case: &Case) {
    let spent = Budget::new().time(Duration::ZERO);
    let error = case.sandbox().run_with("1", RunOptions::new().budget(spent)).unwrap_err();
    assert!(matches!(error, Error::BudgetSpent { what: "time", .. }), "{error}");
    let budget = Budget::new().time(Duration::from_secs(600));
    case.sandbox().run_with("1", RunOptions::new().budget(budget.clone())).unwrap();
    let short = Budget::new().time(Duration::from_millis(50));
    let endless = case.pick("while True: pass", "for (;;);");
    let error = case.sandbox().run_with(endless, RunOptions::new().budget(short.clone())).unwrap_err();
    assert!(matches!(&error, Error::Timeout { limit, .. } if *limit <= Duration::from_millis(50)), "{error}");
    assert_eq!(short.state().time_ms.unwrap().remaining(), 0);
}
