//! Metrics of runs, calls and instances.

use isolette::{Metrics, RunOptions, Tool, policy::Limits};
use isolette_tests::{Case, scenario};
use serde_json::{Value, json};

/// The value of a metric, which must exist.
fn figure(text: &str, line: &str) -> f64 {
    let found = text.lines().find_map(|other| other.strip_prefix(line)?.strip_prefix(' ')?.parse().ok());
    found.unwrap_or_else(|| panic!("`{line}` is not in:\n{text}"))
}

#[scenario]
fn runs_calls_and_instances_are_counted(case: &Case) {
    let metrics = Metrics::new();
    let (schema, mut limits) = (json!({"type": "object"}), Limits::default());
    limits.calls_recorded = 1;
    let sandbox = case
        .builder()
        .limits(limits)
        .tool(Tool::from_schema("ok", "", schema.clone(), Ok::<_, String>).unwrap())
        .tool(Tool::from_schema("bad", "", schema, |_| Err::<Value, _>("no")).unwrap())
        .metrics(&metrics)
        .build()
        .unwrap();
    let session = sandbox.session().unwrap();
    // Calls that the outcome does not list are counted as well.
    let result = sandbox.run("call_tool('ok')\ncall_tool('ok')\ncall_tool('bad')").unwrap();
    assert_eq!(result.calls.len(), 1);
    sandbox.run("1").unwrap();
    let name = case.language.name();
    let text = metrics.text();
    for (line, expected) in [
        (format!("isolette_runs_total{{language=\"{name}\",ending=\"ok\"}}"), 1.0),
        (format!("isolette_runs_total{{language=\"{name}\",ending=\"exception\"}}"), 1.0),
        (format!("isolette_run_duration_seconds_count{{language=\"{name}\"}}"), 2.0),
        ("isolette_host_calls_total{capability=\"tools\",outcome=\"ok\"}".into(), 2.0),
        ("isolette_host_calls_total{capability=\"tools\",outcome=\"failed\"}".into(), 1.0),
        ("isolette_host_call_duration_seconds_count{capability=\"tools\"}".into(), 3.0),
        ("isolette_runs_live".into(), 0.0),
    ] {
        assert!((figure(&text, &line) - expected).abs() < 0.5, "{line}: {text}");
    }
    assert!(figure(&text, "isolette_guests_live") >= 1.0 && text.ends_with("# EOF\n"), "{text}");
    assert!(figure(&text, "isolette_guest_threads{state=\"busy\"}") >= 1.0, "{text}");
    drop(session);
    while figure(&metrics.text(), "isolette_guests_live") > 0.5 {
        std::thread::yield_now();
    }
}

#[scenario]
fn a_dropped_run_is_counted(case: &Case) {
    let metrics = Metrics::new();
    let (arrived, arrivals) = std::sync::mpsc::channel();
    let hang = move |_: Value| {
        let _ = arrived.send(());
        std::future::pending::<Result<(), String>>()
    };
    let sandbox = case.builder().tool_typed_async("hang", "", hang).metrics(&metrics).build().unwrap();
    let tokio = tokio::runtime::Builder::new_current_thread().build().unwrap();
    tokio.block_on(async {
        let arrived = async {
            while arrivals.try_recv().is_err() {
                tokio::task::yield_now().await;
            }
            assert!(figure(&metrics.text(), "isolette_runs_live") > 0.5);
        };
        tokio::select! {
            _ = sandbox.run_async("call_tool('hang')", RunOptions::new()) => panic!("it never ends by itself"),
            () = arrived => {}
        }
    });
    let cancelled = format!("isolette_runs_total{{language=\"{}\",ending=\"Cancelled\"}}", case.language.name());
    assert!((figure(&metrics.text(), &cancelled) - 1.0).abs() < 0.5);
}
