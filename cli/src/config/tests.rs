use std::time::Duration;

use isolette_mcp::Profile;

use super::*;

fn problem(text: &str) -> (String, String) {
    Config::parse(text).map(|_| ()).expect_err("an invalid file")
}

#[test]
fn the_documented_example_is_one() {
    let text = include_str!("../../../examples/mcp/isolette.toml");
    let config = Config::parse(text).unwrap();
    assert_eq!(config.server.profile, Some(Profile::CodeMode));
    assert_eq!(config.sandbox.timeout, Some(Duration::from_secs(20)));
}

#[test]
fn an_unknown_key_is_reported_with_the_nearest() {
    let (message, hint) = problem("[server]\nprofil = 'codeact'\n");
    assert!(message.contains("unknown field `profil`") && message.contains("line 2"), "{message}");
    assert_eq!(hint, "did you mean `profile`?");
    let (_, hint) = problem("[sandbox]\nbase_url = []\n");
    assert_eq!(hint, "did you mean `base_urls`?");
    let (_, hint) = problem("[zebra]\n");
    assert!(hint.contains("docs/mcp.md"), "{hint}");
}

#[test]
fn values_are_checked_where_they_stand() {
    for (text, expected) in [
        ("[server]\nprofile = 'best'", "use `codeact`, `codemode` or `sessions`"),
        ("[sandbox]\ntimeout = '30'", "as in `500ms`"),
        ("[sandbox]\nmemory = 'much'", "as in `256MiB`"),
        ("[sandbox]\nlanguages = ['cobol']", "unknown language `cobol`"),
        ("[[sandbox.mounts]]\nhost = 'a'\nguest = '/a'\naccess = 'all'", "use `ro` or `rw`"),
    ] {
        let (message, _) = problem(text);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_budget_is_parsed_in_parts() {
    let limits = Config::parse("[server.budget]\ntool_calls = 5\ntime = '1m'").unwrap().server.limits();
    assert_eq!((limits.budget.tool_calls, limits.budget.http_requests), (Some(5), None));
    assert_eq!(limits.budget.time, Some(Duration::from_secs(60)));
    let limits = Config::parse("[server]\nbudget = { time = 'unlimited' }").unwrap().server.limits();
    assert_eq!(limits.budget.time, None);
    let (message, _) = problem("[server.budget]\ncalls = 5");
    assert!(message.contains("unknown field `calls`"), "{message}");
}

#[test]
fn secrets_are_named_and_never_repeated() {
    let config = Config::parse("[server]\ntoken = 'env:TOKEN'").unwrap();
    assert_eq!(config.server.token, Some(SecretReference::Variable("TOKEN".into())));
    let (message, _) = problem("[server]\ntoken = 'hunter2'");
    assert!(message.contains("line 2: a secret is named by `env:VARIABLE` or `file:PATH`"), "{message}");
    assert!(!message.contains("hunter2"), "{message}");
}

#[test]
fn paths_are_meant_from_where_the_file_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("isolette.toml");
    std::fs::write(
        &file,
        "[sandbox]\ninput = 'data'\n[[openapi]]\nsource = 'api.yaml'\n[[openapi]]\nsource = 'http://x/y'\n",
    )
    .unwrap();
    let config = Config::read(Some(&file)).unwrap();
    assert_eq!(config.sandbox.input, Some(folder.path().join("data")));
    assert_eq!(config.openapi[0].source, folder.path().join("api.yaml").display().to_string());
    assert_eq!(config.openapi[1].source, "http://x/y");
}
