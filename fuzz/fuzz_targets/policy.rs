//! A policy file: an accepted file is TOML, parses deterministically, and has finite limits unless it contains `unlimited`.

#![no_main]

use isolette::policy::{Limits, PolicyFile, network::Rule};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let file = PolicyFile::parse(text);
    if file.is_ok() {
        toml::from_str::<toml::Table>(text).expect("it is TOML");
    }
    let Ok(file) = file else { return };
    let policy = file.clone().check();
    let _ = file.check_profiles();
    if let Ok(policy) = &policy {
        let again = PolicyFile::parse(text).and_then(|file| file.check()).expect("the same text parses again");
        assert_eq!(format!("{policy:?}"), format!("{again:?}"));
        for rule in policy.network.rules() {
            assert_eq!(rule.to_string().parse::<Rule>().as_ref(), Ok(rule), "the printed rule differs");
        }
        if !text.contains("unlimited") {
            let limits = &policy.limits;
            for limit in [limits.memory, limits.stdout, limits.payload, limits.tool_calls, limits.http_requests] {
                assert_ne!(limit, Limits::UNLIMITED, "the file does not contain `unlimited`");
            }
            assert_ne!(limits.timeout, Limits::UNLIMITED_TIME, "the file does not contain `unlimited`");
        }
    }
    // The result over an empty file is unchanged.
    let over = file.over(PolicyFile::default()).and_then(|file| file.check());
    assert_eq!(over.is_ok(), policy.is_ok());
    if let (Ok(over), Ok(policy)) = (over, policy) {
        assert_eq!(format!("{over:?}"), format!("{policy:?}"));
    }
});
