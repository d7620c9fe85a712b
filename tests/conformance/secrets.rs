//! Secrets that the host adds to requests: they reach the server, and never the program.

use std::{
    fs,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    http::{HeaderMap, StatusCode, header::LOCATION},
    routing::get,
};
use insta::assert_snapshot;
use isolette::{
    HeaderSecret,
    audit::{Audit, RecordedArguments},
    policy::{Approval, Decision, PolicyFile},
};
use isolette_tests::{Case, host_test, isolette, scenario, server::Server, transcript};
use serde_json::{Value, json};

const SECRET: &str = "hunter2-token";

/// Returns the request in every part of the response.
fn echo(seen: &Arc<Mutex<Vec<String>>>) -> Server {
    let log = seen.clone();
    let sent = move |headers: &HeaderMap| {
        let sent = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        log.lock().unwrap().push(sent.clone());
        sent
    };
    let (of_body, of_header, of_moved) = (sent.clone(), sent.clone(), sent.clone());
    let moved = move |headers: HeaderMap| async move {
        (StatusCode::FOUND, [(LOCATION, format!("/?key={}", of_moved(&headers).replace(' ', "+")))])
    };
    let nowhere = move |headers: HeaderMap| async move {
        (StatusCode::FOUND, [(LOCATION, format!("http://elsewhere.example/{}", sent(&headers).replace(' ', "+")))])
    };
    Server::start(
        Router::new()
            .route("/", get(async move |headers: HeaderMap| format!("you sent {}", of_body(&headers))))
            .route("/header", get(async move |headers: HeaderMap| ([("x-echo", of_header(&headers))], "")))
            .route("/moved", get(moved))
            .route("/nowhere", get(nowhere)),
    )
}

#[scenario(programs = ["secrets/search"])]
fn a_secret_reaches_the_server_and_not_the_program(case: &Case) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let server = echo(&seen);
    let folder = tempfile::tempdir().unwrap();
    let asked = Arc::new(Mutex::new(String::new()));
    let noted = asked.clone();
    let sandbox = case
        .builder()
        .allow(&server.origin())
        .secret(HeaderSecret::new("api", SECRET, &server.origin()).unwrap())
        .variable("ECHO", server.origin())
        .temp_output()
        .audit(&Audit::file(folder.path().join("audit.jsonl")).unwrap())
        .record_arguments(RecordedArguments::Whole)
        .approval(Approval::PerCall)
        .approver(move |request| {
            noted.lock().unwrap().push_str(&serde_json::to_string(&request).unwrap());
            async { Decision::Allow }
        })
        .build()
        .unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    assert_eq!(result.error, None);
    // The server did not receive the program's own header.
    let seen = seen.lock().unwrap().clone();
    assert!(seen.len() >= 4 && seen.iter().all(|sent| *sent == format!("Bearer {SECRET}")), "{seen:?}");
    assert_eq!(result.value.as_ref().unwrap()[2], "you sent Bearer [redacted]");
    let file = result.read_output("/output/seen.txt", 10 << 20).unwrap();
    for (what, text) in [
        ("outcome", serde_json::to_string(&result).unwrap()),
        ("outcome for debugging", format!("{result:?}")),
        ("sandbox for debugging", format!("{sandbox:?}")),
        ("explanation", format!("{} {}", sandbox.explain(), serde_json::to_string(&sandbox.explain()).unwrap())),
        ("file", String::from_utf8(file).unwrap()),
        ("audit", fs::read_to_string(folder.path().join("audit.jsonl")).unwrap()),
        ("questions", asked.lock().unwrap().clone()),
    ] {
        assert!(!text.contains(SECRET), "{what}: {text}");
        assert!(
            what == "sandbox for debugging" || text.contains("api") || text.contains("[redacted]"),
            "{what}: {text}"
        );
    }
}

const POLICY: &str = "
allow = ['https://api.example.com', 'http://127.0.0.1']
[secrets.api]
from = 'file:key'
rule = 'https://api.example.com/v1'
[secrets.other]
from = 'env:NOT_SET'
rule = 'GET https://api.example.com'
header = 'X-Api-Key'
";

#[host_test]
fn secrets_are_given_by_flag_or_policy() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let server = echo(&seen);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("policy.toml"), POLICY).unwrap();
    fs::write(folder.path().join("key"), format!("{SECRET}\n")).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = isolette();
        command.args(arguments).current_dir(folder.path()).env("API_TOKEN", SECRET).output().unwrap()
    };
    // Variables and files need not exist for printing a policy.
    let shown = run(&["policy", "show", "policy.toml", "--secret-header", "other=Authorization: token"]);
    assert_snapshot!("policy-show-secrets", transcript(&shown));
    let shown = run(&["policy", "show", "policy.toml", "--json"]);
    let policy: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(
        policy["secrets"][0],
        json!({"name": "api", "rule": "https://api.example.com/v1", "header": "Authorization: Bearer"})
    );

    let origin = server.origin();
    let rule = format!("api={origin}");
    for place in ["api=env:API_TOKEN", "api=file:key"] {
        let code = format!("http_get('{origin}/')['text']");
        let flags = ["--allow", &origin, "--secret", place, "--secret-rule", &rule];
        let output = run(&[&["-vv", "run", "--json", "--lang", "python", "-c", &code], flags.as_slice()].concat());
        let report: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", transcript(&output)));
        assert_eq!(report["value"], "you sent Bearer [redacted]");
        assert!(!transcript(&output).contains(SECRET), "{}", transcript(&output));
        let explained = run(&[&["run", "--explain", "-c", "1"], flags.as_slice()].concat());
        let reported = transcript(&explained);
        assert!(
            reported.contains("secret      api as `Authorization: Bearer`") && !reported.contains(SECRET),
            "{reported}"
        );
    }
    assert_eq!(*seen.lock().unwrap(), [format!("Bearer {SECRET}"), format!("Bearer {SECRET}")]);
}

#[host_test]
fn invalid_secrets_are_reported_without_their_text() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("short"), "hunter2").unwrap();
    fs::write(folder.path().join("lines"), "hunter2-token\nhunter2-token").unwrap();
    let mut reported = String::new();
    for arguments in [
        ["--secret", "api=hunter2-token", "--allow", "a.example"],
        ["--secret", "api=env:NOT_SET", "--secret-rule", "api=a.example"],
        ["--secret", "api=file:short", "--secret-rule", "api=a.example"],
        ["--secret", "api=file:lines", "--secret-rule", "api=a.example"],
        ["--secret", "api=file:no", "--secret-rule", "api=a.example"],
        ["--secret", "api=file:short", "--allow", "a.example"],
        ["--secret-rule", "api=a.example", "--allow", "a.example"],
    ] {
        let output = isolette().args(["run", "-c", "1"]).args(arguments).current_dir(folder.path()).output().unwrap();
        assert_ne!(output.status.code(), Some(0));
        reported += &format!(
            "{}\n{}\n",
            arguments.join(" ").replace("hunter2-token", "[a secret]"),
            String::from_utf8(output.stderr).unwrap()
        );
    }
    for text in [
        "[secrets.a]\nfrom = 'hunter2-token'",
        "[secrets.a]\nform = 'env:A'",
        "[secrets.a]\nfrom = 'env:A'\nrule = 'https://a.example'",
    ] {
        let error = PolicyFile::parse(text).and_then(|file| file.check()).unwrap_err();
        reported += &format!("{}\n{error}\n\n", text.replace("hunter2-token", "[a secret]"));
    }
    assert!(!reported.contains("hunter2"), "{reported}");
    assert_snapshot!("secret-mistakes", reported);
}
