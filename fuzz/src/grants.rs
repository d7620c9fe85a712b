//! The grants of an operator to callers with a token, and checks that these have no more.

use std::time::Duration;

use isolette_policy::parse_duration;
use serde_json::Value;

/// The policy of the operator.
pub const POLICY: &str = "timeout = '5s'\nmemory = '96MiB'\nallow = ['GET https://api.example.com']\nlanguages = ['python']\n\
    [profiles.short]\ntimeout = '2s'\n[profiles.closed]\nnetwork = 'none'";

/// The timeout of that policy.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Checks the policy that a sandbox has got.
///
/// # Panics
/// If it permits more than [`POLICY`].
pub fn assert_within(sandbox: &Value) {
    let policy = &sandbox["effective"]["policy"];
    let limits = &policy["limits"];
    let number = |name: &str| limits[name].as_u64().unwrap_or(u64::MAX);
    assert!(number("timeout_ms") <= 5000 && number("memory") <= 96 << 20, "{limits}");
    let network = &policy["network"];
    assert!(
        network["mode"] == "none"
            || network["mode"] == "allowlist" && network["rules"] == serde_json::json!(["GET https://api.example.com"]),
        "{network}"
    );
    assert_eq!(sandbox["language"], "python");
    let mounts = policy["mounts"].as_array().map_or(&[][..], Vec::as_slice);
    let known = ["/workspace", "/output"];
    assert!(
        mounts.iter().all(|mount| mount["guest"].as_str().is_some_and(|guest| known.contains(&guest))),
        "{mounts:?}"
    );
    assert!(policy.get("secrets").is_none(), "{policy}");
}

/// Checks the status of the response to a request for a run.
///
/// # Panics
/// If a run was not refused whose time is longer than the operator grants.
pub fn assert_refused_if_too_long(body: &[u8], status: u16) {
    let asked: Option<Value> = serde_json::from_slice(body).ok();
    let time = asked.as_ref().and_then(|asked| parse_duration(asked["timeout"].as_str()?).ok());
    if time.is_some_and(|time| time > TIMEOUT) {
        assert!((400..500).contains(&status) && status != 429, "status {status} for {time:?}");
    }
}
