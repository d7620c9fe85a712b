use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::{Limits, Policy, PolicyBuilder, network::Network};

fn policy(text: &str) -> Policy {
    PolicyFile::parse(text).and_then(|file| file.check()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn mistake(text: &str) -> String {
    PolicyFile::parse(text).and_then(|file| file.check()).expect_err(text).to_string()
}

#[test]
fn nothing_said_is_the_default_and_the_default_is_locked() {
    for text in ["", "profile = 'locked'"] {
        let policy = policy(text);
        assert_eq!((policy.network, policy.limits), (Network::None, Limits::default()));
    }
    assert_eq!(policy("profile = 'web'").network, Network::Web);
    assert_eq!(policy("profile = 'full'").network, Network::Full);
}

#[test]
fn a_file_is_written_as_it_was_read() {
    let text = r#"
        profile = "ci"
        languages = ["python", "javascript"]
        isolation = "process"
        tool_calls = "sync"
        dialect = "codex"
        image = "./image"
        network = "allowlist"
        allow = ["GET https://api.example.com/v1"]
        base_urls = ["https://example.com"]
        input = "in"
        output = "out"
        tools = ["github.*"]
        capabilities = ["acme:weather/forecast.get"]
        timeout = "1m 30s 5ms"
        memory = "100MiB"
        approval = ["ask github.*", "deny http DELETE"]
        mounts = [{ host = "a", guest = "/a" }, { host = "b", guest = "/b", access = "rw" }]
        [secrets.one]
        from = "env:TOKEN"
        rule = "https://api.example.com"
        header = "X-Api-Key"
        [secrets.two]
        from = "file:secret"
        [variables]
        LIMIT = [1, "two"]
        [limits]
        stdout = "64KiB"
        tool_calls = "unlimited"
        sleep = "unlimited"
        http_requests = 7
        [profiles.ci]
        timeout = "unlimited"
        approval = "never"
    "#;
    let file = PolicyFile::parse(text).unwrap();
    let written = serde_json::to_value(&file).unwrap();
    assert_eq!(serde_json::from_value::<PolicyFile>(written.clone()).unwrap(), file);
    assert_eq!(written["memory"], "104857600B");
    assert_eq!(serde_json::to_value(PolicyFile::default()).unwrap(), serde_json::json!({}));
}

#[test]
fn calls_and_dialects_are_set_by_name() {
    let parsed = |text: &str| PolicyFile::parse(text).unwrap();
    let below = parsed("tool_calls = 'sync'\ndialect = 'codex'");
    let merged = parsed("tool_calls = 'async'").over(below).unwrap();
    assert_eq!((merged.tool_calls, merged.dialect), (Some(ToolCalls::Async), Some(Dialect::Codex)));
    assert!(mistake("tool_calls = 'both'").contains("use `auto`, `sync` or `async`"));
    assert!(mistake("dialect = 'cobol'").contains("unknown dialect `cobol`"));
}

#[test]
fn profiles_of_a_file_are_founded_on_others() {
    let text = "
        profile = 'ci'
        timeout = '5s'
        [profiles.base]
        profile = 'full'
        memory = '64MiB'
        limits = { tool_calls = 7, stdout = '1KiB' }
        [profiles.ci]
        profile = 'base'
        timeout = '9s'
        network = 'none'
        limits = { tool_calls = 8 }
    ";
    let policy = policy(text);
    assert_eq!(policy.network, Network::None);
    assert_eq!(policy.limits.timeout, Duration::from_secs(5), "the file goes over its profile");
    assert_eq!((policy.limits.memory, policy.limits.stdout), (64 << 20, 1 << 10));
    assert_eq!(policy.limits.tool_calls, 8, "a profile goes over the one that it is founded on");
}

/// Profiles in a chain, each based on the one before.
fn chain(length: usize) -> String {
    let one = |number: usize| format!("[profiles.p{number}]\nprofile = 'p{}'\n", number - 1);
    format!("profile = 'p{length}'\n[profiles.p0]\ntimeout = '5s'\n{}", (1..=length).map(one).collect::<String>())
}

#[test]
fn every_profile_of_a_long_chain_is_checked() {
    let file = PolicyFile::parse(&chain(31)).unwrap();
    assert_eq!(file.check().unwrap().limits.timeout, Duration::from_secs(5));
    file.check_profiles().unwrap();
    for length in [33, 900, 15_000] {
        let error = PolicyFile::parse(&chain(length)).unwrap().check_profiles().unwrap_err().to_string();
        assert!(error.contains(if length > 1000 { "the limit is 1000" } else { "more than 32 others" }), "{error}");
    }
}

#[test]
fn invalid_profiles_are_errors() {
    for (text, expected) in [
        ("profile = 'lockd'", "did you mean `locked`?"),
        ("profile = 'zebra'", "use locked, web, full"),
        ("profile = 'a'\n[profiles.a]\nprofile = 'b'\n[profiles.b]\nprofile = 'a'", "founded on itself (a on b)"),
        ("[profiles.web]\nnetwork = 'full'", "`web` is built in"),
        ("[profiles.a.profiles.b]\nnetwork = 'full'", "`a` has profiles of its own"),
        (&chain(33), "the profile `p33` is founded on more than 32 others"),
        (&chain(1001), "there are 1002 profiles, the limit is 1000"),
        (&chain(15_000), "there are 15001 profiles"),
    ] {
        assert!(mistake(text).contains(expected), "{}", mistake(text));
    }
}

#[test]
fn rules_narrow_what_a_layer_below_left_open() {
    let narrowed = policy("profile = 'full'\nallow = ['api.example.com']");
    assert_eq!(narrowed.network.to_string(), "allowlist: api.example.com");
    assert!(mistake("network = 'full'\nallow = ['api.example.com']").contains("the network is not an allowlist"));
    assert!(mistake("network = 'allowlist'").contains("allowlist without rules"));
}

#[test]
fn a_mode_goes_over_the_rules_of_a_layer_below() {
    let below = "allow = ['api.example.com']\nbase_urls = ['https://b.example/v1']";
    for (mode, expected) in [("none", Network::None), ("web", Network::Web), ("full", Network::Full)] {
        let (below, above) = (PolicyFile::parse(below).unwrap(), format!("network = '{mode}'"));
        let above = PolicyFile::parse(&above).unwrap();
        assert_eq!(above.clone().over(below.clone()).unwrap().check().unwrap().network, expected);
        let mut parts = PolicyBuilder::default();
        below.add_to(&mut parts, Secrets::LeftOut).unwrap();
        above.add_to(&mut parts, Secrets::LeftOut).unwrap();
        assert_eq!(parts.finish([], Vec::new()).unwrap().network, expected);
    }
    let (below, above) = (PolicyFile::parse(below).unwrap(), PolicyFile::parse("network = 'allowlist'").unwrap());
    let kept = above.over(below).unwrap().check().unwrap().network;
    assert_eq!(kept.to_string(), "allowlist: api.example.com, https://b.example/v1");
}

#[test]
fn nothing_is_unlimited_by_being_too_much() {
    for (text, expected) in [
        ("memory = '16EiB'", "more than can be counted"),
        ("memory = '255EiB'", "more than can be counted"),
        ("limits.stdout = '99999999999TB'", "more than can be counted"),
        ("timeout = '18446744073709551615s 999999999ns'", "longer than can be counted"),
    ] {
        let mistake = PolicyFile::parse(text).unwrap_err().to_string();
        assert!(mistake.contains(expected), "{mistake}");
    }
    assert_eq!(policy("memory = '15EiB'").limits.memory, 15 << 60);
}

#[test]
fn profiles_that_are_not_chosen_are_looked_at() {
    for (text, expected) in [
        ("[profiles.ci]\nallow = ['http://']", "the profile `ci`: network rule"),
        ("[profiles.ci]\napproval = ['permit x']", "the profile `ci`: approval rule"),
        ("[profiles.ci]\nprofile = 'lockd'", "did you mean `locked`?"),
        ("[profiles.ci.secrets.a]\nrule = 'http://'", "the profile `ci`: network rule"),
    ] {
        let file = PolicyFile::parse(text).unwrap();
        let mistake = file.check_profiles().unwrap_err().to_string();
        assert!(mistake.contains(expected), "{mistake}");
        assert!(file.check().is_ok(), "it is not chosen");
    }
    // The file that selects a profile may set what the profile leaves open.
    let open = "[profiles.ci]\nnetwork = 'allowlist'\n[profiles.ci.secrets.a]\nrule = 'https://a.example'\n\
                [profiles.other.secrets.a]\nheader = 'X-Api-Key'";
    assert!(PolicyFile::parse(open).unwrap().check_profiles().is_ok());
}

#[test]
fn what_is_said_later_goes_over_what_was_said_before() {
    let below = PolicyFile::parse("timeout = '1s'\nmemory = '64MiB'\nallow = ['a.example']\n[limits]\nfile_count = 3");
    let above = PolicyFile::parse("timeout = '2s'\nallow = ['b.example']\n[limits]\nfile_depth = 4").unwrap();
    let policy = above.over(below.unwrap()).unwrap().check().unwrap();
    assert_eq!(policy.limits.timeout, Duration::from_secs(2));
    assert_eq!(policy.limits.memory, 64 << 20);
    assert_eq!((policy.limits.file_count, policy.limits.file_depth), (3, 4));
    assert_eq!(policy.network.to_string(), "allowlist: a.example, b.example", "lists are put together");
}

#[test]
fn unlimited_is_spelled_out() {
    let limits = policy("timeout = 'unlimited'\n[limits]\ntool_calls = 'unlimited'\nstdout = 'unlimited'").limits;
    assert_eq!((limits.tool_calls, limits.stdout), (Limits::UNLIMITED, Limits::UNLIMITED));
    assert_eq!(limits.timeout, Limits::UNLIMITED_TIME);
    for text in
        ["memory = 'unlimited'", "[limits]\nstdout = 0", "[limits]\ntool_calls = -1", "[limits]\ntool_calls = 'all'"]
    {
        mistake(text);
    }
}

#[test]
fn unknown_keys_are_reported_with_the_nearest() {
    for (text, line, nearest) in [
        ("netwrok = 'none'", 1, "network"),
        ("\n[limits]\ntool_cals = 3", 3, "tool_calls"),
        ("[[mounts]]\nhots = 'a'", 2, "host"),
        ("network = 'allowlst'", 1, "allowlist"),
    ] {
        let text = mistake(text);
        assert!(text.contains(&format!("line {line}: ")), "{text}");
        assert!(text.contains(&format!("did you mean `{nearest}`?")), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nonsense_never_panics(text in "\\PC{0,60}", key in "(profile|network|allow|limits|memory|timeout|mounts|approval)", value in "[\\[\\]{}'\"a-z0-9.=,*: -]{0,30}") {
        for text in [text, format!("{key} = {value}"), format!("[{key}]\n{value}")] {
            if let Ok(file) = PolicyFile::parse(&text) {
                let _ = file.check();
            }
        }
    }
}
