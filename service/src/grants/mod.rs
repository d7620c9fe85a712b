//! The grants of the operator, and the sandboxes of the library that are made within them.

mod bounds;

use std::{
    fmt,
    hash::{Hash, Hasher},
    path::PathBuf,
    sync::Arc,
};

use isolette::{
    Answer, Error, Language, Metrics, Sandbox, SandboxBuilder, SandboxPool, Tool, held_by_run,
    policy::{Access, Decision, Limits, PolicyFile},
};
use serde_json::Value;

use crate::{
    HOME, WORKSPACE,
    limits::ServiceLimits,
    run::LiveRun,
    spec::{SandboxSpec, ToolSpec},
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
    let policy = grants.policy_of(spec)?;
    let mut builder = Sandbox::builder().policy_file(&policy).language(*language);
    builder = match files {
        Some(folder) => {
            let workspace = folder.join("workspace");
            if spec.e2b.is_some() {
                // Quotas and locks are by file, under any name.
                builder = builder.mount(&workspace, HOME, Access::ReadWrite);
            }
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

/// Whether the isolation of a sandbox saves states, so that contexts survive.
pub(crate) fn saves_states(sandbox: &Sandbox) -> bool {
    sandbox.explain().isolation.engine.saves_states()
}
