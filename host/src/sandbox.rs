//! The sandbox: what every run of it has in common.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use isolette_abi::Mode;
use serde_json::Value;

use crate::{
    Budget, Error, Language, approve,
    builder::SandboxBuilder,
    capability::{
        Capabilities,
        custom::Resources,
        files::{Files, Quota, output::OUTPUT},
    },
    catalog::Catalog,
    engine::Engine,
    explain::Explanation,
    guest::Guest,
    image::Image,
    isolation::Choice,
    options::RunOptions,
    outcome::{ExecutionResult, OutputDirectory, OutputFile},
    policy::{Access, CallHook, HttpBody, Mount, Policy},
    run::Run,
    session::Session,
};

/// Runs programs that nobody trusts.
///
/// Every run starts clean, in a fresh instance of the image: no names, modules or `/tmp` files of an earlier run are
/// there. It can be shared between threads, which then run in parallel, and used from asynchronous code
/// ([`Sandbox::run_async`]) or blocking code ([`Sandbox::run`]) alike. With the engine `wasm`, 512 guests can
/// live at the same time in one process, those of sessions included; one more is [`Error::Unavailable`].
#[derive(Clone, Debug)]
pub struct Sandbox {
    pub(crate) shared: Arc<Shared>,
}

/// What runs and sessions of a sandbox share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) language: Language,
    pub(crate) image: Image,
    pub(crate) engine: Arc<dyn Engine>,
    pub(crate) choice: Choice,
    pub(crate) policy: Policy,
    pub(crate) capabilities: Arc<Capabilities>,
    pub(crate) files: Arc<Files>,
    pub(crate) temporary_output: bool,
    pub(crate) variables: Vec<(String, Value)>,
    pub(crate) http_body: HttpBody,
    pub(crate) on_call: Option<CallHook>,
    pub(crate) budgets: Vec<Budget>,
    pub(crate) latest: Mutex<Option<Surroundings>>,
}

/// What belongs to one guest alone.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    pub(crate) files: Arc<Files>,
    pub(crate) output: OutputDirectory,
    pub(crate) quota: Arc<Mutex<Quota>>,
    pub(crate) resources: Resources,
}

impl Sandbox {
    /// Begins a sandbox; its documentation lists every default.
    pub fn builder() -> SandboxBuilder {
        SandboxBuilder::default()
    }

    /// Runs a program in a fresh instance and waits for its end.
    ///
    /// An exception in the program is no error: it is in the result.
    ///
    /// # Errors
    /// When the program had to be ended ([`Error::Timeout`], [`Error::Cancelled`], [`Error::OutOfMemory`],
    /// [`Error::StackOverflow`], [`Error::GuestCrashed`]; all of them carry what it had done by then), when it is too
    /// long ([`Error::LimitExceeded`]), not approved ([`Error::NotApproved`]) or without a budget
    /// ([`Error::BudgetSpent`]), or when the machine has no room for it.
    pub fn run(&self, code: &str) -> Result<ExecutionResult, Error> {
        self.run_with(code, RunOptions::default())
    }

    /// Runs a program with options.
    ///
    /// # Errors
    /// As [`Sandbox::run`], and [`Error::InvalidArgument`] for the name of a variable.
    pub fn run_with(&self, code: &str, options: RunOptions) -> Result<ExecutionResult, Error> {
        approve::blocking(&self.shared, code, &options)?;
        self.start(code, options)?.wait()
    }

    /// Like [`Sandbox::run_with`], for asynchronous callers on any runtime. Dropping the future cancels the run.
    ///
    /// # Errors
    /// As [`Sandbox::run_with`].
    pub async fn run_async(&self, code: &str, options: RunOptions) -> Result<ExecutionResult, Error> {
        if let Some(question) = approve::question(&self.shared, code, &options)? {
            question.await?;
        }
        self.start(code, options)?.wait_async().await
    }

    fn start(&self, code: &str, options: RunOptions) -> Result<Run, Error> {
        let surroundings = self.shared.surroundings()?;
        let guest = Guest::start(Arc::clone(&self.shared.engine), self.shared.policy.limits.memory)?;
        Run::start(&self.shared, &surroundings, &guest, code, options, Mode::Fresh)
    }

    /// Starts a guest that lives on from run to run.
    ///
    /// # Errors
    /// When the machine has no room for it.
    pub fn session(&self) -> Result<Session, Error> {
        Session::start(Arc::clone(&self.shared))
    }

    /// What is in effect: the engine and why it was chosen, the image, the policy.
    #[must_use]
    pub fn explain(&self) -> Explanation {
        Explanation::new(&self.shared)
    }

    /// The tools that it lends, to search in.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        self.shared.capabilities.tools.catalog()
    }

    /// Where the latest run's `/output` is on the host.
    #[must_use]
    pub fn output_path(&self) -> Option<PathBuf> {
        let latest = self.shared.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.as_ref().and_then(|latest| latest.output.path().map(ToOwned::to_owned))
    }

    /// What the latest run left in `/output`.
    #[must_use]
    pub fn get_output_files(&self) -> Vec<OutputFile> {
        let latest = self.shared.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        latest.map_or_else(Vec::new, |latest| latest.files.output().0)
    }
}

impl Shared {
    /// For a new guest: its own temporary output, if it shall have one.
    pub(crate) fn surroundings(&self) -> Result<Surroundings, Error> {
        let quota = Arc::new(Mutex::new(Quota::new(Arc::new(self.policy.limits.clone()))));
        let resources = Resources::new(self.policy.limits.resources);
        if !self.temporary_output {
            let kept = self.policy.mounts.iter().find(|mount| mount.guest == OUTPUT);
            let output = kept.map_or(OutputDirectory::None, |mount| OutputDirectory::Kept(mount.host.clone()));
            return Ok(Surroundings { files: Arc::clone(&self.files), output, quota, resources });
        }
        let directory = tempfile::Builder::new()
            .prefix("isolette-output-")
            .tempdir()
            .map_err(|error| Error::io("cannot create a directory for temporary output", error))?;
        let mut mounts = self.policy.mounts.clone();
        mounts.push(Mount::new(directory.path(), OUTPUT, Access::ReadWrite)?);
        let files = Arc::new(Files::new(&mounts)?);
        Ok(Surroundings { files, output: OutputDirectory::Temporary(Arc::new(directory)), quota, resources })
    }

    pub(crate) fn remember(&self, surroundings: &Surroundings) {
        // What the guest held shall not outlive it.
        let latest = Surroundings { resources: Resources::new(0), ..surroundings.clone() };
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(latest);
    }
}
