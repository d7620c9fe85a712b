//! The official conformance suite of the protocol, as far as it is about servers of tools: what wants prompts, or tools that were
//! made for the suite, is not ours to pass.

use std::process::Command;

use isolette_tests::{
    Skipped,
    agents::{HttpServer, node, node_for_suite},
    host_tests,
};
use serde_json::Value;

host_tests! {
    the_official_suite_passes;
}

/// Of each revision, what it wants of every server.
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

fn the_official_suite_passes() -> Result<(), Skipped> {
    let (suite, node) =
        (node()?.join("node_modules/@modelcontextprotocol/conformance/dist/index.js"), node_for_suite()?);
    let server = HttpServer::start(&[]);
    for (revision, scenarios) in SCENARIOS {
        for scenario in scenarios {
            let results = tempfile::tempdir().expect("a folder");
            let output = Command::new(&node)
                .arg(&suite)
                .args(["server", "--url", &server.url, "--scenario", scenario, "--spec-version", revision])
                .arg("--output-dir")
                .arg(results.path())
                .output()
                .expect("the suite runs");
            let folder = std::fs::read_dir(results.path()).expect("results").next();
            let checks = folder.and_then(|folder| std::fs::read(folder.ok()?.path().join("checks.json")).ok());
            let checks = checks.unwrap_or_else(|| panic!("{scenario}: {}", String::from_utf8_lossy(&output.stdout)));
            let checks: Vec<Value> = serde_json::from_slice(&checks).expect("JSON");
            assert!(checks.iter().any(|check| check["status"] == "SUCCESS"), "{scenario} checked nothing: {checks:?}");
            for check in checks.iter().filter(|check| check["status"] == "FAILURE") {
                let text = |field: &str| check[field].as_str().unwrap_or_default();
                let wants_more = text("errorMessage")
                    .starts_with("Not testable: server does not list the diagnostic tool")
                    || text("id") == "sep-2549-prompts-list-caching-hints";
                assert!(wants_more, "{scenario} of {revision}: {check}");
            }
        }
    }
    Ok(())
}
