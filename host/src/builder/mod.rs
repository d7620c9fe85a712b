//! How a sandbox is put together: everything is checked here, before anything runs.

mod build;
mod lent;
mod network;
mod terms;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::Value;

use crate::{
    Budget, Capability, Error, HeaderSecret, Isolation, Language, Metrics, Redaction, Tool,
    audit::{Audit, RecordedArguments},
    capability::{
        http::{Answers, AnyTransport},
        system::Determinism,
    },
    options::check_variable,
    policy::{
        Approval, Approver, CallCheck, CapabilityRule, HttpBody, Limits, Mount, PolicyFile,
        network::{Network, Rule},
    },
    recording::Recording,
};

/// Builds a [`Sandbox`].
///
/// Nothing is allowed and every limit is finite until a method here says otherwise:
///
/// | what | default |
/// |---|---|
/// | language | Python |
/// | image | the language's, found by [`Image::find`] |
/// | isolation | [`Isolation::Auto`] |
/// | tools | none |
/// | capabilities | none; of those that are lent, every function |
/// | mounts | none; every guest has a `/tmp` in its own memory |
/// | network | none |
/// | names of hosts | resolved by the system |
/// | transport of HTTP requests | the network |
/// | time and chance | the machine's |
/// | recording | none |
/// | secrets | none |
/// | variables | none |
/// | check of calls | none |
/// | approval | needed by tools that say so, and there is nobody to ask |
/// | budgets | none; each run has its own limits |
/// | audit | none; the outcome lists calls all the same |
/// | arguments of calls on record | nothing of them; with an audit, their SHA-256 |
/// | limits | those of [`Limits`] |
/// | body of HTTP responses | [`HttpBody::Auto`] |
///
/// Methods that can fail keep their error until [`SandboxBuilder::build`], which returns the first.
#[derive(Debug, Default)]
#[must_use = "a builder does nothing until `build`"]
pub struct SandboxBuilder {
    language: Option<Language>,
    image: Option<PathBuf>,
    isolation: Isolation,
    tools: Vec<Tool>,
    capabilities: Vec<Capability>,
    capability_rules: Vec<CapabilityRule>,
    mounts: Vec<Mount>,
    temporary_output: bool,
    network: Option<Network>,
    rules: Vec<Rule>,
    resolver: Option<Answers>,
    secrets: Vec<HeaderSecret>,
    tool_patterns: Vec<String>,
    base_urls: Vec<String>,
    http_transport: Option<Arc<dyn AnyTransport>>,
    determinism: Option<Determinism>,
    recording: Option<Recording>,
    variables: Vec<(String, Value)>,
    limits: Limits,
    http_body: HttpBody,
    approval: Approval,
    on_call: Option<CallCheck>,
    approver: Option<Approver>,
    budgets: Vec<Budget>,
    audit: Option<Audit>,
    metrics: Option<Metrics>,
    recorded_arguments: Option<RecordedArguments>,
    redaction: Redaction,
    error: Option<Error>,
}

impl SandboxBuilder {
    /// What programs are written in.
    pub fn language(mut self, language: Language) -> Self {
        self.language = Some(language);
        self
    }

    /// The directory of the image, instead of searching for one. Its language is taken if none was named.
    pub fn image(mut self, directory: impl AsRef<Path>) -> Self {
        self.image = Some(directory.as_ref().to_owned());
        self
    }

    /// What stands between guest and machine.
    pub fn isolation(mut self, isolation: Isolation) -> Self {
        self.isolation = isolation;
        self
    }

    /// Does what a policy file says, over what was said before: [`PolicyFile`].
    pub fn policy_file(mut self, file: &PolicyFile) -> Self {
        if self.error.is_some() {
            return self;
        }
        match file.apply(std::mem::take(&mut self)) {
            Ok(builder) => builder,
            Err(error) => Self { error: Some(error), ..self },
        }
    }

    /// Sets a global for every run. A later one of the same name wins.
    pub fn variable(self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        let name_owned = name.to_owned();
        self.fallible(check_variable(name), move |mut builder, ()| {
            builder.variables.retain(|(other, _)| *other != name_owned);
            builder.variables.push((name_owned, value));
            builder
        })
    }

    /// Sets all limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// What programs get as `body` of an HTTP response.
    pub fn http_body(mut self, http_body: HttpBody) -> Self {
        self.http_body = http_body;
        self
    }

    pub(crate) fn current_limits(&self) -> &Limits {
        &self.limits
    }

    /// Goes on with a value, or keeps the first error.
    fn fallible<T>(mut self, value: Result<T, Error>, use_it: impl FnOnce(Self, T) -> Self) -> Self {
        match value {
            Ok(value) => use_it(self, value),
            Err(error) => {
                self.error.get_or_insert(error);
                self
            }
        }
    }
}
