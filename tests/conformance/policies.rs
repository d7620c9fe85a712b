//! Policy files: how the command line shows them, and that they are enforced.

use std::fs;

use insta::{assert_snapshot, with_settings};
use isolette::policy::PolicyFile;
use isolette_tests::{Case, host_test, isolette, scenario, transcript};
use serde_json::{Value, json};
use tempfile::TempDir;

const POLICY: &str = "
profile = 'tight'
allow = ['GET https://api.example.com/v1']
approval = ['allow weather.*', 'ask *']
tools = ['weather.*']
mounts = [{ host = '.', guest = '/data' }]

[limits]
tool_calls = 3
stdout = '4KiB'
calls_recorded = 'unlimited'

[profiles.tight]
timeout = '5s'
memory = '128MiB'
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("policy.toml"), POLICY).unwrap();
    folder
}

fn run(folder: &TempDir, arguments: &[&str]) -> std::process::Output {
    isolette().args(arguments).current_dir(folder.path()).output().unwrap()
}

#[scenario]
fn a_policy_file_is_enforced(case: &Case) {
    let file = PolicyFile::parse("[limits]\nstdout = '1KiB'\ntool_calls = 0\nerror = '64B'").unwrap();
    let tool = |_: Value| Ok::<_, String>(1);
    let builder = case.builder().tool_typed("weather", "", tool).tool_typed("other", "", tool).allow_tools("weather");
    let sandbox = builder.policy_file(&file).build().unwrap();
    assert_eq!(sandbox.explain().policy.tools, ["weather"]);
    let program = case.pick(
        "print('x' * 2000)\ncall_tool('weather', a='y' * 500)",
        "console.log('x'.repeat(2000)); call_tool('weather', { a: 'y'.repeat(500) })",
    );
    let result = sandbox.run(program).unwrap();
    let error = result.error.clone().expect("no call is allowed");
    assert_eq!(result.stdout.len(), 1024);
    assert!(error.message.len() <= 64 && result.truncated.error > 0, "{error:?}");
    let reached: Value = serde_json::to_value(&result.limits_reached).unwrap();
    let names: Vec<_> = reached.as_array().unwrap().iter().map(|limit_hit| limit_hit["name"].clone()).collect();
    assert_eq!(names, [json!("stdout"), json!("tool_calls"), json!("error")]);
    assert_eq!(
        reached[1],
        json!({"name": "tool_calls", "limit": 0, "used": 1, "hint": "raise `limits.tool_calls` in the policy"})
    );
}

#[host_test]
fn policy_show_prints_the_effective_policy() {
    let folder = folder();
    with_settings!({filters => [(r"from \S+", "from [directory]")]}, {
        assert_snapshot!("policy-show", transcript(&run(&folder, &["policy", "show", "policy.toml"])));
        assert_snapshot!("policy-show-locked", transcript(&run(&folder, &["policy", "show"])));
        assert_snapshot!("policy-check", transcript(&run(&folder, &["policy", "check", "policy.toml"])));
    });
    let shown: Value =
        serde_json::from_slice(&run(&folder, &["policy", "show", "policy.toml", "--json"]).stdout).unwrap();
    assert_eq!(shown["limits"]["timeout_ms"], 5000);
    assert_eq!(shown["network"]["rules"], json!(["GET https://api.example.com/v1"]));
}

#[host_test]
fn explain_and_policy_show_agree() {
    let folder = folder();
    let shown = run(&folder, &["policy", "show", "policy.toml"]);
    let explained = run(&folder, &["run", "--policy", "policy.toml", "--explain", "-c", "1"]);
    let explained = String::from_utf8(explained.stdout).unwrap();
    for line in String::from_utf8(shown.stdout).unwrap().lines() {
        assert!(explained.lines().any(|other| other == line), "`{line}` is missing: {explained}");
    }
}

#[host_test]
fn flags_override_the_policy_file_and_it_the_defaults() {
    let folder = folder();
    let shown = |arguments: &[&str]| -> Value {
        let output = run(&folder, &[&["policy", "show", "--json"], arguments].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", transcript(&output)))
    };
    let policy = shown(&["--policy", "policy.toml", "--timeout", "1s", "--allow", "b.example"]);
    assert_eq!(policy["limits"]["timeout_ms"], 1000);
    assert_eq!(policy["limits"]["memory"], 128 << 20, "from the file's profile");
    assert_eq!(policy["limits"]["value"], 1 << 20, "by default");
    assert_eq!(policy["network"]["rules"], json!(["GET https://api.example.com/v1", "b.example"]));
    assert_eq!(shown(&["--policy-profile", "web"])["network"], json!({"mode": "web"}));
    for mode in ["none", "web", "full"] {
        assert_eq!(shown(&["--policy", "policy.toml", "--network", mode])["network"], json!({ "mode": mode }));
    }
    assert_eq!(shown(&["policy.toml", "--policy-profile", "locked"])["limits"]["timeout_ms"], 30_000);
}

#[host_test]
fn invalid_policies_are_reported_with_a_remedy() {
    let folder = folder();
    let cases = [
        ("unknown.toml", "[limits]\ntool_cals = 3"),
        ("profile.toml", "profile = 'lockd'"),
        ("rule.toml", "allow = ['ftp://x']"),
        ("other-profile.toml", "[profiles.ci]\nallow = ['ftp://x']"),
        ("approval.toml", "approval = ['deny http odd', 'allow http']"),
        ("value.toml", "timeout = 'soon'"),
        ("conflict.toml", "network = 'full'\nallow = ['a.example']"),
        ("headers.toml", "[limits]\nhttp_header_bytes = '1MiB'"),
    ];
    let mut reported = String::new();
    for (name, text) in cases {
        fs::write(folder.path().join(name), text).unwrap();
        let output = run(&folder, &["policy", "check", name]);
        assert_eq!(output.status.code(), Some(102), "{}", transcript(&output));
        reported += &format!("{text}\n{}\n", String::from_utf8(output.stderr).unwrap());
    }
    assert_snapshot!("policy-mistakes", reported);
}
