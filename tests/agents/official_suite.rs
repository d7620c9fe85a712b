//! The official conformance suite of the protocol, without its tests of prompts and of tools that only exist for the suite.

use std::{
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Command, Stdio},
};

use isolette_tests::{
    Skipped,
    agents::{HttpServer, node, node_for_suite, servers, settings},
    brewery::{Brewery, Variant},
    host_test,
};
use serde_json::Value;

/// The tests of each revision that apply to every server.
const SCENARIOS: [(&str, &[&str]); 3] = [
    ("2025-03-26", &["server-session-lifecycle"]),
    (
        "2025-11-25",
        &[
            "server-initialize",
            "server-session-lifecycle",
            "ping",
            "tools-list",
            "resources-list",
            "server-sse-polling",
            "server-sse-multiple-streams",
            "dns-rebinding-protection",
        ],
    ),
    (
        "2026-07-28",
        &[
            "server-stateless",
            "tools-list",
            "resources-list",
            "server-sse-multiple-streams",
            "sep-2164-resource-not-found",
            "caching",
            "http-header-validation",
            "input-required-result-unsupported-methods",
            "dns-rebinding-protection",
        ],
    ),
];

/// The tests of servers with tasks, which belong to no revision.
const TASKS: [&str; 7] = [
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-lifecycle",
    "tasks-request-headers",
    "tasks-request-state-removal",
    "tasks-dispatch-and-envelope",
    "tasks-mrtr-input",
];

/// Tests of tasks that no program can pass: a protocol error as result, and two questions at the same time.
const NOT_OURS: [&str; 2] = ["sep-2663-tasks-get-status-failed", "tasks-mrtr-partial-fulfillment"];

#[host_test]
fn the_official_mcp_suite_passes() -> Result<(), Skipped> {
    let suite = Suite::installed()?;
    let server = HttpServer::start(&[]);
    for (revision, scenarios) in SCENARIOS {
        for scenario in scenarios {
            for check in suite.checks(&server.url, scenario, &["--spec-version", revision]) {
                let text = |field: &str| check[field].as_str().unwrap_or_default();
                let wants_more = text("errorMessage")
                    .starts_with("Not testable: server does not list the diagnostic tool")
                    || text("id") == "sep-2549-prompts-list-caching-hints";
                assert!(check["status"] != "FAILURE" || wants_more, "{scenario} of {revision}: {check}");
            }
        }
    }
    Ok(())
}

/// The tools that the suite calls are programs here (`servers/suite.mjs`).
#[host_test]
fn the_official_mcp_suite_for_tasks_passes() -> Result<(), Skipped> {
    let suite = Suite::installed()?;
    let api = Brewery::start(Variant::Plain);
    let settings = settings("task_after = '2s'");
    let path = settings.path().to_str().expect("UTF-8");
    let base = api.base_url();
    let server =
        HttpServer::start(&["--config", path, "--timeout", "5m", "--base-url", &base, "--approval", "per-call"]);
    let mut tools = Command::new(&suite.node)
        .arg(servers().join("suite.mjs"))
        .arg(&server.url)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the tools are served");
    let mut url = String::new();
    BufReader::new(tools.stdout.take().expect("it was asked for")).read_line(&mut url).expect("their URL");
    for scenario in TASKS {
        for check in suite.checks(url.trim_end(), scenario, &["--force"]) {
            let ours = check["id"].as_str().is_none_or(|id| !NOT_OURS.contains(&id));
            assert!(check["status"] == "SUCCESS" || !ours, "{scenario}: {check}");
        }
    }
    drop(tools.stdin.take());
    assert!(tools.wait().expect("it ends with its input").success());
    Ok(())
}

/// The suite, and the Node that runs it.
struct Suite {
    program: PathBuf,
    node: PathBuf,
}

impl Suite {
    fn installed() -> Result<Self, Skipped> {
        let program = node()?.join("node_modules/@modelcontextprotocol/conformance/dist/index.js");
        Ok(Self { program, node: node_for_suite()? })
    }

    /// The successful checks of a scenario.
    fn checks(&self, url: &str, scenario: &str, more: &[&str]) -> Vec<Value> {
        let results = tempfile::tempdir().expect("a folder");
        let output = Command::new(&self.node)
            .arg(&self.program)
            .args(["server", "--url", url, "--scenario", scenario])
            .args(more)
            .arg("--output-dir")
            .arg(results.path())
            .output()
            .expect("the suite runs");
        let folder = std::fs::read_dir(results.path()).expect("results").next();
        let checks = folder.and_then(|folder| std::fs::read(folder.ok()?.path().join("checks.json")).ok());
        let checks = checks.unwrap_or_else(|| panic!("{scenario}: {}", String::from_utf8_lossy(&output.stdout)));
        let checks: Vec<Value> = serde_json::from_slice(&checks).expect("JSON");
        assert!(checks.iter().any(|check| check["status"] == "SUCCESS"), "{scenario} checked nothing: {checks:?}");
        checks
    }
}
