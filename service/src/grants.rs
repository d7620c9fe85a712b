//! The policy of a sandbox: the grants of the operator, and the choices of callers within them.

use std::{
    fmt,
    hash::{Hash, Hasher},
    path::PathBuf,
    sync::Arc,
};

use isolette::{
    Answer, Error, Language, Metrics, Sandbox, SandboxBuilder, SandboxPool, Tool, held_by_run,
    policy::{Access, Decision, Limits, PolicyFile, network::NetworkMode},
};
use serde_json::{Map, Value};

use crate::{
    WORKSPACE,
    caller::Caller,
    failure::Failure,
    limits::ServiceLimits,
    run::LiveRun,
    spec::{SandboxSpec, TOOLS, ToolSpec},
};

/// The grants of the operator to all sandboxes of a service: the policy below those of callers, and tools.
pub struct Grants {
    policy: PolicyFile,
    prepare: Box<dyn Fn(SandboxBuilder) -> SandboxBuilder + Send + Sync>,
}

impl Default for Grants {
    /// Grants nothing.
    fn default() -> Self {
        Self::new(PolicyFile::default())
    }
}

impl fmt::Debug for Grants {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Grants").field("policy", &self.policy).finish_non_exhaustive()
    }
}

impl Grants {
    /// Grants what a policy permits. A caller with the rights of the user chooses a policy of its own over it. Other callers can
    /// choose one of its profiles, lower its timeout and its memory, and deny the network.
    #[must_use]
    pub fn new(policy: PolicyFile) -> Self {
        Self { policy, prepare: Box::new(|builder| builder) }
    }

    /// Passes the builder of every sandbox to a function, which adds tools, an audit, metrics or secrets to redact.
    #[must_use]
    pub fn prepare(mut self, prepare: impl Fn(SandboxBuilder) -> SandboxBuilder + Send + Sync + 'static) -> Self {
        self.prepare = Box::new(prepare);
        self
    }
}

impl SandboxSpec {
    /// Checks the parts that do not depend on the machine, and sets whether the creator has the rights of the user.
    pub(crate) fn checked(mut self, caller: &Caller, grants: &Grants) -> Result<Self, Failure> {
        self.language()?;
        self.is_user = caller.is_user;
        if self.tools.len() > TOOLS {
            let message = format!("the sandbox would have {} tools, and can have {TOOLS}", self.tools.len());
            return Err(Failure::invalid(message, "name fewer tools"));
        }
        let policy = self.policy()?;
        if !self.is_user {
            narrows(&self.policy, &policy, &grants.policy)?;
        }
        Ok(self)
    }
}

/// Checks that a policy permits nothing that the policy below it does not.
fn narrows(keys: &Map<String, Value>, policy: &PolicyFile, below: &PolicyFile) -> Result<(), Failure> {
    let refused = |message: String, hint: &str| {
        Err(Failure::new(http::StatusCode::FORBIDDEN, "NotPermitted", message, hint.to_owned()))
    };
    const OWN: [&str; 7] = ["profile", "network", "timeout", "memory", "variables", "tool_calls", "dialect"];
    if let Some(key) = keys.keys().find(|key| !OWN.contains(&key.as_str())) {
        return refused(
            format!("`policy.{}` is set by the operator of this server", key.escape_debug()),
            "leave it out, or choose a `profile` that the operator has defined",
        );
    }
    if policy.network.is_some_and(|mode| mode != NetworkMode::None) {
        return refused(
            "`policy.network` can only be `none` here".into(),
            "leave it out, or choose a `profile` that the operator has defined",
        );
    }
    // `web` and `full`, which every policy file knows, permit more than nothing.
    if let Some(profile) = policy.profile.as_ref().filter(|profile| *profile != "locked")
        && !below.profiles.contains_key(profile)
    {
        let names: Vec<_> = below.profiles.keys().map(String::as_str).chain(["locked"]).collect();
        return refused(
            format!("there is no profile `{}` here", profile.escape_debug()),
            &format!("choose one of: {}", names.join(", ")),
        );
    }
    let defaults = Limits::default();
    let (timeout, memory) = (below.timeout.unwrap_or(defaults.timeout), below.memory.unwrap_or(defaults.memory));
    if policy.timeout.is_some_and(|own| own > timeout) {
        return refused(format!("`policy.timeout` can be {timeout:?} at most"), "choose a shorter one");
    }
    if policy.memory.is_some_and(|own| own > memory) {
        return refused(format!("`policy.memory` can be {memory} bytes at most"), "choose less");
    }
    Ok(())
}

/// The key of a sandbox of the library: there is one for each combination of language, policy, tools and files.
#[derive(Clone)]
pub(crate) struct Key(Arc<KeyParts>);

struct KeyParts {
    spec: SandboxSpec,
    language: Language,
    /// The folder with the files of a sandbox. Programs outside of sandboxes have a temporary `/output`.
    files: Option<PathBuf>,
    /// Identifies the key.
    text: String,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.0.text == other.0.text
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.text.hash(state);
    }
}

impl Key {
    pub(crate) fn new(spec: &SandboxSpec, language: Language, files: Option<PathBuf>) -> Self {
        let text = serde_json::to_string(&(spec, language.name(), &files)).unwrap_or_default();
        Self(Arc::new(KeyParts { spec: spec.clone(), language, files, text }))
    }
}

/// Makes the pool of the sandboxes that programs run in.
pub(crate) fn pool(grants: Arc<Grants>, limits: &ServiceLimits, metrics: &Metrics) -> Result<SandboxPool<Key>, Error> {
    let of_runs = metrics.clone();
    SandboxPool::builder(move |key: &Key| build(&grants, &key.0).map(|builder| builder.metrics(&of_runs)))
        .guests(limits.guests)
        .memory(Limits::UNLIMITED)
        .waiting(0)
        .waiting_time(std::time::Duration::ZERO)
        .sandboxes(256)
        .metrics(metrics)
        .build()
}

fn build(grants: &Grants, key: &KeyParts) -> Result<SandboxBuilder, Error> {
    let KeyParts { spec, language, files, .. } = key;
    let policy = over(spec.policy()?, grants.policy.clone())?;
    let mut builder = Sandbox::builder().policy_file(&policy).language(*language);
    builder = match files {
        Some(folder) => {
            let workspace = folder.join("workspace");
            builder.mount(workspace, WORKSPACE, Access::ReadWrite).output_dir(folder.join("output"))
        }
        None if policy.output.is_none() => builder.temp_output(),
        None => builder,
    };
    let pauses = spec.pauses || files.is_none();
    for tool in &spec.tools {
        builder = builder.tool(tool.make(pauses)?);
    }
    if spec.approves {
        builder = match pauses {
            true => builder.approver(async |_| Decision::Defer),
            false => builder.approver(approve_in_context),
        };
    }
    Ok((grants.prepare)(builder))
}

impl ToolSpec {
    /// If programs are not paused while a call waits, the guest waits with the call.
    fn make(&self, pauses: bool) -> Result<Tool, Error> {
        let schema = match self.input_schema.is_empty() {
            true => serde_json::json!({ "type": "object" }),
            false => Value::Object(self.input_schema.clone()),
        };
        let mut tool = match pauses {
            true => Tool::deferred(&self.name, &self.description, schema)?,
            false => {
                let name = self.name.clone();
                Tool::from_schema_async(&self.name, &self.description, schema, move |arguments| {
                    let (run, name) = (held_by_run::<Arc<LiveRun>>(), name.clone());
                    async move {
                        let run = run.ok_or("the run cannot wait for answers")?;
                        match run.wait_for_result(&name, arguments).await {
                            Some(Answer::Value(value)) => Ok(value),
                            Some(Answer::Error(message)) => Err(message),
                            _ => Err("the call was not answered".to_owned()),
                        }
                    }
                })?
            }
        };
        if let Some(schema) = &self.output_schema {
            tool = tool.with_output_schema(Value::Object(schema.clone()));
        }
        Ok(if self.needs_approval { tool.with_approval() } else { tool })
    }
}

async fn approve_in_context(request: isolette::policy::CallRequest) -> Decision {
    let Some(run) = held_by_run::<Arc<LiveRun>>() else { return Decision::deny("the run cannot wait for approval") };
    match run.wait_for_approval(request).await {
        Some(Answer::Approve) => Decision::Allow,
        Some(Answer::Deny(message)) => Decision::deny(message),
        _ => Decision::deny("the call was not approved"),
    }
}

/// Applies the policy of a caller over that of the operator, which may define the profile that the caller chooses.
fn over(mut own: PolicyFile, mut below: PolicyFile) -> Result<PolicyFile, Error> {
    if let Some(profile) = own.profile.take_if(|profile| below.profiles.contains_key(profile)) {
        below.profile = Some(profile);
    }
    own.over(below)
}

/// Whether the isolation of a sandbox saves states, so that contexts survive.
pub(crate) fn saves_states(sandbox: &Sandbox) -> bool {
    sandbox.explain().isolation.engine.saves_states()
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
        let below = "timeout = '10s'\nmemory = '128MiB'\n[profiles.api]\nallow = ['GET https://api.example.com']";
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
        ] {
            let found = check(wider.clone(), below).unwrap_err();
            assert!(found.starts_with(message), "{wider}: {found}");
        }
    }
}
