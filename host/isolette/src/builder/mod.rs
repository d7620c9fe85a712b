//! How a sandbox is put together: everything is checked here, before anything runs.

mod build;
mod grants;
mod network;
mod oversight;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use isolette_capabilities::Capability;
use isolette_http::{Answers, AnyTransport};
use isolette_policy::{HttpBody, Limits, PolicyBuilder, PolicyFile, Secrets, check_variable};
use isolette_tools::Tool;
use isolette_types::{Error, Isolation, Language};
use serde_json::Value;

use crate::{oversight::Oversight, recording::Recording, sandbox::Sandbox, system::Determinism};

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
    environment: Environment,
    grants: Grants,
    policy: PolicyBuilder,
    oversight: Oversight,
    error: Option<Error>,
}

/// What programs run in.
#[derive(Debug, Default)]
struct Environment {
    language: Option<Language>,
    image: Option<PathBuf>,
    isolation: Isolation,
    variables: Vec<(String, Value)>,
    http_body: HttpBody,
    determinism: Option<Determinism>,
    recording: Option<Recording>,
}

/// What programs can call, as far as the policy permits, and how requests are made.
#[derive(Debug, Default)]
struct Grants {
    tools: Vec<Tool>,
    capabilities: Vec<Capability>,
    resolver: Option<Answers>,
    transport: Option<Arc<dyn AnyTransport>>,
}

impl Sandbox {
    /// Begins a sandbox; its documentation lists every default.
    pub fn builder() -> SandboxBuilder {
        SandboxBuilder::default()
    }
}

impl SandboxBuilder {
    /// What programs are written in.
    pub fn language(mut self, language: Language) -> Self {
        self.environment.language = Some(language);
        self
    }

    /// The directory of the image, instead of searching for one. Its language is taken if none was named.
    pub fn image(mut self, directory: impl AsRef<Path>) -> Self {
        self.environment.image = Some(directory.as_ref().to_owned());
        self
    }

    /// What stands between guest and machine.
    pub fn isolation(mut self, isolation: Isolation) -> Self {
        self.environment.isolation = isolation;
        self
    }

    /// Applies a policy file over what was set before: [`PolicyFile`]. A directory that it names as `output` is created if it
    /// does not exist.
    pub fn policy_file(mut self, file: &PolicyFile) -> Self {
        if self.error.is_some() {
            return self;
        }
        let applied = self.apply(file);
        self.fallible(applied, |builder, ()| builder)
    }

    fn apply(&mut self, file: &PolicyFile) -> Result<(), Error> {
        let file = file.clone().resolve()?;
        if let Some(output) = &file.output {
            fs::create_dir_all(output)
                .map_err(|error| Error::io(format!("cannot create `{}`", output.display()), error))?;
        }
        file.add_to(&mut self.policy, Secrets::Read)?;
        let secrets = self.policy.secrets.iter().map(|secret| secret.value().clone());
        Arc::make_mut(&mut self.oversight.redaction).extend(secrets);
        let environment = &mut self.environment;
        environment.language = file.languages.first().copied().or(environment.language);
        environment.isolation = file.isolation.unwrap_or(environment.isolation);
        if let Some(image) = file.image {
            environment.image = Some(image);
        }
        for (name, value) in file.variables {
            environment.set_variable(&name, value);
        }
        Ok(())
    }

    /// Sets a global for every run. A later one of the same name wins.
    pub fn variable(self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        self.fallible(check_variable(name), |mut builder, ()| {
            builder.environment.set_variable(name, value);
            builder
        })
    }

    /// Sets all limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.policy.limits = limits;
        self
    }

    /// What programs get as `body` of an HTTP response.
    pub fn http_body(mut self, http_body: HttpBody) -> Self {
        self.environment.http_body = http_body;
        self
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

impl Environment {
    fn set_variable(&mut self, name: &str, value: Value) {
        self.variables.retain(|(other, _)| other != name);
        self.variables.push((name.to_owned(), value));
    }
}
