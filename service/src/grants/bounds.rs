//! The bounds of what callers choose: a grant of the operator can only be narrowed.
//!
//! | field | a caller with a token sets it | a caller with the rights of the user |
//! |---|---|---|
//! | keys of `policy` | as [`POLICY`] says | freely |
//! | `language` of sandboxes, contexts and programs | to one of the policy's `languages` | the same |
//! | `timeout` of a program | to at most that of the policy | the same, if a policy sets it |
//! | `ttl`, `idle` | to at most `longest_ttl` | the same |
//! | all others: code, names, texts, tools that the caller answers | freely, within [`ServiceLimits`](crate::ServiceLimits) | the same |

use std::time::Duration;

use http::StatusCode;
use isolette::{
    Error, Language, Sandbox,
    policy::{Limits, PolicyFile, network::NetworkMode},
};
use serde_json::{Map, Value};

use super::Grants;
use crate::{
    caller::Caller,
    failure::Failure,
    spec::{SandboxSpec, TOOLS},
};

/// The rule for one key of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// The key permits nothing: each caller sets it as it likes.
    Free,
    /// Only the operator sets the key.
    Operator,
    /// The key can name a profile that the operator has defined, or `locked`.
    Profile,
    /// The network can only be `none`.
    NoNetwork,
    /// The time can be at most that of the operator.
    Timeout,
    /// The memory can be at most that of the operator.
    Memory,
}

/// The rule of each key for callers with a token.
const POLICY: [(&str, Rule); 21] = [
    ("profile", Rule::Profile),
    ("languages", Rule::Operator),
    ("isolation", Rule::Operator),
    ("tool_calls", Rule::Free),
    ("dialect", Rule::Free),
    ("image", Rule::Operator),
    ("network", Rule::NoNetwork),
    ("allow", Rule::Operator),
    ("base_urls", Rule::Operator),
    ("mounts", Rule::Operator),
    ("input", Rule::Operator),
    ("output", Rule::Operator),
    ("tools", Rule::Operator),
    ("capabilities", Rule::Operator),
    ("secrets", Rule::Operator),
    ("variables", Rule::Free),
    ("timeout", Rule::Timeout),
    ("memory", Rule::Memory),
    ("approval", Rule::Operator),
    ("limits", Rule::Operator),
    ("profiles", Rule::Operator),
];

impl Grants {
    /// The policy of a sandbox: that of its creator over that of the operator, which may define the profile that the creator chooses.
    /// A creator with a token gets no more than the operator grants today, whatever was granted when the sandbox was made.
    pub(super) fn policy_of(&self, spec: &SandboxSpec) -> Result<PolicyFile, Error> {
        let mut own = spec.policy()?;
        let granted = self.granted(&mut own)?;
        let (timeout, memory) = (own.timeout, own.memory);
        let (most_time, most_memory) = (granted.timeout, granted.memory);
        let mut policy = own.over(granted)?;
        if !spec.is_user {
            policy.timeout = timeout.map(|own| own.min(time_of(most_time))).or(policy.timeout);
            policy.memory = memory.map(|own| own.min(memory_of(most_memory))).or(policy.memory);
        }
        Ok(policy)
    }

    /// The policy of the operator with the profile that a caller chooses, if the operator has defined it. `locked` takes the network from
    /// what the operator grants to all, and adds nothing.
    fn granted(&self, own: &mut PolicyFile) -> Result<PolicyFile, Error> {
        let is_granted = |profile: &String| self.policy.profiles.contains_key(profile) || profile == "locked";
        match own.profile.take_if(|profile| is_granted(profile)).as_deref() {
            Some("locked") => {
                let mut locked = PolicyFile::default();
                locked.network = Some(NetworkMode::None);
                locked.over(self.policy.clone())
            }
            Some(profile) => self.policy.clone().with_profile(profile),
            None => self.policy.clone().resolve(),
        }
    }

    /// The longest time of a program, by the policy of its sandbox. The default of policies is no limit for the user, who sets another
    /// one where it is meant as one.
    pub(crate) fn longest_run(&self, spec: &SandboxSpec, sandbox: &Sandbox) -> Result<Duration, Error> {
        match spec.is_user && self.policy_of(spec)?.timeout.is_none() {
            true => Ok(Limits::UNLIMITED_TIME),
            false => Ok(sandbox.explain().policy.limits.timeout),
        }
    }

    /// Checks the timeout that a caller sets for one program.
    pub(crate) fn check_timeout(&self, asked: Duration, spec: &SandboxSpec, sandbox: &Sandbox) -> Result<(), Failure> {
        let most = self.longest_run(spec, sandbox)?;
        if asked > most { Err(too_long("timeout", most)) } else { Ok(()) }
    }

    /// Checks the language of a program or a context.
    pub(crate) fn check_language(&self, language: Language) -> Result<(), Failure> {
        let granted = &self.policy.languages;
        if granted.is_empty() || granted.iter().any(|other| other.image() == language.image()) {
            return Ok(());
        }
        let names: Vec<_> = granted.iter().map(|language| language.name()).collect();
        Err(refused(format!("programs in {language} are not permitted here"), &format!("use {}", names.join(" or "))))
    }
}

impl SandboxSpec {
    /// Checks the parts that do not depend on the machine, and sets whether the creator has the rights of the user.
    pub(crate) fn checked(mut self, caller: &Caller, grants: &Grants) -> Result<Self, Failure> {
        if let (true, Some(language)) = (self.language.is_empty(), grants.policy.languages.first()) {
            self.language = language.name().into();
        }
        grants.check_language(self.language()?)?;
        self.is_user = caller.is_user;
        if self.tools.len() > TOOLS {
            let message = format!("the sandbox would have {} tools, and can have {TOOLS}", self.tools.len());
            return Err(Failure::invalid(message, "name fewer tools"));
        }
        let policy = self.policy()?;
        if !self.is_user {
            narrows(&self.policy, policy, grants)?;
        }
        Ok(self)
    }
}

/// Checks the keys of a policy that a caller with a token sets.
fn narrows(keys: &Map<String, Value>, mut policy: PolicyFile, grants: &Grants) -> Result<(), Failure> {
    let profile = policy.profile.clone();
    let granted = grants.granted(&mut policy)?;
    for key in keys.keys() {
        let rule = POLICY.iter().find(|(name, _)| name == key).map_or(Rule::Operator, |(_, rule)| *rule);
        match rule {
            Rule::Free => {}
            Rule::Operator => {
                return Err(refused(
                    format!("`policy.{}` is set by the operator of this server", key.escape_debug()),
                    "leave it out, or choose a `profile` that the operator has defined",
                ));
            }
            Rule::NoNetwork if policy.network.is_none_or(|mode| mode == NetworkMode::None) => {}
            Rule::NoNetwork => {
                return Err(refused(
                    "`policy.network` can only be `none` here".into(),
                    "leave it out, or choose a `profile` that the operator has defined",
                ));
            }
            // One that is granted was taken out. `web` and `full`, which every policy file knows, permit more than nothing.
            Rule::Profile => {
                if let (Some(_), Some(name)) = (&policy.profile, &profile) {
                    let known = grants.policy.profiles.keys().map(String::as_str).chain(["locked"]);
                    let names: Vec<_> = known.collect();
                    return Err(refused(
                        format!("there is no profile `{}` here", name.escape_debug()),
                        &format!("choose one of: {}", names.join(", ")),
                    ));
                }
            }
            Rule::Timeout => {
                let most = time_of(granted.timeout);
                if policy.timeout.is_some_and(|own| own > most) {
                    return Err(too_long("policy.timeout", most));
                }
            }
            Rule::Memory => {
                let most = memory_of(granted.memory);
                if policy.memory.is_some_and(|own| own > most) {
                    return Err(refused(format!("`policy.memory` can be {most} bytes at most"), "choose less"));
                }
            }
        }
    }
    Ok(())
}

fn time_of(granted: Option<Duration>) -> Duration {
    granted.unwrap_or(Limits::default().timeout)
}

fn memory_of(granted: Option<u64>) -> u64 {
    granted.unwrap_or(Limits::default().memory)
}

fn too_long(field: &str, most: Duration) -> Failure {
    refused(
        format!("`{field}` can be {most:?} at most"),
        "choose a shorter one; the policy of the sandbox and the operator of this server set the most",
    )
}

fn refused(message: String, hint: &str) -> Failure {
    Failure::new(StatusCode::FORBIDDEN, "NotPermitted", message, hint.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(policy: Value, below: &str) -> Result<(), String> {
        let Value::Object(policy) = policy else { panic!() };
        let spec = SandboxSpec { policy, ..SandboxSpec::default() };
        let caller = Caller { name: "team".into(), is_user: false };
        let grants = Grants::new(PolicyFile::parse(below).unwrap());
        spec.checked(&caller, &grants).map(drop).map_err(|failure| failure.detail().message)
    }

    #[test]
    fn callers_with_a_token_can_only_narrow() {
        let below = "timeout = '10s'\nmemory = '128MiB'\n[profiles.api]\n\
            allow = ['GET https://api.example.com']\n[profiles.short]\ntimeout = '2s'\nmemory = '64MiB'";
        for narrower in [
            serde_json::json!({}),
            serde_json::json!({ "profile": "api", "timeout": "10s", "memory": "64MiB" }),
            serde_json::json!({ "profile": "locked", "network": "none", "variables": { "x": 1 } }),
        ] {
            assert_eq!(check(narrower.clone(), below), Ok(()), "{narrower}");
        }
        for (wider, message) in [
            (serde_json::json!({ "allow": ["*.example.com"] }), "`policy.allow` is set by the operator"),
            (serde_json::json!({ "mounts": [] }), "`policy.mounts` is set by the operator"),
            (serde_json::json!({ "limits": {} }), "`policy.limits` is set by the operator"),
            (serde_json::json!({ "profiles": {} }), "`policy.profiles` is set by the operator"),
            (serde_json::json!({ "isolation": "wasm" }), "`policy.isolation` is set by the operator"),
            (serde_json::json!({ "network": "full" }), "`policy.network` can only be `none`"),
            (serde_json::json!({ "profile": "web" }), "there is no profile `web` here"),
            (serde_json::json!({ "timeout": "11s" }), "`policy.timeout` can be 10s at most"),
            (serde_json::json!({ "timeout": "unlimited" }), "`policy.timeout` can be 10s at most"),
            (serde_json::json!({ "memory": "1GiB" }), "`policy.memory` can be 134217728 bytes at most"),
            (serde_json::json!({ "profile": "api", "timeout": "11s" }), "`policy.timeout` can be 10s at most"),
            (serde_json::json!({ "profile": "short", "timeout": "3s" }), "`policy.timeout` can be 2s at most"),
            (
                serde_json::json!({ "profile": "short", "memory": "65MiB" }),
                "`policy.memory` can be 67108864 bytes at most",
            ),
        ] {
            let found = check(wider.clone(), below).unwrap_err();
            assert!(found.starts_with(message), "{wider}: {found}");
        }
    }
    fn spec(policy: Value, is_user: bool) -> SandboxSpec {
        let Value::Object(policy) = policy else { panic!() };
        SandboxSpec { policy, is_user, ..SandboxSpec::default() }
    }

    #[test]
    fn each_key_of_a_policy_has_a_rule() {
        let error = serde_json::from_str::<PolicyFile>(r#"{"no_key": 1}"#).unwrap_err().to_string();
        let (_, expected) = error.split_once("expected one of ").unwrap();
        let (expected, _) = expected.split_once(" at line").unwrap();
        let keys: Vec<&str> = expected.split(", ").map(|key| key.trim_matches('`')).collect();
        assert_eq!(POLICY.map(|(key, _)| key).as_slice(), keys);
    }

    #[test]
    fn a_chosen_profile_replaces_what_the_operator_sets_for_all() {
        let below = "timeout = '10s'\nmemory = '128MiB'\nallow = ['a.example']\n[profiles.slow]\ntimeout = '1m'\nmemory = '256MiB'";
        let grants = Grants::new(PolicyFile::parse(below).unwrap());
        let limits = |policy| {
            let policy = grants.policy_of(&spec(policy, false)).unwrap().check().unwrap();
            (policy.limits.timeout.as_secs(), policy.limits.memory >> 20, policy.network.to_string())
        };
        assert_eq!(limits(serde_json::json!({})).0, 10);
        let (timeout, memory, network) = limits(serde_json::json!({ "profile": "slow" }));
        assert_eq!((timeout, memory), (60, 256));
        assert_ne!(network, "none");
        assert_eq!(limits(serde_json::json!({ "profile": "slow", "timeout": "20s" })).0, 20);
        assert_eq!(limits(serde_json::json!({ "profile": "locked" })), (10, 128, "none".into()));
    }

    #[test]
    fn the_profile_of_the_operator_bounds_callers_too() {
        let below = "profile = 'team'\n[profiles.team]\ntimeout = '5s'\nmemory = '64MiB'\nnetwork = 'web'\napproval = 'always'\n\
            limits.tool_calls = 3";
        for policy in
            [serde_json::json!({ "timeout": "6s" }), serde_json::json!({ "profile": "locked", "memory": "65MiB" })]
        {
            assert!(check(policy.clone(), below).is_err(), "{policy}");
        }
        let grants = Grants::new(PolicyFile::parse(below).unwrap());
        for (policy, network) in [(serde_json::json!({}), "web"), (serde_json::json!({ "profile": "locked" }), "none")]
        {
            let policy = grants.policy_of(&spec(policy, false)).unwrap().check().unwrap();
            let limits = &policy.limits;
            assert_eq!((limits.timeout.as_secs(), limits.memory >> 20, limits.tool_calls), (5, 64, 3));
            assert!(policy.network.to_string().starts_with(network), "{}", policy.network);
            assert_ne!(policy.approval, isolette::policy::Approval::default());
        }
    }

    #[test]
    fn what_was_granted_earlier_is_not_granted_for_ever() {
        let grants = Grants::new(PolicyFile::parse("timeout = '2s'\nmemory = '64MiB'").unwrap());
        let earlier = serde_json::json!({ "timeout": "1m", "memory": "1GiB" });
        let limits = |is_user| {
            let policy = grants.policy_of(&spec(earlier.clone(), is_user)).unwrap();
            (policy.timeout.unwrap().as_secs(), policy.memory.unwrap() >> 20)
        };
        assert_eq!(limits(false), (2, 64));
        assert_eq!(limits(true), (60, 1024));
    }

    #[test]
    fn programs_are_in_the_languages_of_the_policy() {
        let checked = |languages: &str, language: &str| {
            let grants = Grants::new(PolicyFile::parse(&format!("languages = {languages}")).unwrap());
            let caller = Caller { name: "team".into(), is_user: false };
            let spec = SandboxSpec { language: language.into(), ..SandboxSpec::default() };
            spec.checked(&caller, &grants).map(|spec| spec.language).map_err(|failure| failure.detail().message)
        };
        assert_eq!(checked("['javascript']", ""), Ok("javascript".into()));
        assert_eq!(checked("['javascript']", "typescript"), Ok("typescript".into()));
        assert_eq!(checked("[]", "python"), Ok("python".into()));
        assert_eq!(checked("['javascript']", "python"), Err("programs in python are not permitted here".into()));
        assert_eq!(checked("['python']", "typescript"), Err("programs in typescript are not permitted here".into()));
    }
}
