//! The builder of sandboxes. It checks all settings before anything runs.

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
use isolette_engine::READY_LIMIT;
use isolette_http::{Answers, AnyTransport};
use isolette_policy::{HttpBody, Limits, PolicyBuilder, PolicyFile, Secrets, check_variable};
use isolette_tools::Tool;
use isolette_types::{Dialect, Error, Isolation, Language, ToolCalls};
use serde_json::Value;

use crate::{oversight::Oversight, places::Admission, program_settings::ProgramSettings, sandbox::Sandbox};

/// Builds a [`Sandbox`].
///
/// By default nothing is allowed and every limit is finite:
///
/// | setting | default |
/// |---|---|
/// | language | Python |
/// | image | the language's, found by [`Image::find`](crate::Image::find) |
/// | isolation | [`Isolation::Auto`] |
/// | tools | none |
/// | capabilities | none; of registered ones, every function is allowed |
/// | mounts | none; every guest has a `/tmp` in its own memory |
/// | network | none |
/// | host names | resolved by the system |
/// | transport of HTTP requests | the network |
/// | clocks and random numbers | the machine's |
/// | recording | none |
/// | secrets | none |
/// | variables | none |
/// | check of calls | none |
/// | approval | needed by tools that declare it; without an approver it is denied |
/// | budgets | none; each run has its own limits |
/// | audit | none; the result lists calls nevertheless |
/// | recorded arguments of calls | none; with an audit, their SHA-256 |
/// | limits | those of [`Limits`] |
/// | body of HTTP responses | [`HttpBody::Auto`] |
/// | results of calls | [`ToolCalls::Auto`] |
/// | dialect | [`Dialect::Isolette`] |
/// | guests that are kept ready | as many as the engine keeps after runs: a few |
///
/// Methods that can fail keep their error until [`SandboxBuilder::build`], which returns the first one.
#[derive(Debug, Default)]
#[must_use = "a builder does nothing until `build`"]
pub struct SandboxBuilder {
    environment: Environment,
    programs: ProgramSettings,
    grants: Grants,
    policy: PolicyBuilder,
    oversight: Oversight,
    admission: Option<Admission>,
    error: Option<Error>,
}

/// Where programs run.
#[derive(Debug, Default)]
struct Environment {
    language: Option<Language>,
    image: Option<PathBuf>,
    isolation: Isolation,
    /// How many guests are kept ready.
    ready: usize,
}

/// What programs can call if the policy permits it, and how HTTP requests are made.
#[derive(Debug, Default)]
struct Grants {
    tools: Vec<Tool>,
    capabilities: Vec<Capability>,
    resolver: Option<Answers>,
    transport: Option<Arc<dyn AnyTransport>>,
}

impl Sandbox {
    /// Makes a builder with the defaults, which [`SandboxBuilder`] lists.
    pub fn builder() -> SandboxBuilder {
        SandboxBuilder::default()
    }
}

impl SandboxBuilder {
    /// Sets the language of the programs.
    pub fn language(mut self, language: Language) -> Self {
        self.environment.language = Some(language);
        self
    }

    /// Sets the image: its directory, as a path with a `/`, or its name ([`Image::at`](isolette_engine::Image::at)). Default:
    /// that of the language, in the default locations. Without [`SandboxBuilder::language`], the language of the image applies.
    pub fn image(mut self, place: impl AsRef<Path>) -> Self {
        self.environment.image = Some(place.as_ref().to_owned());
        self
    }

    /// Sets the isolation between guest and machine.
    pub fn isolation(mut self, isolation: Isolation) -> Self {
        self.environment.isolation = isolation;
        self
    }

    /// Applies a policy file over the settings made so far: [`PolicyFile`]. Its `output` directory is created if it
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
        let (environment, programs) = (&mut self.environment, &mut self.programs);
        environment.language = file.languages.first().copied().or(environment.language);
        environment.isolation = file.isolation.unwrap_or(environment.isolation);
        programs.tool_calls = file.tool_calls.unwrap_or(programs.tool_calls);
        programs.dialect = file.dialect.unwrap_or(programs.dialect);
        if let Some(image) = file.image {
            environment.image = Some(image);
        }
        for (name, value) in file.variables {
            programs.set_variable(&name, value);
        }
        Ok(())
    }

    /// Sets a global for every run. A later value for the same name replaces an earlier one.
    pub fn variable(self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        self.fallible(check_variable(name), |mut builder, ()| {
            builder.programs.set_variable(name, value);
            builder
        })
    }

    /// Sets all limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.policy.limits = limits;
        self
    }

    /// Sets the form in which programs get the `body` of an HTTP response.
    pub fn http_body(mut self, http_body: HttpBody) -> Self {
        self.programs.http_body = http_body;
        self
    }

    /// Sets whether calls of tools and of functions of custom interfaces return results or awaitables.
    pub fn tool_calls(mut self, tool_calls: ToolCalls) -> Self {
        self.programs.tool_calls = tool_calls;
        self
    }

    /// Sets the names and conventions by which programs call tools. [`SandboxBuilder::build`] refuses a dialect of
    /// another language.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.programs.dialect = dialect;
        self
    }

    /// Keeps a number of guests ready for the next runs and sessions, at most 64. They are started in the background as soon as
    /// the sandbox is built, and again when half of them are taken. Each takes memory for what it does not share with others:
    /// a few MiB in a process, as much as it has written in a micro-VM.
    ///
    /// Guests of the same image are the same before a program runs in them, so the numbers of all sandboxes of an image are
    /// added up, to 64 together; in micro-VMs, those with different sizes of memory separately. With the engine `wasm` this has
    /// no effect: an instance of it cannot change threads.
    pub fn ready_guests(self, count: usize) -> Self {
        let checked = if count <= READY_LIMIT {
            Ok(count)
        } else {
            let message = format!("{count} guests are to be kept ready");
            Err(Error::invalid(message, format!("keep at most {READY_LIMIT}")))
        };
        self.fallible(checked, |mut builder, count| {
            builder.environment.ready = count;
            builder
        })
    }

    /// Makes all guests wait for places in a pool.
    pub(crate) fn admitted_by(mut self, admission: Admission) -> Self {
        self.admission = Some(admission);
        self
    }

    /// Applies a value, or keeps the first error.
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
